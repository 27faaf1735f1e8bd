"""What a body rests on, what stands on it, and with which points it touches. No Qt, nothing compiled.

Good enough to draw by and to refuse what cannot be: the worker's check decides in the end.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.scene.spec import Body, Scene
from engine.scene.vectors import across, up_of
from engine.shapes.apart import gap
from engine.shapes.ask import ask
from engine.shapes.extent import bounds, reach
from engine.shapes.solid import Solid
from engine.shapes.solids import Solids

CLOSE = 1e-3  # m between bodies that touch
SHRINK = 1e-3  # m: bodies are asked for their gap a little smaller, so that touching ones have a direction between them
UPWARD = 0.5  # least part upward of a normal that carries
MOST_POINTS = 6
ROUND = 4  # points told of a rim


class Support(NamedTuple):
    """What carries a body."""

    normal: np.ndarray  # (3,) unit, toward the body
    body: Body | None  # None: the ground, or nothing near


def support_of(scene: Scene, body: Body) -> Support:
    """The body, plane or ground below that it touches, the steepest contact last; level ground when it touches
    nothing."""
    up = up_of(scene.gravity)
    found = [(normal, other) for normal, other in _contacts(scene, body) if float(normal @ up) > UPWARD]
    if not found:
        return Support(up, None)
    normal, other = max(found, key=lambda entry: float(entry[0] @ up))
    return Support(normal, other)


def standing_on(scene: Scene, body: Body) -> list[Body]:
    """Bodies that stand on this one, so that it cannot leave before them."""
    up = up_of(scene.gravity)
    return [other for normal, other in _contacts(scene, body) if other is not None and -float(normal @ up) > UPWARD]


def friction_on(scene: Scene, body: Body, support: Support) -> float:
    """Of the pair: the geometric mean, and the body's own on ground without a material (as in the engine)."""
    material = support.body.material if support.body is not None else scene.ground_material
    own = body.material.friction
    return own if material is None else math.sqrt(own * material.friction)


def foot_of(body: Body, normal: np.ndarray) -> np.ndarray:
    """The point under a body's origin in the plane that it touches with this normal (m)."""
    return np.array(body.position) - float(reach(body.shape, body.orientation, -normal[None, :])[0]) * normal


def contact_points(body: Body, normal: np.ndarray) -> np.ndarray:
    """(n, 3) the corners with which a body touches a plane below it, at most MOST_POINTS."""
    solids = Solids(body)
    points = np.concatenate([face_points(solids[k], normal) for k in range(len(solids))] or [np.zeros((0, 3))])
    if not len(points):
        return points
    heights = points @ normal
    low = points[heights <= heights.min() + CLOSE]
    if len(low) <= MOST_POINTS:
        return low
    middle = low.mean(axis=0)
    a, b = across(normal)
    turns = np.argsort(np.arctan2((low - middle) @ b, (low - middle) @ a))
    return low[turns[np.linspace(0, len(low), MOST_POINTS, endpoint=False).astype(int)]]


def face_points(solid: Solid, normal: np.ndarray) -> np.ndarray:
    """(n, 3) points of a solid among which those are that lie lowest, as seen with `normal` up."""
    points = solid.corners - solid.rounding * normal
    if solid.axis is None:
        return points
    axis = np.array(solid.axis)
    down = -normal + float(normal @ axis) * axis
    tilt = float(np.linalg.norm(down))
    if tilt > 1e-3:  # lying or leaning: one line of its side
        return points + solid.radius * down / tilt
    a, b = across(axis)
    angles = np.arange(ROUND) * 2.0 * math.pi / ROUND
    rim = solid.radius * (np.outer(np.cos(angles), a) + np.outer(np.sin(angles), b))
    return (points[:, None, :] + rim[None, :, :]).reshape(-1, 3)


def _contacts(scene: Scene, body: Body) -> list[tuple[np.ndarray, Body | None]]:
    """(normal toward the body, the other one) of all that touches it; None: the ground."""
    if ask(body.shape).endless:
        return []
    found: list[tuple[np.ndarray, Body | None]] = []
    up = np.array([0.0, 0.0, 1.0])
    low, high = bounds(body)
    if scene.ground and low[2] <= CLOSE:
        found.append((up, None))
    own = shrunk(body, low, high)
    for other in _nearby(scene, body):
        if ask(other.shape).endless:
            normal = _plane_contact(body, other)
        else:
            other_low, other_high = bounds(other)
            if (other_low > high + CLOSE).any() or (other_high < low - CLOSE).any():
                continue
            normal = _contact(own, shrunk(other, other_low, other_high))
        if normal is not None:
            found.append((normal, other))
    return found


def _nearby(scene: Scene, body: Body) -> list[Body]:
    """The other bodies whose surrounding balls meet that of a body."""
    apart = np.linalg.norm(np.array([entry.position for entry in scene.bodies]) - np.array(body.position), axis=1)
    radii = np.array([ask(entry.shape).radius() for entry in scene.bodies])
    touching = apart <= radii + ask(body.shape).radius() + CLOSE
    return [scene.bodies[k] for k in np.flatnonzero(touching) if scene.bodies[k] is not body]


def shrunk(body: Body, low: np.ndarray, high: np.ndarray) -> Solids:
    """A body a little smaller; `low` and `high` are its bounds."""
    return Solids(body, min(SHRINK, 0.2 * float((high - low).min())))


def _plane_contact(body: Body, other: Body) -> np.ndarray | None:
    ((place, normal),) = Solids(other).planes
    return normal if float((foot_of(body, normal) - place) @ normal) <= CLOSE else None


def _contact(a: Solids, b: Solids) -> np.ndarray | None:
    """Normal from b to a where two shrunk bodies are nearest, if they touch."""
    best, normal = math.inf, None
    for i in range(len(a)):
        reachable = 2.0 * SHRINK + CLOSE
        near = ((b.low <= a.high[i] + reachable) & (b.high >= a.low[i] - reachable)).all(axis=1)
        for j in np.flatnonzero(near):
            between = gap(a[i], b[int(j)])
            if between is None or between.most >= min(best, reachable):
                continue
            best, normal = between.most, np.array(between.normal)
    return normal
