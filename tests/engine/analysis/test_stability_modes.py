"""The search over contact modes: against every mode, in space, at its limit, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.analysis import stability
from engine.analysis.stability.cones import pyramids_of
from engine.analysis.stability.modes import motion_under
from tests.bench.inspect_stability import Problem, agrees, in_plane, in_space, moving_mode

UNIT = np.eye(3)


def cube_on_slope(angle: float, turned: float = 0.0) -> tuple[np.ndarray, ...]:
    """Wn, Wt, Wo, mass, weight of a unit cube of mass 1 on a slope, tangents turned about its normal."""
    c, s = np.cos(angle), np.sin(angle)
    normal, down = np.array([s, 0.0, c]), np.array([c, 0.0, -s])
    level = np.cross(normal, down)
    corners = [-0.5 * normal + x * down + y * level for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    ways = (normal, np.cos(turned) * down + np.sin(turned) * level, np.cos(turned) * level - np.sin(turned) * down)
    W = [np.array([np.r_[way, np.cross(at, way)] for at in corners]).T for way in ways]
    return *W, np.diag([1.0, 1.0, 1.0, 1 / 6, 1 / 6, 1 / 6]), np.array([0.0, 0.0, -9.81, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(("make", "most", "count"), [(in_plane, 5, 120), (in_space, 2, 60)])
def test_no_disagreement_with_every_mode_in_turn(make: Callable[..., Problem], most: int, count: int) -> None:
    """`foregone bench inspectors` does 2,000 in the plane."""
    rng = np.random.default_rng(1)
    assert all(agrees(make, most, rng) for _ in range(count))


def test_random_problems_are_of_every_kind() -> None:
    rng = np.random.default_rng(1)
    kinds = set()
    for _ in range(60):
        problem = in_plane(rng, 2)
        found = stability.classify(*problem.J, None, problem.mu, problem.load, problem.mass)
        kinds.add((found.weak, found.strong))
        assert (moving_mode(problem) is None) is found.strong
    assert kinds == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize("turned", [0.0, 0.4, np.pi / 4])
@pytest.mark.parametrize("angle", [0.1, 0.5])
def test_a_cube_on_a_slope_slides_above_the_friction_angle(angle: float, turned: float) -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(angle, turned)
    for mu, stands in ((0.98 * np.tan(angle), False), (1.02 * np.tan(angle), True)):
        found = stability.classify(Wn, Wt, Wo, mu, weight, mass)
        assert (found.frictionless, found.weak, found.strong) == (False, stands, stands)
        if not stands:
            assert found.witness is not None and found.witness @ weight > 0.0
            assert (Wn.T @ found.witness > -1e-7).all()


def test_a_cube_tips_over_its_edge_beyond_its_diagonal() -> None:
    for angle, stands in ((0.77, True), (0.80, False)):
        Wn, Wt, Wo, mass, weight = cube_on_slope(angle)
        assert stability.classify(Wn, Wt, Wo, 5.0, weight, mass).weak is stands


def test_pyramids_hold_more_than_cones_across_their_corners() -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(0.3, np.pi / 4)
    mu = 0.9 * np.tan(0.3)
    assert stability.classify(Wn, Wt, Wo, mu, weight, mass, law="pyramid").strong
    assert not stability.classify(Wn, Wt, Wo, mu, weight, mass).weak


def test_a_level_cube_needs_no_friction() -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(0.0)
    found = stability.classify(Wn, Wt, Wo, 0.0, weight, mass)
    assert (found.frictionless, found.weak, found.strong, found.witness) == (True, True, True, None)
    assert found.forces[0].sum() == pytest.approx(9.81)


def test_the_witness_obeys_the_contact_law() -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(0.5, 0.4)
    p = pyramids_of(Wn, Wt, Wo, 0.3, mass)
    found = motion_under(p, weight)
    assert found.motion is not None
    a, c = np.einsum("dwn,w->dn", p.J, found.motion.acceleration), found.motion.forces
    assert mass @ found.motion.acceleration == pytest.approx(weight + np.einsum("dwn,dn->w", p.J, c))
    assert a[0].min() > -1e-9 and c[0].min() >= 0.0
    assert np.abs(a[0] * c[0]).max() < 1e-9
    for way in (1, 2):
        assert (np.abs(c[way]) <= 0.3 * c[0] + 1e-9).all()
        slides = np.abs(a[way]) > 1e-6
        assert c[way][slides] == pytest.approx(-np.sign(a[way][slides]) * 0.3 * c[0][slides])


def test_at_its_limit_the_search_does_not_guess() -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(0.3, 0.4)
    found = stability.classify(Wn, Wt, Wo, 0.5, weight, mass, limit=5)
    assert (found.weak, found.strong, found.witness) == (True, None, None)
    assert stability.weak_is_strong(Wn, Wt, Wo, 0.5, mass, limit=5) == (None, None)


def test_units_do_not_matter() -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(0.3, 0.4)
    for factor in (1e-6, 1e6):
        for mu, stands in ((0.28, False), (0.33, True)):
            assert stability.classify(Wn, Wt, Wo, mu, factor * weight, mass).strong is stands
            assert stability.classify(Wn, Wt, Wo, mu, weight, factor * mass).strong is stands


def test_a_body_that_touches_nothing_falls() -> None:
    nothing = np.zeros((3, 0))
    found = stability.classify(nothing, nothing, None, np.zeros(0), np.array([0.0, -1.0, 0.0]), UNIT)
    assert (found.frictionless, found.weak, found.strong) == (False, False, False)
    assert found.witness == pytest.approx([0.0, -1.0, 0.0])
    assert stability.classify(nothing, nothing, None, np.zeros(0), np.zeros(3), UNIT).strong


def test_a_search_can_be_stopped() -> None:
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    Wn, Wt, Wo, mass, weight = cube_on_slope(0.3)
    with pytest.raises(Stopped):
        stability.classify(Wn, Wt, Wo, 0.5, weight, mass, look_up=stop)


def test_what_does_not_fit_is_named() -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(0.3)
    with pytest.raises(ValueError, match="Wt is"):
        stability.classify(Wn, Wt[:, :2], Wo, 0.5, weight, mass)
    with pytest.raises(ValueError, match="load is"):
        stability.classify(Wn, Wt, Wo, 0.5, weight[:3], mass)
    with pytest.raises(ValueError, match="mass is"):
        stability.classify(Wn, Wt, Wo, 0.5, weight, np.eye(3))
    with pytest.raises(ValueError, match="mu has"):
        stability.classify(Wn, Wt, Wo, -0.5, weight, mass)
