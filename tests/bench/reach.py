"""Throws of a body: how many a second, and whether the fast engine ends them where the exact one does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.commands.demo_scenes import ball_with_one_exit
from engine.reach.explore import explore
from engine.reach.starts import Region
from engine.reach.thrower import Thrower
from engine.run import forward
from engine.scene.reach_map import RESTED
from engine.scene.spec import Body, Scene
from engine.work.workers import cores
from tests.bench.measure import Row, Tell
from tests.bench.scenes_reach import ball_in_a_cup, die_by_a_hole

SCENES: dict[str, Callable[[], Scene]] = {
    "die by a hole": die_by_a_hole,
    "ball in a cup": ball_in_a_cup,
    "box with one exit": ball_with_one_exit,
}
SMALL = {"die by a hole": die_by_a_hole}
SECONDS = 8.0  # of an exact run, as long as throws are given
FLOOR = -0.5  # m: what is below falls for ever, or there is nothing below
RARE = 1.63  # of two samples of one distribution, one in a hundred differs more: 1.63 sqrt(1/n + 1/m) (Kolmogorov)


def reach(
    tell: Tell, throws: int = 10_000, sample: int = 100, scenes: dict[str, Callable[[], Scene]] = SCENES, seed: int = 0
) -> list[Row]:
    rows = []
    for name, make in scenes.items():
        scene = make()
        body = next(each for each in scene.bodies if not each.static)
        explore(scene, body.id, 50)  # kernels
        speeds = {jobs: _speed(tell, name, scene, body, throws, jobs) for jobs in (1, cores())}
        fast, exact, seconds = _both(tell, name, scene, body, sample, seed)
        rows.append(
            {
                "scene": name,
                "throws": throws,
                "per_s": speeds[1],
                "per_s_all": speeds[cores()],
                "sample": sample,
                "rested": len(fast) / sample,
                "rested_exact": len(exact) / sample,
                "apart": _apart(fast, exact),
                "rare": RARE * float(np.sqrt(1.0 / max(len(fast), 1) + 1.0 / max(len(exact), 1))),
                "exact_per_s": sample / seconds,
            }
        )
    return rows


def _speed(tell: Tell, name: str, scene: Scene, body: Body, throws: int, jobs: int) -> float:
    begun = time.perf_counter()
    explore(scene, body.id, throws, jobs=jobs, told=lambda done, count: tell(f"{name}, {jobs} at once", done, count))
    return throws / (time.perf_counter() - begun)


def _both(
    tell: Tell, name: str, scene: Scene, body: Body, count: int, seed: int
) -> tuple[np.ndarray, np.ndarray, float]:
    """Where the same throws come to rest, (k, 3) each, in both engines; and what the exact one took, in s."""
    thrower = Thrower(scene, body)
    region = Region(scene, body, thrower.model.start.x[thrower.row], thrower.size, None)
    starts = region.starts(seed, 0, count)
    fast, exact, seconds = [], [], 0.0
    for i in range(count):
        tell(f"{name}, exact runs", i, count)
        thrown = thrower.throw(starts.places[i], starts.velocities[i], starts.turns[i], starts.spins[i], -FLOOR)
        if not len(thrown.poses):
            continue
        if thrown.fate == RESTED:
            fast.append(thrown.poses[-1, :3])
        place = thrown.poses[0, :3]  # boxes and balls: the centre of mass is the origin
        begin = int(np.flatnonzero((starts.places[i] == place).all(axis=1))[0])
        fields = {"position": place, "orientation": starts.turns[i], "angular_velocity": starts.spins[i]}
        fields["velocity"] = starts.velocities[i, begin]
        flung = replace(body, **{name: tuple(value) for name, value in fields.items()})
        begun = time.perf_counter()
        take = forward(replace(scene, bodies=[flung if each is body else each for each in scene.bodies]), SECONDS)
        seconds += time.perf_counter() - begun
        last = take.tape.state(take.tape.steps)
        if not last.v[thrower.row].any() and not last.l[thrower.row].any():
            exact.append(last.x[thrower.row].copy())
    return np.array(fast).reshape(-1, 3), np.array(exact).reshape(-1, 3), seconds


def _apart(a: np.ndarray, b: np.ndarray) -> float | None:
    """Kolmogorov-Smirnov distance along x, y or z, the largest; None: there is nothing to compare."""
    if not len(a) or not len(b):
        return None
    found = []
    for axis in range(3):
        at = np.sort(np.round(np.concatenate([a[:, axis], b[:, axis]]), 3))  # heights at rest differ by microns
        below = [np.searchsorted(np.sort(np.round(each[:, axis], 3)), at, side="right") / len(each) for each in (a, b)]
        found.append(float(np.abs(below[0] - below[1]).max()))
    return max(found)
