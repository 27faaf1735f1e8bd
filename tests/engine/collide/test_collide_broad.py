"""Broad phase: the tree finds the pairs a comparison of all boxes finds; who is asked, and what overflows."""

from __future__ import annotations

import numpy as np
import pytest
from collide_cases import UPRIGHT, assorted_shapes, pose, random_turn, top

from engine.collide.broad import find_pairs, make_near
from engine.collide.cores import build_cores
from engine.collide.detect import Detector, detect, make_detect_scratch
from engine.collide.gauge import Gauge
from engine.collide.order import group_keys, merge_keys, sort_keys
from engine.collide.part_boxes import fit_box
from engine.model.arrays import PLANE, SPHERE, empty_contacts
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Compound, Scene, Sphere
from engine.status import CONTACTS_FULL, PAIRS_FULL


def crowd(rng, count, spread, static_share=0.3):
    """Bodies of every kind and two-part compounds at random, some static, over a ground."""
    shapes = assorted_shapes(rng)
    twin = Compound(parts=[(Sphere(radius=0.2), (0.3, 0, 0), UPRIGHT), (Box(half=(0.1, 0.3, 0.2)), (0, 0, 0), UPRIGHT)])
    bodies = []
    for i in range(count):
        shape = twin if i % 7 == 0 else shapes[i % len(shapes)]
        place = rng.uniform(-spread, spread, 3)
        bodies.append(
            Body(name=f"{i:04d}", shape=shape, position=tuple(place), orientation=tuple(random_turn(rng)),
                 static=bool(rng.random() < static_share))
        )  # fmt: skip
    return compile_scene(Scene(bodies=bodies, ground=True))


def pairs_of(model, awake, capacity=100_000):
    geometry = model.geometry
    near = make_near(len(geometry.part_kind), capacity)
    static = model.bodies.inverse_mass == 0.0
    count, status = find_pairs(
        geometry, build_cores(geometry), near, model.start.x, model.start.q, model.start.x, awake, static, 1e-6
    )  # fmt: skip
    return [divmod(int(key), 1 << 32) for key in near.pairs[:count]], near, status


def expected_pairs(model, awake, boxes):
    """Every two parts whose boxes meet and that may touch, a's part first."""
    geometry, static = model.geometry, model.bodies.inverse_mass == 0.0
    found = []
    for p in range(len(geometry.part_kind)):
        for o in range(p + 1, len(geometry.part_kind)):
            a, b = geometry.part_body[p], geometry.part_body[o]
            asked = (awake[a] and not static[a]) or (awake[b] and not static[b])
            if a == b or not asked or PLANE in (geometry.part_kind[p], geometry.part_kind[o]):
                continue
            if np.all(boxes[p, :3] <= boxes[o, 3:]) and np.all(boxes[o, :3] <= boxes[p, 3:]):
                first = p if not static[a] and (static[b] or a < b) else o
                found.append((first, o if first == p else p))
    return sorted(found)


@pytest.mark.parametrize(("count", "spread"), [(1, 1.0), (3, 0.1), (40, 1.0), (150, 3.0), (150, 8.0)])
def test_tree_finds_what_all_against_all_finds(count, spread):
    """Every pair that touches, and none whose boxes are apart."""
    rng = np.random.default_rng(count)
    model = crowd(rng, count, spread)
    awake = rng.random(len(model.bodies.mass)) < 0.6
    pairs, _, status = pairs_of(model, awake)
    solid = [pair for pair in pairs if model.geometry.part_kind[pair[1]] != PLANE]
    boxes, gauge = boxes_of(model), Gauge(model.geometry)
    near = expected_pairs(model, awake, boxes)
    touching = [pair for pair in near if gauge.measure(*pair, model.start.x, model.start.q)[0] <= 1e-6]
    assert status == 0
    assert pairs == sorted(pairs)
    assert set(touching) <= set(solid) <= set(near)
    balls = model.geometry.part_kind == SPHERE
    assert {(a, b) for a, b in solid if balls[a] and balls[b]} == {(a, b) for a, b in touching if balls[a] and balls[b]}


def boxes_of(model):
    """Tight boxes of all parts but planes."""
    geometry, cores = model.geometry, build_cores(model.geometry)
    boxes = np.full((len(geometry.part_kind), 6), np.nan)
    for p in np.flatnonzero(geometry.part_kind != PLANE):
        fit_box(geometry, cores, int(p), model.start.x, model.start.q, 1e-6, boxes)
    return boxes


def test_what_is_kept_from_step_to_step_does_not_show():
    """Bodies wander, turn, sleep and jump; contacts found with last step's memory are those found afresh."""
    rng = np.random.default_rng(8)
    model = crowd(rng, 120, 3.0)
    geometry, static = model.geometry, model.bodies.inverse_mass == 0.0
    x, q = model.start.x.copy(), model.start.q.copy()
    pace = rng.exponential(0.03, (len(x), 1)) * (rng.random((len(x), 1)) < 0.7)
    kept, contacts = make_detect_scratch(geometry, 20_000), empty_contacts(4000)
    sizes = set()
    for step in range(80):
        x_before, q_before = x.copy(), q.copy()
        awake = rng.random(len(x)) < 0.8
        free = awake & ~static
        x[free] += (pace * rng.normal(size=x.shape))[free]
        q[free] += 0.02 * rng.normal(size=q.shape)[free]
        q /= np.linalg.norm(q, axis=1)[:, None]
        if step % 20 == 19:
            x[free] += rng.uniform(-1, 1, x.shape)[free]
            q[free] *= -1.0
        found = []
        for scratch in (kept, make_detect_scratch(geometry, 20_000)):
            count, status = detect(geometry, scratch, contacts, x, q, x_before, q_before, awake, static, 1e-6)
            assert status == 0
            found.append([contacts.part_a[:count].tolist(), contacts.part_b[:count].tolist(),
                          contacts.feature[:count].tolist(), contacts.gap[:count].tolist()])  # fmt: skip
        assert found[0] == found[1]
        sizes.add(len(found[0][0]))
    assert len(sizes) > 20, "the contacts changed"


def test_boxes_hold_their_parts_and_are_tight():
    """Supports along the axes: exact for every kind, up to the slop."""
    rng = np.random.default_rng(2)
    shapes = assorted_shapes(rng)
    bodies = [Body(name=f"{i:04d}", shape=s, orientation=tuple(random_turn(rng))) for i, s in enumerate(shapes)]
    model = compile_scene(Scene(bodies=bodies, ground=False))
    boxes = boxes_of(model)

    for i, shape in enumerate(shapes):
        origin, turn = pose(model, i, model.start.x, model.start.q)
        for axis in range(3):
            n = np.eye(3)[axis]
            assert boxes[i, axis + 3] == pytest.approx(origin[axis] + top(shape, turn.T @ n) + 1e-6, abs=1e-9)
            assert boxes[i, axis] == pytest.approx(origin[axis] - top(shape, -turn.T @ n) - 1e-6, abs=1e-9)


def test_sleeping_pairs_are_skipped_and_awake_ones_kept():
    half = (0.5, 0.5, 0.5)
    bodies = [Body(name=f"{i}", shape=Box(half=half), position=(0, 0, 0.5 + i)) for i in range(4)]
    model = compile_scene(Scene(bodies=bodies, ground=True))
    detector = Detector(model.geometry, model.bodies.inverse_mass, 64)
    x, q = model.start.x, model.start.q
    assert detector.find(x, q, x, q, np.zeros(5, bool), 1e-6) == 0
    only_third = np.array([False, False, True, False, False])
    count = detector.find(x, q, x, q, only_third, 1e-6)
    pairs = set(zip(detector.contacts.a[:count].tolist(), detector.contacts.b[:count].tolist(), strict=True))
    assert count == 8 and pairs == {(1, 2), (2, 3)}


def test_a_full_buffer_is_reported_not_overrun():
    bodies = [Body(name=f"{i}", shape=Box(half=(0.5, 0.5, 0.5)), position=(0, 0, 0.5 + i)) for i in range(3)]
    model = compile_scene(Scene(bodies=bodies, ground=True))
    detector = Detector(model.geometry, model.bodies.inverse_mass, 10)
    x, q, awake = model.start.x, model.start.q, np.ones(4, bool)
    assert detector.find(x, q, x, q, awake, 1e-6) == 10
    assert detector.status & CONTACTS_FULL
    _, _, status = pairs_of(model, awake, capacity=2)
    assert status & PAIRS_FULL


def test_sort_keys_sorts():
    rng = np.random.default_rng(3)
    for count in (0, 1, 2, 3, 17, 1000):
        keys = rng.integers(0, 50 if count < 100 else 10**12, count + 3)
        rest = keys[count:].copy()
        expected = np.sort(keys[:count])
        sort_keys(keys, count)
        assert np.array_equal(keys[:count], expected) and np.array_equal(keys[count:], rest)


def test_grouping_and_merging_sort_too():
    rng = np.random.default_rng(4)
    for count in (0, 1, 5, 400):
        first, second = divmod(rng.permutation(900)[:count], 30)
        keys, out = (first << 32) + second, np.zeros(count, np.int64)
        group_keys(keys, count, 30, np.zeros(31, np.int64), out)
        assert np.array_equal(out, np.sort(keys))
        room = np.concatenate([np.sort(keys[: count // 2]), np.zeros(count - count // 2, np.int64)])
        values = np.where(np.arange(count) < count // 2, room + 1.0, -1.0)
        merge_keys(room, values, count // 2, np.sort(keys[count // 2 :]), count - count // 2)
        assert np.array_equal(room, np.sort(keys))
        assert set(values) <= {0.0, *(keys + 1.0)} and np.all((values == 0.0) | (values == room + 1.0))
        assert np.sum(values == 0.0) == count - count // 2
