"""Fast forward steps for settling and previews: a fixed number of warm-started sweeps, plain velocities, positions
corrected. Never certified: the law is only approached, and overlaps are pushed apart.
"""

from __future__ import annotations

import numpy as np

from engine.contact.kick import (
    apply_impulses,
    open_island,
    rows_to_impulses,
    scaled_velocities,
    speeds_before,
)
from engine.contact.law import restitution_bias
from engine.contact.rows import own_responses, row_velocity, velocities_of_impulses
from engine.contact.sweeps import sweeps
from engine.jit import kernel
from engine.model.arrays import State
from engine.step.drift import drift
from engine.step.scratch import Scratch
from engine.step.stage_kernels import free_flight
from engine.step.stages import detect, link, remember

SWEEPS = 20
MARGIN = 2e-3  # m. Contacts are seen this early and may close their gap but not pass it
CORRECTED_SHARE = 0.2  # of the overlap is pushed apart per step ...
ALLOWED_OVERLAP = 1e-4  # m ... beyond this much
FASTEST_CORRECTION = 1.0  # m/s


@kernel
def fast_kick(contacts, kick, islands, number, q, v, l, bodies, root, root_mass, all_rows, work, params, count,
              v_out, l_out):  # fmt: skip
    """Velocities after the kick by `count` sweeps per island."""
    for island in range(number):
        first = islands.contact_start[island]
        last = islands.contact_start[island + 1]
        rows, width, n = open_island(contacts, kick, islands, island, q, bodies, root, root_mass, all_rows)
        own_responses(rows, width, params.painleve_share)
        y = work.newton.y
        scaled_velocities(islands, island, q, bodies.mass, root, params, 1.0, v, l, y)
        for i in range(last - first):
            c = islands.order[first + i]
            for k in range(width):
                rows.rhs[i, k] = row_velocity(rows, i, k, y)
            rows.rhs[i, 0] += restitution_bias(kick.before[c], kick.restitution[c], params.bounce_speed)
            gap = contacts.gap[c]
            if gap > 0.0:
                rows.rhs[i, 0] += gap / params.dt
            elif gap < -ALLOWED_OVERLAP:
                push = -CORRECTED_SHARE * (gap + ALLOWED_OVERLAP) / params.dt
                rows.rhs[i, 0] -= min(push, FASTEST_CORRECTION)
        for i in range(n):
            for k in range(6):
                y[i, k] = 0.0
        velocities_of_impulses(rows, width, rows.z, y)
        sweeps(rows, width, count, 0.0, rows.z, y)
        rows_to_impulses(contacts, kick, islands, island, width, all_rows)
        apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, 1.0, params, v, l, v_out, l_out)


def fast_step(s: Scratch, state: State, came_from: State) -> State:
    """The state one step later, approximately."""
    bodies = s.model.bodies
    after = State(*(np.empty_like(part) for part in state))

    detect(s, state.x, state.q, came_from.x, came_from.q, MARGIN)

    speeds_before(s.count, s.contacts, s.kick, state.x, state.q, bodies.inverse_inertia, state.v, state.l, s.params.dt,
                  s.other_spin)  # fmt: skip
    link(s)
    free_flight(1.0, s.params, bodies.inverse_mass, s.asleep, state.v, state.l, after.v, after.l)
    fast_kick(
        s.contacts, s.kick, s.islands, s.number, state.q, state.v, state.l, bodies, s.root, s.root_mass, s.rows,
        s.solver, s.params, SWEEPS, after.v, after.l,
    )  # fmt: skip

    drift(state.x, state.q, after.v, after.l, bodies.inverse_inertia, s.params.dt, after.x, after.q, s.spin)
    remember(s)
    return after
