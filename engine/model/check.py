"""Rules about poses: bodies that overlap, and bodies that hang in the air.

They need signed distances, which the collision layer above this one knows; it is passed in, or found by name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

import numpy as np

from engine.geometry.turns import rotation_matrix
from engine.model.arrays import PLANE
from engine.model.compile import Model, compile_scene
from engine.scene.spec import Problem, Scene

Measure: TypeAlias = Callable[[int, int, np.ndarray, np.ndarray], tuple[float, np.ndarray]]
"""(part_a, part_b, x, q) -> (signed distance in m, negative when overlapping; unit normal from b to a)."""

GAUGE = ("engine.collide.distance", "Gauge")
"""Class of the collision layer with a method that is a Measure: a name, because layers below must not import
layers above."""

SLOP = 1e-6  # m, touching: the contact law's slop

TOLERATED_OVERLAP = 1e-4
"""m. Settled poses overlap a little, and a body rests on what it overlaps just as well: up to here it is a warning."""


def scene_pose_problems(scene: Scene) -> list[Problem]:
    """The rules for the authored poses of a scene without errors."""
    module, gauge = GAUGE
    model = compile_scene(scene)
    flying = {
        int(model.row_of[i])
        for i, body in enumerate(scene.bodies)
        if body.arrival == 0.0 or any(body.velocity) or any(body.angular_velocity)
    }
    return pose_problems(model, getattr(importlib.import_module(module), gauge)(model.geometry).measure, flying)


def pose_problems(model: Model, measure: Measure, flying: set[int] | None = None) -> list[Problem]:
    """Overlaps (errors) and floating bodies (warnings) at the start poses; `flying` rows may be in the air."""
    distances = _near_distances(model, measure)
    found = []
    for (a, b), distance in sorted(distances.items()):
        if distance < -SLOP:
            severity: Literal["error", "warning"] = "error" if distance < -TOLERATED_OVERLAP else "warning"
            text = f"{model.names[a]} overlaps {model.names[b]} by {-distance * 1e3:.3g} mm."
            found.append(Problem(severity, "overlap", model.names[a], text, "Move them apart."))
    touching = [pair for pair, distance in sorted(distances.items()) if distance <= SLOP]
    if np.any(model.gravity):
        found += _floating(model, measure, touching, flying or set())
    return found


def _world_boxes(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Boxes about all parts in the world: about their corners, or about the bounding balls of round parts."""
    g, start = model.geometry, model.start
    turns = np.array([rotation_matrix(q) for q in start.q]).reshape(-1, 3, 3)
    owner = g.part_body
    centers = start.x[owner] + np.einsum("pij,pj->pi", turns[owner], g.part_center)
    low, high = centers - g.part_bound[:, None], centers + g.part_bound[:, None]
    cornered = np.flatnonzero(np.diff(g.vert_start))
    if len(cornered):
        body = np.repeat(owner, np.diff(g.vert_start))
        corners = start.x[body] + np.einsum("vij,vj->vi", turns[body], g.verts)
        low[cornered] = np.minimum.reduceat(corners, g.vert_start[cornered])
        high[cornered] = np.maximum.reduceat(corners, g.vert_start[cornered])
    return low - SLOP, high + SLOP


def _near_pairs(model: Model) -> Iterator[tuple[int, int]]:
    """Parts of different bodies, not both static, whose boxes meet (sweep along x)."""
    low, high = _world_boxes(model)
    owner = model.geometry.part_body
    moving = model.bodies.inverse_mass[owner] > 0.0
    order = np.argsort(low[:, 0], kind="stable")
    sorted_low = low[order]
    for rank, part in enumerate(order):
        stop = int(np.searchsorted(sorted_low[:, 0], high[part, 0], side="right"))
        others = order[rank + 1 : stop]
        meet = (low[others, 1:] <= high[part, 1:]).all(axis=1) & (high[others, 1:] >= low[part, 1:]).all(axis=1)
        for other in others[meet & (owner[others] != owner[part]) & (moving[others] | moving[part])]:
            yield int(part), int(other)


def _near_distances(model: Model, measure: Measure) -> dict[tuple[int, int], float]:
    """Smallest signed distance of every pair of bodies that is near; the moving body comes first."""
    distances: dict[tuple[int, int], float] = {}
    owner, static = model.geometry.part_body, model.bodies.inverse_mass == 0.0
    for part, other in _near_pairs(model):
        if (static[owner[part]], owner[part], part) > (static[owner[other]], owner[other], other):
            part, other = other, part
        distance, _ = measure(part, other, model.start.x, model.start.q)
        pair = (int(owner[part]), int(owner[other]))
        distances[pair] = min(distances.get(pair, np.inf), float(distance))
    return distances


def _floating(model: Model, measure: Measure, touching: list[tuple[int, int]], flying: set[int]) -> Iterator[Problem]:
    """One warning per group of touching bodies that stands on nothing static and holds nothing in flight."""
    static = model.bodies.inverse_mass == 0.0
    group = np.arange(len(static))
    for a, b in touching:
        if not static[a] and not static[b]:
            group[group == group[b]] = group[a]
    standing = {int(group[a]) for a, b in touching if static[b]} | {int(group[i]) for i in flying}
    for label in np.unique(group[~static]):
        if int(label) in standing:
            continue
        members = np.flatnonzero((group == label) & ~static)
        body, below, gap = _nearest_below(model, measure, members)
        if below is None:
            text = f"{model.names[body]} floats: there is nothing below it."
        else:
            text = f"{model.names[body]} floats: {model.names[below]} is {gap * 1e3:.3g} mm below."
        fix = "Drop it onto the surface, or give it a velocity if it is in flight at the ending."
        yield Problem("warning", "floating", model.names[body], text, fix)


def _nearest_below(model: Model, measure: Measure, members: np.ndarray) -> tuple[int, int | None, float]:
    """The member nearest to something under it, what that is, and how far (m)."""
    geometry, start = model.geometry, model.start
    up = -model.gravity / np.linalg.norm(model.gravity)
    low, high = _world_boxes(model)
    best: tuple[int, int | None, float] = (int(members[0]), None, np.inf)
    for part in np.flatnonzero(np.isin(geometry.part_body, members)):
        room = np.maximum(np.maximum(low - high[part], low[part] - high), 0.0)
        room[geometry.part_kind == PLANE] = 0.0
        apart = np.linalg.norm(room, axis=1)
        for other in np.argsort(apart, kind="stable"):
            if apart[other] >= best[2]:
                break
            if np.isin(geometry.part_body[other], members):
                continue
            distance, normal = measure(int(part), int(other), start.x, start.q)
            if distance < best[2] and float(np.dot(normal, up)) > 0.0:
                best = (int(geometry.part_body[part]), int(geometry.part_body[other]), float(distance))
    return best
