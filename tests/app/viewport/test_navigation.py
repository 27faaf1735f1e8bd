"""The camera by real mouse events; tools get the rest; and nothing is drawn without need."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import scenes
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.camera import Camera
from app.tools.tool import Marks, Pointer, Stroke, Tool
from app.viewport.grid import grid_spacing, grid_words
from engine.scene.spec import Body, Box, Sphere

Button, Key = Qt.MouseButton, Qt.KeyboardModifier
Show = Callable[..., "object"]
BOX = Body("Box", Box((0.5, 0.5, 0.5)), (0.0, 0.0, 0.5))


def drag(
    studio, button: Qt.MouseButton, keys: Qt.KeyboardModifier, dx: int, dy: int, start: tuple[int, int] = (240, 180)
) -> None:
    """As a mouse does it: press, some moves, release."""
    view = studio.view

    def send(kind: QEvent.Type, x: int, y: int, held: Qt.MouseButton) -> None:
        place = QPointF(x, y)
        pressed = button if kind != QEvent.Type.MouseMove else Button.NoButton
        QApplication.sendEvent(view, QMouseEvent(kind, place, view.mapToGlobal(place), pressed, held, keys))

    x, y = start
    send(QEvent.Type.MouseButtonPress, x, y, button)
    for k in (1, 2):
        send(QEvent.Type.MouseMove, x + dx * k // 2, y + dy * k // 2, button)
    send(QEvent.Type.MouseButtonRelease, x + dx, y + dy, Button.NoButton)


def wheel(studio, x: float, y: float, notches: int) -> None:
    place = QPointF(x, y)
    event = QWheelEvent(
        place, studio.view.mapToGlobal(place), QPoint(), QPoint(0, 120 * notches), Button.NoButton, Key.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(studio.view, event)


class Recorder(Tool):
    def __init__(self, stage: object) -> None:
        super().__init__(stage)  # type: ignore[arg-type]
        self.seen: list[str] = []
        self.gesture = False

    def press(self, pointer: Pointer) -> bool:
        self.seen.append(f"press {pointer.x:.0f} {pointer.y:.0f} {pointer.buttons.name}")
        return True

    def move(self, pointer: Pointer) -> bool:
        self.seen.append("move")
        return False

    def release(self, pointer: Pointer) -> bool:
        self.seen.append("release")
        return True

    def key(self, key: int, text: str, modifiers: Qt.KeyboardModifier) -> bool:
        self.seen.append(f"key {text}")
        return text == "g"

    def busy(self) -> bool:
        return self.gesture

    def cancel(self) -> None:
        self.gesture = False
        self.seen.append("cancel")


DRAGS = [
    ("blender", Button.MiddleButton, Key.NoModifier, "orbit"),
    ("blender", Button.MiddleButton, Key.ShiftModifier, "pan"),
    ("blender", Button.MiddleButton, Key.ControlModifier, "zoom"),
    ("maya", Button.LeftButton, Key.AltModifier, "orbit"),
    ("maya", Button.MiddleButton, Key.AltModifier, "pan"),
    ("maya", Button.RightButton, Key.AltModifier, "zoom"),
    ("plain", Button.RightButton, Key.NoModifier, "orbit"),
    ("plain", Button.RightButton, Key.ShiftModifier, "pan"),
    ("plain", Button.MiddleButton, Key.NoModifier, "pan"),
]


def test_presets(shown: Show) -> None:
    studio = shown(BOX)
    tool = Recorder(studio.view)
    studio.view.set_tool(tool)
    for preset, button, keys, what in DRAGS:
        studio.settings.set("view/navigation", preset)
        studio.view.set_camera(Camera((0.0, 0.0, 0.5), 4.0))
        before = studio.view.camera
        drag(studio, button, keys, 40, 24)
        after = studio.view.camera
        changed = {
            "orbit": (after.azimuth, after.elevation) != (before.azimuth, before.elevation),
            "pan": after.target != before.target and after.distance == before.distance,
            "zoom": after.distance != before.distance,
        }
        assert changed[what] and sum(changed.values()) == 1 and tool.seen == [], (preset, what)
        if what == "pan":  # what was under the mouse is still under it
            (pixel,), _ = after.project([before.target], *studio.view.extent)
            (old,), _ = before.project([before.target], *studio.view.extent)
            assert np.allclose(pixel - old, (40, 24), atol=0.5)


def test_other_buttons_go_to_the_tool_in_pixels(shown: Show) -> None:
    studio = shown(BOX)
    tool = Recorder(studio.view)
    studio.view.set_tool(tool)
    camera = studio.view.camera
    drag(studio, Button.LeftButton, Key.NoModifier, 10, 0, (100, 120))
    assert tool.seen == ["press 100 120 LeftButton", "move", "move", "release"]
    assert studio.view.camera == camera


def test_right_button_and_escape_cancel_a_gesture(shown: Show) -> None:
    studio = shown(BOX)
    studio.settings.set("view/navigation", "plain")
    tool = Recorder(studio.view)
    studio.view.set_tool(tool)
    menus: list[QPoint] = []
    studio.view.menu_requested.connect(menus.append)
    camera = studio.view.camera
    tool.gesture = True
    drag(studio, Button.RightButton, Key.NoModifier, 0, 0)
    assert tool.seen[0] == "cancel" and menus == [] and studio.view.camera == camera
    tool.gesture = True
    tool.seen.clear()
    QTest.keyClick(studio.view, Qt.Key.Key_Escape)
    assert tool.seen == ["cancel"] and not tool.gesture
    drag(studio, Button.RightButton, Key.NoModifier, 0, 0)
    assert len(menus) == 1  # a right click that did not orbit
    drag(studio, Button.RightButton, Key.NoModifier, 30, 0)
    assert len(menus) == 1


def test_keys_go_to_the_tool_first_and_a_gesture_takes_shortcuts_too(shown: Show) -> None:
    from PySide6.QtGui import QKeyEvent

    studio = shown(BOX)
    tool = Recorder(studio.view)
    studio.view.set_tool(tool)
    used = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_G, Key.NoModifier, "g")
    unused = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_H, Key.NoModifier, "h")
    for event in (used, unused):
        QApplication.sendEvent(studio.view, event)
    assert tool.seen == ["key g", "key h"] and used.isAccepted() and not unused.isAccepted()
    for gesture in (False, True):
        tool.gesture = gesture
        override = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_X, Key.NoModifier, "x")
        override.ignore()
        QApplication.sendEvent(studio.view, override)
        assert override.isAccepted() == gesture


@pytest.mark.parametrize("orthographic", [False, True])
def test_the_wheel_zooms_to_the_mouse(shown: Show, orthographic: bool) -> None:
    studio = shown(BOX)
    studio.view.set_orthographic(orthographic)
    x, y = studio.place((0.4, -0.5, 0.9))
    point = studio.view.surface_at(x, y).point
    assert np.allclose(point, (0.4, -0.5, 0.9), atol=1e-6)
    before = studio.view.camera.distance
    wheel(studio, x, y, 3)
    assert studio.view.camera.distance < 0.7 * before
    assert np.allclose(studio.place(tuple(point)), (x, y), atol=0.2)
    wheel(studio, x, y, -3)
    assert studio.view.camera.distance == pytest.approx(before)


def test_framing_shows_the_selection_or_all(shown: Show) -> None:
    far = Body("Far", Sphere(0.2), (30.0, 0.0, 0.2))
    studio = shown(BOX, far)
    studio.view.frame()
    for point in (BOX.position, far.position):
        x, y = studio.place(point)
        assert 0 < x < 480 and 0 < y < 360
    studio.selection.set([studio.document.scene.bodies[1].id])
    studio.view.frame()
    assert np.allclose(studio.view.camera.target, far.position) and studio.view.camera.distance < 2.0
    studio.view.frame([studio.document.scene.bodies[0].id])
    assert np.allclose(studio.view.camera.target, BOX.position)


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("azimuth, elevation", [(-60.0, 22.0), (-90.0, 0.0), (135.0, 70.0)])
def test_framing_fills_the_picture_up_to_the_margin(azimuth: float, elevation: float, orthographic: bool) -> None:
    """A long wall: its corners are inside, and those that matter touch the margin on both sides."""
    low, high = np.array([-0.9, 0.3, 0.0]), np.array([0.9, 0.42, 0.5])
    start = Camera(azimuth=math.radians(azimuth), elevation=math.radians(elevation), orthographic=orthographic)
    camera = start.framing(low, high, 800 / 500, margin=1.25)
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    pixels, ahead = camera.project(corners, 800, 500)
    filled = (2.0 * pixels / (800, 500) - 1.0) * 1.25  # -1 .. 1 within the margin
    assert ahead.all() and np.abs(filled).max() == pytest.approx(1.0, abs=1e-9)
    tight = int(np.abs(filled).max(axis=0).argmax())
    assert filled[:, tight].min() == pytest.approx(-1.0, abs=1e-9)


def test_framing_flies_unless_motion_is_reduced(shown: Show) -> None:
    studio = shown(Body("Far", Sphere(0.2), (3.0, 0.0, 0.2)))
    studio.settings.set("look/reduce_motion", False)
    start, cameras = studio.view.camera, []
    studio.view.camera_changed.connect(lambda: cameras.append(studio.view.camera))
    studio.view.frame()
    assert studio.view.camera == start
    studio.qtbot.waitUntil(lambda: not studio.view._flight.under_way, timeout=2000)
    assert np.allclose(studio.view.camera.target, (3.0, 0.0, 0.2)) and len(cameras) > 2
    distances = [camera.distance for camera in cameras]
    assert distances == sorted(distances, reverse=True)
    studio.view.look_from("top")
    studio.view.set_camera(start)  # taking hold of the camera ends the flight
    studio.rest()
    assert studio.view.camera == start


def test_nothing_is_drawn_while_nothing_changes(shown: Show) -> None:
    studio = shown(BOX)
    draws = studio.view.draws
    studio.qtbot.wait(300)
    studio.view.update()  # the window system asks for what is already there
    studio.view.overlay.color_pill.update()
    studio.view.refresh()
    studio.view.set_camera(studio.view.camera)
    studio.qtbot.wait(100)
    assert studio.view.draws == draws
    studio.selection.set([studio.document.scene.bodies[0].id])
    studio.qtbot.waitUntil(lambda: studio.view.draws == draws + 1)
    studio.qtbot.wait(250)
    assert studio.view.draws == draws + 1


def test_tab_belongs_to_a_gesture_under_way(shown: Show) -> None:
    studio = shown(BOX)

    class Gesture(Tool):
        under_way, keys = True, 0

        def busy(self) -> bool:
            return self.under_way

        def key(self, key: int, text: str, modifiers: Qt.KeyboardModifier) -> bool:
            Gesture.keys += key == Qt.Key.Key_Tab
            return True

    tool = Gesture(studio.view)
    studio.view.set_tool(tool)
    studio.view.setFocus()
    QTest.keyClick(studio.view, Qt.Key.Key_Tab)
    assert Gesture.keys == 1 and studio.view.window().focusWidget() is studio.view
    tool.under_way = False
    QTest.keyClick(studio.view, Qt.Key.Key_Tab)
    assert Gesture.keys == 1 and studio.view.window().focusWidget() is not studio.view  # it walked on


def test_many_bodies_have_coarse_shadows_only_while_they_move(shown: Show) -> None:
    studio = shown()
    studio.settings.set("view/smooth_edges", False)
    scene = scenes.many(700, Sphere(0.1))
    studio.document.new(scene)
    studio.rest()
    renderer = studio.view._renderer
    assert not renderer.coarse
    fine = studio.view.grabFramebuffer()
    studio.view.set_poses({scene.bodies[0].id: ((0.0, 0.0, 3.0), (1.0, 0.0, 0.0, 0.0))})
    studio.view.grabFramebuffer()
    assert renderer.coarse == renderer.software
    studio.view.set_poses(None)
    studio.view.grabFramebuffer()
    studio.rest()
    assert not renderer.coarse and studio.view.grabFramebuffer() == fine


def test_marks_of_the_tool_follow_the_camera_and_are_cut_behind_it(shown: Show) -> None:
    from app.viewport.mark_places import pixel_lines

    studio = shown(BOX)

    class Liner(Tool):
        def marks(self) -> Marks:
            return Marks([Stroke(np.array([[-1.0, -1.0, 0.9], [1.0, -1.0, 0.9]]), "#00ff00", 5.0)])

    studio.view.set_tool(Liner(studio.view))
    x, y = studio.place((0.0, -1.0, 0.9))
    assert studio.view.grab().toImage().pixelColor(round(x), round(y)).green() > 240
    studio.view.set_camera(studio.view.camera.panned(0, 60, 360))
    x, y = studio.place((0.0, -1.0, 0.9))
    assert studio.view.grab().toImage().pixelColor(round(x), round(y)).green() > 240
    camera = Camera((0.0, 0.0, 0.0), 2.0).looking("front")
    through = Stroke(np.array([[0.0, 5.0, 0.1], [0.0, -50.0, 0.1]]), "#00ff00")
    (line,) = pixel_lines(through, camera, (480, 360))
    assert len(line) == 2 and np.isfinite(line).all() and line[1][1] < line[0][1]


def test_the_axis_ball_turns_the_view(shown: Show) -> None:
    studio = shown(BOX)
    ball = studio.view.overlay.axis_ball
    studio.view.set_camera(Camera())
    place, _ = ball.ends()["top"]
    QTest.mouseClick(ball, Button.LeftButton, pos=place.toPoint())
    assert studio.view.camera.elevation == pytest.approx(math.radians(89.9))
    before = studio.view.camera.azimuth
    QTest.keyClick(ball, Qt.Key.Key_Right)
    assert studio.view.camera.azimuth == pytest.approx(before - math.radians(15.0))
    QTest.keyClick(ball, Qt.Key.Key_Y)
    assert studio.view.camera.azimuth == pytest.approx(math.radians(-90.0))


def test_the_empty_word_and_the_pills(studio) -> None:
    from app.viewport.overlay import EMPTY

    studio.show()
    overlay = studio.view.overlay
    assert overlay.empty_note.isVisible() and overlay.empty_note.words == EMPTY
    studio.document.new()
    assert overlay.empty_note.isVisible()
    studio.document.edit("Add", type(studio.document.scene)(bodies=[BOX]))
    assert not overlay.empty_note.isVisible()
    wide = overlay.color_pill.width()
    assert overlay.color_pill.x() > overlay.camera_pill.geometry().right()
    studio.view.resize(300, 240)
    assert overlay.color_pill.compact and overlay.color_pill.width() < wide and overlay.color_pill.toolTip()
    studio.view.resize(480, 360)
    assert not overlay.color_pill.compact
    studio.rest()
    next(a for a in overlay.camera_pill.menu().actions() if a.text() == "Orthographic").trigger()
    assert studio.view.camera.orthographic and overlay.camera_pill.text() == "Orthographic"
    assert overlay.color_pill.x() > overlay.camera_pill.geometry().right()
    assert studio.settings.get("view/orthographic") is True
    next(a for a in overlay.color_pill.menu().actions() if a.text() == "Energy").trigger()
    assert studio.view.color_by == "energy" and overlay.color_pill.text() == "Colour: energy"


def test_poses_show_bodies_elsewhere_until_taken_back(shown: Show) -> None:
    studio = shown(BOX)
    key = studio.document.scene.bodies[0].id
    x, y = studio.place((0.0, -0.5, 0.5))
    studio.view.set_poses({key: ((0.0, 0.0, 50.0), (1.0, 0.0, 0.0, 0.0))})
    assert studio.view.pick(x, y) is None
    studio.view.set_poses(None)
    assert studio.view.pick(x, y) == key
    studio.rest()


@given(
    st.floats(-3.0, 3.0), st.floats(-1.4, 1.4), st.floats(0.1, 50.0), st.booleans(),
    st.floats(0.0, 640.0), st.floats(0.0, 480.0),
)  # fmt: skip
def test_rays_meet_what_projects_to_their_pixel(a: float, e: float, d: float, flat: bool, x: float, y: float) -> None:
    camera = Camera((0.3, -0.2, 0.5), d, a, e, flat)
    ray = camera.ray(x, y, 640, 480)
    reach = d + (100.0 if flat else 0.0)
    pixels, ahead = camera.project([ray.origin + reach * ray.direction], 640, 480)
    assert ahead[0] and np.allclose(pixels[0], (x, y), atol=1e-6 * 640)


@given(st.floats(1e-5, 10.0))
def test_grid_cells_are_round_and_large_enough(scale: float) -> None:
    weak, strong = grid_spacing(scale)
    assert 56.0 * (1 - 1e-6) <= weak / scale <= 56.0 * 2.5 * (1 + 1e-6)
    digits = weak / 10.0 ** math.floor(math.log10(weak) + 1e-9)
    assert any(digits == pytest.approx(d) for d in (1.0, 2.5, 5.0))
    assert strong / weak in (pytest.approx(4.0), pytest.approx(5.0))
    assert grid_words(0.5) == "Grid 0.5 m" and grid_words(0.025) == "Grid 2.5 cm"
