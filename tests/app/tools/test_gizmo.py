"""The gizmo keeps its size, shows what can be held, and is caught where it is drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.camera import Camera
from app.tools import drag
from app.tools.drag import Sight
from app.tools.gizmo import LENGTH, Gizmo, Handle, Mode, Palette
from app.tools.guide import axis_line
from app.tools.lock import Lock

PALETTE = Palette({"x": "#ff0000", "y": "#00ff00", "z": "#0000ff"}, "#ffffff", "#000000")
cameras = st.builds(
    Camera,
    distance=st.floats(0.3, 80.0),
    azimuth=st.floats(-math.pi, math.pi),
    elevation=st.floats(-1.5, 1.5),
    orthographic=st.booleans(),
)
MODES: list[Mode] = ["move", "rotate", "scale"]


def gizmo(mode: Mode, camera: Camera, pivot: tuple[float, float, float] = (0.0, 0.0, 0.3)) -> Gizmo:
    return Gizmo(mode, np.array(pivot), np.eye(3), Sight(camera, 800, 600))


@given(cameras)
def test_axes_keep_their_length_on_screen(camera: Camera) -> None:
    made = gizmo("move", camera)
    longest = max(float(np.linalg.norm(made.pixels(LENGTH * np.eye(3)[k]) - made.middle)) for k in range(3))
    assert 0.5 * LENGTH < longest < 2.0 * LENGTH


@given(cameras, st.sampled_from(MODES))
def test_each_handle_is_caught_where_it_is_drawn(camera: Camera, mode: Mode) -> None:
    made = gizmo(mode, camera)
    for handle in made.handles():
        if handle.kind == "plane":
            spot = made.square(handle.axis).mean(axis=0)
        elif mode == "rotate":
            points, near = made.ring(handle)
            spot = points[near][int(near.sum()) // 2]
        elif handle.kind == "axis":
            spot = made.shaft(handle.axis)[1]
        else:
            spot = made.middle
        assert made.hit(*spot) is not None
        if mode == "move" and handle.kind == "all":
            assert made.hit(*spot) == handle


def test_handles_from_a_usual_place() -> None:
    made = gizmo("move", Camera())
    assert len(made.handles()) == 7
    for axis in range(3):
        assert made.hit(*made.shaft(axis)[1]) == Handle("move", "axis", axis)
    assert made.hit(*made.square(2).mean(axis=0)) == Handle("move", "plane", 2)
    assert made.hit(5.0, 5.0) is None
    assert len(gizmo("rotate", Camera()).handles()) == 4 and len(gizmo("scale", Camera()).handles()) == 4


def test_what_is_seen_end_on_cannot_be_held() -> None:
    top = gizmo("move", Camera().looking("top"), (0.0, 0.0, 0.0))
    assert Handle("move", "axis", 2) not in top.handles() and Handle("move", "plane", 2) in top.handles()
    assert Handle("move", "plane", 0) not in top.handles()
    behind = gizmo("move", Camera(), tuple(Camera().eye + Camera().axes()[2]))
    assert behind.handles() == [] and behind.hit(400, 300) is None and behind.strokes(PALETTE) == []


@pytest.mark.parametrize("mode", MODES)
def test_strokes_have_the_axes_colours_and_light_up(mode: Mode) -> None:
    made = gizmo(mode, Camera())
    plain = made.strokes(PALETTE)
    assert {"#ff0000", "#00ff00", "#0000ff"} <= {stroke.color for stroke in plain}
    lit = made.strokes(PALETTE, lit=Handle(mode, "axis", 0))
    assert max(s.width for s in lit if s.color == "#ff0000") > max(s.width for s in plain if s.color == "#ff0000")
    held = made.strokes(PALETTE, held=Handle(mode, "axis", 1))
    assert {stroke.color for stroke in held} == {"#00ff00", PALETTE.halo}


@given(cameras, st.integers(0, 2), st.floats(-0.2, 0.2))
def test_a_thing_dragged_along_an_axis_stays_under_the_mouse(camera: Camera, axis: int, far: float) -> None:
    sight, pivot, way = Sight(camera, 800, 600), np.array(camera.target), np.eye(3)[axis]
    if np.linalg.norm(np.cross(way, sight.toward_viewer(pivot))) < 0.3:
        return
    far *= camera.distance
    start, end = sight.pixel(pivot), sight.pixel(pivot + far * way)
    found = drag.offset(sight, pivot, start, end, np.eye(3), Lock(axis))
    assert found == pytest.approx(far * way, abs=1e-6 * camera.distance)


@given(cameras, st.integers(0, 2), st.tuples(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2)))
def test_a_thing_dragged_in_a_plane_stays_under_the_mouse(camera: Camera, axis: int, far: tuple[float, float]) -> None:
    sight, pivot = Sight(camera, 800, 600), np.array(camera.target)
    if abs(sight.toward_viewer(pivot)[axis]) < 0.3:
        return
    way = np.insert(np.array(far) * camera.distance, axis, 0.0)
    found = drag.offset(sight, pivot, sight.pixel(pivot), sight.pixel(pivot + way), np.eye(3), Lock(axis, plane=True))
    assert found == pytest.approx(way, abs=1e-6 * camera.distance)


@given(st.floats(-3.0, 3.0), st.floats(5.0, 300.0), st.floats(-3.0, 3.0))
def test_swing_is_the_angle_gone_round(first: float, radius: float, by: float) -> None:
    center = np.array([300.0, 200.0])

    def at(angle: float) -> np.ndarray:
        return center + radius * np.array([math.cos(angle), -math.sin(angle)])

    assert drag.swing(center, at(first), at(first + by)) == pytest.approx(by, abs=1e-6)


def test_ratio_never_reaches_zero() -> None:
    center = np.array([300.0, 200.0])
    assert drag.ratio(center, center + [50, 0], center + [0, 100]) == pytest.approx(2.0)
    assert drag.ratio(center, center + [50, 0], center) > 0.0
    assert math.isfinite(drag.ratio(center, center, center + [100, 0]))


@given(cameras, st.integers(0, 2))
def test_guides_run_through_the_pivot_and_end_before_the_camera(camera: Camera, axis: int) -> None:
    sight, pivot = Sight(camera, 800, 600), np.array(camera.target)
    line = axis_line(sight, pivot, np.eye(3)[axis])
    assert line is not None and np.isfinite(line).all()
    along, to = line[1] - line[0], sight.pixel(pivot) - line[0]
    across = abs(along[0] * to[1] - along[1] * to[0]) / max(1.0, float(np.linalg.norm(along)))
    assert across < 0.5


def test_axis_keys_cycle() -> None:
    lock = Lock().pressed(2, False)
    assert lock == Lock(2) and lock.words == " along Z"
    assert lock.pressed(2, False) == Lock(2, local=True) and lock.pressed(2, False).words == " along local Z"
    assert lock.pressed(2, False).pressed(2, False) == Lock()
    assert lock.pressed(0, True).words == " in YZ"
    own = Lock().pressed(1, False, local=True)
    assert own.local and not own.pressed(1, False, local=True).local
