"""Splices: the end of a motion from a library, what came before it by exact backward steps.

A backward step cannot arrive in a lasting contact: that takes a speed of exactly zero, and a sampler never draws it. So
the last moments, in which a body rocks and clatters to rest, are those of a real drop, and the backward steps begin
where it flew freely, under the same landing law.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.arrivals.dropped.drop import ROW, Dropper
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.tuning import TUNING
from engine.contact.energy import own_energies
from engine.contact.tiers import EXACT, TUNED
from engine.decide.plan import BUDGET, CONSTANT, make_plan
from engine.model.arrays import State, copy_state
from engine.model.compile import Model
from engine.params import Params
from engine.step.scratch import Scratch, make_scratch
from engine.tape.drive import drive
from engine.tape.recorder import Recorder
from engine.tape.stepping import backward_steps

SOLVED = 1e-11  # residual of kicks that may be kept; the certificate has the last word


def start_energy(dropper: Dropper, motion: Motion) -> float:
    """J over the energy at rest that a motion starts with."""
    states = motion.flown(dropper.params, dropper.model.bodies, ROW)
    first, last = (State(*(part[k] for part in states)) for k in (0, -1))
    return _energy(dropper.model, dropper.params, ROW, first) - _energy(dropper.model, dropper.params, ROW, last)


def tail(motion: Motion, seconds: float, dt: float) -> Motion:
    """The last `seconds` of a motion, or somewhat less, cut where the body flies. Where it touches all that time, say
    because it rolls in, the tail is as much longer as need be: leaving such motions out would favour the others."""
    if seconds >= motion.steps * dt:
        return motion
    wanted = round(seconds / dt)
    touched = np.zeros(motion.steps + 1, bool)
    touched[motion.step] = True
    flies = ~touched
    flies[1:] &= ~touched[:-1]
    later = range(motion.steps - wanted, motion.steps - round(TUNING.earliest * wanted) + 1)
    for cut in (*later, *range(motion.steps - wanted - 1, 0, -1)):
        if cut > 0 and flies[cut]:
            return motion.after(cut)
    return motion


def alone(model: Model, row: int) -> Model:
    """The model with everybody else held where they end."""
    others = np.arange(len(model.names)) != row
    bodies = model.bodies
    return replace(
        model,
        bodies=bodies._replace(
            inverse_mass=np.where(others, 0.0, bodies.inverse_mass),
            inverse_inertia=np.where(others[:, None, None], 0.0, bodies.inverse_inertia),
        ),
    )


def continued(
    model: Model, params: Params, row: int, motion: Motion, steps: int, energy: float, tuned: bool
) -> Motion | None:
    """The motion of body `row`, the only one of the model that moves, made to reach back `steps` steps from rest; drops
    of it start with `energy` (J over rest).

    None when the forward law does not explain the steps before it, with the authored coefficients or, where they may
    be `tuned`, such in their ranges."""
    if motion.steps >= steps:
        return motion
    for room in TUNING.rooms if tuned else (TUNING.most,):
        longer = _preceded(model, params, row, motion, steps - motion.steps, room * energy, tuned)
        if longer is not None:
            return longer
    return None


def _preceded(
    model: Model, params: Params, row: int, motion: Motion, missing: int, limit: float, tuned: bool
) -> Motion | None:
    """The motion and `missing` backward steps before it that keep below `limit` (J over rest); None as above."""
    flown = motion.flown(params, model.bodies, row)
    begin = copy_state(model.start)
    for part, own in zip(begin, flown, strict=True):
        part[row] = own[0]
    n = len(model.names)
    limits, rest = np.zeros(n), np.zeros(n)
    limits[row], rest[row] = limit, _energy(model, params, row, State(*(part[-1] for part in flown)))
    plan = make_plan(BUDGET if tuned else CONSTANT, 0.0, {}, limits, rest)
    state, before = copy_state(begin), copy_state(begin)
    recorder = Recorder(model, params, begin, 0.0, backward=True)

    def advance(s: Scratch, recorder: Recorder, first: int, last: int, pending: bool) -> tuple[int, int]:
        return backward_steps(s, plan, params, recorder.reel, first, last, pending, recorder.done, True, state, before)

    _, status = drive(make_scratch(model), recorder, missing, advance, state, None)
    if status:
        return None
    tape = recorder.finish(state)
    worst = max(int(block.column("tier").max(initial=EXACT)) for block in tape.blocks)
    if worst > (TUNED if tuned else EXACT) or not (tape.residual <= SOLVED).all():
        return None
    if not tuned and _energy(model, params, row, State(*(part[row] for part in state))) - rest[row] > limit:
        return None
    return motion.preceded_by(tape, row)


def _energy(model: Model, params: Params, row: int, state: State) -> float:
    """J of one body."""
    energy, all_bodies = np.zeros(len(model.names)), copy_state(model.start)
    for part, own in zip(all_bodies, state, strict=True):
        part[row] = own
    own_energies(model.bodies, params, all_bodies, energy)
    return float(energy[row])
