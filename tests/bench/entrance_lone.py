"""Bodies alone on the ground beside forward drops that no take has seen: contact states, spin, bounces.

Drops of another seed, of the same shape and material and resting on the same side, are what is natural: those of them
that a take of that length has room for, before the moment in which it stands. How much two samples of drops of these
sizes differ from each other is told beside (`tv_drops`): a few motions that last long weigh much, those of coins that
spin above all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.arrivals.dropped.drop import ROW, Dropper, Setting
from engine.arrivals.dropped.library import Patience, library
from engine.arrivals.dropped.retarget import resting_side
from engine.arrivals.dropped.states import Counter, difference
from engine.arrivals.times import FIRST_REST
from engine.model.arrays import Bodies, State
from engine.params import DEFAULT_DT
from engine.run import backward
from engine.scene.spec import Body, Scene
from engine.tape.take import Take
from tests.bench.entrance_figures import Figures, angular_velocities, ks
from tests.bench.entrance_rows import make, row, same_scene, words_of
from tests.bench.landings import HELD_OUT
from tests.bench.measure import Row, Tell

PATIENCE = Patience(tries=8000, least=1000, most=40_000)  # for drops on a rare side
STATES_TAKES = 4  # times as many takes whose contact states are compared: shares of states need more than spins do
SPLITS = 10  # of the drops, to see how much they differ from each other


@dataclass
class Landings:
    """Of many motions of one body to rest."""

    runs: list[np.ndarray] = field(default_factory=list)  # contact states, latest first
    spins: list[float] = field(default_factory=list)  # rad/s at the first touch
    bounces: list[int] = field(default_factory=list)

    def within(self, seconds: float) -> Landings:
        """Those that are no longer than this."""
        short = [i for i, run in enumerate(self.runs) if len(run) * DEFAULT_DT <= seconds]
        return Landings(*([part[i] for i in short] for part in (self.runs, self.spins, self.bounces)))

    def add(self, counter: Counter, bodies: Bodies, states: State) -> None:
        """A motion from its release to its rest."""
        run = counter.run(states)
        self.runs.append(run)
        self.bounces.append(touches(run))
        first = int(np.argmax(run[::-1] > 0))  # touch; the start of what never leaves the ground
        k = slice(first, first + 1)
        spin = angular_velocities(states.q[k], states.l[k], bodies.inverse_inertia[counter.row][None])
        self.spins.append(float(np.linalg.norm(spin)))


def touches(run: np.ndarray) -> int:
    """How often it touched the ground anew; being let go on the ground is none. Contact states are latest first."""
    on = (run[::-1] > 0).astype(np.int8)
    return int((np.diff(on) > 0).sum())


def lone(
    tell: Tell, scenes: dict[str, Callable[[], Scene]], lengths: Sequence[float], takes: int, drops: int
) -> list[Row]:
    rows = []
    for number, (name, scene) in enumerate(scenes.items()):
        tell(f"{name}: drops to compare with", number * len(lengths), len(scenes) * len(lengths))
        try:
            natural: Landings | str = held_out(scene(), drops)
        except Exception as error:  # no drops, no comparison; the takes are still made
            natural = words_of(error)
        for k, seconds in enumerate(lengths):
            tell(f"{name}, {seconds:g} s", number * len(lengths) + k, len(scenes) * len(lengths))
            made = make(same_scene(scene, takes), seconds, range(takes))
            summary = made.summary()
            if isinstance(natural, str):
                summary["error"] = summary["error"] or natural
            else:
                more = takes_of(scene, seconds, range(takes, STATES_TAKES * takes))
                summary |= compared(landings_of(made.figures), landings_of(more), natural.within(seconds - FIRST_REST))
            rows.append(row("lone", f"{name}, {seconds:g} s", **summary))
    return rows


def takes_of(scene: Callable[[], Scene], seconds: float, seeds: Iterable[int]) -> list[Lone]:
    """More takes, neither judged nor replayed."""
    return [Lone(backward(scene(), seconds, seed=seed)) for seed in seeds]


@dataclass(frozen=True)
class Lone:
    """A take of one body, from its release to its rest."""

    take: Take

    @property
    def part(self) -> tuple[int, int, int]:
        """Row, and first and last state."""
        (row,) = np.flatnonzero(self.take.model.bodies.inverse_mass > 0.0)
        tape = self.take.tape
        moved = (tape.x[:, row] != tape.x[-1, row]).any(axis=1) | (tape.q[:, row] != tape.q[-1, row]).any(axis=1)
        first = int(tape.releases.step[row])
        return int(row), first, int(np.flatnonzero(moved)[-1]) + 1 if moved.any() else first


def compared(found: Landings, more: Landings, natural: Landings) -> dict[str, object]:
    """Nothing where nobody came in."""
    if not found.runs or not natural.runs:
        return {}
    runs = found.runs + more.runs
    return {
        "tv": difference(runs, natural.runs, DEFAULT_DT).marginal,
        "tv_drops": between_drops(natural.runs, len(runs)),
        "ks_spin": ks(found.spins, natural.spins),
        "ks_bounces": ks(found.bounces, natural.bounces),
    }


def between_drops(runs: Sequence[np.ndarray], count: int) -> float | None:
    """How much so many drops differ from all others, or one half from the other where there are too few: the median
    over some ways to split them."""
    some, found, rng = min(count, len(runs) // 2), [], np.random.default_rng(3)
    for _ in range(SPLITS if some else 0):
        order = rng.permutation(len(runs))
        first, second = ([runs[i] for i in part] for part in np.split(order, [some]))
        found.append(difference(first, second, DEFAULT_DT).marginal)
    return float(np.median(found)) if found else None


def landings_of(takes: Sequence[Figures | Lone]) -> Landings:
    """Of the only body of each take, those left out that never came."""
    found = Landings()
    counters: dict[int, Counter] = {}
    for take in (each.take for each in takes):
        row, first, last = Lone(take).part
        if last <= first:
            continue
        tape, model = take.tape, take.model
        part = slice(first, last + 1)
        states = State(*(np.ascontiguousarray(whole[part, row]) for whole in (tape.x, tape.q, tape.v, tape.l)))
        counter = counters.setdefault(row, Counter(model, row))
        found.add(counter, model.bodies, states)
    return found


def setting_of(scene: Scene, body: Body) -> Setting:
    material = body.material
    gravity = float(np.linalg.norm(scene.gravity))
    return Setting(body.shape, material.friction, material.restitution, material.rolling_friction, gravity, DEFAULT_DT)


def held_out(scene: Scene, count: int) -> Landings:
    """Forward drops of the scene's body that come to rest on the same side."""
    (body,) = scene.bodies
    setting = setting_of(scene, body)
    found = library(setting, resting_side(np.asarray(body.orientation, float)), count, HELD_OUT, patience=PATIENCE)
    if not found.motions:
        raise RuntimeError("no forward drop rests on this side")
    dropper = Dropper(setting)
    counter, landings = Counter(dropper.model, ROW), Landings()
    for motion in found.motions:
        landings.add(counter, dropper.model.bodies, motion.flown(dropper.params, dropper.model.bodies, ROW))
    return landings
