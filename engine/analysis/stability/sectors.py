"""Does the law of round friction cones allow any motion? The proof that it does not.

Friction points exactly against the slide, which is no linear law, so every contact is asked for in turn: it opens
without force, stays with any force of its cone, or slides within a sector of directions. Forces against a sector lie in
a triangle, between those against its two ends and the crossing of the tangents there. With that each case is one
nearest-sum problem (modes.py) with more answers than the law has; where its answer breaks the law most, the search goes
on with that contact's cases, or with the halves of its sector. When every case is without answer, there is no motion.

Pyramids (5) of Pang and Trinkle 1998 prove nothing about round cones: they hold more across their corners."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.stability.cones import Pyramids, nearest
from engine.analysis.stability.modes import MET, Law, law_of, powered

QUARTERS, FINEST = 4, 5  # sectors to begin with, and halvings: to 3 degrees, friction to a share of .0014
STAYS = 16  # sides of the polygon about a cone: 2 % more across its corners
BROKEN = 1e-10  # of the power of the free body: what a contact may take or give against the law by rounding
ALL, OPEN, STAY = (-1, 0), (-2, 0), (-3, 0)  # cases of a contact; (level, place) of a sector otherwise
Case = tuple[int, int]


class NoMotion(NamedTuple):
    """`proven`: of motions that could not be excluded, the closest look (rad) is `width` of its widest sector."""

    proven: bool
    width: float
    nodes: int


def within(p: Pyramids, sides: int) -> Pyramids:
    """The same contacts in space with edges on their round cones."""
    return _with_edges(p, _circle(np.arange(sides) / sides))


def no_motion(p: Pyramids, load: np.ndarray, limit: int, look_up: LookUp = go_on) -> NoMotion:
    """Whether round cones allow none under a load that can be held: it is strongly stable then."""
    columns = _Columns(p, load)
    pending: list[tuple[Case, ...]] = [(ALL,) * p.J.shape[2]]
    nodes = 0
    while pending:
        if nodes >= limit:
            return NoMotion(False, _width(pending[-1]), nodes)
        look_up()
        nodes += 1
        cases = pending.pop()
        kept = columns.of(cases)
        found = nearest(columns.matrix[:, kept], columns.right, MET)
        if not found.inside:
            continue
        gaps = columns.gaps(kept, found.weights)
        broken = [i for i in np.argsort(-gaps).tolist() if gaps[i] > BROKEN]
        worst = next((i for i in broken if cases[i] == ALL or 0 <= cases[i][0] < FINEST), None)
        if worst is None:
            return NoMotion(False, _width(cases), nodes)
        pending += [(*cases[:worst], each, *cases[worst + 1 :]) for each in _parts(cases[worst])]
    return NoMotion(True, 0.0, nodes)


def _parts(case: Case) -> list[Case]:
    if case == ALL:
        return [OPEN, STAY, *((0, place) for place in range(QUARTERS))]
    level, place = case
    return [(level + 1, 2 * place), (level + 1, 2 * place + 1)]


def _width(cases: tuple[Case, ...]) -> float:
    sectors = [0.5 * math.pi / 2**level for level, _ in cases if level >= 0]
    return 2.0 * math.pi if ALL in cases else max(sectors, default=0.0)


class _Columns:
    """Of all cases together, and which of them a case uses."""

    def __init__(self, p: Pyramids, load: np.ndarray) -> None:
        ends = QUARTERS * 2**FINEST
        turns = [(place + 0.5) / (QUARTERS * 2**level) for level in range(FINEST + 1)
                 for place in range(QUARTERS * 2**level)]  # fmt: skip
        levels = np.concatenate([np.full(QUARTERS * 2**level, level) for level in range(FINEST + 1)])
        crossing = _circle(np.array(turns)) / np.cos(math.pi / (QUARTERS * 2.0**levels))[:, None]
        around = _circle((np.arange(STAYS) + 0.5) / STAYS) / math.cos(math.pi / STAYS)
        self._ends = ends
        self._p = _with_edges(p, np.vstack([_circle(np.arange(ends) / ends), crossing, around]))
        self._law: Law = law_of(self._p)
        plain, n = self._law, p.J.shape[2]
        first = int(plain.slides.min())
        along, across = (plain.matrix[:, plain.slides[0, each]] for each in range(2))
        _, one, other = plain.scale.reshape(3, n)
        ways = [x * one * along + y * other * across for x, y in _circle(np.arange(ends) / ends)]
        whole = np.hstack([plain.matrix[:, :first], *ways])
        self._slides = first + np.arange(ends * n).reshape(ends, n)
        self.matrix, self.right = powered(self._p, plain, whole, load)
        self._ways = _circle(np.arange(ends) / ends)
        self._used: list[dict[Case, np.ndarray]] = [{} for _ in range(n)]

    def of(self, cases: tuple[Case, ...]) -> np.ndarray:
        parts = []
        for i, case in enumerate(cases):
            known = self._used[i]
            if case not in known:
                known[case] = self._one(i, case)
            parts.append(known[case])
        return np.concatenate([*parts, [self.matrix.shape[1] - 1]])

    def _one(self, i: int, case: Case) -> np.ndarray:
        forces, opens, slides = self._law.forces[i], self._law.opens[i : i + 1], self._slides[:, i]
        quarters = slides[:: self._ends // QUARTERS]
        if case == OPEN:
            return np.r_[opens, quarters]
        if case == STAY:
            return forces[-STAYS:]
        if case == ALL:
            return np.r_[forces[-STAYS:], opens, quarters]
        level, place = case
        step = self._ends // (QUARTERS * 2**level)
        low, high = place * step, (place + 1) * step % self._ends
        half = self._ends // 2
        against = (place + QUARTERS * 2**level // 2) % (QUARTERS * 2**level)
        crossing = self._ends + QUARTERS * (2**level - 1) + against
        opposed = np.array([(low + half) % self._ends, (high + half) % self._ends, crossing])
        return np.r_[forces[opposed], slides[[low, high]]]

    def gaps(self, kept: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """(n,) by how much each contact breaks the law: power of normal forces, and what friction falls short of."""
        x = np.zeros(self.matrix.shape[1])
        x[kept] = weights
        pressing = x[self._law.forces]  # (n, k)
        push = pressing.sum(1)
        rubbing = self._p.mu[:, None] * (pressing @ self._p.signs)
        slide = x[self._slides].T @ self._ways
        speed, limit = np.linalg.norm(slide, axis=1), self._p.mu * push
        short = limit * speed + np.einsum("nd,nd->n", rubbing, slide)
        beyond = (np.linalg.norm(rubbing, axis=1) - limit) * speed
        return (
            push * x[self._law.opens] / self._law.scale[: len(push)] + np.maximum(short, 0.0) + np.maximum(beyond, 0.0)
        )


def _circle(turns: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(2.0 * math.pi * turns), np.sin(2.0 * math.pi * turns)], axis=1)


def _with_edges(p: Pyramids, signs: np.ndarray) -> Pyramids:
    return p._replace(signs=signs, edges=p.J[0][:, :, None] + np.einsum("kd,dwn,n->wnk", signs, p.J[1:], p.mu))
