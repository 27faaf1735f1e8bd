"""Contact states of forward drops, and of backward runs beside them, as arrays (Twigg and James 2008, fig. 9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.arrivals.dropped.drop import ROW, Dropper, Setting
from engine.arrivals.dropped.library import SEED, SHIPPED, library
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.splice import continued, start_energy, tail
from engine.arrivals.dropped.states import WINDOW, Counter, Difference, difference, shares, transitions

NOTHING = 255  # the run had not begun
TAIL = 0.3  # s of a drop that backward runs end with

Told = Callable[[str, int, int], None]
"""Called with what is being run, how many there are and how many there will be; to stop, it raises."""


@dataclass(frozen=True)
class Figure:
    """A row per run, sorted; column k is k steps before rest, with the number of contacts (3: and more) or NOTHING."""

    dt: float
    forward: np.ndarray  # (runs, steps) uint8
    backward: np.ndarray  # (runs, steps) uint8  exact backward steps before a tail of a drop
    shares: np.ndarray  # (bins, 4)              of the forward runs, from rest backward
    transitions: np.ndarray  # (4, 4)            P(one step earlier | now) of the forward runs
    apart: Difference  # of the two


def raster(runs: Sequence[np.ndarray], steps: int) -> np.ndarray:
    """(runs, steps) uint8, sorted by contact states from rest on."""
    table = np.full((len(runs), steps), NOTHING, np.uint8)
    for i, run in enumerate(runs):
        part = run[:steps]
        table[i, : len(part)] = part
    return table[sorted(range(len(runs)), key=lambda i: table[i].tobytes())]


def figure(setting: Setting, count: int = 200, told: Told | None = None) -> Figure:
    """Forward drops of a body, and as many backward runs whose tails are other drops."""
    tell = told or (lambda what, found, wanted: None)
    dropper = Dropper(setting)
    counter = Counter(dropper.model, ROW)
    steps = round(WINDOW / setting.dt)
    seen = library(setting, None, count, SEED, partial(tell, "drops")).motions
    other = library(setting, None, count, SEED + 1, partial(tell, "other drops")).motions
    energy = float(np.mean([start_energy(dropper, motion) for motion in other]))
    back: list[Motion | None] = []
    for motion in other:
        tell("landings tried backward", len(back), len(other))
        end = tail(motion, TAIL, setting.dt)
        back.append(continued(dropper.model, dropper.params, ROW, end, steps, energy, tuned=True))
    bodies = dropper.model.bodies
    forward_runs = [counter.run(motion.flown(dropper.params, bodies, ROW)) for motion in seen]
    backward_runs = [counter.run(motion.flown(dropper.params, bodies, ROW)) for motion in back if motion is not None]
    return Figure(
        setting.dt,
        raster(forward_runs, steps),
        raster(backward_runs, steps),
        shares(forward_runs, setting.dt),
        transitions(forward_runs),
        difference(backward_runs, forward_runs, setting.dt),
    )


@dataclass(frozen=True)
class Shipped:
    """Contact states of a standard body's forward drops, to show before any drop has been run."""

    forward: np.ndarray  # (200, steps) uint8, as in Figure
    shares: np.ndarray  # (bins, 4), of 1000 drops
    transitions: np.ndarray  # (4, 4), of 1000 drops


def shipped(name: str) -> Shipped:
    """What assets/statistics knows of a standard body (standard.SHAPES)."""
    with np.load(SHIPPED.with_name("states.npz"), allow_pickle=False) as arrays:
        return Shipped(arrays[f"{name}_raster"], arrays[f"{name}_shares"], arrays[f"{name}_transitions"])
