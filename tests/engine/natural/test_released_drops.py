"""Bodies alone on level ground are let go where their drops began, as asked, clear of each other, and lawfully."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.arrivals.brief import Brief
from engine.arrivals.dropped.assemble import tape_of
from engine.arrivals.dropped.choose import Wish
from engine.arrivals.dropped.crowd import CLEAR, clearance
from engine.arrivals.dropped.library import library
from engine.arrivals.dropped.pages import DROPS, PATIENCE
from engine.arrivals.dropped.placing import Placing
from engine.arrivals.dropped.released import Released, released_drops
from engine.arrivals.dropped.toss import Toss
from engine.certificate.audit import Report, certify
from engine.collide.gauge import Gauge
from engine.contact.energy import own_energies
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Body, Box, Compound, Cylinder, Material, Scene, Shape
from engine.settle import settle
from engine.shapes.turns import about
from engine.tape.take import Take

DT = 1 / 480
BOX = (0.05, 0.04, 0.03)


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("drops")
    patch.setattr("engine.arrivals.dropped.library.cache_folder", lambda: folder)
    yield folder
    patch.undo()


def one(shape: Shape, high: float, **how: object) -> Scene:
    return Scene([Body("it", shape, (0.3, 0.2, high), about((0, 0, 1), 0.7), **how)])  # type: ignore[arg-type]


def scattered(count: int, apart: float, seed: int = 0) -> Scene:
    rng, wide = np.random.default_rng(seed), math.ceil(math.sqrt(count))
    places = apart * np.array([divmod(i, wide) for i in range(count)]) + rng.uniform(-0.04, 0.04, (count, 2))
    turns = rng.uniform(0.0, 6.0, count)
    return Scene(
        [
            Body(f"b{i}", Box(BOX), (x, y, BOX[2]), about((0, 0, 1), a))
            for i, ((x, y), a) in enumerate(zip(places, turns, strict=True))
        ]
    )


def brief_of(scene: Scene, seconds: float = 3.0, seed: int = 0, dt: float = DT) -> Brief:
    steps = round(seconds / dt)
    return Brief(scene, compile_scene(scene), make_params(dt, scene.gravity), steps, seconds, seed)


def take_of(brief: Brief, found: Released, rests: Mapping[int, int]) -> Take:
    tape = tape_of(brief.model, Placing(brief).params, brief.steps, found.arrivals, rests, {})
    return Take(brief.scene, brief.model, tape, brief.seconds, brief.seed, backward=True)


def after_release(brief: Brief, found: Released, rests: Mapping[int, int]) -> Report:
    """The certificate of the part of a take of one body in which physics has it."""
    (arrival,) = found.arrivals.values()
    (row,) = found.arrivals
    count = arrival.motion.steps
    tape = tape_of(brief.model, Placing(brief).params, count + 5, found.arrivals, {row: count}, {})
    assert tape.released is not None and tape.released.how[row] == "flight"
    return certify(Take(brief.scene, brief.model, tape, tape.steps * brief.params.dt, 0, backward=True))


L = Compound([(Box((0.1, 0.03, 0.03)), (0, 0, 0)), (Box((0.03, 0.03, 0.07)), (-0.07, 0, 0.1))])
LEGS = [(Box((0.02, 0.02, 0.2)), (0.18 * a, 0.18 * b, 0.2)) for a in (-1, 1) for b in (-1, 1)]
CHAIR = Compound([*LEGS, (Box((0.2, 0.2, 0.02)), (0, 0, 0.42)), (Box((0.02, 0.2, 0.25)), (-0.18, 0, 0.69))])
MUG = Compound([(Cylinder(0.04, 0.05), (0, 0, 0)), (Box((0.02, 0.01, 0.03)), (0.06, 0, 0))])
ROLLS = Material(rolling_friction=0.003)

KINDS: dict[str, Scene] = {
    "box": one(Box(BOX), BOX[2]),
    "cylinder": one(Cylinder(0.06, 0.07), 0.07, material=ROLLS),
    "L": one(L, 0.03),
    "mug": one(MUG, 0.05, material=ROLLS),
    "chair": one(CHAIR, 0.0),
    "die of 1 mm": one(Box((5e-4, 5e-4, 5e-4)), 5e-4),
    "block of 50 m": one(Box((25.0, 25.0, 25.0)), 25.0),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_body_is_let_go_where_its_drop_began_and_from_there_on_the_law_holds(name: str) -> None:
    seconds, dt = (60.0, 1 / 60) if "50" in name else (8.0, DT)
    brief = brief_of(KINDS[name], seconds, dt=dt)
    rests = {0: brief.steps - 30}
    found = released_drops(brief, [0], rests)
    assert found.why == {} and found.missed == {}
    take = take_of(brief, found, rests)
    motion, states = found.arrivals[0]
    released = take.tape.released
    assert released is not None and released.how[0] == "drop"
    step = int(released.step[0])
    assert step == rests[0] - motion.steps > 0 and int(motion.step[0]) > 0  # in free flight
    begin = take.tape.state(step)
    for part, own in zip(begin, states, strict=True):
        assert np.array_equal(part[0], own[0])
    size = float(brief.model.bodies.size[0])
    assert begin.x[0, 2] - brief.model.start.x[0, 2] > 0.25 * size
    before = take.tape.state(step - 1)
    assert not before.v[0].any() and not before.l[0].any()
    assert take.tape.asleep[:step, 0].all() and not take.tape.asleep[step : rests[0] + 1, 0].any()
    assert np.array_equal(take.tape.x[:step, 0], np.repeat(before.x[:1], step, axis=0))
    assert np.array_equal(take.positions[-1], take.authored_pose()[0])
    report = after_release(brief, found, rests)
    assert report.exact_fraction == 1.0 and report.assist == 0.0 and report.max_residual <= 1e-9


@pytest.mark.parametrize("shape", [L, MUG, Box(BOX)], ids=["L", "mug", "box"])
def test_what_has_settled_lies_flat_enough_for_drops(shape: Shape) -> None:
    body = Body("it", shape, (0.3, 0.2, 0.4), about((1, 0.3, 0.2), 0.4), material=ROLLS, id="it")
    position, orientation = settle(Scene([body])).poses["it"]
    brief = brief_of(Scene([replace(body, position=position, orientation=orientation)]))
    found = released_drops(brief, [0], {0: brief.steps - 30})
    assert found.why == {} and after_release(brief, found, {}).exact_fraction == 1.0


def test_energy_counts_a_body_as_at_rest_until_it_is_let_go() -> None:
    brief = brief_of(KINDS["box"])
    rests = {0: brief.steps - 30}
    found = released_drops(brief, [0], rests)
    take = take_of(brief, found, rests)
    step = rests[0] - found.arrivals[0].motion.steps
    energy = take.energy
    assert len(energy) == brief.steps + 1
    assert np.allclose(energy[:step], energy[-1], rtol=0, atol=1e-12) and energy[step] > energy[-1] + 0.1
    each = np.zeros(len(brief.model.names))
    for i in range(step, brief.steps + 1, 7):
        own_energies(brief.model.bodies, take.tape.params, take.tape.state(i), each)
        assert energy[i] == pytest.approx(each[0], rel=1e-12)


@pytest.mark.parametrize("seconds", [0.2, 0.6])
def test_a_short_take_has_a_drop_that_fits_into_it(seconds: float) -> None:
    long, short = brief_of(KINDS["box"], 3.0), brief_of(KINDS["box"], seconds)
    rests = {0: short.steps - 30}
    whole = released_drops(long, [0], {0: long.steps - 30})
    fits = released_drops(short, [0], rests)
    assert fits.arrivals[0].motion.steps <= rests[0] < whole.arrivals[0].motion.steps
    take = take_of(short, fits, rests)
    assert take.tape.released is not None
    assert int(take.tape.released.step[0]) == rests[0] - fits.arrivals[0].motion.steps
    assert certify(take).exact_fraction == 1.0


def test_wishes_are_met() -> None:
    rng, size = np.random.default_rng(5), float(compile_scene(KINDS["box"]).bodies.size[0])
    unit = math.sqrt(9.81 * size)
    for seed in range(6):
        side, high, fast = rng.uniform(0, 360), rng.uniform(2, 12) * size, rng.uniform(0.6, 3.0) * unit
        wish = Wish((side, 12.0), (0.9 * high, 1.1 * high), (0.9 * fast, 1.1 * fast))
        brief = brief_of(KINDS["box"], seed=seed)
        found = released_drops(brief, [0], {0: brief.steps - 30}, {0: wish})
        x, _, v, _ = found.arrivals[0].states
        away = x[0] - x[-1]
        turned = abs((math.degrees(math.atan2(away[1], away[0])) - side + 180.0) % 360.0 - 180.0)
        assert found.missed == {} and turned <= 15.0
        assert abs(away[2] / high - 1.0) <= 0.15 and abs(np.linalg.norm(v[0]) / fast - 1.0) <= 0.15
        assert after_release(brief, found, {}).exact_fraction == 1.0


def test_a_region_and_a_place_where_nobody_may_be_let_go() -> None:
    brief = brief_of(KINDS["box"])
    region = ((0.0, 0.2, 0.5), (0.15, 0.2, 0.2))
    found = released_drops(brief, [0], {0: brief.steps - 30}, {0: Wish(region=region)})
    assert found.missed == {}
    assert (np.abs(found.arrivals[0].states.x[0] - region[0]) <= region[1]).all()
    beyond = released_drops(brief, [0], {0: brief.steps - 30}, {0: Wish(allowed=lambda x: bool(x[0] > 0.7))})
    assert beyond.missed == {} and beyond.arrivals[0].states.x[0, 0] > 0.7


def test_a_wish_that_cannot_be_met_says_how_far_off_it_is() -> None:
    brief = brief_of(KINDS["box"])
    found = released_drops(brief, [0], {0: brief.steps - 30}, {0: Wish(allowed=lambda x: False, height=(0.3, 0.4))})
    assert found.arrivals and found.missed[0].keys() == {"allowed"}


def test_scattered_boxes_keep_clear_of_each_other_quickly_and_with_the_same_bits() -> None:
    brief = brief_of(scattered(300, 0.3), 3.0, seed=4)
    rng = np.random.default_rng(1)
    rests = {row: brief.steps - int(each) for row, each in enumerate(rng.integers(20, 900, 300))}
    released_drops(brief_of(KINDS["box"]), [0], {0: 1000})  # machine code
    begun = time.process_time()
    found = released_drops(brief, rests, rests)
    spent = time.process_time() - begun
    again = released_drops(brief, rests, rests)
    assert spent < 12.0
    assert len(found.arrivals) >= 298
    for row, arrival in found.arrivals.items():
        assert all(np.array_equal(a, b) for a, b in zip(arrival.states, again.arrivals[row].states, strict=True))
    take = take_of(brief, found, rests)
    assert take.hash() == take_of(brief, again, rests).hash()
    assert _nearest(take) >= 0.9 * CLEAR


def _nearest(take: Take) -> float:
    """m between any two boxes that are there, in every twentieth state."""
    model, released = take.model, take.tape.released
    assert released is not None
    gauge, size, nearest = Gauge(model.geometry), model.bodies.size, np.inf
    for step in range(0, take.tape.steps, 20):
        state = take.tape.state(step)
        there = np.flatnonzero((released.step <= step) & (model.bodies.inverse_mass > 0.0))
        apart = np.linalg.norm(state.x[there][:, None] - state.x[there][None], axis=2)
        reach = size[there][:, None] + size[there][None]
        for i, j in zip(*np.nonzero(np.triu(apart < reach, 1)), strict=True):
            nearest = min(nearest, gauge.measure(int(there[i]), int(there[j]), state.x, state.q)[0])
    return float(nearest)


def test_a_body_in_the_way_is_noticed() -> None:
    """The same way twice, shifted in time, would meet the body that lies there: nobody comes through a wall."""
    wall = [Body(f"w{i}", Box((0.3, 0.01, 0.5)), (0.3, 0.2 + y, 0.5), static=True) for i, y in enumerate((-0.1, 0.1))]
    lid = Body("lid", Box((0.3, 0.3, 0.01)), (0.3, 0.2, 0.15), static=True)
    scene = replace(KINDS["box"], bodies=[*KINDS["box"].bodies, *wall, lid])
    brief = brief_of(scene)
    row = brief.model.index(scene.bodies[0])
    found = released_drops(brief, [row], {row: brief.steps - 30})
    for arrival in found.arrivals.values():
        assert arrival.states.x[:, 2].max() < 0.14


def test_libraries_depend_on_what_is_asked_and_not_on_what_is_kept(tmp_path: Path) -> None:
    setting = Placing(brief_of(KINDS["box"])).stands[0].setting
    side = np.array([0.0, 0.0, 1.0])
    throw = Toss((0.2, 0.3), (0.5, 1.0), None, BOX[2])
    made = library(setting, side, 3, folder=tmp_path, patience=PATIENCE, throw=throw)
    read = library(setting, side, 3, folder=tmp_path, patience=PATIENCE, throw=throw)
    assert len(made.motions) == 3 and DROPS > 3
    for a, b in zip(made.motions, read.motions, strict=True):
        assert np.array_equal(a.v, b.v) and a.steps == b.steps
    plain = library(setting, side, 3, folder=tmp_path)
    assert plain.motions[0].steps != made.motions[0].steps


def test_distances_follow_the_size_where_it_is_not_ordinary() -> None:
    assert clearance(np.array([0.01, 0.1, 1.0])).tolist() == [CLEAR, CLEAR, CLEAR]
    assert clearance(np.array([1e-3, 50.0])) == pytest.approx([CLEAR / 10, 50 * CLEAR])
