"""Landings: how near the contact states before rest come to those of forward drops that none of them has seen.

Every way of making takes is compared with held-out drops of the same body and law (another seed), over the last second:
total variation of the shares of 0, 1, 2 and 3+ contacts, over the whole second and in twentieths of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from engine.arrivals.dropped.assemble import Retargeted, tape_of
from engine.arrivals.dropped.drop import ROW, Dropper
from engine.arrivals.dropped.ground import ground_of
from engine.arrivals.dropped.library import Library, library
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.retarget import images
from engine.arrivals.dropped.splice import continued, start_energy, tail
from engine.arrivals.dropped.standard import SHAPES, standard
from engine.arrivals.dropped.states import WINDOW, Counter, difference, events, transitions
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.decide.chance import draws
from engine.model.arrays import State, copy_state
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Material, Scene
from engine.shapes.turns import about, product
from engine.tape.take import Take
from tests.bench.markov import markov_run
from tests.bench.measure import Row, Tell

HELD_OUT = 2  # seed
PLANE_PART = 1  # of the ground, in scenes of one body
TAILS = (0.2, 0.3, 0.5)  # s
RARER = 0.25  # departures of the pivoting chain


@dataclass
class Sample:
    """Runs of one way, and what they cost."""

    runs: list[np.ndarray] = field(default_factory=list)  # contact states, latest first
    tried: int = 0
    exact: list[float] = field(default_factory=list)  # share of contact steps
    worst: int = 0  # tier
    pose_error: float = 0.0  # m, at the end of a closed-loop replay
    cpu: float = 0.0  # s


def landings(
    tell: Tell,
    shapes: Sequence[str] = tuple(SHAPES),
    count: int = 1000,
    backward: int = 300,
    tails: Sequence[float] = TAILS,
) -> list[Row]:
    rows: list[Row] = []
    for name in shapes:
        rows += _Case(name, count, backward, tell).rows(tails)
    return rows


class _Case:
    def __init__(self, name: str, count: int, backward: int, tell: Tell) -> None:
        self.name, self.tell, self.backward = name, tell, backward
        self.setting = standard(name)
        self.dropper = Dropper(self.setting)
        self.counter = Counter(self.dropper.model, ROW)
        began = time.process_time()
        self.drops, self.held_out = (self._library(count, seed) for seed in (1, HELD_OUT))
        self.built = (time.process_time() - began) / (self.drops.tried + self.held_out.tried)
        self.known = [self._run(motion) for motion in self.drops.motions]
        self.unseen = [self._run(motion) for motion in self.held_out.motions]
        self.energy = float(np.mean([start_energy(self.dropper, motion) for motion in self.drops.motions[:50]]))

    def _library(self, count: int, seed: int) -> Library:
        def told(found: int, wanted: int) -> None:
            self.tell(f"{self.name}: drops of seed {seed}", found, wanted)

        return library(self.setting, None, count, seed, told)

    def _run(self, motion: Motion) -> np.ndarray:
        return self.counter.run(motion.flown(self.dropper.params, self.dropper.model.bodies, ROW))

    def rows(self, tails: Sequence[float]) -> list[Row]:
        half = len(self.unseen) // 2
        floor = Sample(self.unseen[:half], tried=half, exact=[1.0], cpu=half * self.built)
        rows = [self._row("forward, half and half", floor, self.unseen[half:])]
        rows.append(self._row("retargeted", self._each("retargeted", self.drops.motions, self._retarget)))
        some = self.drops.motions[: self.backward]
        for seconds in tails:
            way = f"backward before a tail of {seconds:g} s"
            rows.append(self._row(way, self._each(way, some, partial(self._splice, seconds))))
        table = transitions(self.known)
        for way, rate, pivot in (("the paper's chain", 1.0, False), ("its chain, pivots, fewer", RARER, True)):
            rows.append(self._row(way, self._each(way, some, partial(self._chain, table, rate, pivot))))
        return rows

    def _each(self, way: str, motions: Sequence[Motion], make: Callable[[Motion, Sample], None]) -> Sample:
        sample = Sample()
        for i, motion in enumerate(motions):
            self.tell(f"{self.name}: {way}", i, len(motions))
            sample.tried += 1
            make(motion, sample)
        return sample

    def _retarget(self, motion: Motion, sample: Sample) -> None:
        """The drop moved onto a pose of the same side somewhere else; states are read from the take."""
        rng = draws(len(sample.runs), "landings", self.name)
        turn = product(about((0, 0, 1), float(rng.uniform(0.0, 2.0 * np.pi))), motion.q.tolist())
        material = Material(
            friction=self.setting.friction, restitution=self.setting.restitution, rolling_friction=self.setting.rolling
        )
        place = (*rng.uniform(-1.0, 1.0, size=2).tolist(), float(motion.x[2]))
        scene = Scene([Body("it", self.setting.shape, place, turn, material=material)])
        model = compile_scene(scene)
        start = model.start
        began = time.process_time()
        found = images(self.setting.shape, motion, start.q[ROW], float(rng.uniform(0.0, 2.0 * np.pi)))
        image = found[int(rng.integers(len(found)))]
        ground = ground_of(model, ROW, PLANE_PART)
        assert ground is not None
        moved = motion.moved(image.world, image.body, 1.0, start.x[ROW], start.q[ROW], ground)
        states = moved.flown(self.dropper.params, model.bodies, ROW)
        steps = motion.steps + 1
        tape = tape_of(model, self.dropper.params, steps, {ROW: Retargeted(moved, states)}, {ROW: motion.steps})
        sample.cpu += time.process_time() - began
        take = Take(scene, model, tape, steps * self.setting.dt, 0, backward=True)
        report = certify(take)
        sample.exact.append(report.exact_fraction)
        sample.worst = max(sample.worst, int(report.tiers.max()))
        sample.pose_error = max(sample.pose_error, float(replay(take)[-1]))
        tape = take.tape
        seen = State(*(part[:-1, ROW] for part in (tape.x, tape.q, tape.v, tape.l)))  # up to rest
        sample.runs.append(self.counter.run(seen))

    def _splice(self, seconds: float, motion: Motion, sample: Sample) -> None:
        began = time.process_time()
        end = tail(motion, seconds, self.setting.dt)
        steps = max(round(WINDOW / self.setting.dt), 1)
        longer = continued(self.dropper.model, self.dropper.params, ROW, end, steps, self.energy, tuned=True)
        sample.cpu += time.process_time() - began
        if longer is None:
            return
        rest = copy_state(self.dropper.model.start)
        rest.x[ROW], rest.q[ROW] = longer.x, longer.q
        model = replace(self.dropper.model, start=rest)
        ground = ground_of(model, ROW, PLANE_PART)
        assert ground is not None
        here = longer.moved(np.eye(3), np.eye(3), 1.0, longer.x, longer.q, ground)
        states = here.flown(self.dropper.params, model.bodies, ROW)
        arrival = Retargeted(here, states)
        tape = tape_of(model, self.dropper.params, longer.steps + 1, {ROW: arrival}, {ROW: longer.steps})
        take = Take(self.dropper.scene, model, tape, (longer.steps + 1) * self.setting.dt, 0, backward=True)
        report = certify(take)
        sample.exact.append(report.exact_fraction)
        sample.worst = max(sample.worst, int(report.tiers.max()))
        sample.pose_error = max(sample.pose_error, float(replay(take)[-1]))
        sample.runs.append(self.counter.run(states))

    def _chain(self, table: np.ndarray, rate: float, pivot: bool, motion: Motion, sample: Sample) -> None:
        rest = copy_state(self.dropper.model.start)
        rest.x[ROW], rest.q[ROW] = motion.x, motion.q
        began = time.process_time()
        steps = round(WINDOW / self.setting.dt)
        chained = markov_run(self.dropper.model, self.dropper.params, rest, table, steps, sample.tried, rate, pivot)
        sample.cpu += time.process_time() - began
        touched = chained.tiers >= 0
        sample.exact.append(float((chained.tiers[touched] == 0).mean()) if touched.any() else 1.0)
        sample.worst = max(sample.worst, int(chained.tiers.max()))
        sample.runs.append(self.counter.run(chained.states))

    def _row(self, way: str, sample: Sample, against: Sequence[np.ndarray] | None = None) -> Row:
        dt = self.setting.dt
        found = difference(sample.runs, self.unseen if against is None else against, dt)
        apart = [value for value in found.durations if np.isfinite(value)]
        return {
            "shape": self.name,
            "way": way,
            "runs": len(sample.runs),
            "accepted": len(sample.runs) / max(sample.tried, 1),
            "tv": found.marginal,
            "tv_by_time": found.by_time,
            "ks_worst": max(apart, default=None),
            "events": float(np.median(events(sample.runs, dt))) if sample.runs else None,
            "exact": float(np.mean(sample.exact)) if sample.exact else None,
            "worst_tier": sample.worst,
            "pose_error": sample.pose_error,
            "ms_per_body": 1e3 * sample.cpu / max(sample.tried, 1),
        }
