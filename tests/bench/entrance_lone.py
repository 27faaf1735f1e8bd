"""Bodies alone on the ground beside forward drops that no take has seen: contact states, spin, bounces.

Drops of another seed, of the same shape and material and resting on the same side, are what is natural: those of them
that a take of that length has room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.arrivals.dropped.drop import ROW, Dropper, Setting
from engine.arrivals.dropped.library import Patience, library
from engine.arrivals.dropped.retarget import resting_side
from engine.arrivals.dropped.states import Counter, difference
from engine.model.arrays import Bodies, State
from engine.params import DEFAULT_DT
from engine.scene.spec import Body, Scene
from tests.bench.entrance_figures import STILL, Figures, angular_velocities, ks
from tests.bench.entrance_rows import make, row, same_scene, words_of
from tests.bench.landings import HELD_OUT
from tests.bench.measure import Row, Tell

PATIENCE = Patience(tries=8000, least=300, most=40_000)  # for drops on a rare side


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
                summary |= compared(landings_of(made.figures), natural.within(seconds))
            rows.append(row("lone", f"{name}, {seconds:g} s", **summary))
    return rows


def compared(found: Landings, natural: Landings) -> dict[str, object]:
    """Nothing where nobody came in."""
    if not found.runs or not natural.runs:
        return {}
    return {
        "tv": difference(found.runs, natural.runs, DEFAULT_DT).marginal,
        "ks_spin": ks(found.spins, natural.spins),
        "ks_bounces": ks(found.bounces, natural.bounces),
    }


def landings_of(figures: Sequence[Figures]) -> Landings:
    """Of the only body of each take, those left out that never came."""
    found = Landings()
    counters: dict[int, Counter] = {}
    for each in figures:
        (entry,) = each.entries
        if entry.way == STILL or entry.rest <= entry.step:
            continue
        tape, model = each.take.tape, each.take.model
        part = slice(entry.step, entry.rest + 1)
        states = State(*(np.ascontiguousarray(whole[part, entry.row]) for whole in (tape.x, tape.q, tape.v, tape.l)))
        counter = counters.setdefault(entry.row, Counter(model, entry.row))
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
