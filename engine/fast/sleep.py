"""Sleep: islands whose bodies have all been slow for a while stop, and cost nothing until something touches them."""

from __future__ import annotations

import math

from engine.collide.islands import root_of
from engine.fast import row_columns as at
from engine.fast.frames import put_frame
from engine.fast.movers import AWAKE, ROWS
from engine.jit import kernel
from engine.rest import REST_OF_FAST_ISLAND
from engine.vec import quat_row

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
def rest_islands(m, rows, near):
    """Put islands to sleep whose bodies have all been quiet long enough. Linked: rows that push or are `near`."""
    root, awake, quiet, shortest = m.root, m.list, m.quiet, m.shortest
    a, b, hot = rows.a, rows.b, rows.hot
    count = m.counts[AWAKE]
    for k in range(count):
        root[awake[k]] = awake[k]
        shortest[awake[k]] = math.inf
    for c in range(m.counts[ROWS]):
        if b[c] >= 0 and m.awake[a[c]] and m.awake[b[c]] and (hot[c, at.Z] > 0.0 or hot[c, at.GAP] <= near):
            i, j = root_of(root, a[c]), root_of(root, b[c])
            root[max(i, j)] = min(i, j)
    for k in range(count):
        r = root_of(root, awake[k])
        shortest[r] = min(shortest[r], quiet[awake[k]])
    slept = False
    for k in range(count):
        if shortest[root_of(root, awake[k])] >= REST_OF_FAST_ISLAND:
            fall_asleep(m, awake[k])
            slept = True
    if slept:
        list_awake(m)


@kernel
def fall_asleep(m, i):
    """Stop body i where it is."""
    m.awake[i] = False
    for k in range(3):
        m.v[i, k] = 0.0
        m.l[i, k] = 0.0
    for k in range(m.motion.shape[1]):
        m.motion[i, k] = 0.0
    m.spin_reach[i] = 0.0
    put_frame(m.frame, i, quat_row(m.q, i))
