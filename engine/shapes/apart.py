"""How far apart two solids are, and along which direction.

The distance algorithm of Gilbert, Johnson and Keerthi on the cores. Every direction it tries gives a plane that
separates the solids by at least so much, whatever rounding does to the rest; the best of them is the answer that may
be relied on. Plain floats: for single points they are several times faster than arrays.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.shapes.solid import Point, Solid

ROUNDS = 96
CLOSE = 1e-11  # m, how exactly a distance is wanted
NO_DIRECTION = 1e-13  # m, cores this close have no direction between them


class Gap(NamedTuple):
    sure: float  # m, the solids are at least this far apart (negative: rounded parts overlap)
    most: float  # m, and at most this far
    normal: Point  # unit, from the second solid to the first


def gap(a: Solid, b: Solid, lowered: float = 0.0) -> Gap | None:
    """Between `a` moved down by `lowered` (m) and `b`; None when the cores meet."""
    ax, ay, az = a.middle
    bx, by, bz = b.middle
    x, y, z = ax - bx, ay - by, az - lowered - bz
    if x == y == z == 0.0:
        z = 1.0
    simplex: list[Point] = []
    sure, normal = -math.inf, (0.0, 0.0, 1.0)
    length = math.inf
    for _ in range(ROUNDS):
        size = math.sqrt(x * x + y * y + z * z)
        if size <= NO_DIRECTION:
            return None
        nx, ny, nz = x / size, y / size, z / size
        px, py, pz = a.farthest(-nx, -ny, -nz)
        qx, qy, qz = b.farthest(nx, ny, nz)
        w = (px - qx, py - qy, pz - lowered - qz)
        here = nx * w[0] + ny * w[1] + nz * w[2]
        if here > sure:
            sure, normal = here, (nx, ny, nz)
        if (simplex and size - sure <= CLOSE) or w in simplex:
            length = min(length, size)
            break
        found = nearest([*simplex, w])
        if found is None:  # inside, or a simplex so flat that rounding says so
            if sure > NO_DIRECTION:
                length = min(length, size)
                break
            return None
        (x, y, z), simplex = found
        fresh = math.sqrt(x * x + y * y + z * z)
        if fresh >= length:
            break
        length = fresh
    rounding = a.rounding + b.rounding
    return Gap(sure - rounding, length - rounding, normal)


def nearest(simplex: list[Point]) -> tuple[Point, list[Point]] | None:
    """The point nearest to the origin in the hull of up to four points, and those of them that it needs; None when
    the origin lies inside."""
    if len(simplex) == 1:
        return simplex[0], simplex
    if len(simplex) == 2:
        return _on_segment(*simplex)
    if len(simplex) == 3:
        return _on_triangle(*simplex)
    return _in_tetrahedron(simplex)


def _on_segment(a: Point, b: Point) -> tuple[Point, list[Point]]:
    d = _minus(b, a)
    square = _dot(d, d)
    t = -_dot(a, d) / square if square > 0.0 else 0.0
    if t <= 0.0:
        return a, [a]
    if t >= 1.0:
        return b, [b]
    return (a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]), [a, b]


def _on_triangle(a: Point, b: Point, c: Point) -> tuple[Point, list[Point]]:
    """Inside when the origin's projection is on the inner side of all three edges, else on the nearest edge."""
    ab, ac = _minus(b, a), _minus(c, a)
    n = _cross(ab, ac)
    square = _dot(n, n)
    if square > 0.0:
        u = _dot(_cross(b, c), n)  # weights of a, b, c: twice the areas against the origin, times |n|
        v = _dot(_cross(c, a), n)
        w = _dot(_cross(a, b), n)
        if u > 0.0 and v > 0.0 and w > 0.0:
            s = _dot(a, n) / square
            return (s * n[0], s * n[1], s * n[2]), [a, b, c]
    edges = (_on_segment(a, b), _on_segment(b, c), _on_segment(c, a))
    return min(edges, key=lambda found: _dot(found[0], found[0]))


def _in_tetrahedron(simplex: list[Point]) -> tuple[Point, list[Point]] | None:
    best: tuple[Point, list[Point]] | None = None
    for i in range(4):
        a, b, c = (simplex[k] for k in range(4) if k != i)
        n = _cross(_minus(b, a), _minus(c, a))
        inner, outer = _dot(n, _minus(simplex[i], a)), -_dot(n, a)
        if inner * outer > 0.0:  # the origin is on the side of the fourth point
            continue
        found = _on_triangle(a, b, c)
        if best is None or _dot(found[0], found[0]) < _dot(best[0], best[0]):
            best = found
    return best


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
