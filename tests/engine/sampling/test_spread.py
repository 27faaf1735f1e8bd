"""Spread: closed forms on made-up motions, and takes that do differ."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.analysis.spread import arrivals, spread
from engine.work.sample import sample
from tests.bench import scenes

DT = 0.05


def come(seed: int, *ways: tuple[float, float, float]) -> Any:
    """Bodies that come from `ways` to the origin in one second, straight, and rest for another."""
    k = 41
    share = np.clip(np.arange(k) / 20.0, 0.0, 1.0)[:, None, None]
    positions = (1.0 - share) * np.array(ways, float)[None]
    bodies = [SimpleNamespace(name=f"body{i}") for i in range(len(ways))]
    tape = SimpleNamespace(params=SimpleNamespace(dt=DT))
    return SimpleNamespace(seed=seed, positions=positions, tape=tape, scene=SimpleNamespace(bodies=bodies))


def test_a_direction_is_that_of_the_last_way() -> None:
    take = come(0, (2.0, 0.0, 0.0), (0.0, 0.0, 3.0), (0.0, 0.0, 0.0))
    take.positions[:15, 0] += (0.0, 5.0, 0.0)  # it came round a corner, more than a quarter of a second before
    seen = arrivals(take)
    np.testing.assert_allclose(seen.directions[:2], [[-1, 0, 0], [0, 0, -1]])
    assert np.isnan(seen.directions[2]).all(), "it was always there"
    assert seen.starts[0].tolist() == [2.0, 5.0, 0.0]


def test_the_same_takes_have_no_spread() -> None:
    told = spread([come(0, (1, 0, 0)), come(1, (1, 0, 0))])
    assert (told.starts, told.directions, told.closest_starts) == (0.0, pytest.approx(0.0), 0.0)
    assert told.closest == (0, 1) and told.bodies == 1


def test_opposite_ways_are_as_spread_as_can_be() -> None:
    told = spread([come(4, (2, 0, 0), (0, 0, 0)), come(9, (-2, 0, 0), (0, 0, 0))])
    assert told.starts == pytest.approx(2.0) and told.directions == pytest.approx(1.0)
    assert told.closest == (4, 9) and told.closest_starts == pytest.approx(4.0)
    assert told.bodies == 1 and set(told.by_body) == {"body0"}, "a body that never moves does not count"


def test_the_closest_two_are_named() -> None:
    told = spread([come(0, (1, 0, 0)), come(1, (0, 1, 0)), come(2, (0, 1.1, 0))])
    assert told.closest == (1, 2) and told.closest_starts == pytest.approx(0.1)
    assert told.directions == pytest.approx(1.0 - np.sqrt(5.0) / 3.0)
    assert "seeds 1 and 2" in str(told) and told.summary()["takes"] == 3


def test_there_must_be_something_to_compare() -> None:
    assert spread([]).closest is None and "cannot be compared" in str(spread([come(0, (1, 0, 0))]))
    assert "cannot be compared" in str(spread([come(0, (0, 0, 0)), come(1, (0, 0, 0))]))


def test_takes_differ() -> None:
    told = spread(sample(scenes.scattered_boxes(3, 2), 4, 1.0, dt=1 / 240))
    assert told.bodies == 2 and told.closest_starts > 1e-3 and told.starts > 0.01 and told.directions > 1e-3
