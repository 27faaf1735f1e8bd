"""What a take costs: the energy of its bodies, each at the moment it is let go, beside that of the ending.

Where bodies are let go one after another there is no moment at which all of them are under way, and the energy of the
first state says nothing: before its release a body is in a hand. Of a take in which everybody is under way from the
first frame on this is the energy of that frame, as ever."""

from __future__ import annotations

import numpy as np

from engine.contact.energy import own_energies
from engine.model.arrays import State
from engine.shapes.extent import reach
from engine.tape.take import Take


def release_energy(take: Take) -> tuple[float, float]:
    """(J at the releases, J at the ending): kinetic plus potential, heights from the lowest point of the ending, so
    that one over the other means the same wherever a scene is built."""
    ending = take.tape.state(take.tape.steps)
    zero = _potential_of_zero(take)
    return _energy(take, let_go(take)) - zero, _energy(take, ending) - zero


def release_ratio(take: Take) -> float | None:
    """The first over the second; None where the ending has none to compare with (without gravity)."""
    released, ending = release_energy(take)
    return released / ending if ending > 0.0 else None


def let_go(take: Take) -> State:
    """Of every body the state it is let go in; those that never are (static ones) as they end."""
    tape = take.tape
    found = State(*(part.copy() for part in tape.state(tape.steps)))
    steps = tape.releases.step
    for step in np.unique(steps).tolist():  # rising: few blocks of the tape are open at once
        rows = (steps == step) & (take.model.bodies.inverse_mass > 0.0)
        for part, now in zip(found, tape.state(int(step)), strict=True):
            part[rows] = now[rows]
    return found


def _energy(take: Take, state: State) -> float:
    each = np.zeros(len(state.x))
    own_energies(take.model.bodies, take.tape.params, state, each)
    return float(each.sum())


def _potential_of_zero(take: Take) -> float:
    """J of all the mass at the height of the ending's lowest point."""
    moving = [body for body in take.scene.bodies if not body.static]
    gravity = np.asarray(take.scene.gravity, float)
    strength = float(np.linalg.norm(gravity))
    if not moving or strength == 0.0:
        return 0.0
    down = gravity / strength
    depth = max(float(np.dot(b.position, down) + reach(b.shape, b.orientation, down)[0]) for b in moving)
    mass = take.model.bodies.mass[take.model.bodies.inverse_mass > 0.0]
    return float(-strength * depth * mass.sum())
