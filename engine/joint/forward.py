"""Forward kick of islands with joints."""

from __future__ import annotations

import math

from engine.contact.forward_kick import law_sides
from engine.contact.kick import island_speed, open_island, scaled_velocities
from engine.contact.law import law_residual
from engine.contact.rows import row_velocity
from engine.jit import kernel, standalone
from engine.joint.basis import find_basis, project_contacts
from engine.joint.closure import place_equations
from engine.joint.kick import apply_all, closure_after, find_all, follow, forget_lags, open_limits, row_scales


@kernel
def _extra(kick, islands, island, width, work, params, rows, base):
    """work.extra: restitution."""
    for i in range(work.y.shape[0]):
        for k in range(6):
            work.y[i, k] = 0.0
    law_sides(kick, islands, island, width, work.y, params, rows, base)
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        for k in range(6):
            work.extra[i, k] = 0.0
        work.extra[i, 0] = base[islands.order[first + i]]


@kernel
def _recorded_is_lawful(contacts, kick, linkage, islands, island, width, x, q, v, l, bodies, root, rows, work, params,
                        speed, accepted, v_out, l_out, spin):  # fmt: skip
    """Apply the impulses as they are; whether they obey the law and close the joints to accepted * (1 + speed)."""
    apply_all(contacts, kick, linkage, islands, island, bodies.inverse_mass, 1.0, params, v, l, v_out, l_out)
    forget_lags(kick, linkage, islands, island)
    follow(contacts, kick, linkage, islands, island, x, q, bodies.inverse_inertia, v_out, l_out, params.dt, 1.0, spin)
    scaled_velocities(islands, island, q, bodies.mass, root, params, 0.0, v_out, l_out, work.y)
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        for k in range(width):
            rows.rhs[i, k] = work.extra[i, k] + row_velocity(rows, i, k, work.y)
        rows.rhs[i, 0] += kick.secant[islands.order[first + i]]
    worst = law_residual(rows, width, rows.z, rows.rhs)
    for i in range(linkage.start[island], linkage.start[island + 1]):
        error = closure_after(linkage.joints, linkage.order[i], x, q, bodies.inverse_inertia, v_out, l_out, params.dt)
        for k in range(6):
            worst = max(worst, abs(error[k]) / params.dt)
    return worst <= accepted * (1.0 + speed)


@standalone
def forward_joint_kick(contacts, kick, linkage, islands, number, x, q, v, l, bodies, root, root_mass, all_rows, work,
                       base, params, accepted, v_out, l_out, spin):  # fmt: skip
    """contact/forward_kick.py for the islands with joints: impulses of joints too. Returns (residual, unsolved)."""
    worst = 0.0
    unsolved = 0
    for island in range(number):
        if not islands.joined[island]:
            continue
        for i in range(linkage.start[island], linkage.start[island + 1]):
            place_equations(linkage.joints, linkage.order[i], x, q, linkage.row_a, linkage.row_b)
        rows, width, n = open_island(contacts, kick, islands, island, q, bodies, root, root_mass, all_rows)
        open_limits(contacts, kick, linkage, islands, island, bodies.inverse_mass, q, root, rows)
        row_scales(kick, linkage, islands, island, width, rows, params.painleve_share)
        speed = island_speed(islands, island, bodies.size, q, bodies.inverse_inertia, v, l)
        _extra(kick, islands, island, width, work, params, rows, base)
        if accepted > 0.0 and _recorded_is_lawful(
            contacts, kick, linkage, islands, island, width, x, q, v, l, bodies, root, rows, work, params, speed,
            accepted, v_out, l_out, spin
        ):  # fmt: skip
            continue
        count = find_basis(linkage, islands, island, q, bodies.inverse_mass, root, root_mass, work.basis)
        project_contacts(rows, width, work.basis, count, 6 * n)
        scaled_velocities(islands, island, q, bodies.mass, root, params, 1.0, v, l, work.y)
        for i in range(n):
            for k in range(6):
                work.basis.start[6 * i + k] = work.y[i, k]
        residual = find_all(
            contacts, kick, linkage, islands, island, count, width, 1.0, x, q, v, l, bodies.inverse_mass,
            bodies.inverse_inertia, rows, all_rows, work, params, speed, speed == 0.0, v_out, l_out, spin,
        )  # fmt: skip
        worst = max(worst, residual) if math.isfinite(residual) else math.inf
        if not residual <= params.solver_tolerance:
            unsolved += 1
    return worst, unsolved
