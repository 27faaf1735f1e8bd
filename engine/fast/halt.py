"""Who would pass through another is halted where they touch.

Contacts of the fast engine are seen before they touch, where the ways of bodies lead; what a contact throws about in
the same step may pass something all the same. Then both go only that far. The next step finds them there, with the
speeds they have.
"""

from __future__ import annotations

from engine.collide.passing import measure_ways, note_passed
from engine.fast.movers import AWAKE, DTH, DX
from engine.fast.pairs import CURRENT, LISTED
from engine.jit import kernel
from engine.vec import norm, put, quat_exp, quat_mul, quat_put, quat_row, quat_unit, row


@kernel
def halt_passing(m, pairs, narrow, passing, size):
    """Shorten the ways of bodies in this step that would pass through each other."""
    motion, longest, second = m.motion, 0.0, 0.0
    for k in range(m.counts[AWAKE]):
        i = m.list[k]
        way = norm(_three(motion, i, DX)) + norm(_three(motion, i, DTH)) * size[i]
        if way > longest:
            second = longest
            longest = way
        elif way > second:
            second = way
    if not longest + second > passing.thinnest[0]:
        return
    go_on(m, passing)
    measure_ways(passing, size, m.x, m.q, passing.next_x, passing.next_q)
    found, slots, current = 0, pairs.slots, pairs.counts[CURRENT]
    for k in range(pairs.counts[LISTED]):
        p, other = pairs.part[slots[current, k], 0], pairs.part[slots[current, k], 1]
        found = note_passed(narrow, passing, False, p, other, m.x, m.q, passing.next_x, passing.next_q, found)
    part_body = narrow.geometry.part_body
    for k in range(found):
        for part in (passing.part_a[k], passing.part_b[k]):
            for c in range(3):
                motion[part_body[part], DX + c] *= passing.touched[k]
                motion[part_body[part], DTH + c] *= passing.touched[k]


@kernel
def go_on(m, passing):
    """passing.next_x, next_q: where the step takes everybody."""
    for i in range(m.x.shape[0]):
        put(passing.next_x, i, row(m.x, i))
        quat_put(passing.next_q, i, quat_row(m.q, i))
    for k in range(m.counts[AWAKE]):
        i = m.list[k]
        turn = quat_unit(quat_mul(quat_exp(_three(m.motion, i, DTH)), quat_row(m.q, i)))
        quat_put(passing.next_q, i, turn)
        for c in range(3):
            passing.next_x[i, c] += m.motion[i, DX + c]


@kernel
def _three(motion, i, column):
    return motion[i, column], motion[i, column + 1], motion[i, column + 2]
