"""Bodies that meet on the way: they collide, nothing is ignored or pushed, and any step can be entered again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.arrivals.brief import Brief
from engine.arrivals.follows import follows
from engine.arrivals.meeting import director
from engine.arrivals.meeting.director import met
from engine.arrivals.meeting.past import NOTHING
from engine.arrivals.meeting.search import Search
from engine.arrivals.meeting.step import LAWFUL, OVERDRAFT
from engine.arrivals.meeting.stepping import meeting_steps
from engine.arrivals.meeting.tuning import TUNING
from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.contact.energy import own_energies
from engine.contact.tiers import PLASTIC, TUNED
from engine.decide.chance import chance
from engine.decide.plan import BUDGET, make_plan
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.run import backward
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hint, Scene, Sphere
from engine.step.scratch import make_scratch
from engine.tape.take import Take
from tests.bench import scenes
from tests.bench.hints import is_met
from tests.bench.meeting import collisions
from tests.bench.scenes_director import letters
from tests.bench.states_only import States

MEETING = Options(arrivals="meeting")


@pytest.fixture(scope="module")
def take() -> Take:
    return backward(letters(20, 1), 2.0, seed=1, options=MEETING)


def test_bodies_collide_and_nothing_is_ignored(take: Take) -> None:
    report, hits = certify(take), collisions(take)
    assert take.stopped is None and take.notes == ()
    assert report.tiers.max() <= PLASTIC and report.assist == 0.0 and report.ghosts == ()
    assert report.max_residual <= 1e-8
    assert len(hits) >= 9 and len({body for hit in hits for body in hit[1:3]}) >= 9
    assert max(hit[3] for hit in hits) <= TUNED, "no collision between bodies is a dead one"


def test_the_ending_is_the_authored_one_to_the_bit(take: Take) -> None:
    for i, body in enumerate(take.scene.bodies):
        assert tuple(take.positions[-1, i]) == body.position
        assert tuple(take.orientations[-1, i]) == body.orientation


def test_the_tape_replays_to_the_ending(take: Take) -> None:
    assert float(replay(take).max()) <= 1e-9


def test_nobody_spends_much_more_than_its_budget(take: Take) -> None:
    model, params = take.model, take.tape.params
    brief = Brief(take.scene, model, params, take.tape.steps, take.seconds, 1, MEETING)
    budget, ending = brief.budget, brief.ending_energy
    energy = np.zeros(len(model.names))
    for k in range(0, take.tape.steps, 5):
        own_energies(model.bodies, params, take.tape.state(k), energy)
        assert (energy - ending <= OVERDRAFT * budget + 1e-9).all()
    assert take.energy[0] <= 10.0 * take.energy[-1]


def test_the_states_alone_say_the_same(take: Take) -> None:
    found = States(take).judge(every=4)
    assert found.islands > 100 and found.closing == 0 and found.out_of_range == 0
    assert max(found.worst, found.flight) <= 1e-9 and found.drift <= 1e-12


def test_a_second_opinion_can_be_another_one(take: Take) -> None:
    """A push of a millimetre per second anywhere is seen."""
    states = States(take)
    k, a, _, _ = collisions(take)[3]
    states.v = states.v.copy()
    states.v[k + 1, a, 0] += 1e-3
    states.x = states.x.copy()
    states.x[k + 1 :, a, 0] += 1e-3 * states.params.dt
    found = states.judge()
    assert max(found.worst, found.flight) > 1e-5


def test_the_same_seed_gives_the_same_bits_and_another_another_motion(take: Take) -> None:
    one, again, other = (backward(letters(20, 1), 0.5, 1 / 240, seed=seed, options=MEETING) for seed in (1, 1, 2))
    assert one.hash() == again.hash() != other.hash()


def test_any_step_can_be_entered_again() -> None:
    """From a kept state on everything happens again bit for bit; with another nonce only later things change."""
    scene = letters(20, 3)
    model, params, steps = compile_scene(scene), make_params(1 / 480, scene.gravity), 480
    brief = Brief(scene, model, params, steps, 1.0, 3, MEETING)
    plan, search = make_plan(BUDGET, 0.0, {}, brief.budget, brief.ending_energy), Search(brief)
    rows = [int(row) for row in model.row_of]
    assert search.attempt(plan, {row: 24 + 7 * i for i, row in enumerate(rows)}, TUNING.most_jumps)
    past, numbers = search.past, int(director.draws(3, "meeting", 0).integers(1 << 62))
    kept = past._copied()
    for k in (0, 100, 301):
        assert meeting_steps(make_scratch(model), past, plan, numbers, params, search.reel, k, steps)[2] == LAWFUL
        assert all((getattr(past, name) == getattr(kept, name)).all() for name in past._fields[:7])
    late = max(rows, key=lambda row: int(np.flatnonzero(past.decision[:, row])[0]))
    first = int(np.flatnonzero(past.decision[:, late] != NOTHING)[0])
    past.nonce[late] += 1
    meeting_steps(make_scratch(model), past, plan, numbers, params, search.reel, first, first + 1)
    others = [row for row in rows if row != late]
    assert (past.v[first + 1, late] != kept.v[first + 1, late]).any()
    assert (past.v[first + 1, others] == kept.v[first + 1, others]).all()


def test_who_cannot_go_on_stays_at_rest_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(director, "TUNING", TUNING._replace(patience=1, less_patience=1))
    scene = letters(40, 0)
    model, params = compile_scene(scene), make_params(1 / 480, scene.gravity)
    found, _ = met(Brief(scene, model, params, 720, 1.5, 0, Options(arrivals="meeting", budget_heights=1.0)), 1)
    take = Take(scene, model, found.tape, 1.5, 0, True, found.stopped, found.notes)
    assert found.stopped is None and certify(take).tiers.max() <= PLASTIC
    named = {note.split('"')[1] for note in found.notes}
    assert 0 < len(named) == len(found.notes) and all("stays at rest" in note for note in found.notes)


def test_stopping_keeps_what_is_lawful() -> None:
    take = backward(letters(20, 2), 1.0, seed=2, options=MEETING, progress=lambda done, steps: done < 300)
    assert take.stopped is not None and 300 <= take.tape.steps < 480
    assert certify(take).tiers.max() <= PLASTIC
    assert tuple(take.positions[-1, 0]) == take.scene.bodies[0].position


def test_arrival_times_are_kept() -> None:
    scene = letters(20, 4)
    scene.bodies[3] = replace(scene.bodies[3], arrival=0.7)
    take = backward(scene, 1.0, seed=4, options=MEETING)
    if not any("box03" in note for note in take.notes):
        moves = np.flatnonzero((take.positions[:, 3] != take.positions[-1, 3]).any(axis=1))
        assert take.times[-1] - take.times[moves[-1]] == pytest.approx(0.7, abs=3 / 480)


def test_hints_are_followed_among_bodies_that_meet() -> None:
    """A slide with a landing before it, and a bounce, in the middle of a word."""
    scene = letters(20, 5)
    slide = Hint("slide", "box09", direction=(0, 1, 0), speed=0.5, time=0.2, id="h1")
    bounce = Hint("bounce", "box12", direction=(0.2, 0, -1), speed=1.2, time=0.4, id="h2")
    scene.hints += [slide, bounce]
    take = backward(scene, 1.2, seed=2, options=MEETING)
    assert take.stopped is None and certify(take).tiers.max() <= PLASTIC
    assert len(collisions(take)) >= 3
    slid, bounced = follows(take)
    assert is_met(slid) and is_met(bounced), "how high it hopped before is for those whom it met to say"


def test_stacked_bodies_arrive_too() -> None:
    box = Box((0.045, 0.035, 0.03))
    places = [(0.14 * i, 0.14 * j, 0.03 + 0.06 * high) for i in range(2) for j in range(2) for high in range(2)]
    scene = Scene(bodies=[Body(f"box{i}", box, place, material=scenes.material()) for i, place in enumerate(places)])
    take = backward(scene, 1.0, seed=1, options=MEETING)
    assert take.stopped is None and certify(take).tiers.max() <= PLASTIC
    moved = np.ptp(take.positions, axis=0).max(axis=1) > 0.02
    assert moved.sum() >= 6
    assert all(
        any(body.name in note for note in take.notes)
        for body, went in zip(scene.bodies, moved, strict=True)
        if not went
    )


def test_all_shapes_meet() -> None:
    shapes = (Box((0.1, 0.08, 0.05)), Sphere(0.08), Capsule(0.05, 0.08), Cylinder(0.08, 0.06))
    heights = (0.05, 0.08, 0.05, 0.06)
    upright = ((1, 0, 0, 0), (1, 0, 0, 0), scenes.turn("y", np.pi / 2), (1, 0, 0, 0))
    bodies = [
        Body(f"b{i}{j}", shapes[(i + j) % 4], (0.26 * i, 0.26 * j, heights[(i + j) % 4]), upright[(i + j) % 4],
             material=scenes.material())
        for i in range(3)
        for j in range(3)
    ]  # fmt: skip
    take = backward(Scene(bodies=bodies), 1.0, seed=2, options=MEETING)
    assert take.stopped is None and certify(take).tiers.max() <= PLASTIC
    assert (np.ptp(take.positions, axis=0).max(axis=1) > 0.02).all(), "everybody moved"


def test_an_ending_in_motion_runs_together_and_says_so() -> None:
    take = backward(scenes.two_spheres(), 0.1, options=MEETING)
    assert any("no gravity" in note for note in take.notes)


def test_chance_is_the_hash_it_claims_to_be() -> None:
    """Against whole numbers of Python, and evenly spread over slots, steps and nonces."""
    mask = (1 << 64) - 1

    def stirred(z: int) -> int:
        z = (z + 0x9E3779B97F4A7C15) & mask
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        return z ^ z >> 31

    def by_hand(seed: int, a: int, b: int, step: int, nonce: int, slot: int) -> float:
        z = (seed * 0x9E3779B97F4A7C15 + 1) & mask
        for part in (a + 1, b + 2, step, nonce, slot):
            z = stirred(z ^ part)
        return (z >> 11) / 2**53

    assert chance(12345, 3, -1, 77, 2, 9) == by_hand(12345, 3, -1, 77, 2, 9)
    drawn = np.array(
        [chance(5, 1, 2, step, nonce, slot) for step in range(20) for nonce in range(5) for slot in range(20)]
    )
    assert abs(drawn.mean() - 0.5) < 0.02 and len(np.unique(drawn)) == len(drawn)
    assert np.abs(np.histogram(drawn, 10, (0, 1))[0] / 200 - 1).max() < 0.25
