"""Islands: sets of moving bodies linked by contacts. Static bodies link nothing.

Contacts are listed island by island and keep their order inside one, so a solve sees the same rows in the same order
whatever else is in the scene.
"""

from __future__ import annotations

import numpy as np

from engine.jit import kernel, standalone
from engine.record import Record


class Islands(Record):
    """n bodies, capacity C contacts. Islands are numbered by their lowest body."""

    parent: np.ndarray  # (n,) int64        union-find
    island_of: np.ndarray  # (n,) int64     island of a body, -1: no contact (or static)
    local: np.ndarray  # (n,) int64         body's number inside its island
    body_start: np.ndarray  # (n+1,) int64  bodies of island i: bodies[body_start[i]:body_start[i+1]]
    bodies: np.ndarray  # (n,) int64
    contact_start: np.ndarray  # (n+1,) int64
    order: np.ndarray  # (C,) int64         contacts, island by island
    joined: np.ndarray  # (n,) bool         held together by joints too: has a kick of its own (engine/joint)


def empty_islands(bodies: int, contacts: int) -> Islands:
    n = max(bodies, 1)
    parent, island_of, local, bodies_, body_start, contact_start = (
        np.zeros(size, np.int64) for size in (n, n, n, n, n + 1, n + 1)
    )
    order = np.zeros(max(contacts, 1), np.int64)
    return Islands(parent, island_of, local, body_start, bodies_, contact_start, order, np.zeros(n, bool))


@kernel
def root_of(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@standalone
def find_islands(count, a, b, used, inverse_mass, islands):
    """Islands of the contacts c < count with used[c] != 0. Returns their number."""
    n = inverse_mass.shape[0]
    for i in range(n):
        islands.parent[i] = i
        islands.island_of[i] = -1
    for c in range(count):
        if used[c] != 0:
            islands.island_of[a[c]] = 0  # marks bodies that touch something
            if inverse_mass[b[c]] > 0.0:
                islands.island_of[b[c]] = 0
                i = root_of(islands.parent, a[c])
                j = root_of(islands.parent, b[c])
                islands.parent[max(i, j)] = min(i, j)
    number = 0
    for i in range(n):
        if islands.island_of[i] >= 0:
            root = root_of(islands.parent, i)
            if root == i:
                islands.island_of[i] = number
                number += 1
            else:
                islands.island_of[i] = islands.island_of[root]
    for k in range(number + 1):
        islands.body_start[k] = 0
        islands.contact_start[k] = 0
    for i in range(n):
        if islands.island_of[i] >= 0:
            islands.body_start[islands.island_of[i] + 1] += 1
    for c in range(count):
        if used[c] != 0:
            islands.contact_start[islands.island_of[a[c]] + 1] += 1
    for k in range(number):
        islands.body_start[k + 1] += islands.body_start[k]
        islands.contact_start[k + 1] += islands.contact_start[k]
    for i in range(n):
        k = islands.island_of[i]
        if k >= 0:
            islands.local[i] = islands.body_start[k]
            islands.bodies[islands.body_start[k]] = i
            islands.body_start[k] += 1
    for c in range(count):
        if used[c] != 0:
            k = islands.island_of[a[c]]
            islands.order[islands.contact_start[k]] = c
            islands.contact_start[k] += 1
    for k in range(number, 0, -1):  # the fill moved every start to the next one
        islands.body_start[k] = islands.body_start[k - 1]
        islands.contact_start[k] = islands.contact_start[k - 1]
    islands.body_start[0] = 0
    islands.contact_start[0] = 0
    for i in range(n):
        if islands.island_of[i] >= 0:
            islands.local[i] -= islands.body_start[islands.island_of[i]]
    return number
