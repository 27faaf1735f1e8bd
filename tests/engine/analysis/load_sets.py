"""Sets of loads that a body's contacts hold, as things to draw: rays that span the cone, a slice of it, a sphere of
loads by kind (Pang and Trinkle 1998, figures 3 to 6 and 8). All with pyramids, whose cones have flat sides."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.analysis.stability.cones import Pyramids, balance_by_edges, nearest
from engine.analysis.stability.loads import sphere
from engine.analysis.stability.modes import motion_under, rolling_motion_under

UNSTABLE, WEAK, STRONG, FRICTIONLESS, UNKNOWN = 0, 1, 2, 3, -1
"""Kinds of loads: nothing balances it; something does; it stays for certain; it would without friction; not proven."""

ALIKE = 1e-9  # distance of unit vectors that are one ray
HALVINGS = 40  # of an angle


def spanning(p: Pyramids) -> np.ndarray:
    """(w, m) unit vectors that span the weakly stable loads, none of which the others span: the corners of the cone on
    the sphere. Of a cone that is everything, some smallest set."""
    rays = -p.edges.reshape(len(p.root), -1)
    rays = rays[:, np.linalg.norm(rays, axis=0) > 0.0]
    rays = rays / np.linalg.norm(rays, axis=0)
    kept: list[int] = []
    for i in range(rays.shape[1]):
        if all(np.linalg.norm(rays[:, i] - rays[:, j]) > ALIKE for j in kept):
            kept.append(i)
    for i in list(kept):
        others = [j for j in kept if j != i]
        if others and nearest(rays[:, others], rays[:, i]).inside:
            kept = others
    return rays[:, kept]


def holds(p: Pyramids, load: np.ndarray) -> bool:
    """Weak stability by pyramids."""
    return balance_by_edges(p.edges.reshape(len(p.root), -1), p.root, load).inside


def sector(p: Pyramids, plane: np.ndarray, rays: int = 720) -> tuple[float, float]:
    """The weakly stable loads of a plane (w, 2) through no load at all, as a range of angles from its first axis, the
    first in [0, 2 pi). A full turn when all are; an empty range at 0 when none is found among `rays`.

    Exact to rounding at both ends; a sector narrower than the distance of rays may be missed unless a ray meets it."""

    def inside(angle: float) -> bool:
        return holds(p, plane @ [math.cos(angle), math.sin(angle)])

    turn = 2.0 * math.pi
    angles = [turn * k / rays for k in range(rays)]
    found = [inside(angle) for angle in angles]
    if all(found):
        return 0.0, turn
    starts = [k for k in range(rays) if found[k] and not found[k - 1]]
    if not starts:
        return 0.0, 0.0
    first = starts[0]
    last = next(k for k in range(first, first + rays) if not found[(k + 1) % rays])
    return _edge(inside, angles[first], -turn / rays), _edge(inside, turn * last / rays, turn / rays)


def _edge(inside: Callable[[float], bool], angle: float, step: float) -> float:
    """Where it ends, between an angle inside and the one a step further."""
    for _ in range(HALVINGS):
        step *= 0.5
        if inside(angle + step):
            angle += step
    return angle


def on_sphere(p: Pyramids, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit loads (rows, columns, 3) of a planar body, and the kind of each."""
    ways = sphere(rows, columns)
    return ways, np.array([[kind_of(p, load) for load in circle] for circle in ways])


def rolls_on_sphere(p: Pyramids, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit loads, and whether each can move the body without sliding: the sets WU_R of figure 8."""
    ways = sphere(rows, columns)
    rolls = [[rolling_motion_under(p, load).motion is not None for load in circle] for circle in ways]
    return ways, np.array(rolls)


def kind_of(p: Pyramids, load: np.ndarray) -> int:
    if balance_by_edges(p.J[0], p.root, load).inside:
        return FRICTIONLESS
    if not holds(p, load):
        return UNSTABLE
    found = motion_under(p, load)
    return WEAK if found.motion is not None else STRONG if found.proven else UNKNOWN
