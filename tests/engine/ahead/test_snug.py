"""Bodies that touch sideways: they leave along each other's faces, and wait for each other."""

from __future__ import annotations

import numpy as np

from engine.arrivals.ahead.delay import delayed, disturbed, kept_waiting
from engine.arrivals.ahead.order import NEVER, Schedule
from engine.arrivals.ahead.search import Search
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.ahead.tuning import LIFT, SLIDE, Manner
from engine.arrivals.ahead.ways import Ways
from engine.arrivals.brief import Brief
from engine.arrivals.options import Options
from engine.arrivals.structure import Structure, structure_of
from engine.model.compile import compile_scene
from engine.params import make_params
from tests.bench import scenes_director as scenes

STEPS = 240


def search_row(kind: str) -> tuple[Search, int]:
    """Three bricks in a row on the ground, of which the middle one leaves first; all arrive in one kind of way."""
    scene = scenes.snug_wall(1, 3)
    model, params = compile_scene(scene), make_params(1 / 480, scene.gravity)
    brief = Brief(scene, model, params, STEPS, 0.5, options=Options(arrivals="ahead"))
    left, middle, right = (model.names.index(f"brick0.{i}") for i in range(3))
    leaves = np.full(len(model.names), NEVER, np.int64)
    leaves[[middle, left, right]] = 10, 150, 200
    manner = Manner({kind: 1.0}, 32, 1, 180.0)
    times = Schedule((middle, left, right), leaves)
    search = Search(brief, times, Ways(manner), brief.budget, Remainders(brief.structure, params))
    return search, middle


def test_a_brick_slides_in_between_two_that_it_touches() -> None:
    search, middle = search_row(SLIDE)
    assert search.run() == (False, [])
    arrival = search.found[middle]
    path = arrival.x[1:41]
    assert np.ptp(path[:, 0]) < 1e-12, "it keeps along their faces"
    assert np.ptp(path[:, 1]) > 0.005
    own = slice(int(arrival.start[0]), int(arrival.start[20]))
    sides = np.abs(arrival.strip.normal[own, 0]) > 0.9
    assert sides.any() and not arrival.strip.impulse[own][sides].any(), "and does not push them"


def test_a_brick_drops_in_between_two_that_it_touches() -> None:
    search, middle = search_row(LIFT)
    assert search.run() == (False, [])
    arrival = search.found[middle]
    assert np.ptp(arrival.x[1:21, 0]) < 1e-12
    assert {int(i) for i in search.found} == set(search.order)


def tower() -> Structure:
    return structure_of(compile_scene(scenes.tower(3)))


def test_who_carries_a_late_body_is_late_too() -> None:
    structure = tower()
    low, middle, top = (structure.model.names.index(f"block{i}") for i in range(3))
    leaves = np.full(len(structure.moves), NEVER, np.int64)
    leaves[[top, middle, low]] = 10, 30, 100
    after = delayed(structure, leaves, top, 40, 20, 200)
    assert (after[top], after[middle], after[low]) == (40, 60, 100)
    assert kept_waiting((top, middle, low), leaves, after) == {top: (10, 40), middle: (30, 60)}
    after = delayed(structure, leaves, middle, 190, 20, 200)
    assert (after[top], after[middle], after[low]) == (10, 190, NEVER), "no time is left for what carries it"


def test_a_way_past_a_late_body_is_given_up() -> None:
    search, middle = search_row(LIFT)
    search.run()
    arrival = search.found[middle]
    side = next(b for b in search.order if b != middle)
    assert disturbed(search.structure, arrival, {middle: (10, 20)}), "it is late itself"
    assert disturbed(search.structure, arrival, {side: (arrival.first, arrival.first + 5)}), "it starts beside it"
    assert not disturbed(search.structure, arrival, {side: (STEPS + 1, STEPS + 5)})
