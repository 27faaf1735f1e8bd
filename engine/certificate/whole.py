"""What is asked of a take as a whole, in words: that it is of its scene, under its gravity, with the numbers of the
scheme, that it begins or ends where the artist placed everything, and that it lasts as long as it says."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.model.compile import Model, compile_scene
from engine.params import CAUGHT, PREDICTED, SLOP, Params, make_params
from engine.step.admissible import admissible
from engine.tape.take import Take

AGAIN = "generate it again"
FINEST = 1e-9  # m, the least slop of any take (arrivals/ahead/beside.py)


def faults_of_whole(take: Take) -> list[str]:
    """Nothing: all is well."""
    found = [*take.overtaken, *_other_numbers(take.tape.params), *_other_length(take)]
    own = compile_scene(take.scene)
    return [*found, *_other_arrays(take.model, own), *_other_place(take, own)]


def _other_numbers(params: Params) -> Iterator[str]:
    """Who may say from how far on bodies touch, and what is slow, can make anything lawful."""
    gravity = params.gravity_x, params.gravity_y, params.gravity_z
    if params.landing not in (CAUGHT, PREDICTED) or not 0.0 < params.dt <= 0.1:
        yield "the take's steps are of no kind that there is"
        return
    usual = make_params(params.dt, gravity, params.landing)
    for name in Params._fields:
        value, known = getattr(params, name), getattr(usual, name)
        if value != known and not (name == "slop" and FINEST <= value < SLOP):
            yield f"the take was judged with {name.replace('_', ' ')} {value:g} instead of {known:g}"


def _other_length(take: Take) -> Iterator[str]:
    lasts = take.tape.steps * take.tape.params.dt
    short = lasts < take.seconds - 0.5 * take.tape.params.dt
    if lasts > take.seconds + 0.5 * take.tape.params.dt or (short and take.stopped is None):
        yield f"the take says that it lasts {take.seconds:g} s, and lasts {lasts:g} s"
    if take.tape.releases.step.any() and not take.backward:
        yield "the take runs from a start, and somebody is let go in it all the same"


def _other_arrays(model: Model, own: Model) -> Iterator[str]:
    """The arrays that a take carries are those of its scene."""
    if model.ids != own.ids:
        yield f"the take is of other bodies than the scene: {AGAIN}"
        return
    other = np.zeros(len(own.names), bool)
    for name in own.bodies._fields:
        mine, theirs = getattr(model.bodies, name), getattr(own.bodies, name)
        other |= (mine != theirs).reshape(len(other), -1).any(axis=1)
    for row in map(int, np.flatnonzero(other)):
        yield f'"{own.names[row]}" has another material, mass or size than in the scene: {AGAIN}'
    for what, kept, fresh in (("shapes", model.geometry, own.geometry), ("joints", model.joints, own.joints)):
        if not all(map(np.array_equal, kept, fresh)):
            yield f"the take has other {what} than the scene: {AGAIN}"


def _other_place(take: Take, own: Model) -> Iterator[str]:
    """Bit for bit: the ending is sacred, and so is the start of a run forward."""
    tape, when = take.tape, "ends" if take.backward else "begins"
    state = tape.state(tape.steps if take.backward else 0)
    if own.ids != take.model.ids:
        return
    asked = admissible(own, tape.params, own.start)
    for row, name in enumerate(own.names):
        if not (np.array_equal(state.x[row], asked.x[row]) and np.array_equal(state.q[row], asked.q[row])):
            yield f'"{name}" {when} elsewhere than the scene has it'
        elif not (np.array_equal(state.v[row], asked.v[row]) and np.array_equal(state.l[row], asked.l[row])):
            yield f'"{name}" {when} with another speed than the scene gives it'
