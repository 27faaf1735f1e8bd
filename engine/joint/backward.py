"""Backward kick of islands with joints: the attempts of contact/backward_kick.py, with limits among the contacts."""

from __future__ import annotations

import math

from engine.contact.backward_kick import (
    MOST_SUBSET_CONTACTS,
    OFFENCE,
    TUNINGS,
    fold_and_ask,
    hold_and_tune,
    keep_answer,
    remember_asked,
    restore_answer,
)
from engine.contact.kick import island_speed, open_island, relative_velocity, scaled_velocities
from engine.contact.tiers import PLASTIC
from engine.contact.verdict import judge_contact
from engine.jit import kernel, standalone
from engine.joint.basis import find_basis, project_contacts
from engine.joint.closure import place_equations
from engine.joint.kick import apply_all, find_all, open_limits, row_scales
from engine.joint.limits import judge_limit, limit_rate
from engine.joint.linkage import FIRST_LIMIT, copy_joint_impulses
from engine.params import CAUGHT
from engine.vec import dot, row

MOST_ATTEMPTS = 120  # of one island in one step
UNSOLVED = 1e9  # added to the score of an answer that is none


@kernel
def _extra(kick, islands, island, width, work, params, rows, choice):
    """work.extra: what bounces, goals and launches ask for. Folds friction, silences PASSIVE contacts."""
    for i in range(work.y.shape[0]):
        for k in range(6):
            work.y[i, k] = 0.0
    fold_and_ask(kick, islands, island, width, work.y, params, rows, choice)
    first = islands.contact_start[island]
    largest = 0.0
    for i in range(rows.body_a.shape[0]):
        for k in range(6):
            work.extra[i, k] = rows.rhs[i, k] if k < width else 0.0
        work.extra[i, 0] = choice.base[islands.order[first + i]]
        largest = max(largest, abs(work.extra[i, 0]))
    return largest


@standalone
def _solve(contacts, kick, linkage, islands, island, x, q, v, l, bodies, root, root_mass, all_rows, work, choice,
           params, v_out, l_out, spin):  # fmt: skip
    """Solve one island for the holds and decisions in `kick`. Returns (residual, speed)."""
    rows, width, n = open_island(contacts, kick, islands, island, q, bodies, root, root_mass, all_rows)
    open_limits(contacts, kick, linkage, islands, island, bodies.inverse_mass, q, root, rows)
    speed = island_speed(islands, island, bodies.size, q, bodies.inverse_inertia, v, l)
    speed = max(speed, _extra(kick, islands, island, width, work, params, rows, choice))
    at_rest = speed == 0.0
    row_scales(kick, linkage, islands, island, width, rows, params.painleve_share)
    count = find_basis(linkage, islands, island, q, bodies.inverse_mass, root, root_mass, work.basis)
    project_contacts(rows, width, work.basis, count, 6 * n)
    scaled_velocities(islands, island, q, bodies.mass, root, params, -1.0, v, l, work.y)
    for i in range(n):
        for k in range(6):
            work.basis.start[6 * i + k] = work.y[i, k]
    residual = find_all(
        contacts, kick, linkage, islands, island, count, width, -1.0, x, q, v, l, bodies.inverse_mass,
        bodies.inverse_inertia, rows, all_rows, work, params, speed, at_rest, v_out, l_out, spin,
    )  # fmt: skip
    return residual, speed


@standalone
def _offence(contacts, kick, linkage, islands, island, q, v_out, l_out, bodies, material, params, speed):
    """How far an island's answer is from honest; as in contact/backward_kick.py, limits included."""
    total = 0.0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        if c < linkage.counts[FIRST_LIMIT]:
            u, _ = relative_velocity(contacts, kick, c, q, bodies.inverse_inertia, v_out, l_out)
            kick.before[c] = dot(u, row(contacts.normal, c)) + kick.secant[c]
            tier = judge_contact(contacts, kick, c, q, bodies, material, params, 1.0 + speed)[0]
        else:
            j = linkage.owner[c - linkage.counts[FIRST_LIMIT]]
            plain = limit_rate(contacts, kick, linkage, j, q, bodies.inverse_inertia, v_out, l_out)
            kick.before[c] = plain + kick.secant[c]
            tier = judge_limit(contacts, kick, linkage, j, q, bodies, params, speed)[0]
        total += tier
        asked = tier == PLASTIC and kick.goal_n[c] > 0.0
        if tier >= PLASTIC and not asked:
            total += OFFENCE * tier
        elif kick.after[c] > params.rest_speed:
            earlier = contacts.gap[c] - params.dt * kick.before[c]
            predicted = params.landing != CAUGHT and c < linkage.counts[FIRST_LIMIT]
            if earlier <= (-params.slop if predicted else params.slop):
                total += OFFENCE
    return total


@standalone
def backward_joint_kick(contacts, kick, linkage, islands, number, x, q, v, l, bodies, root, root_mass, all_rows, work,
                        choice, material, params, v_out, l_out, spin):  # fmt: skip
    """contact/backward_kick.py for the islands with joints: impulses of joints too. Returns (residual, unsolved)."""
    worst = 0.0
    unsolved = 0
    for island in range(number):
        if not islands.joined[island]:
            continue
        for i in range(linkage.start[island], linkage.start[island + 1]):
            place_equations(linkage.joints, linkage.order[i], x, q, linkage.row_a, linkage.row_b)
        bouncing = remember_asked(kick, islands, island, params, choice)
        subsets = (1 << bouncing) - 1 if bouncing <= MOST_SUBSET_CONTACTS else bouncing + 1
        best, reached = math.inf, math.inf
        chosen, last = 0, 0
        for attempt in range(min(max(TUNINGS * subsets, 1), MOST_ATTEMPTS)):
            if attempt > 0:
                if best < OFFENCE and attempt % subsets == 0:
                    break
                hold_and_tune(kick, islands, island, params, attempt % subsets, attempt // subsets, bouncing, material,
                         choice)  # fmt: skip
            residual, speed = _solve(contacts, kick, linkage, islands, island, x, q, v, l, bodies, root, root_mass,
                                     all_rows, work, choice, params, v_out, l_out, spin)  # fmt: skip
            found = _offence(contacts, kick, linkage, islands, island, q, v_out, l_out, bodies, material, params, speed)
            if not residual <= params.solver_tolerance:
                found += UNSOLVED
            last = attempt
            if attempt == 0 or found < best:
                best, reached, chosen = found, residual, attempt
                if best < OFFENCE and attempt == 0:
                    break
                keep_answer(kick, islands, island, choice)
                copy_joint_impulses(linkage, island, linkage.impulse, linkage.kept)
        if chosen != last:
            restore_answer(kick, islands, island, choice)
            copy_joint_impulses(linkage, island, linkage.kept, linkage.impulse)
            apply_all(contacts, kick, linkage, islands, island, bodies.inverse_mass, -1.0, params, v, l, v_out, l_out)
        worst = max(worst, reached) if math.isfinite(reached) else math.inf
        if not reached <= params.solver_tolerance:
            unsolved += 1
    return worst, unsolved
