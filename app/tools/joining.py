"""Where a new joint sits, and along what: the middle or an edge of the place where two bodies touch or are nearest; of
a body alone, where one would hang it up. No Qt, nothing compiled. A proposal: the artist changes it at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.tools.resting import CLOSE, contact_points, face_points, shrunk
from engine.scene.spec import Body, Joint, Scene, Vector
from engine.scene.vectors import across
from engine.shapes.apart import gap
from engine.shapes.ask import ask
from engine.shapes.extent import bounds, reach
from engine.shapes.solid import Solid
from engine.shapes.solids import Solids
from engine.shapes.turns import rotation_matrix

UP = np.array([0.0, 0.0, 1.0])
BEHIND = np.array([-0.4, 1.0, 0.0])  # as seen from the front: where the hinge of a lid is
WIDE = 0.25  # of its length: a patch this wide is hinged at an edge, a narrower one along its middle
PLATE = 0.5  # of the middle extent: a body this thin is hinged like a door
MOST_PAIRS = 400  # parts of two bodies that are looked at, the nearest first


class Patch(NamedTuple):
    """Where two bodies face each other: a rectangle, perhaps only a line or a point."""

    middle: np.ndarray  # (3,) m
    along: np.ndarray  # (3,) unit, its longer side
    aside: np.ndarray  # (3,) unit, its shorter one
    long: float  # m, half of each
    short: float


def joined(scene: Scene, kind: str, ids: tuple[str, ...]) -> Joint:
    """A joint for one body, held by the world, or for two. It is measured against the one that is static, else against
    the one chosen last: that is the one whose moves it follows."""
    bodies = [body for key in ids if (body := scene.find(key)) is not None]
    if len(bodies) == 1:
        anchor, axis = _hung(kind, bodies[0])
        return Joint(kind, bodies[0].id, anchor=_vector(anchor), axis=_vector(axis))
    first, second = bodies if bodies[0].static and not bodies[1].static else reversed(bodies)
    anchor, axis = _between(kind, patch(first, second))
    return Joint(kind, first.id, second.id, _vector(anchor), _vector(axis))


def _between(kind: str, found: Patch) -> tuple[np.ndarray, np.ndarray]:
    """Anchor and axis. A door touches its frame in a narrow strip and turns about its middle line; a lid lies on its
    box and turns about an edge, the upper or the farther one."""
    along, aside = found.along, found.aside
    if abs(found.long - found.short) <= 0.05 * found.long and abs(along @ UP) > abs(aside @ UP):
        along, aside = aside, along  # as long as wide: level is more useful
    anchor = found.middle
    if kind == "hinge" and found.short > WIDE * found.long:
        anchor = anchor + found.short * _upper(aside)
    return anchor, _signed(along)


def _hung(kind: str, body: Body) -> tuple[np.ndarray, np.ndarray]:
    """A body on the world: a plate like a door or a flap, anything else by its top."""
    if ask(body.shape).endless:
        return np.array(body.position), UP
    axes = rotation_matrix(body.orientation).T  # its own, as rows
    far = reach(body.shape, body.orientation, np.vstack([axes, -axes]))
    half = 0.5 * (far[:3] + far[3:])
    middle = np.array(body.position) + 0.5 * (far[:3] - far[3:]) @ axes
    thin, broad, longest = (int(k) for k in np.argsort(half, kind="stable"))
    if kind == "slider":
        return middle, _signed(axes[longest])
    if kind == "hinge" and half[thin] < PLATE * half[broad]:
        return middle + half[broad] * _upper(axes[broad]), _signed(axes[longest])
    top = bounds(body)[1][2]
    level = min(axes, key=lambda axis: (abs(round(float(axis @ UP), 6)), -abs(round(float(axis[1]), 6))))
    return np.array([middle[0], middle[1], top]), _signed(level)


def patch(first: Body, second: Body) -> Patch:
    """Where two bodies touch or are nearest; where they overlap, the box that both their bounds share."""
    for body, other in ((first, second), (second, first)):
        if ask(other.shape).endless:
            _, normal = Solids(other).planes[0]
            points = contact_points(body, normal) if not ask(body.shape).endless else np.zeros((1, 3))
            return _facing(points, points, normal)
    nearest = _nearest(first, second)
    if nearest is None:
        (low, high), (other_low, other_high) = bounds(first), bounds(second)
        low, high = np.maximum(low, other_low), np.minimum(high, other_high)
        order = np.argsort(np.maximum(high - low, 0.0), kind="stable")[::-1]
        half = np.maximum(high - low, 0.0)[order] / 2.0
        return Patch(0.5 * (low + high), np.eye(3)[order[0]], np.eye(3)[order[1]], float(half[0]), float(half[1]))
    a, b, normal = nearest
    return _facing(_lowest(a, normal), _lowest(b, -normal), normal)


def _nearest(first: Body, second: Body) -> tuple[Solid, Solid, np.ndarray] | None:
    """The nearest parts of two bodies, and the direction from the second to the first; None where they overlap. Found
    between bodies a little smaller, so that touching ones have a direction between them."""
    a, b = shrunk(first, *bounds(first)), shrunk(second, *bounds(second))
    apart = np.maximum(a.low[:, None] - b.high[None], b.low[None] - a.high[:, None]).max(axis=2)
    best: tuple[float, int, int, np.ndarray] | None = None
    for flat in np.argsort(apart, axis=None, kind="stable")[:MOST_PAIRS]:
        i, j = divmod(int(flat), len(b))
        if best is not None and apart[i, j] > best[0]:
            break
        between = gap(a[i], b[j])
        if between is None:
            return None
        if best is None or between.most < best[0]:
            best = (between.most, i, j, np.array(between.normal))
    return (Solids(first)[best[1]], Solids(second)[best[2]], best[3]) if best is not None else None


def _lowest(solid: Solid, normal: np.ndarray) -> np.ndarray:
    """(n, 3) the points of a solid that lie lowest with `normal` up."""
    points = face_points(solid, normal)
    heights = points @ normal
    return points[heights <= heights.min() + CLOSE]


def _facing(first: np.ndarray, second: np.ndarray, normal: np.ndarray) -> Patch:
    """What two faces across `normal` share, in the frame of the smaller one."""
    smaller = min(first, second, key=lambda points: float(np.ptp(points, axis=0).max()))
    u = _longest(smaller, normal)
    v = np.cross(normal, u)
    lows, highs = [], []
    for way in (u, v):
        lows.append(max(float((points @ way).min()) for points in (first, second)))
        highs.append(min(float((points @ way).max()) for points in (first, second)))
    height = 0.5 * (float((first @ normal).mean()) + float((second @ normal).mean()))
    middle = 0.5 * (lows[0] + highs[0]) * u + 0.5 * (lows[1] + highs[1]) * v + height * normal
    long, short = (max(0.0, 0.5 * (high - low)) for low, high in zip(lows, highs, strict=True))
    return Patch(middle, u, v, long, short) if long >= short else Patch(middle, v, u, short, long)


def _longest(points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Across which a face is narrowest; a point has no such direction: level, else anything across the normal."""
    sides = (points[:, None] - points[None]).reshape(-1, 3)
    sides = sides - (sides @ normal)[:, None] * normal
    lengths = np.linalg.norm(sides, axis=1)
    sides = sides[lengths > CLOSE] / lengths[lengths > CLOSE, None]
    if len(sides):
        widths = np.ptp(points @ np.cross(normal, sides).T, axis=0)
        return np.asarray(sides[int(np.argmin(np.round(widths, 9)))])
    level = np.cross(normal, UP)
    return np.asarray(level / np.linalg.norm(level)) if np.linalg.norm(level) > 0.1 else across(normal)[0]


def _upper(way: np.ndarray) -> np.ndarray:
    """A direction, or its opposite: the upper one, of level ones the farther."""
    rise = float(way @ UP) if abs(way @ UP) > 0.1 else float(way @ BEHIND)
    return way if rise >= 0.0 else -way


def _signed(axis: np.ndarray) -> np.ndarray:
    """The same line with its largest part positive, and no rounding where that is all there is."""
    tidy = np.where(np.abs(axis) < 1e-12, 0.0, axis)
    largest = int(np.argmax(np.abs(tidy)))
    return np.asarray(tidy if tidy[largest] >= 0.0 else -tidy) + 0.0


def _vector(values: np.ndarray) -> Vector:
    """Numbers as an artist would type them: to a tenth of a micrometre."""
    x, y, z = (round(float(value), 7) + 0.0 for value in values)
    return (x, y, z)
