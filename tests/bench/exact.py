"""Exact steps of large islands: does every step reach the solver's tolerance, and what does it cost."""

from __future__ import annotations

import functools
import math
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import ASSISTED, TIER_NAMES
from engine.model.compile import compile_scene
from engine.params import DEFAULT_DT, PREVIEW_DT, SOLVER_TOLERANCE
from engine.run import backward, forward
from engine.scene.spec import Scene
from engine.tape.take import Take
from tests.bench import scenes_exact as scenes
from tests.bench import scenes_forward
from tests.bench.measure import Row, Tell

LONGEST = 60.0  # CPU s of one run; the steps reached by then count
CASES = ("rest", "impact")
DIRECTIONS = ("forward", "backward")


@dataclass(frozen=True)
class Family:
    """Scenes of one kind in several sizes."""

    make: Callable[[int], Scene]
    sizes: Sequence[int]
    steps: Sequence[float] = (PREVIEW_DT, DEFAULT_DT)  # s
    cases: Sequence[str] = CASES
    seconds: float = 1.0


def _stack(bricks: int) -> Scene:
    return scenes_forward.stack(2 * bricks // 5)


FAMILIES = {
    "wall": Family(scenes.brick_wall, (10, 30, 100)),
    "pyramid": Family(scenes.ball_pyramid, (14, 30, 55, 91, 140)),
    "slippery pyramid": Family(scenes.slippery_pyramid, (14, 30, 55, 91, 140), (PREVIEW_DT,), cases=("rest",)),
    "pile": Family(functools.cache(scenes.settled_pile), (200, 1000), (PREVIEW_DT,)),
    "resting stack": Family(_stack, (30,), cases=("rest",), seconds=5.0),
}
SMALL = {"wall": Family(scenes.brick_wall, (10,), (PREVIEW_DT,), seconds=0.05)}


def exact(tell: Tell, families: dict[str, Family] = FAMILIES, longest: float = LONGEST) -> list[Row]:
    """One row per scene, case, direction and step; `slope` is the growth of the mean cost with contacts (log-log)."""
    todo = [
        (name, size, case, direction, dt)
        for name, family in families.items()
        for dt in family.steps
        for case in family.cases
        for direction in DIRECTIONS
        for size in family.sizes
    ]
    for direction in DIRECTIONS:  # loads the kernels, which is not what is measured
        _measured(scenes.brick_wall(10), "impact", direction, PREVIEW_DT, 0.1, math.inf)
    rows = []
    for number, (name, size, case, direction, dt) in enumerate(todo):
        tell(f"{name} {size}, {case}, {direction}", number, len(todo))
        family = families[name]
        row = {"scene": name, "size": size, "case": case, "direction": direction, "dt": dt}
        rows.append(row | _measured(family.make(size), case, direction, dt, family.seconds, longest))
    _add_slopes(rows)
    return rows


def _measured(scene: Scene, case: str, direction: str, dt: float, seconds: float, longest: float) -> Row:
    clock = StepClock(longest)
    if direction == "forward":
        scene = scene if case == "rest" else scenes.struck(scene)
        clock.start(scene)
        take = forward(scene, seconds, dt, progress=clock)
    else:
        scene = scene if case == "rest" else scenes.arriving(scene)
        clock.start(scene)
        take = backward(scene, seconds, dt, options=Options(launch=False), progress=clock)
    report = certify(take)
    residuals, cost = report.residuals[: take.tape.steps], clock.milliseconds
    resting = _all_asleep(take)
    return {
        "contacts": int(report.contacts.max(initial=0)),
        "steps": take.tape.steps,
        "steps_asked": round(seconds / dt),
        # The report leaves what was assisted out of its residuals: such a step has not reached anything.
        "reached": float(((residuals <= SOLVER_TOLERANCE) & (report.tiers[: take.tape.steps] < ASSISTED)).mean()),
        "worst_residual": float(residuals.max(initial=0.0)),
        "ms_mean": float(cost.mean()),
        "ms_worst": float(cost.max(initial=0.0)),
        "asleep": float(resting.mean()),
        "ms_asleep": float(cost[resting].mean()) if resting.any() else None,
        "moved_m": float(np.abs(take.tape.x - take.model.start.x).max()),
        **{name: report.fraction(i) for i, name in enumerate(TIER_NAMES)},
        "stopped": take.stopped,
    }


def _all_asleep(take: Take) -> np.ndarray:
    """(steps,) bool in the order of running: every moving body sleeps."""
    asleep = np.all(take.tape.asleep[:, take.model.bodies.inverse_mass > 0.0], axis=1)
    return asleep[::-1] if take.backward else asleep


@dataclass
class StepClock:
    """A run's progress: CPU time of every step; where a run reports several steps at once, their mean."""

    longest: float  # s
    _begun: float = 0.0
    _last: float = 0.0
    _times: list[float] = field(default_factory=list)

    def start(self, scene: Scene) -> None:
        """Set the clock so that making the arrays of the scene, which is no step, does not count."""
        begun = time.process_time()
        compile_scene(scene)
        now = time.process_time()
        self._begun, self._last = now, now + (now - begun)

    def __call__(self, done: int, total: int) -> bool:
        now, fresh = time.process_time(), done - len(self._times)
        self._times += [max(now - self._last, 0.0) / max(fresh, 1)] * fresh
        self._last = now
        return now - self._begun < self.longest

    @property
    def milliseconds(self) -> np.ndarray:
        return 1e3 * np.array(self._times)


def _add_slopes(rows: list[Row]) -> None:
    """The exponent of ms_mean over contacts within each family, case, direction and step."""
    groups: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["scene"], row["case"], row["direction"], row["dt"]].append(row)
    for group in groups.values():
        slope = growth([row["contacts"] for row in group], [row["ms_mean"] for row in group])
        for row in group:
            row["slope"] = slope


def growth(sizes: Sequence[float], costs: Sequence[float]) -> float | None:
    """Exponent p of the best fit cost ~ size^p; None for fewer than two sizes."""
    known = [(n, cost) for n, cost in zip(sizes, costs, strict=True) if n > 0 and cost > 0.0]
    if len({n for n, _ in known}) < 2:
        return None
    x, y = np.log(np.array(known, float)).T
    return float(np.polyfit(x, y, 1)[0])
