"""Search over contact modes: does a body at rest have any way to move that obeys the contact law?

At every contact force and motion exclude each other: it opens without force, or slides with the full friction against
it, or stays. Written with edges of pyramids (cones.py) and parts of accelerations that are not negative, the law is a
system of equations in columns with weights >= 0 of which certain groups must not be used together. Dropping these
rules gives a relaxation that one nearest-sum problem answers; where its answer breaks a rule, the search branches on
which side of the rule to drop. A node without answer is pruned with everything below it, so the search ends with a
motion that obeys the whole law, or with the proof that there is none, or at its limit of nodes without knowing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.linalg import cho_solve, solve_triangular

from engine.analysis.asked import LookUp, go_on
from engine.analysis.stability.cones import Pyramids, nearest

NODES = 4000  # of a search, about a second of work; beyond it the answer is "not proven"
USED = 1e-11  # weight, of the largest in an answer, below which a column counts as unused
MET = 1e-12  # residual of the equations that an answer may have: rounding leaves 1e-14, a near miss 1e-10
LEAST_POWER = 1e-5  # of the load, as a share of its power on the body set free: less is no motion


Rules: TypeAlias = tuple[tuple[np.ndarray, np.ndarray], ...]


class System(NamedTuple):
    """Find x >= 0 with matrix @ x = right; of each rule (first, second) only one group of columns may be used."""

    matrix: np.ndarray  # (r, c)
    right: np.ndarray  # (r,)
    rules: Rules


@dataclass(frozen=True)
class SystemAnswer:
    """`x` None with `proven`: there is none. `x` None and not `proven`: the limit was reached first."""

    x: np.ndarray | None
    proven: bool
    nodes: int


def search(system: System, limit: int = NODES, look_up: LookUp = go_on) -> SystemAnswer:
    """Depth first, so that a motion is found early where there is one. `look_up` is called at every node and may raise,
    to stop."""
    count = system.matrix.shape[1]
    pending = [np.ones(count, bool)]
    nodes = 0
    while pending:
        if nodes >= limit:
            return SystemAnswer(None, False, nodes)
        look_up()
        nodes += 1
        allowed = pending.pop()
        found = nearest(np.where(allowed, system.matrix, 0.0), system.right, MET)
        if not found.inside:
            continue
        broken = _broken(system, found.weights)
        if broken is None:
            return SystemAnswer(found.weights, True, nodes)
        for group in broken:  # the last is looked at first: it forbids what is used least
            child = allowed.copy()
            child[group] = False
            pending.append(child)
    return SystemAnswer(None, True, nodes)


def _broken(system: System, x: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The rule that is broken most, its group used more first; None when all are kept."""
    least, worst = USED * float(x.max(initial=0.0)), None
    for first, second in system.rules:
        use, against = float(x[first].max(initial=0.0)), float(x[second].max(initial=0.0))
        if min(use, against) > least:
            least, worst = min(use, against), (first, second) if use >= against else (second, first)
    return worst


class Law(NamedTuple):
    """Columns of the contact law for n contacts with k edges and d tangents: forces at edges first, then openings, then
    slides (positive parts, then negative ones). Every equation is divided by what a unit force along its direction
    does to a unit mass there, so that openings, slides and turns of any unit weigh alike."""

    forces: np.ndarray  # (n, k) column numbers
    opens: np.ndarray  # (n,)
    slides: np.ndarray  # (2, d, n): along and against each tangent
    matrix: np.ndarray  # ((1 + d) n, columns): accelerations at contacts less what forces do = 0
    scale: np.ndarray  # ((1 + d) n,) of the equations


def law_of(p: Pyramids) -> Law:
    """a - A c = b in columns (Pang and Trinkle 1998, eq. 1)."""
    directions, _, n = p.J.shape
    k, d = len(p.signs), directions - 1
    forces = np.arange(n * k).reshape(n, k)
    opens = n * k + np.arange(n)
    slides = n * k + n + np.arange(2 * d * n).reshape(2, d, n)
    count = n * k + n + 2 * d * n
    matrix = np.zeros((directions * n, count))
    reach = np.linalg.norm(
        solve_triangular(p.root, p.J.transpose(1, 0, 2).reshape(len(p.root), -1), lower=True), axis=0
    )
    scale = 1.0 / np.where(reach > 0.0, reach, 1.0)
    matrix[:, : n * k] = -scale[:, None] * rates(p, p.edges.reshape(len(p.root), n * k))
    matrix[np.arange(n), opens] = 1.0
    for each in range(d):
        rows = (1 + each) * n + np.arange(n)
        matrix[rows, slides[0, each]], matrix[rows, slides[1, each]] = 1.0, -1.0
    return Law(forces, opens, slides, matrix, scale)


def rates(p: Pyramids, wrenches: np.ndarray) -> np.ndarray:
    """Accelerations at the contacts, normals first, that wrenches (w, ...) cause on the free body."""
    motion = cho_solve((p.root, True), wrenches)
    return np.einsum("dwn,w...->dn...", p.J, motion).reshape(p.J.shape[0] * p.J.shape[2], *wrenches.shape[1:])


def coulomb_rules(p: Pyramids, law: Law) -> Rules:
    """An open contact bears nothing; a sliding one bears friction to the full against its slide (2, 3)."""
    rules = [(law.forces[i], law.opens[i : i + 1]) for i in range(len(law.opens))]
    for each in range(len(law.slides[0])):
        for along, slides in ((1.0, law.slides[0, each]), (-1.0, law.slides[1, each])):
            helping = p.signs[:, each] == along
            rules += [(law.forces[i, helping], slides[i : i + 1]) for i in range(len(slides)) if p.mu[i] > 0.0]
    return tuple(rules)


def rolling_rules(law: Law) -> Rules:
    """No contact slides: each opens, or stays (the sets WU_R of Pang and Trinkle 1998, theorem 3)."""
    slides = law.slides.reshape(-1, len(law.opens))
    return tuple((law.forces[i], np.r_[law.opens[i], slides[:, i]]) for i in range(len(law.opens)))


@dataclass(frozen=True)
class Escape:
    """A dynamic intensity that is no rest: forces and the acceleration they leave."""

    acceleration: np.ndarray  # (w,)
    forces: np.ndarray  # (directions, n): normal, tangent(s)


@dataclass(frozen=True)
class EscapeSearch:
    """`motion` None and not `proven`: not known within the limit."""

    motion: Escape | None
    proven: bool
    nodes: int


def motion_under(p: Pyramids, load: np.ndarray, limit: int = NODES, look_up: LookUp = go_on) -> EscapeSearch:
    """A motion that the law allows under a load, if there is one: the load is strongly stable when there is none.

    In every dynamic intensity the load does work, load . acceleration = acceleration . mass . acceleration + friction,
    so a motion exists exactly when one exists with positive power."""
    law = law_of(p)
    return searched(p, law, load, coulomb_rules(p, law), limit, look_up)


def rolling_motion_under(p: Pyramids, load: np.ndarray, limit: int = NODES, look_up: LookUp = go_on) -> EscapeSearch:
    """A motion in which contacts open, roll or stay and none slides. Where there is one, no larger friction will hold
    the load for certain (Pang and Trinkle 1998, theorem 3, whose proof needs no contact to open)."""
    law = law_of(p)
    return searched(p, law, load, rolling_rules(law), limit, look_up)


def searched(p: Pyramids, law: Law, load: np.ndarray, rules: Rules, limit: int, look_up: LookUp) -> EscapeSearch:
    """A motion of the law and these rules with positive power."""
    size = unit_power(p, load)
    if size == 0.0:
        return EscapeSearch(None, True, 0)
    matrix, right = powered(p, law, law.matrix, load)
    return _read(p, law, load, size, search(System(matrix, right, rules), limit, look_up))


def unit_power(p: Pyramids, load: np.ndarray) -> float:
    """Loads divided by it do unit work on the body set free; no contact lets them do more."""
    return float(np.sqrt(load @ cho_solve((p.root, True), load)))


def powered(p: Pyramids, law: Law, matrix: np.ndarray, load: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The law's equations under the load brought to unit power, of which some is to be done, with a column for what is
    beyond. `matrix`: those of the law, or with other slides."""
    load = load / unit_power(p, load)
    free = cho_solve((p.root, True), load)
    full = np.zeros((len(matrix) + 1, matrix.shape[1] + 1))
    full[:-1, :-1], full[-1, -1] = matrix, -1.0
    full[-1, : law.forces.size] = free @ p.edges.reshape(len(load), -1)
    return full, np.append(law.scale * rates(p, load), LEAST_POWER - 1.0)


def _read(p: Pyramids, law: Law, load: np.ndarray, size: float, answer: SystemAnswer) -> EscapeSearch:
    if answer.x is None:
        return EscapeSearch(None, answer.proven, answer.nodes)
    forces = size * forces_of(p, answer.x[law.forces])
    wrench = np.einsum("dwn,dn->w", p.J, forces) + load
    return EscapeSearch(Escape(cho_solve((p.root, True), wrench), forces), True, answer.nodes)


def forces_of(p: Pyramids, weights: np.ndarray) -> np.ndarray:
    """(directions, n) from weights (n, k) of edges."""
    return np.vstack([weights.sum(1), (weights @ p.signs).T * p.mu])
