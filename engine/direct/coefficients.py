"""Policies for the coefficients of each collision: constant, blended (paper 001) or budgeted.

Backward, every collision multiplies its normal speed by 1/restitution and sliding adds energy, so constant coefficients
grow without bound. The *budget* moves the collisions of an energetic body from the authored coefficients toward elastic
and frictionless, inside the artist's ranges: there growth stops, and every step stays explained by the contact law.
The paper's *blend* sets the restitution of a pair to one after it collided and lets it return over 0.2 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.contact.backward_kick import LEAST_RESTITUTION
from engine.contact.verdict import own_response
from engine.jit import kernel
from engine.model.arrays import State
from engine.step.scratch import Scratch
from engine.step.stage_kernels import body_energy
from engine.vec import dot, row

BLEND_SECONDS = 0.2

PolicyName = Literal["constant", "blend", "budget"]


@kernel
def spending(bodies, params, x, q, v, l, ending_energy, budget, room, saturated):
    """What each body may still gain (J; infinite without a budget), and how far it is over half its budget (0 to 1).

    Energy counts from the body's energy at the ending, spin included."""
    for body in range(room.shape[0]):
        room[body] = math.inf
        saturated[body] = 0.0
        if bodies.inverse_mass[body] > 0.0 and budget[body] > 0.0:
            spent = body_energy(bodies, params, body, x, q, v, l) - ending_energy[body]
            room[body] = max(budget[body] - spent, 0.0)
            saturated[body] = min(max(2.0 * spent / budget[body] - 1.0, 0.0), 1.0)


@kernel
def _affordable_restitution(room, normal, after):
    """Least restitution e with (1/e^2 - 1) V_n+^2 / (2 normal) <= room: a bounce came in with V_n+/e."""
    return 1.0 / math.sqrt(1.0 + 2.0 * room * normal / after**2)


@kernel
def _affordable_friction(room, tangent, impulse, sliding):
    """Largest friction whose impulse f = mu * impulse gains f * sliding + tangent f^2 / 2 <= room."""
    return (math.sqrt(sliding**2 + 2.0 * tangent * room) - sliding) / (tangent * impulse)


@kernel
def spend(count, contacts, kick, material, q, bodies, room, saturated, bounce_speed, rest_speed):
    """Coefficients of every contact: as authored while its bodies can afford it, else as elastic and as slippery as
    need be. A bounce may spend half of what is left on its normal impulse and the rest on friction."""
    for c in range(count):
        s = max(saturated[contacts.a[c]], saturated[contacts.b[c]])
        kick.friction[c] = material.friction[c] + s * (material.friction_low[c] - material.friction[c])
        if kick.after[c] <= rest_speed:
            continue
        after = kick.after[c]
        left = min(room[contacts.a[c]], room[contacts.b[c]])
        normal, tangent, _ = own_response(contacts, kick, c, q, bodies)
        restitution = max(material.restitution[c], _affordable_restitution(0.5 * left, normal, after))
        if after < material.restitution[c] * bounce_speed:
            restitution = 1.0  # too slow a bounce for the authored material; elastic keeps it from growing
        restitution = min(restitution, material.restitution_top[c])
        kick.restitution[c] = restitution
        if math.isfinite(left):
            left = max(left - 0.5 * (1.0 / restitution**2 - 1.0) * after**2 / normal, 0.0)
            slide = row(kick.slide, c)
            friction = _affordable_friction(
                left, tangent, after * (1.0 + 1.0 / restitution) / normal, math.sqrt(dot(slide, slide))
            )
            kick.friction[c] = max(min(kick.friction[c], friction), material.friction_low[c])


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
            room, saturated = np.empty(len(self.budget)), np.empty(len(self.budget))
            spending(bodies, p, *state, self.ending_energy, self.budget, room, saturated)
            spend(s.count, s.contacts, s.kick, s.material, state.q, bodies, room, saturated, p.bounce_speed,
                  p.rest_speed)  # fmt: skip
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

