"""Contacts ahead: what would be passed within a step, or caught deep inside, is met before.

After a kick the way that follows is looked at. Where two parts would pass through each other (collide/passing.py), the
features that would touch first become contacts of the kick, whose landing is predicted whatever the law of the run
(contact/law.py), and the kick is done again. Backward the way is the one that led to x_k, and a bounce is taken in the
last configuration before it; so both directions of time take it on the same side, by the same law.
"""

from __future__ import annotations

from engine.collide.detect import detect_pair
from engine.collide.passing import CLOSE, find_passed, stand_between
from engine.contact.kick import AHEAD, CONTACTS
from engine.jit import inline, kernel, standalone
from engine.joint.linkage import copy_contact
from engine.status import CONTACTS_FULL
from engine.step.drift import drift
from engine.vec import norm, row

BESIDE = 2.0  # times the distance that counts as touching
MOST_LOOKS = 8  # ways looked at in one step; what one more contact sends elsewhere may pass something there


@kernel
def compared(contacts, c, other, k):
    """-1, 0 or 1: contact c comes before contact k of another table, is the same, or comes after it."""
    if contacts.part_a[c] != other.part_a[k]:
        return -1 if contacts.part_a[c] < other.part_a[k] else 1
    if contacts.part_b[c] != other.part_b[k]:
        return -1 if contacts.part_b[c] < other.part_b[k] else 1
    if contacts.feature[c] != other.feature[k]:
        return -1 if contacts.feature[c] < other.feature[k] else 1
    return 0


@inline
def add_ahead(s, count):
    """Put the contacts ahead among the `count` that were found, those that are there already left out. Returns (count,
    status)."""
    for k in range(s.counts[AHEAD]):
        place = count
        while place > 0 and compared(s.contacts, place - 1, s.ahead, k) > 0:
            place -= 1
        if place > 0 and compared(s.contacts, place - 1, s.ahead, k) == 0:
            continue
        if count >= s.contacts.gap.shape[0]:
            return count, CONTACTS_FULL
        for c in range(count, place, -1):
            copy_contact(s.contacts, c - 1, s.contacts, c)
        copy_contact(s.ahead, k, s.contacts, place)
        count += 1
    return count, 0


@standalone
def meet_passed(s, at, to_x, to_q):
    """Note as contacts ahead what is passed on the way from a configuration to another. Who has been put to rest since
    contacts were found there is awake again if there is any. Returns (how many are new, status)."""
    narrow, near, sizes = s.detect.narrow, s.detect.near, s.bodies.size
    found = find_passed(narrow, near, s.passing, sizes, s.is_static, True, at.x, at.q, to_x, to_q)
    fresh = 0
    for k in range(found):
        known = s.counts[AHEAD]
        status = note_touch(s, at, to_x, to_q, k)
        if status != 0:
            return fresh, status
        fresh += s.counts[AHEAD] - known
    if fresh > 0:
        for body in range(s.awake.shape[0]):
            if s.awake[body]:
                s.asleep[body] = False
    return fresh, 0


@kernel
def ease_ahead(s):
    """Contacts ahead slip as easily as they may. Friction on what is fast and small turns it several times in a step,
    and then often no impulse obeys the law: these are the contacts that are TUNED instead."""
    for c in range(s.counts[CONTACTS]):
        if s.kick.closing[c] != 0.0:
            s.kick.friction[c] = min(s.kick.friction[c], s.material.friction_low[c])


@kernel
def note_touch(s, at, to_x, to_q, k):
    """Append the features by which the k-th pair that passes touches first to s.ahead, and the others of the smaller
    part that face the same way: in one step all of them would pass. Returns a status."""
    passing, ahead, part_body = s.passing, s.ahead, s.geometry.part_body
    p, other = passing.part_a[k], passing.part_b[k]
    a, b = part_body[p], part_body[other]
    stand_between(passing, a, at.x, at.q, to_x, to_q, passing.touched[k])
    stand_between(passing, b, at.x, at.q, to_x, to_q, passing.touched[k])
    known = s.counts[AHEAD]
    margin = BESIDE * CLOSE * (passing.half[p] + passing.half[other])
    if known > 0:
        margin = 2.0 * min(s.geometry.part_bound[p], s.geometry.part_bound[other])
    last, status = detect_pair(s.geometry, s.detect.narrow, ahead, known, p, other, passing.x, passing.q, passing.x,
                               passing.q, margin)  # fmt: skip
    if status != 0:
        return status
    for c in range(known, last):
        same = False
        for i in range(known):
            same = same or compared(ahead, c, ahead, i) == 0
        if same:
            continue
        copy_contact(ahead, c, ahead, s.counts[AHEAD])
        s.counts[AHEAD] += 1
    return 0


@standalone
def meet_passed_before(s, params, before):
    """The same of the way that led to `before`, with its velocities. Returns (how many are new, status)."""
    passing, first, second = s.passing, 0.0, 0.0
    for body in range(s.awake.shape[0]):
        spin = norm(row(before.l, body)) * passing.stiffest[body]
        way = params.dt * (norm(row(before.v, body)) + spin * s.bodies.size[body])
        if way > first:
            second = first
            first = way
        elif way > second:
            second = way
    if not first + second > passing.thinnest[0]:
        return 0, 0
    drift(before.x, before.q, before.v, before.l, s.bodies.inverse_inertia, -params.dt, passing.next_x, passing.next_q,
          s.other_spin)  # fmt: skip
    return meet_passed(s, before, passing.next_x, passing.next_q)
