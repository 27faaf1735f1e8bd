"""Look-ahead on whole structures: everybody arrives, nothing is ignored or pushed from outside, in a lawful order."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arrivals.ahead.order import NEVER, schedule
from engine.arrivals.ahead.search import Search
from engine.arrivals.ahead.tuning import TUNING
from engine.arrivals.ahead.wishes import Wishes
from engine.arrivals.options import Options
from engine.arrivals.structure import structure_of
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.contact.tiers import PLASTIC
from engine.decide.chance import draws
from engine.model.compile import compile_scene
from engine.run import backward
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hint, Scene, Sphere
from engine.tape.take import Take
from tests.bench import scenes, scenes_director

QUICKLY = Options(arrivals="ahead", manner="preview")


@pytest.fixture(scope="module")
def wall_take() -> Take:
    return backward(scenes_director.bonded_wall(3, 3), 3.0, seed=1, options=QUICKLY)


def arrivals(take: Take) -> dict[str, int]:
    """Name -> first step of the take at which a body rests for good."""
    x, found = take.positions, {}
    for i, body in enumerate(take.scene.bodies):
        moves = np.flatnonzero((x[:, i] != x[-1, i]).any(axis=1))
        found[body.name] = int(moves[-1]) + 1 if len(moves) else 0
    return found


def test_a_wall_arrives_brick_by_brick(wall_take: Take) -> None:
    report = certify(wall_take)
    assert wall_take.notes == () and wall_take.stopped is None
    assert report.tiers.max() <= PLASTIC and report.assist == 0.0 and report.ghosts == ()
    assert report.max_residual <= 1e-8
    assert report.exact_fraction >= 0.95, "flat bounces on resting bricks are lawful as authored"
    assert wall_take.energy[0] <= 20.0 * wall_take.energy[-1]
    assert min(arrivals(wall_take).values()) > 0, "nobody was there from the start"


def test_the_ending_is_the_authored_one_to_the_bit(wall_take: Take) -> None:
    for i, body in enumerate(wall_take.scene.bodies):
        assert tuple(wall_take.positions[-1, i]) == body.position
        assert tuple(wall_take.orientations[-1, i]) == body.orientation


def test_nobody_arrives_before_what_carries_it(wall_take: Take) -> None:
    structure = structure_of(wall_take.model)
    when = arrivals(wall_take)
    names = wall_take.model.names
    for body in np.flatnonzero(structure.moves):
        for carrier in structure.carriers[body]:
            assert when[names[carrier]] < when[names[body]]


def test_the_tape_replays_to_the_ending(wall_take: Take) -> None:
    assert float(replay(wall_take).max()) <= 1e-9


def test_the_same_seed_gives_the_same_bits(wall_take: Take) -> None:
    again = backward(scenes_director.bonded_wall(3, 3), 3.0, seed=1, options=QUICKLY)
    assert again.hash() == wall_take.hash()


def test_a_wall_whose_bricks_touch_sideways_arrives_brick_by_brick() -> None:
    take = backward(scenes_director.snug_wall(3, 3), 2.5, seed=0, options=QUICKLY)
    report = certify(take)
    assert take.notes == () and take.stopped is None
    assert report.tiers.max() <= PLASTIC and report.assist == 0.0 and report.ghosts == ()
    assert report.max_residual <= 1e-8
    assert min(arrivals(take).values()) > 0, "nobody was there from the start"
    assert float(replay(take).max()) <= 1e-9


def test_another_order_is_tried_where_one_leaves_somebody_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a take this short a brick that is kept waiting may be too late."""
    scene = scenes_director.snug_wall(3, 3)
    with monkeypatch.context() as patched:
        patched.setattr("engine.arrivals.ahead.director.TUNING", TUNING._replace(attempts=1))
        hurried = [backward(scene, 0.7, seed=seed, options=QUICKLY) for seed in (3, 4)]
    assert any(take.notes for take in hurried), "one order alone leaves somebody behind"
    for once in hurried:
        take = backward(scene, 0.7, seed=once.seed, options=QUICKLY)
        assert take.notes == () and min(arrivals(take).values()) > 0
        assert once.notes or take.hash() == once.hash(), "a take that was whole stays as it was"


def test_who_stops_another_attempt_gets_the_take_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, runs = scenes_director.snug_wall(3, 3), []
    run = Search.run

    def counted(search: Search) -> tuple[bool, list[int]]:
        runs.append(search)
        return run(search)

    monkeypatch.setattr(Search, "run", counted)
    take = backward(scene, 0.7, seed=4, options=QUICKLY, progress=lambda done, steps: len(runs) < 2)
    assert len(runs) == 2 and take.stopped is None
    assert take.tape.steps == runs[0].steps and "is there from the start" in take.notes[0]


def test_who_does_not_stand_stays_with_what_touches_it_and_nobody_else() -> None:
    """A box on its edge, one that leans on it, and one that has nothing to do with them."""
    tilt = (0.9807852804032304, 0.19509032201612825, 0.0, 0.0)  # 22.5 degrees
    cosine, sine = np.cos(np.pi / 8), np.sin(np.pi / 8)
    rise = 0.05 * (cosine + sine)
    bodies = [
        Body("tilted", Box((0.05, 0.05, 0.05)), (0.0, 0.0, rise), tilt),
        Body("on it", Sphere(0.04), (0.0, -0.09 * sine, rise + 0.09 * cosine)),
        Body("free", Box((0.05, 0.05, 0.05)), (0.6, 0.0, 0.05)),
        Body("on top", Box((0.05, 0.05, 0.05)), (0.6, 0.0, 0.15)),
    ]
    take = backward(Scene(bodies), 1.5, seed=2, options=QUICKLY)
    moved = {name: step > 0 for name, step in arrivals(take).items()}
    assert moved == {"tilted": False, "on it": False, "free": True, "on top": True}
    assert any('"tilted" does not stand where it is' in note for note in take.notes)
    report = certify(take)
    assert report.ghosts == ()


def test_neighbours_leave_each_other_time() -> None:
    """Where many bodies share a short take, those that touch are kept apart at the cost of the others."""
    structure = structure_of(compile_scene(scenes_director.snug_wall(6, 7)))
    for seed in range(4):
        times = schedule(structure, 1440, 1 / 480, draws(seed, "order"), Wishes())
        assert len(times.order) == 45 and max(times.leaves_at[list(times.order)]) < 1440 - 200
        for body in times.order:
            others = {int(o) for o in structure.others_of(body) if structure.moves[o]}
            assert min(abs(int(times.leaves_at[o] - times.leaves_at[body])) for o in others) > 60
            assert all(times.leaves_at[o] < times.leaves_at[body] for o in structure.carried[body])


def test_a_body_that_needs_a_weight_stays_and_is_named() -> None:
    take = backward(scenes_director.heavy_topped_wall(), 1.0, seed=0, options=QUICKLY)
    assert any('"brick2.0" stands only because "brick3.0" weighs it down' in note for note in take.notes)
    assert certify(take).tiers.max() <= PLASTIC


def test_all_shapes_arrive() -> None:
    bodies = [
        Body("box", Box((0.1, 0.08, 0.05)), (0, 0, 0.05)),
        Body("ball", Sphere(0.06), (0.6, 0, 0.06)),
        Body("can", Cylinder(0.06, 0.08), (0, 0.6, 0.08)),
        Body("pill", Capsule(0.05, 0.1), (0.6, 0.6, 0.05), scenes.turn("y", np.pi / 2)),
        Body("on top", Box((0.04, 0.04, 0.04)), (0, 0, 0.14)),
    ]
    take = backward(Scene(bodies=bodies), 2.0, seed=3, options=QUICKLY)
    report = certify(take)
    assert report.tiers.max() <= PLASTIC and take.notes == ()
    assert min(arrivals(take).values()) > 0


def test_a_hint_on_a_brick_of_a_wall_is_followed() -> None:
    scene = scenes_director.bonded_wall(2, 2)
    top = next(body for body in scene.bodies if body.name == "brick1.1")
    scene.hints.append(Hint("bounce", top.name, velocity=(0.0, 0.8, -2.5), time=0.1))
    take = backward(scene, 2.0, seed=0, options=QUICKLY)
    i = scene.bodies.index(top)
    step = arrivals(take)[top.name]
    assert abs((len(take.times) - 1 - step) / 480 - 0.1) < 0.01
    came = take.velocities[step - 2, i]
    assert came[1] > 0.5 and came[2] < -2.0
    assert certify(take).tiers.max() <= PLASTIC


def test_a_stopped_search_keeps_the_end_of_the_take() -> None:
    def stop(done: int, steps: int) -> bool:
        return done < steps // 3

    take = backward(scenes_director.bonded_wall(3, 3), 3.0, seed=1, options=QUICKLY, progress=stop)
    assert take.stopped is not None and "on request" in take.stopped
    assert 0 < take.tape.steps < 1440
    assert certify(take).tiers.max() <= PLASTIC


def test_asked_times_are_kept_where_the_order_allows() -> None:
    structure = structure_of(compile_scene(scenes_director.tower(3)))
    names = structure.model.names
    asked = {names.index("block2"): 0.4, names.index("block0"): 0.2}
    times = schedule(structure, 1440, 1 / 480, draws(0, "order"), Wishes(asked))
    assert [names[i] for i in times.order] == ["block2", "block1", "block0"]
    assert times.leaves_at[names.index("block2")] == 192
    assert times.leaves_at[names.index("block0")] > times.leaves_at[names.index("block1")] > 192
    assert (times.leaves_at[~structure.moves] == NEVER).all()


def test_an_impossible_arrival_says_who_stands_in_the_way() -> None:
    """The lower brick cannot come to rest after the one that stands on it."""
    scene = scenes.brick_stack(2)
    lower, upper = scene.bodies
    lower.arrival, upper.arrival = 0.2, 0.6
    take = backward(scene, 1.2, 1 / 240, 0, QUICKLY)
    (note,) = [note for note in take.notes if note.startswith(f'"{lower.name}" comes to rest')]
    assert note.endswith(f's before the end, not 0.20 s: "{upper.name}" stands on it') and " 0.60 s before" in note
    lower.arrival, upper.arrival = 0.6, 0.2
    take = backward(scene, 1.2, 1 / 240, 0, QUICKLY)
    assert not [note for note in take.notes if "comes to rest" in note]
