"""Who leaves and in which order, as the artist wishes it: kept where the support allows, told where it does not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.arrivals.ahead.order import NEVER, schedule
from engine.arrivals.ahead.wishes import Wishes
from engine.arrivals.options import Options
from engine.arrivals.structure import structure_of
from engine.certificate.audit import certify
from engine.contact.tiers import PLASTIC
from engine.decide.chance import draws
from engine.model.compile import compile_scene
from engine.run import backward
from engine.scene.spec import Body, Box, Hint, Joint, Scene
from engine.tape.take import Take
from tests.bench import scenes, scenes_director

QUICKLY = Options(arrivals="ahead", manner="preview")
PILLAR = (0.05, 0.05, 0.15)


def rests_from(take: Take) -> dict[str, int]:
    """Name -> first step of the take at which a body rests for good; 0: all the time."""
    found = {}
    for body in take.scene.bodies:
        path = take.tape.x[:, take.model.index(body)]
        away = np.flatnonzero((path != path[-1]).any(axis=1))
        found[body.name] = int(away[-1]) + 1 if len(away) else 0
    return found


def gate(**wishes: str) -> Scene:
    """A lintel on two pillars, with a third one under it that it does not need."""
    bodies = [
        Body("left", Box(PILLAR), (-0.4, 0, 0.15)),
        Body("right", Box(PILLAR), (0.4, 0, 0.15)),
        Body("middle", Box(PILLAR), (0, 0, 0.15)),
        Body("lintel", Box((0.5, 0.06, 0.04)), (0, 0, 0.34)),
    ]
    for body in bodies:
        body.leaves = wishes.get(body.name, "auto")
    return Scene(bodies)


def row_of_boxes(count: int = 4, apart: float = 0.4) -> Scene:
    return Scene([Body(f"box{k}", Box((0.05, 0.05, 0.05)), (apart * k, 0, 0.05)) for k in range(count)])


def test_an_order_is_followed_whatever_the_seed() -> None:
    structure = structure_of(compile_scene(scenes_director.bonded_wall(2, 2)))
    names = structure.model.names
    low = [row for row in np.flatnonzero(structure.moves) if structure.carried[row]]
    high = [row for row in np.flatnonzero(structure.moves) if not structure.carried[row]]
    turns = tuple(int(row) for row in (*reversed(low), *reversed(high)))
    for seed in range(8):
        times = schedule(structure, 1440, 1 / 480, draws(seed, "order"), Wishes(order=turns))
        assert times.order == turns[::-1], names


def test_who_is_not_in_the_order_comes_at_any_time() -> None:
    structure = structure_of(compile_scene(row_of_boxes()))
    orders = {
        schedule(structure, 1440, 1 / 480, draws(seed, "order"), Wishes(order=(2, 0))).order for seed in range(200)
    }
    assert all(order.index(0) < order.index(2) for order in orders)
    assert len(orders) == 12, "every order of four in which one comes before another"


def test_a_take_of_a_wall_follows_its_order() -> None:
    scene = scenes_director.bonded_wall(2, 2)
    by_height = sorted(scene.bodies, key=lambda body: (round(body.position[2], 6), -body.position[0]))
    scene.arrival_order = [body.name for body in by_height]
    take = backward(scene, 2.0, 1 / 240, 3, QUICKLY)
    came = rests_from(take)
    assert sorted(came, key=lambda name: came[name]) == scene.arrival_order and min(came.values()) > 0
    assert take.notes == () and certify(take).tiers.max() <= PLASTIC


def test_an_order_against_the_support_is_told() -> None:
    scene = scenes.brick_stack(2)
    lower, upper = scene.bodies
    scene.arrival_order = [upper.id, lower.id]
    take = backward(scene, 1.0, 1 / 240, 0, QUICKLY)
    assert f'"{upper.name}" cannot come before "{lower.name}", which carries it' in take.notes
    assert rests_from(take)[lower.name] < rests_from(take)[upper.name]


def test_a_time_that_the_order_does_not_allow_is_told() -> None:
    scene = row_of_boxes(2)
    scene.arrival_order = ["box0", "box1"]
    scene.bodies[0].arrival, scene.bodies[1].arrival = 0.2, 0.6
    take = backward(scene, 1.0, 1 / 240, 0, QUICKLY)
    assert rests_from(take)["box0"] < rests_from(take)["box1"]
    (note,) = take.notes
    assert note.startswith('"box0" comes to rest 0.60 s') and note.endswith('not 0.20 s: "box1" comes after it')


def test_what_is_to_stay_stays_with_what_carries_it() -> None:
    take = backward(gate(lintel="never"), 1.0, 1 / 240, 0, QUICKLY)
    assert set(rests_from(take).values()) == {0}
    assert take.notes == ('nothing moves in this take: "lintel" stays, with all that carries it',)
    came = rests_from(backward(gate(left="never"), 1.0, 1 / 240, 0, QUICKLY))
    assert came["left"] == 0 and came["lintel"] > max(came["right"], came["middle"]) > 0


def test_a_hint_of_what_is_to_stay_is_left_out() -> None:
    scene = row_of_boxes(2)
    scene.bodies[0].leaves = "never"
    scene.hints.append(Hint("bounce", "box0", velocity=(0.5, 0.0, -2.0)))
    take = backward(scene, 1.0, 1 / 240, 0, QUICKLY)
    assert take.notes == ('"box0" stays at rest, as asked: its hint is left out',)
    assert rests_from(take)["box0"] == 0 < rests_from(take)["box1"]


def test_a_pillar_slides_in_under_the_lintel_that_does_not_need_it() -> None:
    """Against the verdict, and yet by the law: nothing is ignored, nothing is pushed from outside."""
    scene = gate(middle="free")
    scene.arrival_order = ["left", "right", "lintel", "middle"]
    take = backward(scene, 2.0, 1 / 240, 1, QUICKLY)
    came = rests_from(take)
    assert 0 < max(came["left"], came["right"]) < came["lintel"] < came["middle"] and take.notes == ()
    report = certify(take)
    assert report.tiers.max() <= PLASTIC and report.ghosts == () and report.assist == 0.0
    assert report.max_residual <= 1e-8
    middle = take.tape.x[:, take.model.index(scene.bodies[2])]
    assert np.ptp(middle[came["lintel"] :, 2]) < 1e-5, "there is no room to rise under the lintel"


def test_what_others_need_cannot_leave_under_them() -> None:
    scene = gate(left="free")
    scene.bodies.pop(2)
    scene.arrival_order = ["right", "lintel", "left"]
    take = backward(scene, 1.2, 1 / 240, 0, QUICKLY)
    assert '"left" cannot come after what stands on it: without it "lintel" would not stand' in take.notes
    came = rests_from(take)
    assert 0 < came["left"] < came["lintel"] and certify(take).tiers.max() <= PLASTIC


def test_freedom_binds_nobody() -> None:
    """Without a reason to leave first, a free body still may wait, and nothing else changes."""
    structure = structure_of(compile_scene(gate()))
    middle, lintel = (structure.model.names.index(name) for name in ("middle", "lintel"))
    plain = [schedule(structure, 480, 1 / 240, draws(seed, "order"), Wishes()).order for seed in range(60)]
    free = [
        schedule(structure, 480, 1 / 240, draws(seed, "order"), Wishes(free=frozenset({middle}))).order
        for seed in range(60)
    ]
    assert all(order.index(lintel) < order.index(middle) for order in plain)
    first = [order.index(middle) < order.index(lintel) for order in free]
    assert any(first) and not all(first)
    held = Wishes(free=frozenset({middle}), staying=frozenset({lintel}))
    times = schedule(structure, 480, 1 / 240, draws(0, "order"), held, {lintel})
    assert times.order == (middle,) and times.leaves_at[lintel] == NEVER


@pytest.mark.parametrize("arrivals", ["together", "meeting"])
def test_other_ways_to_arrive_keep_the_wishes_or_say_so(arrivals: str) -> None:
    scene = row_of_boxes(apart=4.0)
    scene.bodies[1].leaves = "never"
    scene.arrival_order = ["box3", "box0", "box2"]
    take = backward(scene, 1.5, 1 / 240, 2, Options(arrivals=arrivals))
    came = rests_from(take)
    assert came["box1"] == 0 and 0 < came["box3"] < came["box0"] < came["box2"], take.notes


def test_what_is_run_together_says_what_it_cannot_do() -> None:
    together = Options(arrivals="together")
    take = backward(gate(middle="free"), 0.2, 1 / 240, 0, together)
    told = '"middle" stays at rest: under others it leaves only when they come one after another'
    assert (told in take.notes) == (rests_from(take)["middle"] == 0)
    scene = row_of_boxes(2)
    scene.arrival_order = ["box0", "box1"]
    scene.bodies[0].arrival, scene.bodies[1].arrival = 0.1, 0.3
    take = backward(scene, 0.6, 1 / 240, 0, together)
    assert '"box0" comes to rest after "box1", not before it' in take.notes


def test_what_joints_hold_together_stays_as_one() -> None:
    make: Callable[[float], Body] = lambda x: Body(f"block{x:g}", Box((0.1, 0.1, 0.1)), (x, 0, 0.1))  # noqa: E731
    scene = Scene([make(0.0), make(0.3)], joints=[Joint("hinge", "block0", "block0.3", (0.15, 0, 0.1), (0, 1, 0))])
    scene.bodies[0].leaves = "never"
    scene.hints.append(Hint("bounce", "block0.3", velocity=(0.0, 0.5, -1.0)))
    take = backward(scene, 0.4, 1 / 240, 0)
    assert set(rests_from(take).values()) == {0}
    assert '"block0.3" stays at rest: it is held together with "block0", which is to stay' in take.notes
