"""Disorder: an ending that is not quite as straight as it was placed, because perfect alignment looks false.

What lies on something level may be pushed along it and turned about the vertical without coming off it: its heights,
and so its contacts, stay the same. So may each brick of a wall, for what it lies on and what lies on it is level too.
Bodies that touch each other otherwise, such as bricks side by side, are moved as one. Nothing gets further from its
place than the artist allows, nothing is pushed into another, and who touched still does, without a gap.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.ending import CONTACTS_PER_PART, Ending, ending_of
from engine.collide.detect import Detector
from engine.decide.chance import draws
from engine.functions import sine_cosine
from engine.model.articulations import articulations
from engine.model.compile import Model, compile_scene
from engine.params import SLOP
from engine.scene.spec import Quaternion, Scene
from engine.scene.vectors import as_vector, turned_about, up_of

LEVEL = 1e-9  # how far the normal of level ground may be from upright
NO_GAP = 1e-12  # m by which moving may change a gap: what lies flat changes none, a ball on a ball does
TRIES = 8  # each half as far as the one before
NAMED = 3  # bodies that a note names
TURN_SHARE = 0.5  # of the tolerance that turning may use up; the rest is for pushing


def disordered(scene: Scene, tolerance: float, seed: int = 0) -> Scene:
    """The scene with every body that lies on something level moved by at most `tolerance` (m, of any of its points), by
    chance. Other bodies stay; so does the scene itself."""
    if not (math.isfinite(tolerance) and tolerance >= 0.0):
        raise ValueError(f"the disorder of an ending must be a length of at least 0 m, not {tolerance!r}")
    if tolerance == 0.0 or not any(scene.gravity):
        return scene
    model = compile_scene(scene)
    up = np.asarray(up_of(scene.gravity), float)
    bodies = list(scene.bodies)
    place = {int(row): i for i, row in enumerate(model.row_of)}
    x, q = model.start.x.copy(), model.start.q.copy()
    touching = _Touching(model)
    as_placed = touching.gaps(x, q)
    for group in _groups(model, ending_of(model), up):
        rng = draws(seed, "disorder", *(model.ids[row] for row in group))
        reach = _reach(model, group, up)
        for attempt in range(TRIES):
            most = math.ldexp(tolerance, -attempt)
            turn = rng.uniform(-1.0, 1.0) * TURN_SHARE * most / max(reach, 1e-9)
            side = rng.uniform(0.0, math.tau)
            far = math.sqrt(rng.uniform()) * (1.0 - TURN_SHARE) * most
            s, c = sine_cosine(side)
            push = far * (c * _level(up) + s * np.cross(up, _level(up)))
            moved, turned = _moved(model, group, up, turn, push, x, q)
            if _same(touching.gaps(moved, turned), as_placed):
                x, q = moved, turned
                for row in group:
                    body, middle = bodies[place[row]], model.start.x[list(group)].mean(axis=0)
                    at = middle + turned_about(up, turn, np.array(body.position) - middle) + push
                    at = at + float(times(np.array(body.position) - at, up)) * up  # to the bit as high as it was
                    orientation = _product(_turning(up, turn), body.orientation)
                    bodies[place[row]] = replace(body, position=as_vector(at), orientation=orientation)
                break
    return replace(scene, bodies=bodies)


def untouched(placed: Scene, scene: Scene) -> tuple[str, ...]:
    """A note about bodies that disorder left exactly as placed."""
    moving = [(old, new) for old, new in zip(placed.bodies, scene.bodies, strict=True) if not old.static]
    left = [old.name for old, new in moving if old.position == new.position and old.orientation == new.orientation]
    if not left:
        return ()
    if len(left) == len(moving):
        who = "everything ends"
    else:
        named = " and ".join(f'"{name}"' for name in left[:NAMED])
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        who = f"{named}{more} {'ends' if len(left) == 1 else 'end'}"
    return (f"{who} exactly as placed: disorder moves what lies on something level, has room and no joint",)


def _same(gaps: Mapping[tuple[int, int], float], before: Mapping[tuple[int, int], float]) -> bool:
    return gaps.keys() == before.keys() and all(abs(gaps[pair] - before[pair]) <= NO_GAP for pair in gaps)


def _groups(model: Model, ending: Ending, up: np.ndarray) -> list[tuple[int, ...]]:
    """Moving bodies that touch each other other than from above or below, where all they touch from outside is level
    and no joint holds them."""
    moves = model.bodies.inverse_mass > 0.0
    name = np.arange(len(moves))
    level = np.abs(np.abs(times(ending.normal, up)) - 1.0) <= LEVEL
    for a, b in zip(ending.a[~level], ending.b[~level], strict=True):
        if moves[a] and moves[b]:
            name[name == name[b]] = name[a]
    jointed = articulations(model.joints, moves) >= 0
    held = {int(name[i]) for i in np.flatnonzero(jointed & moves)}
    touches: set[int] = set()
    for a, b, flat in zip(ending.a, ending.b, level, strict=True):
        if not flat and not (moves[a] and moves[b]):
            held.add(int(name[a]))
        touches |= {int(name[each]) for each in (a, b) if moves[each]}
    return [tuple(int(i) for i in np.flatnonzero((name == each) & moves)) for each in sorted(touches - held)]


def _reach(model: Model, group: Sequence[int], up: np.ndarray) -> float:
    """How far from the group's middle its farthest point may be, level, m."""
    rows = list(group)
    away = model.start.x[rows] - model.start.x[rows].mean(axis=0)
    away = away - np.outer(times(away, up), up)
    return float((norms(away) + model.bodies.size[rows]).max())


def _moved(
    model: Model, group: Sequence[int], up: np.ndarray, turn: float, push: np.ndarray, x: np.ndarray, q: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    rows = list(group)
    middle = x[rows].mean(axis=0)
    x, q = x.copy(), q.copy()
    for row in rows:
        x[row] = middle + turned_about(up, turn, x[row] - middle) + push
        q[row] = _product(_turning(up, turn), tuple(q[row]))
    return x, q


class _Touching:
    def __init__(self, model: Model) -> None:
        self._moves = np.ascontiguousarray(model.bodies.inverse_mass > 0.0)
        self._detector = Detector(
            model.geometry, model.bodies.inverse_mass, 64 + CONTACTS_PER_PART * len(model.geometry.part_body)
        )

    def gaps(self, x: np.ndarray, q: np.ndarray) -> dict[tuple[int, int], float]:
        """Who touches whom, each with the widest gap among their contacts, m."""
        count = self._detector.find(x, q, x, q, self._moves, SLOP)
        found = self._detector.contacts
        widest: dict[tuple[int, int], float] = {}
        for a, b, gap in zip(found.a[:count], found.b[:count], found.gap[:count], strict=True):
            pair = (int(a), int(b))
            widest[pair] = max(widest.get(pair, -math.inf), float(gap))
        return widest


def _level(up: np.ndarray) -> np.ndarray:
    first = np.cross(up, [1.0, 0.0, 0.0] if abs(up[0]) < 0.9 else [0.0, 1.0, 0.0])
    return first / norm(first)


def _turning(up: np.ndarray, angle: float) -> Quaternion:
    s, c = sine_cosine(0.5 * angle)
    return c, s * float(up[0]), s * float(up[1]), s * float(up[2])


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    w, x, y, z = a
    return (
        w * b[0] - x * b[1] - y * b[2] - z * b[3],
        w * b[1] + x * b[0] + y * b[3] - z * b[2],
        w * b[2] - x * b[3] + y * b[0] + z * b[1],
        w * b[3] + x * b[2] - y * b[1] + z * b[0],
    )
