"""Forward kick: from velocities before to velocities after, by the contact law with the decided coefficients."""

from __future__ import annotations

import math

from engine.contact.island_solver import copy_impulses, most_effort, solve_island
from engine.contact.kick import (
    apply_impulses,
    body_speed,
    island_speed,
    open_island,
    rows_to_impulses,
    scaled_velocities,
)
from engine.contact.law import normal_bias
from engine.contact.lone_kick import lone_kick, lone_system
from engine.contact.rows import own_responses, row_velocity
from engine.contact.secants import (
    FIRST_TOLERANCE,
    MOST_SECANT_ROUNDS,
    forget_secants,
    next_share,
    next_tolerance,
    update_secants,
    wanted_tolerance,
)
from engine.jit import kernel, standalone
from engine.vec import row


@kernel
def law_sides(kick, islands, island, width, y, params, rows, base):
    """rhs = G y, and in the normal rows restitution; base keeps the normal part without the secant."""
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        c = islands.order[first + i]
        for k in range(width):
            rows.rhs[i, k] = row_velocity(rows, i, k, y)
        threshold = 0.0 if kick.forced[c] == 1 else params.bounce_speed
        base[c] = rows.rhs[i, 0] + normal_bias(
            kick.before[c], kick.restitution[c], threshold, kick.closing[c], kick.pull[c]
        )


@kernel
def _lone(contacts, kick, c, x, q, v, l, size, inverse_mass, inverse_inertia, params, accepted, v_out, l_out):
    """Forward kick of contact c, alone in its island and without rolling friction; returns its residual (relative)."""
    a = contacts.a[c]
    b = contacts.b[c]
    fall = (params.dt * params.gravity_x, params.dt * params.gravity_y, params.dt * params.gravity_z)
    u, responses = lone_system(a, b, row(contacts.normal, c), row(kick.t1, c), row(kick.t2, c), row(kick.ra, c),
                               row(kick.rb, c), q, inverse_mass, inverse_inertia, v, l, fall)  # fmt: skip
    threshold = 0.0 if kick.forced[c] == 1 else params.bounce_speed
    bounced = u[0] + normal_bias(kick.before[c], kick.restitution[c], threshold, kick.closing[c], kick.pull[c])
    speed = max(body_speed(a, size, q, inverse_inertia, v, l), body_speed(b, size, q, inverse_inertia, v, l))
    return lone_kick(contacts, kick, c, x, q, v, l, inverse_mass, inverse_inertia, params, 1.0, (bounced, u[1], u[2]),
                     responses, kick.friction[c], 0.0, (0.0, 0.0), speed, accepted, v_out, l_out)  # fmt: skip


@kernel
def _solve(contacts, kick, islands, island, x, q, v, l, bodies, root, root_mass, all_rows, work, base, params,
           accepted, v_out, l_out, spin):  # fmt: skip
    """Forward kick of any island; returns its residual (relative)."""
    first = islands.contact_start[island]
    last = islands.contact_start[island + 1]
    rows, width, n = open_island(contacts, kick, islands, island, q, bodies, root, root_mass, all_rows)
    own_responses(rows, width, params.painleve_share)
    speed = island_speed(islands, island, bodies.size, q, bodies.inverse_inertia, v, l)
    scaled_velocities(islands, island, q, bodies.mass, root, params, 1.0, v, l, work.newton.trial)
    law_sides(kick, islands, island, width, work.newton.trial, params, rows, base)
    if accepted > 0.0:
        apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, 1.0, params, v, l, v_out, l_out)
        update_secants(
            contacts, kick, islands, island, x, q, bodies.inverse_inertia, v_out, l_out, params.dt, 1.0, spin
        )
    else:
        forget_secants(kick, islands, island)
    residual = 0.0
    change = 0.0
    last_change = math.inf
    share = 1.0
    strikes = 0
    effort = 0
    best = math.inf
    wanted = wanted_tolerance(params.solver_tolerance, speed, speed == 0.0)
    tolerance = FIRST_TOLERANCE
    for _ in range(MOST_SECANT_ROUNDS):
        for i in range(last - first):
            c = islands.order[first + i]
            rows.rhs[i, 0] = base[c] + kick.secant[c]
        residual, spent = solve_island(rows, width, n, speed, tolerance, accepted, work)
        rows_to_impulses(contacts, kick, islands, island, width, all_rows)
        apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, 1.0, params, v, l, v_out, l_out)
        change = update_secants(contacts, kick, islands, island, x, q, bodies.inverse_inertia, v_out, l_out,
                                params.dt, share, spin) / (1.0 + speed)  # fmt: skip
        if change <= max(wanted, accepted) and (residual <= max(wanted, accepted) or tolerance <= wanted):
            break
        effort += spent
        if max(residual, change) < best:
            best = max(residual, change)
            copy_impulses(rows.z, work.round, last - first)
        if effort > most_effort(n, work.blocks.pattern):
            break
        share, strikes = next_share(share, strikes, change, last_change)
        tolerance = next_tolerance(tolerance, wanted, change)
        last_change = change
    if best < max(residual, change):  # no round did it: the one that came nearest
        copy_impulses(work.round, rows.z, last - first)
        rows_to_impulses(contacts, kick, islands, island, width, all_rows)
        apply_impulses(contacts, kick, islands, island, bodies.inverse_mass, 1.0, params, v, l, v_out, l_out)
        update_secants(contacts, kick, islands, island, x, q, bodies.inverse_inertia, v_out, l_out, params.dt, 1.0,
                       spin)  # fmt: skip
    return min(best, max(residual, change))


@standalone
def forward_kick(contacts, kick, islands, number, x, q, v, l, bodies, root, root_mass, all_rows, work, base, params,
                 accepted, v_out, l_out, spin):  # fmt: skip
    """Velocities after the kick for every body in an island. kick.before and the decisions are set; kick.impulse holds
    the warm start and receives the answer; a start within `accepted` (relative) of the law is kept as it is. Returns
    the worst residual (relative) and the number of unsolved islands."""
    worst = 0.0
    unsolved = 0
    for island in range(number):
        if islands.joined[island]:
            continue
        first = islands.contact_start[island]
        residual = math.inf
        if islands.contact_start[island + 1] - first == 1 and kick.rolling[islands.order[first]] == 0.0:
            residual = _lone(contacts, kick, islands.order[first], x, q, v, l, bodies.size, bodies.inverse_mass,
                             bodies.inverse_inertia, params, accepted, v_out, l_out)  # fmt: skip
        if not residual <= max(params.solver_tolerance, accepted):
            residual = _solve(contacts, kick, islands, island, x, q, v, l, bodies, root, root_mass, all_rows, work,
                              base, params, accepted, v_out, l_out, spin)  # fmt: skip
        worst = max(worst, residual)
        if not residual <= params.solver_tolerance:
            unsolved += 1
    return worst, unsolved
