"""Disorder: an ending that is not quite as straight as it was placed, because perfect alignment looks false.

What rests on level ground may be pushed along it and turned about the vertical without coming off it: its heights, and
so its contacts, stay the same. Bodies that touch each other are moved as one, so that what they lean on and carry stays
where it was to them. Nothing gets further from its place than the artist allows, and nothing is pushed into another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.collide.detect import Detector
from engine.direct.chance import draws
from engine.direct.ending import CONTACTS_PER_PART, Ending, ending_of
from engine.geometry.lift import as_vector, up_of
from engine.model.arrays import PLANE
from engine.model.compile import Model, compile_scene
from engine.model.joints import articulations
from engine.params import SLOP
from engine.scene.spec import Quaternion, Scene

LEVEL = 1e-9  # how far the normal of level ground may be from upright
TRIES = 8  # each half as far as the one before
TURN_SHARE = 0.5  # of the tolerance that turning may use up; the rest is for pushing


def disordered(scene: Scene, tolerance: float, seed: int = 0) -> Scene:
    """The scene with every body that rests on level ground moved by at most `tolerance` (m, of any of its points), by
    chance. Other bodies stay; so does the scene itself."""
    if not (math.isfinite(tolerance) and tolerance >= 0.0):
        raise ValueError(f"the disorder of an ending must be a length of at least 0 m, not {tolerance!r}")
    model = compile_scene(scene)
    if tolerance == 0.0 or not model.gravity.any():
        return scene
    up = np.asarray(up_of(scene.gravity), float)
    bodies = list(scene.bodies)
    place = {int(row): i for i, row in enumerate(model.row_of)}
    x, q = model.start.x.copy(), model.start.q.copy()
    touching = _Touching(model)
    as_placed = touching.pairs(x, q)
    for group in _groups(model, ending_of(model), up):
        rng = draws(seed, "disorder", *(model.ids[row] for row in group))
        reach = _reach(model, group, up)
        for attempt in range(TRIES):
            most = tolerance * 0.5**attempt
            turn = rng.uniform(-1.0, 1.0) * TURN_SHARE * most / max(reach, 1e-9)
            side = rng.uniform(0.0, math.tau)
            far = math.sqrt(rng.uniform()) * (1.0 - TURN_SHARE) * most
            push = far * (math.cos(side) * _level(up) + math.sin(side) * np.cross(up, _level(up)))
            moved, turned = _moved(model, group, up, turn, push, x, q)
            if touching.pairs(moved, turned) == as_placed:
                x, q = moved, turned
                for row in group:
                    body, middle = bodies[place[row]], model.start.x[list(group)].mean(axis=0)
                    at = middle + _about(up, turn, np.array(body.position) - middle) + push
                    at = at + float((np.array(body.position) - at) @ up) * up  # to the bit as high as it was
                    orientation = _product(_turning(up, turn), body.orientation)
                    bodies[place[row]] = replace(body, position=as_vector(at), orientation=orientation)
                break
    return replace(scene, bodies=bodies)


def _groups(model: Model, ending: Ending, up: np.ndarray) -> list[tuple[int, ...]]:
    """Moving bodies that touch each other, where all that carries them from outside is level ground and no joint
    holds them."""
    moves = model.bodies.inverse_mass > 0.0
    name = np.arange(len(moves))
    for a, b in zip(ending.a, ending.b, strict=True):
        if moves[a] and moves[b]:
            name[name == name[b]] = name[a]
    planes = np.zeros(len(moves), bool)
    planes[model.geometry.part_body[model.geometry.part_kind == PLANE]] = True
    jointed = articulations(model.joints, moves) >= 0
    held = {int(name[i]) for i in np.flatnonzero(jointed & moves)}
    carried: set[int] = set()
    for a, b, n in zip(ending.a, ending.b, ending.normal, strict=True):
        if not moves[b]:
            level = planes[b] and abs(float(n @ up) - 1.0) <= LEVEL
            (carried if level else held).add(int(name[a]))
    groups = sorted(carried - held)
    return [tuple(int(i) for i in np.flatnonzero((name == each) & moves)) for each in groups]


def _reach(model: Model, group: Sequence[int], up: np.ndarray) -> float:
    """How far from the group's middle its farthest point may be, level, m."""
    rows = list(group)
    away = model.start.x[rows] - model.start.x[rows].mean(axis=0)
    away = away - np.outer(away @ up, up)
    return float((np.linalg.norm(away, axis=1) + model.bodies.size[rows]).max())


def _moved(
    model: Model, group: Sequence[int], up: np.ndarray, turn: float, push: np.ndarray, x: np.ndarray, q: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    rows = list(group)
    middle = x[rows].mean(axis=0)
    x, q = x.copy(), q.copy()
    for row in rows:
        x[row] = middle + _about(up, turn, x[row] - middle) + push
        q[row] = _product(_turning(up, turn), tuple(q[row]))
    return x, q


class _Touching:
    """Who touches whom."""

    def __init__(self, model: Model) -> None:
        self._moves = np.ascontiguousarray(model.bodies.inverse_mass > 0.0)
        self._detector = Detector(
            model.geometry, model.bodies.inverse_mass, 64 + CONTACTS_PER_PART * len(model.geometry.part_body)
        )

    def pairs(self, x: np.ndarray, q: np.ndarray) -> set[tuple[int, int]]:
        count = self._detector.find(x, q, x, q, self._moves, SLOP)
        found = self._detector.contacts
        return {(int(a), int(b)) for a, b in zip(found.a[:count], found.b[:count], strict=True)}


def _level(up: np.ndarray) -> np.ndarray:
    first = np.cross(up, [1.0, 0.0, 0.0] if abs(up[0]) < 0.9 else [0.0, 1.0, 0.0])
    return first / np.linalg.norm(first)


def _about(up: np.ndarray, angle: float, v: np.ndarray) -> np.ndarray:
    """v turned about the vertical."""
    along = float(v @ up) * up
    return along + math.cos(angle) * (v - along) + math.sin(angle) * np.cross(up, v - along)


def _turning(up: np.ndarray, angle: float) -> Quaternion:
    s = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), s * float(up[0]), s * float(up[1]), s * float(up[2])


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    w, x, y, z = a
    return (
        w * b[0] - x * b[1] - y * b[2] - z * b[3],
        w * b[1] + x * b[0] + y * b[3] - z * b[2],
        w * b[2] - x * b[3] + y * b[0] + z * b[1],
        w * b[3] + x * b[2] - y * b[1] + z * b[0],
    )
