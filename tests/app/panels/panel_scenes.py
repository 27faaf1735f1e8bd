"""Scenes and small steps that several tests of the panels use."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from engine.scene.spec import Body, Box, Hint, Scene, Sphere


def brick_scene(count: int = 6) -> Scene:
    """Bricks b1.. in a group called Wall, then a free ball; the second brick has a hint."""
    bricks = [Body(f"Brick {k}", Box((0.1, 0.05, 0.03)), position=(0.25 * k, 0.0, 0.03)) for k in range(1, count + 1)]
    scene, ids = edits.add(Scene(), bricks)
    scene, _ = edits.group(scene, ids, "Wall")
    scene, _ = edits.add(scene, [Body("Ball", Sphere(0.1), position=(0.0, 1.0, 0.1))])
    return replace(scene, hints=[Hint("bounce", "Brick 2")])


def key_of(document: Document, name: str) -> str:
    """The id of the body with this name."""
    return next(body.id for body in document.scene.bodies if body.name == name)


def show_active(qtbot: QtBot, window: QWidget) -> None:
    """Show a window and wait until keys go to it."""
    with qtbot.waitActive(window, timeout=5000):
        window.show()
        window.activateWindow()
