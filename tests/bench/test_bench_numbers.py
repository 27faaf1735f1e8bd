"""Arithmetic of the tables on made-up data, and measurements in other processes."""

from __future__ import annotations

import time

import numpy as np
import pytest

from engine.scene.spec import Scene
from tests.bench import exact
from tests.bench.child import in_child, peak_memory
from tests.bench.exact import StepClock, growth
from tests.bench.fast import Entrant, comparison


class Still:
    """An engine that does nothing."""

    name = "still"

    def asleep(self) -> float:
        return 0.5


def test_ratios_are_of_medians_among_those_that_sleep_alike() -> None:
    times = [(True, [1.0, 9.0, 2.0]), (True, [4.0, 4.0, 1.0]), (False, [6.0, 6.0, 6.0]), (False, [3.0, 2.0, 90.0])]
    rows = comparison([Entrant(Still(), sleeps, spent) for sleeps, spent in times])  # type: ignore[arg-type]
    assert [row["ms_per_step"] for row in rows] == [2.0, 4.0, 6.0, 3.0]
    assert [row["cost_ratio"] for row in rows] == [1.0, 0.5, 1.0, 2.0]
    assert [row["sleeps"] for row in rows] == ["may", "may", "never", "never"]
    assert (rows[0]["ms_fastest"], rows[0]["ms_slowest"], rows[0]["asleep"]) == (1.0, 9.0, 0.5)


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_growth_is_the_exponent(power: float) -> None:
    sizes = [56, 196, 700]
    assert growth(sizes, [3.0 * n**power for n in sizes]) == pytest.approx(power)


def test_growth_needs_two_sizes() -> None:
    assert growth([10], [1.0]) is None and growth([10, 10], [1.0, 2.0]) is None and growth([0, 10], [1.0, 2.0]) is None


def test_slopes_are_fitted_within_a_family() -> None:
    rows = [
        {"scene": scene, "case": "rest", "direction": "forward", "dt": 0.1, "contacts": n, "ms_mean": n**power}
        for scene, power in (("wall", 1.0), ("pile", 3.0))
        for n in (10, 20, 40)
    ]
    exact._add_slopes(rows)
    assert [round(row["slope"], 6) for row in rows] == [1.0] * 3 + [3.0] * 3


def test_the_step_clock_counts_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps at 10, 12 and then three together until 21; a run that lasts too long is told to stop."""
    now = iter([0.0, 4.0, 14.0, 16.0, 22.0])
    monkeypatch.setattr(time, "process_time", lambda: next(now))
    clock = StepClock(longest=15.0)
    clock.start(Scene())  # took 4 s, which the run will spend again before its first step
    assert [clock(done, 5) for done in (1, 2, 5)] == [True, True, False]
    assert clock.milliseconds == pytest.approx([6e3, 2e3, 2e3, 2e3, 2e3])


def test_a_child_has_memory_of_its_own() -> None:
    ballast = np.ones(60_000_000)  # 480 MB that the child must not be blamed for
    mine = peak_memory()
    found = in_child("builtins:dict", a=1)
    assert found["a"] == 1 and 0 < found["peak_bytes"] < mine - 300e6 and ballast.nbytes > 300e6
    assert 0.0 < found["process_s"] <= found["wall_s"] + 0.5


def test_a_child_that_dies_is_reported() -> None:
    assert "no_such_thing" in in_child("builtins:no_such_thing")["failed"]
