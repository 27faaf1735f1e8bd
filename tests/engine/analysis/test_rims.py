"""Cylinders that stand: on circles, whichever way they are turned."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.analysis.inspect import inspect
from engine.analysis.patch_contacts import footprints, moment_of_ending
from engine.analysis.rims import rounded
from engine.analysis.stability.balance import furthest
from engine.analysis.stability.findings import stand
from engine.analysis.stability.supports import group
from engine.analysis.touch import touch_of
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Cylinder, Material, Plane, Scene

RADIUS, HALF = 0.1, 0.3
TIPS = math.atan(RADIUS / HALF)  # 18.43 degrees; an octagon would at 17.11


def can_on_slope(angle: float, yaw: float) -> Scene:
    rough, normal = Material(friction=2.0), (math.sin(angle), 0.0, math.cos(angle))
    c, s, cy, sy = math.cos(angle / 2), math.sin(angle / 2), math.cos(yaw / 2), math.sin(yaw / 2)
    turned = (c * cy, s * sy, s * cy, c * sy)  # about its own axis, then with the slope
    at = tuple(HALF * x for x in normal)
    return Scene(
        [
            Body("slope", Plane(normal=normal), static=True, material=rough, id="slope"),
            Body("can", Cylinder(RADIUS, HALF), at, turned, material=rough, id="can"),
        ],
        ground=False,
    )


@pytest.mark.parametrize("yaw", np.arange(16) * math.pi / 64)
def test_tilt_push_and_pressure_are_those_of_the_circle(yaw: float) -> None:
    """At any yaw, within .1 %: to where it tips, what it takes there, and where it presses."""
    touch = touch_of(compile_scene(can_on_slope(0.0, yaw)))
    own = group(touch, touch.moving)
    weight = float(np.linalg.norm(own.gravity))
    for way in (0.0, 0.6, 1.3):
        push = np.r_[math.cos(way), math.sin(way), 0.0, 0.0, 0.0, 0.0]
        assert furthest(own.supports, own.gravity, push, 9.0 * weight) == pytest.approx(weight / 3.0, rel=1e-3)

    angle = 0.97 * TIPS
    model = compile_scene(can_on_slope(angle, yaw))
    reading = footprints(moment_of_ending(model), model.names.index("can"))[0].reading
    here = HALF * math.tan(angle)
    assert reading.cop is not None and reading.margin is not None
    assert float(np.linalg.norm(reading.cop - reading.hull.centre)) == pytest.approx(here, rel=1e-3)
    assert reading.margin == pytest.approx(RADIUS - here, abs=3e-4 * RADIUS)


@pytest.mark.parametrize("yaw", [0.0, math.pi / 8])
def test_a_can_stands_up_to_its_angle_in_every_tab(yaw: float) -> None:
    for share, level in ((0.94, "fine"), (0.99, "warning"), (1.01, "bad")):
        found = inspect(can_on_slope(share * TIPS, yaw), "contact", "can")
        assert found.level == level, found.sentence
    stands, falls = (inspect(can_on_slope(share * TIPS, yaw), "stability", "can") for share in (0.99, 1.01))
    assert (stands.title, falls.title) == ("Stands", "Does not stand")
    tilt = next(each.value for each in stands.numbers if each.label == "Tilt it can take")
    assert tilt == pytest.approx(math.degrees(0.01 * TIPS), rel=2e-2)


def test_points_of_a_rim_lie_over_what_it_stands_on() -> None:
    """Half over a ledge, and on a can of half its size."""
    ledge = Body("ledge", Box((0.5, 0.5, 0.1)), (0.5, 0.0, 0.1), static=True, id="ledge")
    over = Scene([ledge, Body("can", Cylinder(RADIUS, HALF), (0.03, 0.0, 0.2 + HALF), id="can")], ground=False)
    touch = rounded(touch_of(compile_scene(over))).touch
    assert touch.count > 40 and touch.point[:, 0].min() > -1e-9
    small = Body("small", Cylinder(0.05, 0.1), (0.0, 0.0, 0.1), static=True, id="small")
    on_can = Scene([small, Body("can", Cylinder(RADIUS, HALF), (0.02, 0.0, 0.2 + HALF), id="can")], ground=False)
    found = rounded(touch_of(compile_scene(on_can)))
    assert np.linalg.norm(found.touch.point[:, :2], axis=1).max() < 0.05 + 1e-9
    assert (found.of < len(touch_of(compile_scene(on_can)).point)).all()


def test_forces_of_a_rim_are_drawn_at_the_contacts_of_the_scene() -> None:
    scene = can_on_slope(0.9 * TIPS, 0.3)
    touch = touch_of(compile_scene(scene))
    arrows = inspect(scene, "stability", "can").drawing.arrows
    normal = [np.array(each.along) for each in arrows if each.role == "normal"]
    assert len(normal) == touch.count == 8
    weight = float(np.linalg.norm(stand(touch, touch.moving).group.gravity))
    assert np.linalg.norm(sum(normal)) == pytest.approx(weight * math.cos(0.9 * TIPS), rel=1e-4)
