"""Fast forward beside other engines: speed as a ratio in the same run, quality by one ruler."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.model.compile import Model, compile_scene
from engine.params import PREVIEW_DT
from engine.scene.spec import Scene
from tests.bench import scenes_forward as scenes
from tests.bench.measure import Row, Tell
from tests.bench.ours import Ours
from tests.bench.peers import MuJoCo, Rapier, Runner
from tests.bench.quality import Quality, quality

SCENES: dict[str, Callable[[], Scene]] = {
    "bins": scenes.bins,
    "wall": scenes.letters,
    "stack": scenes.stack,
    "pile": scenes.pile,
}
SMALL: dict[str, Callable[[], Scene]] = {"stack": lambda: scenes.stack(2), "bins": lambda: scenes.bins(4)}

Engine = Callable[[Scene, float, bool], Runner]
"""Made from a scene, a step (s) and whether bodies may sleep."""

ENGINES: tuple[tuple[Engine, bool], ...] = (
    (Ours, True),
    (Rapier, True),
    (Ours, False),
    (Rapier, False),
    (MuJoCo, False),
)
"""Ours first among those whose bodies may sleep, and first among those that keep them awake: only equals compare, for
a sleeping body costs next to nothing in any engine."""


@dataclass
class Entrant:
    """One engine in one scene."""

    runner: Runner
    sleeps: bool
    times: list[float] = field(default_factory=list)  # ms per step, one for every repetition
    quality: Quality | None = None  # the same in every repetition

    def repeat(self, steps: int, last: int, model: Model) -> None:
        spent, start, earlier = _timed(self.runner, steps, last)
        self.times.append(1e3 * spent / steps)
        if self.quality is None:
            self.quality = quality(model, self.runner.poses(), earlier, start)

    @property
    def cost(self) -> float:
        return float(np.median(self.times))


def fast(
    tell: Tell,
    cases: dict[str, Callable[[], Scene]] = SCENES,
    engines: Sequence[tuple[Engine, bool]] = ENGINES,
    steps: int = 960,
    repeats: int = 5,
    dt: float = PREVIEW_DT,
) -> list[Row]:
    """Every scene in every engine, one repetition of each in turn."""
    rows = []
    for number, (name, make) in enumerate(cases.items()):
        scene = make()
        model = compile_scene(scene)
        entrants = [Entrant(engine(scene, dt, sleeps), sleeps) for engine, sleeps in engines]
        for entrant in entrants:  # the first step may compile
            entrant.runner.run(1)
        for repeat in range(repeats):
            for i, entrant in enumerate(entrants):
                done = (number * repeats + repeat) * len(entrants) + i
                tell(f"{name}, {entrant.runner.name}", done, len(cases) * repeats * len(entrants))
                entrant.repeat(steps, round(1.0 / dt), model)
        rows += [{"scene": name, **row, "steps": steps, "repeats": repeats} for row in comparison(entrants)]
    return rows


def comparison(entrants: Sequence[Entrant]) -> list[Row]:
    """A row for every entrant; `cost_ratio` is the cost of the first that sleeps alike over its own."""
    first = {entrant.sleeps: entrant for entrant in reversed(entrants)}
    rows = []
    for entrant in entrants:
        found = entrant.quality._asdict() if entrant.quality else {}
        rows.append(
            {
                "engine": entrant.runner.name,
                "sleeps": "may" if entrant.sleeps else "never",
                "ms_per_step": entrant.cost,
                "ms_fastest": min(entrant.times),
                "ms_slowest": max(entrant.times),
                "cost_ratio": first[entrant.sleeps].cost / entrant.cost,
                "asleep": entrant.runner.asleep(),
                **found,
            }
        )
    return rows


def _timed(runner: Runner, steps: int, last: int) -> tuple[float, np.ndarray, np.ndarray]:
    """Process CPU seconds of `steps` steps; positions at the start and `last` steps before the end."""
    runner.reset()
    start = runner.poses()[0]
    last = min(last, steps)
    begun = time.process_time()
    runner.run(steps - last)
    spent = time.process_time() - begun
    earlier = runner.poses()[0]
    begun = time.process_time()
    runner.run(last)
    return spent + time.process_time() - begun, start, earlier


def box(
    tell: Tell, engines: Sequence[Engine] = (Ours, Rapier, MuJoCo), steps: int = 480, sims: int = 100, repeats: int = 5
) -> list[Row]:
    """One box dropped again and again: whole simulations per second of process CPU time, called from Python."""
    scene = scenes.dropped_box()
    runners = [engine(scene, PREVIEW_DT, True) for engine in engines]
    for runner in runners:  # the first call may compile
        runner.run(1)
    rates: list[list[float]] = [[] for _ in runners]
    for repeat in range(repeats):
        for i, runner in enumerate(runners):
            tell(runner.name, repeat * len(runners) + i, repeats * len(runners))
            begun = time.process_time()
            for _ in range(sims):
                runner.reset()
                runner.run(steps)
            rates[i].append(sims / (time.process_time() - begun))
    medians = [float(np.median(rate)) for rate in rates]
    model, start = compile_scene(scene), np.array([body.position for body in scene.bodies])
    rows = []
    for i, runner in enumerate(runners):
        poses = runner.poses()
        found = quality(model, poses, poses[0], start)
        rows.append(
            {
                "engine": runner.name,
                "sims_per_s": medians[i],
                "ms_per_sim": 1e3 / medians[i],
                "rate_ratio": medians[0] / medians[i],
                "deepest_mm": found.deepest_mm,
                "height_mm": 1e3 * float(poses[0][0, 2]),
                "steps": steps,
                "repeats": repeats,
            }
        )
    return rows
