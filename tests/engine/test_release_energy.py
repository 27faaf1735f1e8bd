"""What a take costs is counted body by body, each when it is let go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact import tiers
from engine.release_energy import let_go, release_energy, release_ratio
from engine.run import backward
from engine.scene.spec import Body, Box, Scene
from engine.tape.take import Take
from engine.work.sample import ranked, worst_tier
from engine.work.takes import Judged
from tests.engine.appearing_takes import DT, LET_GO, appearing, everybody_seen

HALF, GRAVITY = 0.1, 9.81


def own_energy(take: Take, name: str, step: int) -> float:
    """J over the ground, from the arrays that everybody may read."""
    i = [body.name for body in take.scene.bodies].index(name)
    mass = float(take.model.bodies.mass[take.model.row_of[i]])
    v, w = take.velocities[step, i], take.angular_velocities[step, i]
    spin = 0.5 * float(w @ take.tape.l[step, take.model.row_of[i]])
    x = take.tape.x[step, take.model.row_of[i]]
    return 0.5 * mass * float(v @ v) + spin + mass * GRAVITY * float(x[2] - 0.5 * DT * v[2])


def test_without_releases_it_is_the_energy_of_the_first_frame() -> None:
    take = everybody_seen()
    released, ending = release_energy(take)
    assert released - ending == pytest.approx(take.energy[0] - take.energy[-1], rel=1e-12)
    assert released == pytest.approx(own_energy(take, "first", 0) + own_energy(take, "second", 0), rel=1e-9)


def test_each_body_counts_from_its_own_release() -> None:
    take = appearing()
    released, ending = release_energy(take)
    assert released == pytest.approx(own_energy(take, "first", 0) + own_energy(take, "second", LET_GO), rel=1e-9)
    assert released < release_energy(everybody_seen())[0] - 0.1, "on its way down it has lost some"
    assert release_ratio(take) == released / ending
    row = int(take.model.row_of[1])
    assert np.array_equal(let_go(take).x[row], take.tape.state(LET_GO).x[row])


def test_heights_count_from_the_ending_wherever_it_is_built() -> None:
    shelf = Body("shelf", Box((1, 1, 0.1)), (0, 0, 4.9), static=True)
    scene = Scene(bodies=[shelf, Body("box", Box((HALF, HALF, HALF)), (0, 0, 5.1))])
    take = backward(scene, 0.05, options=Options(arrivals="together"))
    mass = float(take.model.bodies.mass[take.model.row_of[1]])
    assert release_energy(take)[1] == pytest.approx(mass * GRAVITY * HALF, rel=1e-9)
    assert take.energy[-1] == pytest.approx(mass * GRAVITY * 5.1, rel=1e-9)


def test_without_gravity_there_is_nothing_to_compare_with() -> None:
    scene = Scene(bodies=[Body("box", Box((HALF, HALF, HALF)), (0, 0, 1.0))], gravity=(0, 0, 0), ground=False)
    assert release_ratio(backward(scene, 0.05, options=Options(arrivals="together"))) is None


def test_takes_are_ranked_by_it() -> None:
    costly, calm = everybody_seen(), appearing()
    assert costly.energy[0] == calm.energy[0] and costly.seed == calm.seed
    assert ranked([costly, calm])[0] is calm
    report = certify(costly)
    assert Judged(calm, report).rank < Judged(costly, report).rank


def test_what_is_held_ranks_before_what_was_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    take, report = everybody_seen(), certify(everybody_seen())

    def with_tier(tier: int) -> Judged:
        return Judged(take, replace(report, tiers=np.where(report.touching, tier, 0)))

    order = sorted([tiers.ASSISTED, tiers.HELD, tiers.GHOSTED, tiers.PLASTIC], key=lambda tier: with_tier(tier).rank)
    assert order == [tiers.PLASTIC, tiers.HELD, tiers.GHOSTED, tiers.ASSISTED]
    recorded = np.array([tiers.HELD, tiers.GHOSTED, tiers.EXACT], np.uint8)
    monkeypatch.setattr(type(take.tape), "contact_column", lambda tape, name: recorded)
    assert worst_tier(take) == tiers.GHOSTED


def test_a_summary_says_who_was_in_hands() -> None:
    take = appearing()
    told = Judged(take, certify(take), seconds_cpu=1.5).summary()
    assert (told["placed"], told["held"], told["seconds_cpu"]) == (0, 0, 1.5)
    assert told["release_energy_ratio"] == release_ratio(take) and 0.0 <= told["exact_in_motion"] <= 1.0
    released = take.tape.released
    assert released is not None
    laid = tuple("placed" if how == "carried" else how for how in released.how)
    for there, counted in ((LET_GO, (1, 0)), (LET_GO - 10, (0, 1))):
        first = np.where(released.step > 0, there, 0)
        made = replace(take, tape=replace(take.tape, released=replace(released, how=laid, there=first)))
        told = Judged(made, certify(take)).summary()
        assert (told["placed"], told["held"]) == counted, "one that is held is not counted twice"
