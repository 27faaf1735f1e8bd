"""That what is recorded as a contact is one (features.py), in compiled code."""

from __future__ import annotations

import math

from engine.certificate.features import apart_along, beside, stray
from engine.contact.kick import CONTACTS, GHOST
from engine.contact.tiers import ASSISTED
from engine.jit import inline, kernel
from engine.vec import norm, row

SAME_FEATURE = 1e-9  # m; features are those of the scene, so rounding is all there is between them


@kernel
def travel(findings, inverse_mass, dt, body):
    """How far (m) no point of a body goes in the steps beside a state."""
    if inverse_mass[body] == 0.0:
        return 0.0
    v = max(norm(row(findings.here.v, body)), norm(row(findings.there.v, body)))
    l = max(norm(row(findings.here.l, body)), norm(row(findings.there.l, body)))
    return dt * (v + findings.stiffest[body] * l)


@inline
def _deepest_of_pair(contacts, count, c):
    """(m) of contact c and those after it of the same two parts."""
    deep = 0.0
    i = c
    while i < count and contacts.part_a[i] == contacts.part_a[c] and contacts.part_b[i] == contacts.part_b[c]:
        deep = max(deep, -contacts.gap[i])
        i += 1
    return deep


@kernel
def _strays(geometry, cores, contacts, c):
    """By how much (m) a contact's features are none of its parts."""
    a = stray(geometry, cores, contacts.part_a[c], contacts.kind_a[c], row(contacts.point_a, c),
              row(contacts.dir_a, c), contacts.circle_a[c])  # fmt: skip
    b = stray(geometry, cores, contacts.part_b[c], contacts.kind_b[c], row(contacts.point_b, c),
              row(contacts.dir_b, c), contacts.circle_b[c])  # fmt: skip
    return a + b


@inline
def check_touch(s, params, here, findings):
    """ASSISTED is a contact whose parts do not touch in that place along that normal, or one that is said to be ignored
    and pushes all the same."""
    contacts, kick, geometry, cores = s.contacts, s.kick, s.geometry, s.detect.narrow.cores
    inverse_mass, count, deep = s.bodies.inverse_mass, s.counts[CONTACTS], 0.0
    for c in range(count):
        pushes = norm(row(kick.impulse, c)) + norm(row(kick.torque, c)) > 0.0
        part_a, part_b = contacts.part_a[c], contacts.part_b[c]
        if c == 0 or part_a != contacts.part_a[c - 1] or part_b != contacts.part_b[c - 1]:
            deep = _deepest_of_pair(contacts, count, c)
        if kick.hold[c] == GHOST:
            if pushes:
                s.tier[c] = ASSISTED
                s.residual[c] = math.inf
            continue
        moves = travel(findings, inverse_mass, params.dt, contacts.a[c])
        moves += travel(findings, inverse_mass, params.dt, contacts.b[c])
        allowed = 2.0 * params.slop + max(contacts.gap[c], 0.0) + moves
        point = row(contacts.point, c)
        aside = max(
            beside(geometry, cores, part_a, here.x, here.q, point),
            beside(geometry, cores, part_b, here.x, here.q, point),
        )
        sunk = -apart_along(geometry, cores, part_a, part_b, here.x, here.q, row(contacts.normal, c))
        off = max(aside, sunk - max(deep, 0.0)) - allowed  # how deep it is explains no place beside a part
        strays = _strays(geometry, cores, contacts, c)
        if not (strays <= SAME_FEATURE and off <= 0.0):
            s.tier[c] = ASSISTED
            s.residual[c] = (strays + max(off, 0.0)) / params.dt
