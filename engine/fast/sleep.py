"""Sleep: islands whose bodies have all been slow for a while stop, and cost nothing until something touches them."""

from __future__ import annotations

from engine.fast.movers import AWAKE, ROWS, begin_body
from engine.fast.row_columns import GAP, Z
from engine.jit import kernel

QUIET_SPEED = 0.02  # m/s, of any point of a body
QUIET_TIME = 0.5  # s
LOOK_EVERY = 8  # steps


@kernel
def list_awake(m):
    count = 0
    for i in range(m.awake.shape[0]):
        if m.awake[i]:
            m.list[count] = i
            count += 1
    m.counts[AWAKE] = count


@kernel
def wake(m, parts, body, dt):
    """Wake a body and all that fell asleep with it, ready for the step that is under way."""
    i = body
    while True:
        m.awake[i] = True
        m.quiet[i] = 0.0
        begin_body(m, parts, i, dt)
        i = m.ring[i]
        if i == body:
            break
    list_awake(m)


@kernel
def root_of(root, i):
    while root[i] != i:
        root[i] = root[root[i]]
        i = root[i]
    return i


@kernel
def rest_islands(m, parts, rows, near, dt):
    """Put islands to sleep whose bodies have all been quiet long enough. Linked: rows that push or are `near`."""
    for k in range(m.counts[AWAKE]):
        m.root[m.list[k]] = m.list[k]
    for c in range(m.counts[ROWS]):
        a, b = rows.a[c], rows.b[c]
        if b >= 0 and m.awake[a] and m.awake[b] and (rows.hot[c, Z] > 0.0 or rows.hot[c, GAP] <= near):
            i, j = root_of(m.root, a), root_of(m.root, b)
            m.root[max(i, j)] = min(i, j)
    for k in range(m.counts[AWAKE]):  # the root carries the shortest quiet time of its island, as base[root, 0]
        i = m.list[k]
        m.base[i, 0] = m.quiet[i]
    for k in range(m.counts[AWAKE]):
        i = m.list[k]
        r = root_of(m.root, i)
        m.base[r, 0] = min(m.base[r, 0], m.quiet[i])
    slept = False
    for k in range(m.counts[AWAKE]):
        i = m.list[k]
        r = root_of(m.root, i)
        if m.base[r, 0] >= QUIET_TIME:
            fall_asleep(m, parts, i, r, dt)
            slept = True
    if slept:
        list_awake(m)


@kernel
def fall_asleep(m, parts, i, r, dt):
    """Stop body i and put it into the ring of its island's root r (which is the lowest, so it comes first)."""
    m.awake[i] = False
    m.ring[i] = i
    if i != r:
        m.ring[i] = m.ring[r]
        m.ring[r] = i
    for k in range(3):
        m.v[i, k] = 0.0
        m.l[i, k] = 0.0
    begin_body(m, parts, i, dt)  # frames of the final pose
    for k in range(m.motion.shape[1]):
        m.motion[i, k] = 0.0
