"""Pieces of the fast engine against independent answers: recognising bricks, their contacts, the list of pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from engine.fast.bricks import brick_on_brick
from engine.fast.candidates import GAP, NORMAL, make_candidates
from engine.fast.pairs import CURRENT, LISTED, USED, adopt_list, make_pairs
from engine.fast.parts import BALL, BRICK, FLAT, OTHER, as_brick, make_parts
from engine.fast.world import FastWorld
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Compound, Hull, Material, Scene, Sphere

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


@pytest.mark.parametrize("half", [(1, 1, 1), (0.1, 0.2, 3.0), (0.5, 0.5, 0.01)])
@pytest.mark.parametrize("seed", range(3))
def test_a_turned_box_is_recognised(half: tuple[float, float, float], seed: int) -> None:
    turn = Rotation.random(rng=np.random.default_rng(seed)).as_matrix()
    order = np.random.default_rng(seed).permutation(8)
    corners = (CORNERS * half)[order] @ turn.T
    found = as_brick(corners)
    assert found is not None
    axes, sizes = found
    assert axes.T @ axes == pytest.approx(np.eye(3), abs=1e-12) and np.linalg.det(axes) > 0.0
    rebuilt = (CORNERS * sizes) @ axes.T
    apart = np.linalg.norm(rebuilt[:, None] - corners[None], axis=2)
    assert apart.min(axis=1).max() < 1e-12


def test_what_is_not_a_box_is_not_recognised() -> None:
    skewed = CORNERS @ np.array([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])
    pulled = CORNERS + np.where(np.arange(8) == 3, 1e-3, 0.0)[:, None]
    assert as_brick(skewed) is None and as_brick(pulled) is None and as_brick(CORNERS[:7]) is None


def test_kinds_of_parts() -> None:
    table = Compound([(Box((0.3, 0.3, 0.05)), (0, 0, 0.2)), (Sphere(0.1), (0, 0, 0.35))])
    lump = Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    parts = make_parts(compile_scene(Scene(bodies=[Body("a", table, (0, 0, 1)), Body("b", lump, (3, 0, 1))])).geometry)
    assert parts.kind.tolist() == [BRICK, BALL, OTHER, FLAT]
    assert parts.half[0] == pytest.approx([0.3, 0.3, 0.05]) and parts.turn[0] == pytest.approx(np.eye(3).reshape(9))


def _random_pair(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Frames (2, 9), half edges (2, 3), centres (2, 3) and corners (2, 8, 3) of two bricks near each other."""
    rng = np.random.default_rng(seed)
    turn = Rotation.random(2, rng=rng).as_matrix()
    half = rng.uniform(0.05, 0.15, (2, 3))
    centre = np.array([np.zeros(3), rng.normal(size=3)])
    centre[1] *= rng.uniform(0.1, 0.25) / np.linalg.norm(centre[1])
    corners = np.einsum("bij,bkj->bki", turn, CORNERS[None] * half[:, None]) + centre[:, None]
    return turn.reshape(2, 9), half, centre, corners


def _apart_along(corners: np.ndarray, n: np.ndarray) -> float:
    """Separation of brick a above brick b along n."""
    return float((corners[0] @ n).min() - (corners[1] @ n).max())


def _overlap(corners: np.ndarray) -> bool:
    """Do the two hulls share a point? A linear programme, no axis in sight."""
    rows = np.zeros((5, 16))
    rows[:3, :8], rows[:3, 8:] = corners[0].T, -corners[1].T
    rows[3, :8], rows[4, 8:] = 1.0, 1.0
    return linprog(np.zeros(16), A_eq=rows, b_eq=[0, 0, 0, 1, 1]).status == 0


@pytest.mark.parametrize("seed", range(60))
def test_two_bricks(seed: int) -> None:
    frames, half, centre, corners = _random_pair(seed)
    c = make_candidates()
    margin = 0.02
    pairs = [(0, 1), (1, 0)]
    answers = []
    for i, j in pairs:
        count, separation = brick_on_brick(
            c.found, c.polygon, frames, i, tuple(centre[i]), tuple(half[i]), j, tuple(centre[j]), tuple(half[j]), margin
        )
        answers.append((count, separation, c.found[:count].copy()))
    count, separation, found = answers[0]
    assert separation == pytest.approx(answers[1][1], abs=3e-4)  # whichever comes first
    assert (separation > 0.0) == (not _overlap(corners)) or abs(separation) < 3e-4
    if count == 0:
        return
    n = found[0, NORMAL : NORMAL + 3]
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-9)
    assert found[:, GAP].max() <= margin
    # The normal separates by what is claimed, and where they overlap no sampled direction separates better.
    assert _apart_along(corners, n) == pytest.approx(separation, abs=1e-9)
    directions = np.random.default_rng(seed + 1000).normal(size=(4000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    best = ((corners[0] @ directions.T).min(axis=0) - (corners[1] @ directions.T).max(axis=0)).max()
    if separation < 0.0:
        assert best <= separation + 3e-4
    assert found[:, GAP].min() >= separation - 1e-9


def test_no_pair_is_overlooked() -> None:
    """Balls flying about in a closed room: whatever nearly touches is on the list, step after step."""
    rng = np.random.default_rng(2)
    bouncy = Material(restitution=1.0, friction=0.0)
    bodies = [
        Body(f"b{i:02d}", Sphere(0.1), tuple(p), velocity=tuple(rng.uniform(-5, 5, 3)), material=bouncy)
        for i, p in enumerate(np.stack(np.meshgrid(*[np.arange(-0.6, 0.7, 0.3)] * 3), axis=-1).reshape(-1, 3)[:64])
    ]
    for k in range(3):
        for s in (-1, 1):
            wide = [1.0, 1.0, 1.0]
            wide[k] = 0.1
            place = [0.0, 0.0, 0.0]
            place[k] = s * 0.9
            bodies.append(Body(f"wall{k}{s}", Box(tuple(wide)), tuple(place), static=True, material=bouncy))
    w = FastWorld(compile_scene(Scene(bodies=bodies, ground=False, gravity=(0, 0, 0))), 1 / 240, sleep=False)
    total = len(w._work.parts.kind)
    met = 0
    for _ in range(120):
        before = w.state.x[:64].copy()
        w.run(1)
        pairs = w._pairs
        keys = set(pairs.keys[pairs.counts[CURRENT], : pairs.counts[LISTED]].tolist())
        near = np.argwhere(np.triu(np.linalg.norm(before[:, None] - before[None], axis=2) < 0.201, 1))
        met += len(near)
        assert all(int(i) * total + int(j) in keys for i, j in near)
    assert met > 20
    assert np.abs(w.state.x[:64]).max() < 0.71  # nobody left the room
    speed = math.sqrt(float((w.state.v[:64] ** 2).sum()))
    start = math.sqrt(sum(float(np.dot(b.velocity, b.velocity)) for b in bodies[:64]))
    assert speed == pytest.approx(start, rel=0.05)  # elastic and without friction


@pytest.mark.parametrize("speed", [20.0, 60.0])
def test_a_bullet_does_not_pass_a_thin_wall(speed: float) -> None:
    """Whole steps would carry it from one side to the other, without ever touching."""
    wall = Body("wall", Box((0.005, 1, 1)), (2.13, 0, 0), static=True)
    w = FastWorld(
        compile_scene(
            Scene(bodies=[Body("bullet", Sphere(0.02), velocity=(speed, 0, 0)), wall], ground=False, gravity=(0, 0, 0))
        ),
        1 / 240,
    )
    w.run(60)
    assert w.state.x[0, 0] < 2.105 and w.state.v[0, 0] == pytest.approx(-0.4 * speed, rel=1e-6)


def test_a_new_list_keeps_the_slots_of_known_pairs() -> None:
    pairs, body = make_pairs(4), np.arange(10)

    def adopt(*keys: int) -> dict[int, int]:
        pairs.keys[1 - pairs.counts[CURRENT], : len(keys)] = keys
        adopt_list(pairs, len(keys), 10, body)
        row = pairs.counts[CURRENT]
        return dict(zip(pairs.keys[row, : len(keys)].tolist(), pairs.slots[row, : len(keys)].tolist(), strict=True))

    first = adopt(12, 35, 79)
    pairs.points[first[35]] = 3
    second = adopt(23, 35, 46, 79)
    assert {key: first[key] for key in (35, 79)} == {key: second[key] for key in (35, 79)}
    assert sorted(second.values()) == [0, 1, 2, 3] and pairs.counts[USED] == 4  # the slot of 12 is used again
    assert pairs.points[second[35]] == 3 and pairs.points[second[23]] == 0
    assert (pairs.a[second[46]], pairs.b[second[46]]) == (4, 6)
