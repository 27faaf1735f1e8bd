"""Takes to export: one made by hand for the dialog, and one that the engine made for files."""

from __future__ import annotations

from dataclasses import replace

from app.export.subject import Subject
from engine.scene.film import Film
from engine.scene.request import Request
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Scene
from tests.app.films import film

SECONDS = 2.0


def scene_of_three() -> Scene:
    """Two bricks that fall, one of them with a name that no program but Blender likes, and a table that stays."""
    bodies = [
        Body("Brick 1", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1), id="b1"),
        Body("Brick_2", Box((0.1, 0.1, 0.1)), (1.0, 0.0, 0.1), id="b2"),
        Body("Table", Box((0.2, 0.2, 0.1)), (0.5, 1.0, 0.1), id="b3", static=True),
    ]
    return Scene(bodies, name="Wall", request=Request(fps=24.0))


def falling(seconds: float = SECONDS) -> Film:
    return film(seconds, ("b1", "b2"))


def subject(**changes: object) -> Subject:
    """Forty-nine frames at 24 fps, frame 48 is the ending."""
    card = TakeCard("t7", "Take 07", seed=3, seconds=SECONDS, tiers=(1.0, 0.0, 0.0, 0.0, 0.0))
    made = Subject("brick_wall", scene_of_three(), card, falling())
    return replace(made, **changes)  # type: ignore[arg-type]
