"""explore: many throws of one body, as a map."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np

from engine.algebra import times
from engine.errors import ForegoneError, SceneError
from engine.model.compile import Model
from engine.reach.outlines import outlines
from engine.reach.starts import Region, box_of
from engine.reach.thrower import FALLEN, Thrower, Thrown
from engine.rules import scene_problems
from engine.scene.reach_map import BEATS, RESTED, ReachMap, Turns, pose_of
from engine.scene.spec import Body, Capsule, Cylinder, Scene, Sphere
from engine.shapes.answers import Extent
from engine.shapes.ask import ask
from engine.shapes.turns import rotation_matrices

TOGETHER = 50  # throws between two words of progress
ARRIVED = 0.01  # sizes from where it comes to rest: from then on it rests

Told = Callable[[int, int], object]
"""Hears how many throws are done, of how many; to stop, it raises."""


def explore(
    scene: Scene,
    key: str,
    throws: int = 10_000,
    seed: int = 0,
    spread: float | None = None,
    jobs: int = 1,
    told: Told = lambda done, count: None,
) -> ReachMap:
    """Throw a body (id or name) from around its ending while all others rest at theirs. spread: m each way (None: over
    what it ends in or on). Any number of jobs gives the same map to the bit."""
    body = scene.find(key)
    if body is None:
        raise ForegoneError(f"There is no body {key!r}.")
    errors = [problem for problem in scene_problems(scene) if problem.severity == "error"]
    if errors:
        raise SceneError(errors)
    throwers = [Thrower(scene, body) for _ in range(jobs)]
    first = throwers[0]
    region = Region(scene, body, first.model.start.x[first.row], first.size, spread)
    floor = _floor(scene, region) + FALLEN * first.size
    found: list[Thrown] = []
    with closing(_blocks(throwers, region, floor, throws, seed)) as blocks:
        for block in blocks:
            found += block
            told(len(found), throws)
    return _mapped(scene, body, first, region.room, seed, found)


def _floor(scene: Scene, region: Region) -> float:
    """m along gravity, of the lowest point there is."""
    if scene.ground or any(ask(body.shape).endless for body in scene.bodies):
        return float("inf")
    boxes = [box_of(body) for body in scene.bodies]
    return max(float((np.where(region.up < 0.0, high, low) * -region.up).sum()) for low, high in boxes)


def _blocks(
    throwers: list[Thrower], region: Region, floor: float, throws: int, seed: int
) -> Generator[list[Thrown], None, None]:
    """Throws in their order; thrower k takes every block whose number leaves k."""

    def block(number: int) -> list[Thrown]:
        thrower = throwers[number % len(throwers)]
        starts = region.starts(seed, number * TOGETHER, min((number + 1) * TOGETHER, throws))
        columns = (starts.places, starts.velocities, starts.turns, starts.spins)
        return [thrower.throw(*start, floor) for start in zip(*columns, strict=True)]

    count = -(-throws // TOGETHER)
    with ThreadPoolExecutor(len(throwers)) as pool:
        for first in range(0, count, len(throwers)):
            yield from pool.map(block, range(first, min(first + len(throwers), count)))


def _mapped(scene: Scene, body: Body, thrower: Thrower, room: Extent, seed: int, found: list[Thrown]) -> ReachMap:
    count = len(found)
    start, rest = np.full((count, 7), np.nan, np.float32), np.full((count, 7), np.nan)
    way = np.full((count, BEATS + 1, 7), np.nan, np.float32)
    for i, thrown in enumerate(found):
        if not len(thrown.poses):
            continue
        poses = _authored(thrower.model, thrower.row, thrown.poses)
        start[i], rest[i] = poses[0], poses[-1]
        if thrown.fate == RESTED:
            last = _arrival(poses, thrower.size)
            back = np.concatenate([poses[-1:], poses[:last][::-1]])[: BEATS + 1]
            way[i, : len(back)] = back
    return ReachMap(
        body=body.id,
        name=body.name,
        seed=seed,
        size=thrower.size,
        room=np.array(room),
        turns=_turns(body),
        fate=np.array([thrown.fate for thrown in found], np.int8),
        start=start,
        rest=rest,
        way=way,
        ending=pose_of(body.position, body.orientation),
        stays=thrower.stays(),
        outlines=outlines(other for other in scene.bodies if other is not body),
    )


def _authored(model: Model, row: int, poses: np.ndarray) -> np.ndarray:
    """Of the body's origin instead of its centre of mass."""
    off = np.array([times(turn, model.com_offset[row]) for turn in rotation_matrices(poses[:, 3:])])
    return np.concatenate([poses[:, :3] - off, poses[:, 3:]], axis=1)


def _arrival(poses: np.ndarray, size: float) -> int:
    """The first pose from which on it rests."""
    sign = np.where(times(poses[:, 3:], poses[-1, 3:]) < 0.0, -1.0, 1.0)[:, None]
    away = np.linalg.norm(poses[:, :3] - poses[-1, :3], axis=1)
    away += 2.0 * size * np.linalg.norm(sign * poses[:, 3:] - poses[-1, 3:], axis=1)
    return int(np.flatnonzero(away > ARRIVED * size).max(initial=-1)) + 1


def _turns(body: Body) -> Turns:
    if isinstance(body.shape, Sphere):
        return "none"
    return "axis" if isinstance(body.shape, Capsule | Cylinder) else "all"
