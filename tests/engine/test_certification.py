"""The certification suite: every contact step explained by the contact law, replayed to rounding, stacks at rest."""

from __future__ import annotations

import numpy as np
import pytest

from engine.contact.tiers import PLASTIC, TUNED
from tests.bench.suite import CASES, run_case

STEPS = (1 / 240, 1 / 1000)


@pytest.mark.parametrize("dt", STEPS, ids=lambda dt: f"1/{round(1 / dt)}")
@pytest.mark.parametrize("name", CASES)
def test_every_contact_step_obeys_the_law(name: str, dt: float) -> None:
    row = run_case(name, dt)
    report, tape = row.report, row.take.tape
    assert row.take.stopped is None
    assert report.contact_steps > 0
    assert report.max_residual <= 1e-12
    assert report.assist == 0.0
    assert report.ghosts == ()
    assert row.replay_error <= 1e-10
    worse = np.flatnonzero(report.tiers > TUNED)
    launches = [hint.time for hint in row.take.scene.hints]
    for step in worse:  # a dead landing is only ever the one that was asked for
        assert report.tiers[step] == PLASTIC
        assert any(abs(row.take.times[-1] - row.take.times[step] - time) <= 2 * dt for time in launches)
    assert np.array_equal(tape.x[-1], row.take.model.start.x)


def test_most_contact_steps_need_no_tuning() -> None:
    for name in CASES:
        assert run_case(name, 1 / 240).report.exact_fraction >= 0.8, name


@pytest.mark.parametrize("sleep", [True, False], ids=["asleep", "awake"])
def test_a_resting_stack_does_not_move_for_five_seconds(sleep: bool) -> None:
    row = run_case("5-brick stack", 1 / 240, sleep)
    assert row.moved <= 1e-12
    assert row.report.exact_fraction == 1.0
    assert row.report.contact_steps == row.take.tape.steps
