"""Rules about poses: bodies that overlap, and bodies that hang in the air.

They need signed distances, which the collision layer above this one knows; it is passed in, or found by name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from engine.algebra import each_times, norm, norms, times
from engine.model.arrays import PLANE
from engine.model.compile import Model, compile_scene
from engine.scene.spec import Problem, Scene
from engine.shapes.turns import rotation_matrix

Measure: TypeAlias = Callable[[int, int, np.ndarray, np.ndarray], tuple[float, np.ndarray]]
"""(part_a, part_b, x, q) -> (signed distance in m, negative when overlapping; unit normal from b to a)."""

GAUGE = ("engine.collide.gauge", "Gauge")
"""Class of the collision layer with a method that is a Measure: a name, because layers below must not import
layers above."""

SLOP = 1e-6  # m, touching: the contact law's slop

TOLERATED_OVERLAP = 1e-4
"""m. Settled poses overlap a little, and a body rests on what it overlaps just as well: up to here it is a warning."""


@dataclass(frozen=True)
class Finding:
    """What a rule about poses found, in rows of the model."""

    code: Literal["overlap", "floating"]
    members: tuple[int, ...]  # the first is the body concerned; of a floating group the others that hang with it
    other: int | None  # what it overlaps, or what is nearest below; None: nothing is below
    distance: float  # m, between the two; negative when they overlap
    normal: np.ndarray  # (3,) unit, from the other to the first

    @property
    def severity(self) -> Literal["error", "warning"]:
        return "error" if self.distance < -TOLERATED_OVERLAP else "warning"


def scene_pose_problems(scene: Scene) -> list[Problem]:
    """The rules for the authored poses of a scene without errors."""
    model = compile_scene(scene)
    return pose_problems(model, gauge(model), flying_rows(scene, model))


def gauge(model: Model) -> Measure:
    """The collision layer's measure."""
    module, name = GAUGE
    measure: Measure = getattr(importlib.import_module(module), name)(model.geometry).measure
    return measure


def flying_rows(scene: Scene, model: Model) -> set[int]:
    """Bodies that may be in the air at the ending."""
    return {
        int(model.row_of[i])
        for i, body in enumerate(scene.bodies)
        if body.arrival == 0.0 or any(body.velocity) or any(body.angular_velocity)
    }


def pose_problems(model: Model, measure: Measure, flying: set[int] | None = None) -> list[Problem]:
    """Overlaps (errors) and floating bodies (warnings) at the start poses; `flying` rows may be in the air."""
    return [_told(model, finding) for finding in pose_findings(model, measure, flying or set())]


def pose_findings(model: Model, measure: Measure, flying: set[int]) -> list[Finding]:
    """The same as rows and distances."""
    near = sorted(_near_distances(model, measure).items())
    count, linked = len(model.names), set(model.joints.linked.tolist())
    near = [entry for entry in near if min(entry[0]) * count + max(entry[0]) not in linked]  # these do not collide
    found = [Finding("overlap", (a,), b, distance, n) for (a, b), (distance, n) in near if distance < -SLOP]
    if np.any(model.gravity):
        touching = [pair for pair, (distance, _) in near if distance <= SLOP]
        static = model.bodies.inverse_mass == 0.0
        for a, b in zip(model.joints.a.tolist(), model.joints.b.tolist(), strict=True):
            touching.append((b, a) if static[a] else (a, b))  # what hangs on a joint does not float
        found += _floating(model, measure, touching, flying)
    return found


def _told(model: Model, finding: Finding) -> Problem:
    name = model.names[finding.members[0]]
    if finding.code == "overlap":
        assert finding.other is not None
        text = f"{name} overlaps {model.names[finding.other]} by {-finding.distance * 1e3:.3g} mm."
        return Problem(finding.severity, "overlap", name, text, "Move them apart.")
    if finding.other is None:
        text = f"{name} floats: there is nothing below it."
    else:
        text = f"{name} floats: {model.names[finding.other]} is {finding.distance * 1e3:.3g} mm below."
    fix = "Drop it onto the surface, or give it a velocity if it is in flight at the ending."
    return Problem("warning", "floating", name, text, fix)


def _world_boxes(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Boxes about all parts in the world: about their corners, or about the bounding balls of round parts."""
    g, start = model.geometry, model.start
    turns = np.array([rotation_matrix(q) for q in start.q]).reshape(-1, 3, 3)
    owner = g.part_body
    centers = start.x[owner] + each_times(turns[owner], g.part_center)
    low, high = centers - g.part_bound[:, None], centers + g.part_bound[:, None]
    cornered = np.flatnonzero(np.diff(g.vert_start))
    if len(cornered):
        body = np.repeat(owner, np.diff(g.vert_start))
        corners = start.x[body] + each_times(turns[body], g.verts)
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


def _near_distances(model: Model, measure: Measure) -> dict[tuple[int, int], tuple[float, np.ndarray]]:
    """Smallest signed distance, and its normal, of every pair of bodies that is near; the moving body comes first."""
    distances: dict[tuple[int, int], tuple[float, np.ndarray]] = {}
    owner, static = model.geometry.part_body, model.bodies.inverse_mass == 0.0
    for part, other in _near_pairs(model):
        if (static[owner[part]], owner[part], part) > (static[owner[other]], owner[other], other):
            part, other = other, part
        distance, normal = measure(part, other, model.start.x, model.start.q)
        pair = (int(owner[part]), int(owner[other]))
        if pair not in distances or distance < distances[pair][0]:
            distances[pair] = (float(distance), normal)
    return distances


def _floating(model: Model, measure: Measure, touching: list[tuple[int, int]], flying: set[int]) -> Iterator[Finding]:
    """One for each group of touching bodies that stands on nothing static and holds nothing in flight."""
    static = model.bodies.inverse_mass == 0.0
    group = np.arange(len(static))
    for a, b in touching:
        if not static[a] and not static[b]:
            group[group == group[b]] = group[a]
    standing = {int(group[a]) for a, b in touching if static[b]} | {int(group[i]) for i in flying}
    boxes = _world_boxes(model)
    for label in np.unique(group[~static]):
        if int(label) not in standing:
            yield _nearest_below(model, measure, boxes, np.flatnonzero((group == label) & ~static))


def _nearest_below(
    model: Model, measure: Measure, boxes: tuple[np.ndarray, np.ndarray], members: np.ndarray
) -> Finding:
    """The member nearest to something under it, what that is, and how far."""
    geometry, start = model.geometry, model.start
    up = -model.gravity / norm(model.gravity)
    low, high = boxes
    own = np.isin(geometry.part_body, members)
    body, below, best, direction = int(members[0]), None, np.inf, up
    for part in np.flatnonzero(own):
        room = np.maximum(np.maximum(low - high[part], low[part] - high), 0.0)
        room[geometry.part_kind == PLANE] = 0.0
        apart = norms(room)
        for other in np.argsort(apart, kind="stable"):
            if apart[other] >= best:
                break
            if own[other]:
                continue
            distance, normal = measure(int(part), int(other), start.x, start.q)
            if distance < best and float(times(normal, up)) > 0.0:
                body, below = int(geometry.part_body[part]), int(geometry.part_body[other])
                best, direction = float(distance), normal
    rest = tuple(int(i) for i in members if int(i) != body)
    return Finding("floating", (body, *rest), below, best, direction)
