"""What more friction can do: nothing for a load that moves without sliding (Pang and Trinkle 1998, theorem 3)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.analysis import stability
from engine.analysis.asked import go_on
from engine.analysis.stability.cones import pyramids_of
from engine.analysis.stability.escapes import escape_without_sliding, within
from engine.analysis.stability.findings import stand
from engine.scene.inspection import Check, Inspection
from engine.scene.spec import Body, Cylinder, Material, Plane, Scene, Sphere
from tests.engine.analysis.test_stability_modes import cube_on_slope
from tests.engine.analysis.test_stability_scenes import on_slope, touch

MORE = "More friction would hold it"
IN_VAIN = "More friction would not hold it: it can roll or lift off without sliding."


def more(found: Inspection) -> Check:
    return next(each for each in found.checks if each.label == MORE)


def round_on_slope(shape: Sphere | Cylinder, angle: float, friction: float) -> Scene:
    rough, normal = Material(friction=friction), (math.sin(angle), 0.0, math.cos(angle))
    lying = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # a cylinder's axis along y
    return Scene(
        bodies=[
            Body("slope", Plane(normal=normal), static=True, material=rough, id="slope"),
            Body("log", shape, tuple(0.1 * x for x in normal), lying, material=rough, id="log"),
        ],
        ground=False,
    )


@pytest.mark.parametrize("angle", [0.2, 0.6])
def test_a_block_that_slides_wants_more_friction(angle: float) -> None:
    found = stability.inspect_body(on_slope(angle, 0.8 * math.tan(angle)), "block")
    assert more(found) == Check(MORE, True, "1.25 times as much")
    assert IN_VAIN not in found.sentence


@pytest.mark.parametrize(("angle", "friction"), [(0.8, 1.2), (0.8, 8.0), (1.2, 4.0)])
def test_a_block_beyond_its_diagonal_tips_with_any_friction(angle: float, friction: float) -> None:
    found = stability.inspect_body(on_slope(angle, friction), "block")
    assert more(found).holds is False and "theorem 3" in more(found).term
    assert found.sentence == f'"block" does not stand: it would tip over. {IN_VAIN}'


@pytest.mark.parametrize("shape", [Sphere(0.1), Cylinder(0.1, 0.2)])
def test_what_is_round_rolls_with_any_friction(shape: Sphere | Cylinder) -> None:
    for friction in (0.3, 5.0):
        found = stability.inspect_body(round_on_slope(shape, 0.2, friction), "log")
        assert more(found).holds is False and found.sentence.endswith(IN_VAIN)


def test_a_block_that_slides_before_it_tips_does_not_go_without_sliding() -> None:
    """Whether it can tip without sliding depends on friction only from where it tips: 45 degrees."""
    for angle, friction, goes in ((0.5, 0.3, False), (0.5, 3.0, False), (0.9, 3.0, True)):
        own = touch(on_slope(angle, friction))
        answer = escape_without_sliding(stand(own, own.moving), go_on)
        assert answer is not None and answer.proven and (answer.motion is not None) is goes


def test_a_motion_without_sliding_stays_within_round_cones_and_rests_where_it_touches() -> None:
    own = touch(on_slope(0.9, 3.0))
    found = stand(own, own.moving)
    answer = escape_without_sliding(found, go_on)
    assert answer is not None and answer.motion is not None
    normal, *across = answer.motion.forces
    assert (np.hypot(*across) <= 3.0 * normal + 1e-9).all()
    held = found.group.supports
    rates = np.einsum("dwn,w->dn", held.J, answer.motion.acceleration)
    pressed = normal > 1e-9
    assert pressed.any() and np.abs(rates[:, pressed]).max() < 1e-7 and rates[0].min() > -1e-9


def test_pyramids_within_round_cones_reach_them_at_their_edges() -> None:
    Wn, Wt, Wo, mass, _ = cube_on_slope(0.3)
    inner = within(pyramids_of(Wn, Wt, Wo, 0.5, mass), 8)
    assert inner.edges.shape == (6, 4, 8)
    assert np.hypot(*inner.signs.T) == pytest.approx(np.ones(8))
