"""What tests of the timeline share: a document with a take, its playback, the panel, and a hand on the mouse."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.document.document import Document
from app.document.take_edits import ask_for
from app.look.look import Look
from app.session.playback import Playback
from app.session.selection import Selection
from app.timeline.shown import Shown
from app.timeline.timeline_panel import TimelinePanel
from engine.scene.film import Film, read_film
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Hint, Material, Scene
from engine.scene.take_files import FILM
from tests.app.films import film_arrays

SECONDS = 2.0
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


def film(count: int = 4) -> Film:
    """Body i moves from 0.1 i to 1 + 0.2 i (at most 1.9), hits the next one at 0.8 and the ground at 0.5. Steps 100 to
    399 touch; step 120 is tuned, 200 to 203 plastic, 300 ghosted, 350 assisted; in 250 and
    251 friction was lowered."""
    arrays = film_arrays(SECONDS, tuple(f"b{i + 1}" for i in range(count)))
    rows = np.arange(count)
    arrays["begin"], arrays["rest"] = np.minimum(0.1 * rows, 0.4), np.minimum(1.0 + 0.2 * rows, 1.9)
    arrays["event_time"] = np.concatenate([np.full(count, 0.5), np.full(count, 0.8)])
    pairs = [*((i, -1) for i in rows), *((i, (i + 1) % count) for i in rows)]
    arrays["event_body"] = np.array(pairs, np.int32)
    arrays["event_speed"] = np.concatenate([np.full(count, 2.14), np.full(count, 0.01)])
    tier = np.full(960, -1, np.int8)
    tier[100:400] = 0
    tier[120], tier[200:204], tier[300], tier[350] = 1, 2, 3, 4
    arrays["step_tier"] = tier
    arrays["lowered"] = np.array([250, 251], np.int32)
    steps = [120, 200, 201, 202, 203, 300, 350]
    arrays["mark_step"] = np.array(steps, np.int32)
    arrays["mark_tier"] = tier[steps]
    arrays["mark_body"] = np.array([(0, -1), *[(-1, 1)] * 4, (2, 3), (-1, -1)], np.int32)
    values = [(0.62, 0.5, 2.0, 0.0), *[(0.0, 0.5, 1.4, 0.0)] * 4, (0.0, 0.0, 0.0, 0.004), (0.0, 0.0, 0.0, 0.03)]
    arrays["mark_value"] = np.array(values)
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    return read_film(stream.getvalue())


def scene_of(count: int = 4) -> Scene:
    material = Material(restitution=0.45, friction=0.5)
    bodies = [
        Body(f"Brick {i + 1}", Box((0.1, 0.1, 0.1)), (i, 0.0, 0.1), id=f"b{i + 1}", material=material)
        for i in range(count)
    ]
    return Scene(bodies=bodies, hints=[Hint("bounce", "b2", speed=1.0)])


class Stage:
    def __init__(self, folder: Path, count: int = 4) -> None:
        self.document = Document(scratch=folder)
        scene = scene_of(count)
        made_for = fingerprint(scene)
        tiers = (0.94, 0.03, 0.01, 0.01, 0.01)
        scene.takes = [
            TakeCard("t1", "Take 01", seconds=SECONDS, energy=96.0, tiers=tiers, scene=made_for),
            TakeCard("t2", "Take 02", seconds=SECONDS, energy=12.5, scene=made_for, pinned=True),
            TakeCard("t3", "Take 03", seconds=SECONDS, energy=50.0, scene="another"),
        ]
        scene = ask_for(scene, fps=24.0)
        self.document.new(scene)
        for key in ("t1", "t2"):
            self.document.takes._films[key] = film(count)
        self.document.takes.folder.joinpath(FILM.format("t3")).write_bytes(b"no film")
        self.selection = Selection(self.document)
        self.playback = Playback(self.document)
        self.look = Look()
        self.panel = TimelinePanel(self.document, self.selection, self.playback, self.look)
        self.playback.show("t1")

    @property
    def tracks(self):
        return self.panel.tracks

    @property
    def shown(self) -> Shown:
        found = self.tracks.shown
        assert found is not None
        return found

    def body(self, number: int) -> Body:
        return self.document.scene.bodies[number]

    def x(self, frame: int) -> float:
        return self.shown.axis.x(self.playback.time_of(frame))

    def press(self, x: float, y: float, keys: Qt.KeyboardModifier = NONE, button: Qt.MouseButton = LEFT) -> None:
        self._mouse(QEvent.Type.MouseButtonPress, x, y, keys, button, button)

    def move(self, x: float, y: float, buttons: Qt.MouseButton = LEFT) -> None:
        self._mouse(QEvent.Type.MouseMove, x, y, NONE, Qt.MouseButton.NoButton, buttons)

    def release(self, x: float, y: float, button: Qt.MouseButton = LEFT) -> None:
        self._mouse(QEvent.Type.MouseButtonRelease, x, y, NONE, button, Qt.MouseButton.NoButton)

    def click(self, x: float, y: float, keys: Qt.KeyboardModifier = NONE) -> None:
        self.press(x, y, keys)
        self.release(x, y)

    def double_click(self, x: float, y: float) -> None:
        self.click(x, y)
        self._mouse(QEvent.Type.MouseButtonDblClick, x, y, NONE, LEFT, LEFT)
        self.release(x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 5) -> None:
        self.press(*start)
        for k in range(1, steps + 1):
            share = k / steps
            self.move(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
        self.release(*end)

    def _mouse(self, kind, x, y, keys, button, buttons) -> None:
        tracks = self.tracks
        place = QPointF(x, y)
        on_screen = QPointF(tracks.mapToGlobal(QPoint(0, 0))) + place
        QApplication.sendEvent(tracks, QMouseEvent(kind, place, on_screen, button, buttons, keys))

    def wheel(self, x: float, y: float, notches: float, keys: Qt.KeyboardModifier = NONE) -> None:
        place = QPointF(x, y)
        on_screen = QPointF(self.tracks.mapToGlobal(QPoint(0, 0))) + place
        turn = QPoint(0, round(120 * notches))
        phase = Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(place, on_screen, QPoint(), turn, Qt.MouseButton.NoButton, keys, phase, False)
        QApplication.sendEvent(self.tracks, event)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.tracks, key, keys)

    def row_y(self, number: int) -> float:
        return float(self.shown.areas.row(number).center().y())


class Actions(dict):
    """Any action, made when it is asked for; says which ones were triggered."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._stage, self.triggered = stage, []

    def __missing__(self, key: str) -> QAction:
        made = QAction(key, self._stage.panel)
        made.setToolTip(key)
        made.triggered.connect(lambda: self.triggered.append(key))
        self[key] = made
        return made
