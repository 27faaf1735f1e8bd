"""That nothing moves, proven for round friction cones: at once where it is so, and never where something does move."""

from __future__ import annotations

import numpy as np
import pytest

from engine.analysis import stability
from engine.analysis.stability.cones import pyramids_of
from engine.analysis.stability.modes import motion_under, rolling_motion_under
from engine.analysis.stability.sectors import no_motion, within
from tests.bench.inspect_stability import in_space
from tests.engine.analysis.test_stability_modes import cube_on_slope
from tests.engine.analysis.test_stability_scenes import check, on_slope, stack

LIMIT = 2000


@pytest.mark.parametrize("turned", [0.0, 0.2, np.pi / 4])
@pytest.mark.parametrize("angle", [0.1, 0.3])
def test_a_cube_on_a_slope_is_proven_to_stay_from_two_per_cent_above_its_friction(angle: float, turned: float) -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(angle, turned)
    for share, stays in ((0.9, False), (0.999, False), (1.02, True), (3.0, True)):
        p = pyramids_of(Wn, Wt, Wo, share * np.tan(angle), mass)
        assert no_motion(p, weight, LIMIT).proven is stays


def test_pyramids_are_no_proof_for_round_cones() -> None:
    """Across their corners they hold a cube that slides."""
    Wn, Wt, Wo, mass, weight = cube_on_slope(0.3, np.pi / 4)
    p = pyramids_of(Wn, Wt, Wo, 0.9 * np.tan(0.3), mass)
    by_edges = motion_under(p, weight)
    assert by_edges.motion is None and by_edges.proven
    assert not no_motion(p, weight, LIMIT).proven


def test_nothing_is_proven_where_something_moves() -> None:
    """Motions of round cones without sliding, found in another way, under random loads at two contacts."""
    rng = np.random.default_rng(8)
    moving, proven = 0, 0
    for _ in range(60):
        drawn = in_space(rng, 2)
        p = pyramids_of(*drawn.J, 4.0 * drawn.mu, drawn.mass)  # much friction jams
        # A load that the contacts can hold: normals, and most of the friction somewhere.
        n = p.J.shape[2]
        press, turn = rng.uniform(0.2, 1.0, n), rng.uniform(0.0, 2.0 * np.pi, n)
        rub = 0.9 * p.mu * press
        load = -(p.J[0] @ press + p.J[1] @ (rub * np.cos(turn)) + p.J[2] @ (rub * np.sin(turn)))
        rolls = rolling_motion_under(within(p, 8), load).motion is not None
        found = no_motion(p, load, LIMIT).proven
        assert not (found and rolls)
        moving, proven = moving + rolls, proven + found
    assert moving >= 10 and proven >= 20, (moving, proven)


def test_at_its_limit_it_tells_how_closely_it_looked() -> None:
    Wn, Wt, Wo, mass, weight = cube_on_slope(0.3, 0.2)
    found = no_motion(pyramids_of(Wn, Wt, Wo, 0.5, mass), weight, 20)
    assert not found.proven and found.nodes == 20 and 0.0 < found.width <= 2.0 * np.pi


def test_the_tab_tells_the_two_kinds_of_proof_apart() -> None:
    alone = stability.inspect_body(on_slope(0.3, 0.35), "block")
    assert check(alone, "Must stand") is True
    piled = stability.inspect_body(stack(0.0, 0.1), "cube 1", ((100.0, 0.0, 0.0), (0.0, 0.0, 0.75)))
    told = next(each for each in piled.checks if each.label == "Must stand")
    assert told.holds is None and told.note == "nearly so, it must" and "round" in told.term
    assert "not proven" in piled.sentence
