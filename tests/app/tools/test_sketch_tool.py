"""Sketching with a real mouse in a real view: strokes become hints, hints are chosen, aimed, undone; junk says why."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.camera import Camera
from app.document.hint_edits import find_hint, hints_of
from app.session.selection import Selection
from app.tools.select import SelectTool
from app.tools.tool import Expect
from engine.hints.lift import lift_arc
from engine.hints.sketch import bearing_of
from engine.scene.spec import Body, Box, Hint, Scene, Sphere, Vector

sys.path.insert(0, str(Path(__file__).parent.parent / "viewport"))

DOWN = (0.0, 0.0, -9.81)
LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def bodies() -> list[Body]:
    return [
        Body("Die", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1), id="die"),
        Body("Crate", Box((0.15, 0.15, 0.1)), (-0.7, 0.6, 0.1), id="crate"),
        Body("Crate top", Box((0.1, 0.1, 0.1)), (-0.7, 0.6, 0.3), id="top"),
        Body("Table", Box((0.2, 0.2, 0.05)), (0.9, 0.9, 0.05), id="table", static=True),
        Body("Ball", Sphere(0.08), (0.7, 0.2, 0.08), id="ball"),
    ]


class Sketching:
    """A view with the sketch tool, and a hand."""

    def __init__(self, qtbot: Any) -> None:
        from app.document.document import Document
        from app.look.look import Look
        from app.session.settings import Settings
        from app.tools.sketch import SketchTool
        from app.viewport.hint_layer import HintLayer
        from app.viewport.view import View

        self.document = Document()
        self.selection, self.settings = Selection(self.document), Settings()
        self.settings.set("look/reduce_motion", True)
        self.view = View(self.document, self.selection, self.settings, Look("dark"))
        self.layer = HintLayer(self.view)
        self.view.resize(900, 640)
        qtbot.addWidget(self.view)
        self.said: list[str] = []
        self.view.said.connect(self.said.append)
        self.tool = SketchTool(self.view)
        self.told: list[tuple[str, str]] = []
        self.tool.tell = lambda words, body: self.told.append((words, body))
        self.document.new(Scene(bodies()))
        self.view.set_camera(Camera((0.1, 0.0, 0.3), 3.6, math.radians(-70.0), math.radians(25.0)))
        with qtbot.waitExposed(self.view):
            self.view.show()
        self.view.set_tool(self.tool)

    def pixels(self, points: Any) -> np.ndarray:
        return self.view.camera.project(np.asarray(points, float), *self.view.extent)[0]

    def stroke(self, pixels: np.ndarray, keys: Qt.KeyboardModifier = NO_KEYS, release: bool = True) -> None:
        places = [QPoint(round(x), round(y)) for x, y in pixels]
        QTest.mousePress(self.view, LEFT, keys, places[0])
        for place in places[1:]:
            self.move(place, keys)
        if release:
            QTest.mouseRelease(self.view, LEFT, keys, places[-1])

    def move(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        """QTest.mouseMove carries neither buttons nor keys."""
        from PySide6.QtCore import QEvent, QPointF
        from PySide6.QtGui import QMouseEvent
        from PySide6.QtWidgets import QApplication

        spot = QPointF(place)
        event = QMouseEvent(
            QEvent.Type.MouseMove, spot, self.view.mapToGlobal(spot), Qt.MouseButton.NoButton, LEFT, keys
        )
        QApplication.sendEvent(self.view, event)

    def arc(self, start: Vector, height: float, end: Vector = (0.0, 0.0, 0.0), **how: Any) -> None:
        self.stroke(self.pixels(lift_arc(start, end, height, DOWN).points(40)), **how)

    def line(self, *points: Sequence[float], **how: Any) -> None:
        dense = [np.linspace(a, b, 20) for a, b in zip(points, points[1:], strict=False)]
        self.stroke(self.pixels(np.concatenate(dense)), **how)

    @property
    def hints(self) -> list[Hint]:
        return self.document.scene.hints


@pytest.fixture
def sketching(qtbot: Any) -> Iterator[Sketching]:
    made = Sketching(qtbot)
    yield made
    made.view.close()


def apart(a: float | None, b: float) -> float:
    assert a is not None
    return abs(math.remainder(a - b, 360.0))


@pytest.mark.parametrize("view", [(-70.0, 25.0), (-110.0, 35.0), (-90.0, 10.0)])
def test_a_drawn_arc_is_a_bounce_with_its_side_and_height(sketching: Sketching, view: tuple[float, float]) -> None:
    sketching.view.set_camera(Camera((0.1, 0.0, 0.3), 3.6, math.radians(view[0]), math.radians(view[1])))
    sketching.arc((1.0, -0.3, 0.0), 0.5)
    (hint,) = sketching.hints
    assert hint.kind == "bounce" and hint.body == "die" and hint.stroke is not None
    assert apart(bearing_of(hint, DOWN), math.degrees(math.atan2(-0.3, 1.0))) < 4.0
    assert hint.height == pytest.approx(0.5, rel=0.06)
    assert sketching.selection.ids == ("die",) and sketching.selection.hint == hint.id
    assert not [problem for problem in sketching.document.scene.problems() if problem.code.startswith("hint")]
    assert sketching.document.history.undoText() == "Sketch a bounce for Die"
    sketching.document.history.undo()
    assert sketching.hints == [] and sketching.selection.hint == ""
    sketching.document.history.redo()
    assert sketching.hints == [hint]


def test_a_drawn_line_is_a_slide_from_the_drawn_side(sketching: Sketching) -> None:
    sketching.line((0.0, 0.0, 0.1), (-0.9, -0.4, 0.0))  # from the body outward
    (hint,) = sketching.hints
    assert hint.kind == "slide"
    assert apart(bearing_of(hint, DOWN), math.degrees(math.atan2(-0.4, -0.9))) < 4.0
    assert hint.distance == pytest.approx(math.hypot(0.9, 0.4), rel=0.05)


def test_shift_makes_any_stroke_a_line(sketching: Sketching) -> None:
    sketching.arc((1.0, -0.3, 0.0), 0.5, keys=SHIFT)
    assert [hint.kind for hint in sketching.hints] == ["slide"]


def test_a_body_can_slide_on_after_a_bounce(sketching: Sketching) -> None:
    sketching.arc((1.0, -0.3, 0.0), 0.5)
    sketching.line((-0.9, -0.4, 0.0), (0.0, 0.0, 0.1))
    assert [hint.kind for hint in hints_of(sketching.document.scene, "die")] == ["bounce", "slide"]
    first = sketching.hints[0].id
    sketching.arc((1.0, -0.3, 0.0), 0.8)  # drawn anew: the same hint, higher
    assert len(sketching.hints) == 2 and "drawn anew" in sketching.said[-1]
    assert find_hint(sketching.document.scene, first).height == pytest.approx(0.8, rel=0.06)
    sketching.arc((0.9, -0.5, 0.0), 0.4, keys=CONTROL)
    assert len(sketching.hints) == 3


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(-1.0, -0.3, 0.0), (-0.4, -0.5, 0.0)], "Start or end the stroke on a body."),
        ([(0.0, -0.1, 0.1), (0.06, -0.1, 0.1)], "Stroke too short to read. Draw at least two body widths."),
        ([(0.2, 0.9, 0.0), (0.9, 0.9, 0.1)], "Table is static and never moves. Free it first, or draw to another"),
        ([(1.0, 0.0, 0.0), (0.8, 0.0, 0.6), (0.6, 0.0, 0.0), (0.4, 0.0, 0.6), (0.0, 0.0, 0.1)], "neither an arc nor"),
    ],
)
def test_strokes_that_ask_for_nothing_change_nothing(sketching: Sketching, points: list[Vector], words: str) -> None:
    before = sketching.document.scene
    sketching.line(*points)
    assert words in sketching.said[-1]
    assert sketching.document.scene is before and sketching.document.history.count() == 0


@pytest.mark.parametrize("length", [3.0, 12.0])
def test_a_short_stroke_on_the_hinted_body_keeps_the_hint(sketching: Sketching, length: float) -> None:
    sketching.arc((1.0, -0.3, 0.0), 0.5)
    key, before = sketching.selection.hint, sketching.document.scene
    x, y = sketching.pixels([(0.0, -0.1, 0.1)])[0]
    sketching.stroke(np.array([(x, y), (x + 0.5 * length, y), (x + length, y)]))
    assert sketching.said[-1:] == ["Stroke too short to read. Draw at least two body widths."]
    assert sketching.selection.hint == key and sketching.document.scene is before


def test_a_body_that_is_held_says_by_whom(sketching: Sketching) -> None:
    sketching.line((-0.2, -0.2, 0.0), (-0.7, 0.45, 0.1))
    assert sketching.told == [("Crate cannot leave: Crate top stands on it.", "top")]
    assert sketching.document.history.count() == 0


def test_escape_cancels_a_stroke(sketching: Sketching) -> None:
    points = lift_arc((1.0, -0.3, 0.0), (0.0, 0.0, 0.0), 0.5, DOWN).points(40)
    sketching.stroke(sketching.pixels(points), release=False)
    assert sketching.tool.busy() and sketching.tool.marks().labels[0].text == "bounce"  # read while it is drawn
    QTest.keyClick(sketching.view, Qt.Key.Key_Escape)
    assert not sketching.tool.busy() and not sketching.tool.marks()
    QTest.mouseRelease(sketching.view, LEFT, NO_KEYS, QPoint(*(round(c) for c in sketching.pixels(points)[-1])))
    assert sketching.hints == [] and sketching.document.history.count() == 0


def test_escape_without_a_stroke_puts_the_pencil_down(sketching: Sketching) -> None:
    left: list[bool] = []
    sketching.tool.leave = lambda: left.append(True)
    assert sketching.tool.expects()[-1] == Expect("Esc", "put the pencil down")
    points = lift_arc((1.0, -0.3, 0.0), (0.0, 0.0, 0.0), 0.5, DOWN).points(40)
    sketching.stroke(sketching.pixels(points), release=False)
    QTest.keyClick(sketching.view, Qt.Key.Key_Escape)
    assert not left, "the stroke comes first"
    QTest.mouseRelease(sketching.view, LEFT, NO_KEYS, QPoint(*(round(c) for c in sketching.pixels(points)[-1])))
    QTest.keyClick(sketching.view, Qt.Key.Key_Escape)
    assert left == [True]


def test_a_click_on_a_curve_chooses_its_hint(sketching: Sketching) -> None:
    sketching.arc((1.0, -0.3, 0.0), 0.5)
    key = sketching.selection.hint
    QTest.keyClick(sketching.view, Qt.Key.Key_Return)
    assert sketching.selection.hint == ""
    curve = lift_arc((1.0, -0.3, 0.0), (0.0, 0.0, 0.0), 0.5, DOWN).points(40)
    x, y = sketching.pixels(curve)[8]
    QTest.mouseClick(sketching.view, LEFT, NO_KEYS, QPoint(round(x), round(y)))
    assert sketching.selection.hint == key
    QTest.mouseClick(sketching.view, LEFT, NO_KEYS, QPoint(20, 620))
    assert sketching.selection.hint == "" and sketching.selection.ids == ()
    sketching.view.set_tool(SelectTool(sketching.view))
    sketching.selection.set(["die"])
    QTest.mouseClick(sketching.view, LEFT, NO_KEYS, QPoint(round(x), round(y)))
    assert sketching.selection.hint == key and sketching.selection.ids == ("die",)
    die = sketching.pixels([(0.0, -0.1, 0.1)])[0]
    QTest.mouseClick(sketching.view, LEFT, NO_KEYS, QPoint(round(die[0]), round(die[1])))
    assert sketching.selection.hint == "" and sketching.selection.ids == ("die",)


def test_the_far_end_aims_and_the_top_raises(sketching: Sketching) -> None:
    from app.tools.hint_grip import handles

    sketching.arc((1.0, -0.3, 0.0), 0.5)
    places = handles(sketching.view, sketching.hints[0])
    goal = (-0.6, -0.7, 0.0)
    sketching.stroke(sketching.pixels(np.linspace(places["start"], goal, 8)))
    (hint,) = sketching.hints
    assert apart(bearing_of(hint, DOWN), math.degrees(math.atan2(-0.7, -0.6))) < 3.0
    assert hint.distance == pytest.approx(math.hypot(0.6, 0.7), rel=0.03)
    assert hint.height == pytest.approx(0.5, rel=0.06)
    top = handles(sketching.view, hint)["top"]
    sketching.stroke(sketching.pixels(np.linspace(top, top + np.array([0.0, 0.0, 0.3]), 8)))
    assert sketching.hints[0].height == pytest.approx(hint.height + 0.3, rel=0.03)
    assert [sketching.document.history.text(k) for k in range(3)] == [
        "Sketch a bounce for Die", "Aim the hint of Die", "Raise the hint of Die"
    ]  # fmt: skip


def test_hints_are_seen_where_they_matter(sketching: Sketching) -> None:
    sketching.arc((1.0, -0.3, 0.0), 0.5)
    shown: Callable[[], bool] = lambda: "hints" in sketching.view.marks._extra  # noqa: E731
    sketching.selection.clear()
    assert shown()  # the sketch tool shows all of them
    sketching.view.set_tool(SelectTool(sketching.view))
    assert not shown()
    sketching.selection.set(["die"])
    assert shown()
    sketching.selection.set(["ball"])
    assert not shown()


def test_idle_sketching_paints_nothing(sketching: Sketching, qtbot: Any) -> None:
    sketching.arc((1.0, -0.3, 0.0), 0.5)
    qtbot.wait(400)
    drawn, marks = sketching.view.draws, sketching.view.marks._extra["hints"]
    qtbot.wait(300)
    assert sketching.view.draws == drawn and sketching.view.marks._extra["hints"] is marks
