"""Policies for the coefficients of each collision: constant, blended (paper 001) or budgeted.

Backward, every collision multiplies its normal speed by 1/restitution and sliding adds energy, so constant coefficients
grow without bound. The *budget* moves the collisions of an energetic body from the authored coefficients toward elastic
and frictionless, inside the artist's ranges: there growth stops, and every step stays explained by the contact law.
The paper's *blend* sets the restitution of a pair to one after it collided and lets it return over 0.2 s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.contact.backward_kick import LEAST_RESTITUTION
from engine.jit import kernel
from engine.model.arrays import State
from engine.step.scratch import Scratch
from engine.step.stage_kernels import body_energy

BLEND_SECONDS = 0.2

PolicyName = Literal["constant", "blend", "budget"]


@kernel
def saturation(bodies, params, x, q, v, l, ending_energy, budget, out):
    """How far each body is over half its budget: 0 up to a half, 1 at the whole (J above its energy at the ending)."""
    for body in range(out.shape[0]):
        out[body] = 0.0
        if bodies.inverse_mass[body] > 0.0 and budget[body] > 0.0:
            spent = (body_energy(bodies, params, body, x, q, v, l) - ending_energy[body]) / budget[body]
            out[body] = min(max(2.0 * spent - 1.0, 0.0), 1.0)


@kernel
def spend(count, contacts, kick, material, saturated, bounce_speed, rest_speed):
    """Coefficients of every contact by the saturation of its more energetic body."""
    for c in range(count):
        s = max(saturated[contacts.a[c]], saturated[contacts.b[c]])
        kick.restitution[c] = material.restitution[c] + s * (material.restitution_top[c] - material.restitution[c])
        kick.friction[c] = material.friction[c] + s * (material.friction_low[c] - material.friction[c])
        if rest_speed < kick.after[c] < material.restitution[c] * bounce_speed:
            # Too slow a bounce for the authored material; elastic keeps it from growing.
            kick.restitution[c] = material.restitution_top[c]


@kernel
def at_least(count, kick, least):
    """Keep 1/restitution finite."""
    for c in range(count):
        kick.restitution[c] = max(kick.restitution[c], least)


@dataclass
class Coefficients:
    """Chooses restitution and friction of every contact of a step."""

    policy: PolicyName
    budget: np.ndarray  # (n,) J above the energy at the ending; 0: no limit
    ending_energy: np.ndarray  # (n,) J
    last_bounce: dict[tuple[int, int], float]  # pair -> time before the end of its latest bounce

    def choose(self, s: Scratch, state: State, t: float) -> None:
        """t: seconds before the end."""
        bodies, p = s.model.bodies, s.params
        if self.policy == "budget":
            saturated = np.empty(len(self.budget))
            saturation(bodies, p, *state, self.ending_energy, self.budget, saturated)
            spend(s.count, s.contacts, s.kick, s.material, saturated, p.bounce_speed, p.rest_speed)
        elif self.policy == "blend":
            self._blend(s, t)
        at_least(s.count, s.kick, LEAST_RESTITUTION)

    def _blend(self, s: Scratch, t: float) -> None:
        a, b = s.contacts.a, s.contacts.b
        bounced = [c for c in range(s.count) if s.kick.after[c] > s.params.rest_speed]
        for c in bounced:
            since = t - self.last_bounce.get((int(a[c]), int(b[c])), -np.inf)
            u = min(1.0, since / BLEND_SECONDS)
            authored = s.material.restitution[c]
            s.kick.restitution[c] = 1.0 - (1.0 - authored) * u * u * (3.0 - 2.0 * u)
        for c in bounced:
            self.last_bounce[(int(a[c]), int(b[c]))] = t

