"""Many bodies that are dropped into one take: each has the time to be brought in, and room for the hand that does."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from engine import Take, backward, certify
from engine.algebra import norms
from engine.arrivals.brief import Brief
from engine.arrivals.bystanders import Bystanders, Passage
from engine.arrivals.dropped.choose import Wish
from engine.arrivals.dropped.drop import ROW, Dropper
from engine.arrivals.dropped.library import library
from engine.arrivals.dropped.placing import Placing
from engine.arrivals.dropped.released import Search, released_drops
from engine.arrivals.dropped.retarget import images
from engine.arrivals.dropped.seen import Seen
from engine.arrivals.entering import NAMED, told_of_touching
from engine.arrivals.natural.rests import latest_rest, rests_of_many
from engine.arrivals.overhead import Overhead
from engine.certificate.replay import replay
from engine.collide.gauge import Gauge
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.entrance import Entrance, Stagger
from engine.scene.spec import Body, Box, Scene
from engine.shapes.turns import about
from tests.bench.scenes import scattered_boxes
from tests.bench.scenes_endings import coin_letter

DT = 1 / 480


def brief_of(scene: Scene, seconds: float, seed: int = 0) -> Brief:
    steps = round(seconds / DT)
    return Brief(scene, compile_scene(scene), make_params(DT, scene.gravity), steps, seconds, seed)


def far_apart(count: int = 12) -> Scene:
    """Boxes that are in nobody's way."""
    return Scene([Body(f"b{i}", Box((0.05, 0.04, 0.03)), (40.0 * i, 0.0, 0.03)) for i in range(count)])


@functools.cache
def crowded() -> Take:
    """A hundred boxes of 1 m, every 2 m: half of their drops last longer than 3.4 s."""
    return backward(scattered_boxes(1, 100, 10), 4.0, DT, 0)


# ---- time --------------------------------------------------------------------------------------------------


def test_whoever_is_let_go_in_a_crowd_is_brought_there_first() -> None:
    take = crowded()
    released, stage = take.tape.releases, brief_of(take.scene, 4.0).stage
    rows = np.flatnonzero(take.model.bodies.inverse_mass > 0.0)
    assert {released.how[row] for row in rows} == {"drop"}
    for row in map(int, rows):
        x, _ = take.in_hand(row, released.shown[row : row + 1])
        assert not stage.shows(x[0], 0.999 * float(take.model.bodies.size[row])), take.model.names[row]
    report = certify(take)
    assert report.ok and report.exact_in_motion == 1.0 and replay(take).max() <= 1e-9


def test_whoever_is_let_go_in_a_crowd_is_away_from_its_place() -> None:
    """Nearer than its size it seems to be laid there; a fifth was, when low drops came before late ones."""
    take = crowded()
    size = take.model.bodies.size
    away = [
        float(norms((each.position - take.model.start.x[row])[None])[0]) / size[row]
        for row, name in enumerate(take.model.names)
        if (each := take.releases.get(name)) is not None
    ]
    assert len(away) == 100
    assert sum(ratio >= 1.0 - 1e-9 for ratio in away) >= 95


def test_the_same_seed_makes_the_same_crowd() -> None:
    assert crowded.__wrapped__().hash() == crowded().hash()


def test_a_coin_that_rolls_for_long_rests_late() -> None:
    take = backward(coin_letter(), 4.0, DT, 0)
    assert {each.how for each in take.releases.values()} == {"drop"}


def test_nobody_rests_before_its_drop_can_end_and_chance_deals_the_rest() -> None:
    brief = brief_of(far_apart(40), 4.0)
    rows, latest = list(range(40)), latest_rest(brief)
    free = rests_of_many(brief, rows, {})
    assert len(set(free.values())) == 40 and max(free.values()) == latest
    assert rests_of_many(brief, rows, dict.fromkeys(rows, min(free.values()))) == free, "all are late enough"
    least = {row: latest - 5 * row for row in range(20)}
    dealt = rests_of_many(brief, rows, least)
    assert all(dealt[row] >= step for row, step in least.items()) and max(dealt.values()) == latest
    assert sum(dealt[row] == free[row] for row in rows[20:]) >= 5, "who has a choice keeps what chance dealt"
    alike = rests_of_many(brief, rows, dict.fromkeys(rows, latest))
    assert set(alike.values()) == {latest}, "there is no other time left"


def test_an_asked_order_is_stronger_than_the_length_of_drops() -> None:
    scene = far_apart(6)
    scene.stagger = Stagger("left to right")
    brief = brief_of(scene, 4.0)
    rests = rests_of_many(brief, list(range(6)), {0: latest_rest(brief)})
    assert [rests[row] for row in range(6)] == sorted(rests.values()) and rests[0] < rests[5]


def test_where_there_is_time_and_room_no_drop_is_preferred() -> None:
    brief = brief_of(far_apart(), 12.0)
    rows = list(range(12))
    search = Search(brief, Placing(brief), rows, overhead=Overhead(brief))
    rests = rests_of_many(brief, rows, search.lengths(latest_rest(brief)))
    found, anyhow = search.drops(rests), released_drops(brief, rows, rests)
    for row in rows:
        assert np.array_equal(found.arrivals[row].states.x, anyhow.arrivals[row].states.x)


def test_what_is_asked_of_a_drop_is_stronger_than_the_time_for_a_hand() -> None:
    brief, wish = brief_of(far_apart(2), 0.6), Wish(height=(1.0, 1.2))
    rests = dict.fromkeys((0, 1), latest_rest(brief))
    found = Search(brief, Placing(brief), (0, 1), {0: wish}, overhead=Overhead(brief)).drops(rests)
    assert found.missed == {}
    high = found.arrivals[0].states.x
    assert 1.0 <= high[0, 2] - high[-1, 2] <= 1.2 and len(high) > rests[0], "it begins before the take"
    assert len(found.arrivals[1].states.x) < rests[1], "nothing is asked of this one"


# ---- room --------------------------------------------------------------------------------------------------


def test_few_hands_touch_anybody_and_many_are_told_at_once() -> None:
    touching = [note.split()[0] for note in crowded().notes if "touches nothing" in note]
    assert sum(1 if word == "the" else int(word) for word in touching) <= 4, "of 58"
    names = [f"b{i}" for i in range(300)]
    (told,) = told_of_touching(names)
    assert "300 hands" in told and '"b0"' in told and '"b299"' not in told
    assert len(told_of_touching(names[:NAMED])) == NAMED and told_of_touching([]) == []


def test_a_way_from_above_ends_where_it_lets_go_and_begins_off_the_stage() -> None:
    brief = brief_of(far_apart(), 4.0)
    overhead, x = Overhead(brief), np.array([0.1, 0.0, 0.3])
    step = 1000
    way = overhead.way(0, step, x)
    size = float(brief.model.bodies.size[0])
    assert overhead.least(0, x) <= len(way) < step
    assert np.allclose(way[-1], x, atol=1e-9) and np.allclose(way[:, :2], x[:2]) and (np.diff(way[:, 2]) <= 1e-12).all()
    assert not brief.stage.shows(way[0], 0.99 * size) and brief.stage.shows(way[-1], size)
    high = x + np.array([0.0, 0.0, 100.0])
    assert len(overhead.way(0, step, high)) == 0 and overhead.least(0, high) == 1, "nobody sees it there"
    assert len(overhead.way(0, 20, x)) <= 20 and len(overhead.way(0, 0, x)) == 0, "the take has no more"
    scene = far_apart()
    scene.entrances = [Entrance(before="unseen")]
    assert len(Overhead(brief_of(scene, 4.0)).way(0, step, x)) == 0


@pytest.mark.parametrize("first", [0, 70])
def test_a_drop_is_seen_through_its_images_as_it_would_be_flown(first: int) -> None:
    brief = brief_of(Scene([Body("it", Box((0.05, 0.04, 0.03)), (0.3, 0.2, 0.03), about((0, 0, 1), 2.7))]), 3.0)
    placing, start = Placing(brief), brief.model.start
    stand = placing.stands[0]
    dropper = Dropper(stand.setting)
    mirrors = 0
    for motion in library(stand.setting, np.array([0.0, 0.0, 1.0]), 3).motions:
        flown = motion.flown(dropper.params, dropper.model.bodies, ROW)
        seen = Seen(flown.x, flown.q)
        for image in images(stand.shape, motion, start.q[0], 0.4):
            mirrors += int(np.linalg.det(image.world) < 0.0)
            later = motion.after(first) if first else motion
            states = placing.flown(0, later.turned(image.world, placing.heavier(0), start.x[0], start.q[0]))
            x, q = seen.through(image, first, start.x[0], start.q[0])
            assert x.shape == states.x.shape and np.abs(x - states.x).max() < 1e-9
            assert np.abs(np.abs((q * states.q).sum(1)) - 1.0).max() < 1e-9
    assert mirrors > 0


def test_bystanders_are_met_where_and_when_they_are() -> None:
    """Against everybody in every look, one after the other."""
    rng = np.random.default_rng(3)
    places = [(0.25 * i, 0.25 * j, 0.03) for i in range(4) for j in range(4)]
    boxes = [Body(f"b{i}", Box((0.05, 0.04, 0.03)), place, about((0, 0, 1), 0.3 * i)) for i, place in enumerate(places)]
    wall = Body("wall", Box((0.02, 0.5, 0.1)), (-0.3, 0.3, 0.1), static=True)
    model = compile_scene(Scene([*boxes, wall]))
    every, steps = 8, 200
    motions = {}
    for row in range(6):
        count = int(rng.integers(20, 120))
        x = model.start.x[row] + np.linspace(1.0, 0.0, count)[:, None] * rng.uniform(-0.3, 0.5, 3)
        motions[row] = Passage(int(rng.integers(0, 60)), x, np.repeat(model.start.q[row : row + 1], count, axis=0))
    others = Bystanders(model, motions, every)
    hand_looks = others.looks(10.0, 90)
    hand = (
        np.linspace((0.5, 0.5, 0.4), (0.3, 0.3, 0.1), len(hand_looks)),
        np.tile(model.start.q[7], (len(hand_looks), 1)),
    )
    others.add(7, hand_looks, *hand)
    gauge, size, state = Gauge(model.geometry), model.bodies.size, model.start._copied()
    part = {int(body): p for p, body in enumerate(model.geometry.part_body)}
    met = 0
    for _ in range(100):
        looks = others.looks(float(rng.integers(-30, 80)), steps)
        x = np.linspace(rng.uniform(-0.2, 1.0, 3), rng.uniform(-0.2, 0.9, 3), len(looks)) + (0.0, 0.0, 0.2)
        q, clear = np.tile(model.start.q[9], (len(looks), 1)), 0.01
        nearest = np.inf
        for step, place in zip(looks, x, strict=True):
            state.x[9], state.q[9] = place, q[0]
            for other in range(len(model.names)):
                poses = [(model.start.x[other], model.start.q[other])]
                if other in motions:
                    at = int(step) - motions[other].first
                    poses = [(motions[other].x[at if at < len(motions[other].x) else -1], model.start.q[other])]
                    poses = poses if at >= 0 else []
                if other == 7 and step in hand_looks:
                    poses.append((hand[0][int(np.flatnonzero(hand_looks == step)[0])], model.start.q[7]))
                for there, turn in poses:
                    is_near = (
                        not model.bodies.inverse_mass[other] or norms(there - place) < size[9] + size[other] + clear
                    )
                    if other != 9 and is_near:
                        state.x[other], state.q[other] = there, turn
                        nearest = min(nearest, gauge.measure(part[9], part[other], state.x, state.q)[0])
        room = others.room(9, looks, x, q, clear, -np.inf)
        met += room < 0.0
        if nearest < clear:
            assert room == pytest.approx(nearest, abs=1e-12)
            assert others.room(9, looks, x, q, clear, nearest + 0.1) <= nearest + 0.1, "no better than another way"
        else:
            assert room >= clear
    assert 10 < met < 100
