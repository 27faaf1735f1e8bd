"""The elimination pattern: a permutation, fill that is closed under elimination, and not more of it than need be."""

from __future__ import annotations

import numpy as np
import pytest

from engine.contact.pattern import Pattern, empty_pattern, find_pattern


def graph(seed: int, n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """m random contacts of n bodies, some with the ground, some twice."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, n, m), rng.integers(-1, n, m)
    b[a == b] = -1
    return a.astype(np.int64), b.astype(np.int64)


def grid(side: int) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours of a cube of bodies: a pile."""
    number = np.arange(side**3).reshape(side, side, side)
    pairs = [(number[1:], number[:-1]), (number[:, 1:], number[:, :-1]), (number[:, :, 1:], number[:, :, :-1])]
    return (np.concatenate([p[0].ravel() for p in pairs]), np.concatenate([p[1].ravel() for p in pairs]))


def found(n: int, a: np.ndarray, b: np.ndarray, blocks: int) -> tuple[bool, Pattern]:
    p = empty_pattern(n, blocks, len(a))
    return bool(find_pattern(n, a, b, p)), p


def eliminated(n: int, a: np.ndarray, b: np.ndarray, order: np.ndarray) -> list[list[int]]:
    """Columns of the factor by eliminating a dense graph in that order: the oracle."""
    touch = np.zeros((n, n), bool)
    touch[a[b >= 0], b[b >= 0]] = touch[b[b >= 0], a[b >= 0]] = True
    place, columns, alive = np.argsort(order), [], np.ones(n, bool)
    for body in order:
        alive[body] = False
        near = np.flatnonzero(touch[body] & alive)
        touch[np.ix_(near, near)] = True
        columns.append(sorted(place[near].tolist()))
    return columns


@pytest.mark.parametrize("seed", range(30))
def test_columns_are_those_of_the_elimination(seed: int) -> None:
    n = 2 + seed
    a, b = graph(seed, n, 3 * n)
    fits, p = found(n, a, b, n * n)
    assert fits
    order = p.body_at[:n]
    assert sorted(order.tolist()) == list(range(n)) and (p.place[order] == np.arange(n)).all()
    columns = [p.below[p.start[k] : p.start[k + 1]].tolist() for k in range(n)]
    assert columns == eliminated(n, a, b, order)
    for c in range(len(a)):
        if b[c] < 0:
            assert p.slot[c] == -1
        else:
            low, high = sorted((p.place[a[c]], p.place[b[c]]))
            assert p.start[low] <= p.slot[c] < p.start[low + 1] and p.below[p.slot[c]] == high


def test_a_tree_has_no_fill_and_a_pile_little() -> None:
    parents = np.array([max(0, (i - 1) // 2) for i in range(1, 200)], np.int64)
    fits, p = found(200, np.arange(1, 200, dtype=np.int64), parents, 1000)
    assert fits and p.start[200] == 199
    fits, p = found(1000, *grid(10), 60_000)
    assert fits and p.start[1000] < 40_000


def test_too_little_room_is_told() -> None:
    assert not found(125, *grid(5), 300)[0]


def test_a_pattern_is_kept_only_for_the_same_graph() -> None:
    a, b = graph(1, 20, 60)
    p = empty_pattern(20, 400, 60)
    assert find_pattern(20, a, b, p)
    first = p.below[: p.start[20]].copy()
    other = b.copy()
    other[:10] = -1
    assert find_pattern(20, a, other, p) and p.start[20] < len(first)
    assert find_pattern(20, a, b, p) and (p.below[: p.start[20]] == first).all()
