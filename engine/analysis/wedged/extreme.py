"""Extreme rays of a cone with complementarity: the double description method, pruned while it runs.

The cone is {l >= 0, B l >= 0}, l in groups of d numbers, one group per contact node: how much of each generator of the
node's friction cone is in its reaction. Row i of B gives the gap of node i. Wanted are the extreme rays on which every
node is either open (its group is zero) or closed (its gap is zero).

Fujita and Kanno 2009, algorithm 4.2. What is printed there as steps 3 and 4 keeps rays that must go; see `_after_node`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.errors import ForegoneError

TINY = 1e-11  # of what a sum adds up: below, a gap is zero
WORD = 64  # bits of a zero set

Bits = np.ndarray
"""(p,) uint64: which inequalities a ray meets with equality. Bit k: l_k = 0; bit d m + i: the gap of node i is zero."""


class Extreme(NamedTuple):
    """p extreme rays of m nodes."""

    shares: np.ndarray  # (p, d m) of the generators, sum 1
    gaps: np.ndarray  # (p, m)
    pressed: np.ndarray  # (p, m) bool: the node's reaction is not zero
    open: np.ndarray  # (p, m) bool: the node's gap is not zero


def extreme_rays(gaps: np.ndarray, per_node: int, look_up: LookUp = go_on) -> Extreme:
    """Every complementary extreme ray. gaps: B, (m, d m); per_node: d.

    `look_up` is called between nodes and may raise, to stop."""
    nodes = len(gaps)
    if nodes * (per_node + 1) > WORD:
        raise ForegoneError(f"rays can be listed for up to {WORD // (per_node + 1)} contact nodes, not for {nodes}")
    facets = np.uint64(1) << np.arange(per_node * nodes, dtype=np.uint64)
    shares = np.eye(per_node * nodes)
    zeros = facets.sum(dtype=np.uint64) - facets
    left = list(range(nodes))
    done: list[int] = []
    while left:
        look_up()
        node = _cheapest(gaps, shares, left)
        left.remove(node)
        shares, zeros = _after_node(gaps, per_node, node, done, shares, zeros)
        done.append(node)
    return _read(gaps, per_node, shares, zeros)


def _cheapest(gaps: np.ndarray, shares: np.ndarray, left: list[int]) -> int:
    """The node to take next: the one that parts the rays into the most unequal sides, and leaves few on the border,
    where looking for neighbours takes long. The order changes no answer, but how many rays there are on the way."""
    values = shares @ gaps[left].T
    near = TINY * (shares @ np.abs(gaps[left]).T)
    ahead, behind = (values > near).sum(axis=0), (values < -near).sum(axis=0)
    return left[int(np.argmin(ahead * behind + len(shares) * (len(shares) - ahead - behind)))]


def _after_node(
    gaps: np.ndarray, per_node: int, node: int, done: list[int], shares: np.ndarray, zeros: Bits
) -> tuple[np.ndarray, Bits]:
    """The rays of the cone cut by gap[node] >= 0, those that are complementary at all nodes up to this one."""
    total = per_node * len(gaps)
    bit = np.uint64(1) << np.uint64(total + node)
    value = shares @ gaps[node]
    value[np.abs(value) <= TINY * (shares @ np.abs(gaps[node]))] = 0.0
    zeros = np.where(value == 0.0, zeros | bit, zeros)
    ahead, behind = np.flatnonzero(value > 0.0), np.flatnonzero(value < 0.0)
    first, second = _adjacent(zeros, ahead, behind, _complementary(per_node, len(gaps), done), total - 1)
    between = value[first, None] * shares[second] - value[second, None] * shares[first]
    unpressed = _mask(per_node, [node])
    kept = (value == 0.0) | ((value > 0.0) & ((zeros & unpressed) == unpressed))
    shares = np.concatenate([shares[kept], between / between.sum(axis=1, keepdims=True)])
    return shares, np.concatenate([zeros[kept], (zeros[first] & zeros[second]) | bit])


def _mask(per_node: int, nodes: list[int]) -> np.uint64:
    """Bits that are set where none of these nodes is pressed."""
    return np.uint64(sum(((1 << per_node) - 1) << (per_node * node) for node in nodes))


def _complementary(per_node: int, count: int, done: list[int]) -> Callable[[Bits], np.ndarray]:
    """Tells of zero sets whether they leave every node done open or unpressed."""
    pairs = [(_mask(per_node, [node]), np.uint64(1) << np.uint64(per_node * count + node)) for node in done]

    def test(zeros: Bits) -> np.ndarray:
        good = np.ones(len(zeros), bool)
        for unpressed, closed in pairs:
            good &= ((zeros & unpressed) == unpressed) | ((zeros & closed) != 0)
        return good

    return test


def _adjacent(
    zeros: Bits, ahead: np.ndarray, behind: np.ndarray, complementary: Callable[[Bits], np.ndarray], simple: int
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of rays, one of each side, that span a face of two dimensions whose points are complementary.

    A ray with just as many zeros as it needs (`simple`, the dimension less one) shares all but one of them with a
    neighbour, and with nobody else. So pairs of such rays are found by joining on the zero set less one bit."""
    exact = np.bitwise_count(zeros) == simple
    pairs = [_joined(zeros, ahead[exact[ahead]], behind[exact[behind]], complementary)]
    for ray in ahead[~exact[ahead]]:
        others = _beside(zeros, ray, behind, complementary, simple)
        pairs.append((np.full(len(others), ray), others))
    for ray in behind[~exact[behind]]:
        others = _beside(zeros, ray, ahead[exact[ahead]], complementary, simple)
        pairs.append((others, np.full(len(others), ray)))
    return np.concatenate([a for a, _ in pairs]), np.concatenate([b for _, b in pairs])


def _beside(
    zeros: Bits, ray: int, others: np.ndarray, complementary: Callable[[Bits], np.ndarray], simple: int
) -> np.ndarray:
    """Those of the others that are neighbours of a ray with more zeros than it needs.

    Where the other one has too many as well, the face is looked at whole: no third ray may have all zeros that the two
    have in common. That is right among complementary rays alone, because those zeros make the third complementary
    too; so it is asked after the pair itself was."""
    common = zeros[others] & zeros[ray]
    able = np.bitwise_count(common) >= simple - 1
    others, common = others[able], common[able]
    able = complementary(common)
    others, common = others[able], common[able]
    sure = np.bitwise_count(zeros[others]) == simple
    for k in np.flatnonzero(~sure):
        sure[k] = np.count_nonzero((zeros & common[k]) == common[k]) == 2
    return others[sure]


def _joined(
    zeros: Bits, ahead: np.ndarray, behind: np.ndarray, complementary: Callable[[Bits], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (ahead, behind) whose zero sets are equal but for one bit each."""
    rays_a, keys_a = _less_one_bit(zeros, ahead, complementary)
    rays_b, keys_b = _less_one_bit(zeros, behind, complementary)
    if not len(keys_a) or not len(keys_b):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    order = np.argsort(keys_b)
    keys_b = keys_b[order]
    place = np.minimum(np.searchsorted(keys_b, keys_a), len(keys_b) - 1)
    found = keys_b[place] == keys_a
    return rays_a[found], rays_b[order[place[found]]]


def _less_one_bit(
    zeros: Bits, rays: np.ndarray, complementary: Callable[[Bits], np.ndarray]
) -> tuple[np.ndarray, Bits]:
    owners, keys = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)]
    for k in range(WORD):
        bit = np.uint64(1) << np.uint64(k)
        having = rays[(zeros[rays] & bit) != 0]
        if len(having):
            less = zeros[having] ^ bit
            good = complementary(less)
            owners.append(having[good])
            keys.append(less[good])
    return np.concatenate(owners), np.concatenate(keys)


def _read(gaps: np.ndarray, per_node: int, shares: np.ndarray, zeros: Bits) -> Extreme:
    """What the bits say, not what rounding left: zeros are exactly zero."""
    count = len(gaps)
    bits = (zeros[:, None] >> np.arange(count * (per_node + 1), dtype=np.uint64)) & np.uint64(1) == 1
    shares = np.where(bits[:, : per_node * count], 0.0, shares)
    closed = bits[:, per_node * count :]
    pressed = ~bits[:, : per_node * count].reshape(-1, count, per_node).all(axis=2)
    return Extreme(shares, np.where(closed, 0.0, shares @ gaps.T), pressed, ~closed)
