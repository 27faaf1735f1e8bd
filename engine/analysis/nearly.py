"""Just before a contact, and just after it: where a body will press first, or pressed last.

Without force there is no centre of pressure. It will appear at the corners that are the first to touch, and vanished
at those that were the last to leave (de Mont-Marin et al. 2025, equation 19, for gaps that are not closed yet)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.analysis.speeds import motion_of
from engine.arrivals.ending import touching
from engine.model.arrays import State
from engine.params import SLOP
from engine.tape.take import Take

SOON = 0.05  # s before a contact and after it
TOGETHER = 1e-4  # s, and m: corners that meet so nearly at once do so together
RESTING = 1e-6  # m/s: who is slower comes from nowhere and goes nowhere


@dataclass(frozen=True)
class Nearly:
    """The other body and k corners of the contact to come, or of the one that was."""

    other: int
    places: np.ndarray  # (k, 3) m
    gap: float  # m
    seconds: float | None  # until it touches; None: it goes away


def nearly(take: Take, step: int, body: int) -> Nearly | None:
    """What a body that touches nothing in a step of a take will touch, or has touched; None: nothing is near."""
    tape, model = take.tape, take.model
    here, after = tape.state(step), tape.state(step + 1)
    velocity, spin = motion_of(model, State(here.x, here.q, after.v, after.l))
    size = float(model.bodies.size[body])
    speed = float(np.linalg.norm(velocity[body]) + np.linalg.norm(spin[body]) * size)
    if speed < RESTING:
        return None
    found = touching(replace(model, start=here), min(max(SOON * speed, SLOP), size))
    own = np.flatnonzero((found.a == body) | (found.b == body))
    if not len(own):
        return None
    a, b, point, gap = found.a[own], found.b[own], found.point[own], np.maximum(found.gap[own], 0.0)
    rates = velocity[a] + np.cross(spin[a], point - here.x[a]) - velocity[b] - np.cross(spin[b], point - here.x[b])
    closing = -np.einsum("ij,ij->i", rates, found.normal[own])
    until = np.where(closing > RESTING, gap / np.maximum(closing, RESTING), np.inf)
    comes = float(until.min()) <= SOON
    first = until <= until.min() + TOGETHER if comes else gap <= gap.min() + TOGETHER
    nearest = int(np.argmin(until if comes else gap))
    others = np.where(a == body, b, a)
    first &= others == others[nearest]
    seconds = float(until[nearest]) if comes else None
    return Nearly(int(others[nearest]), point[first], float(gap[nearest]), seconds)
