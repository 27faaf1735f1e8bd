"""Order of elimination and fill of an island's body graph: approximate minimum degree on a quotient graph.

An eliminated body becomes an *element*, the clique of its neighbours, instead of the edges of that clique; its list is
the column of the factor. A body's neighbours are its remaining edges and the members of its elements. The elements of
a body that is eliminated are absorbed by the new one, so lists never outgrow the edges the graph began with. Degrees
are the upper bounds of Amestoy, Davis and Duff 1996: members that elements have outside the newest one are added up
as if no two shared any. The cost is near linear in bodies and fill, and nothing while the graph stays the same.
"""

from __future__ import annotations

import numpy as np

from engine.jit import inline, kernel
from engine.record import Record


class Pattern(Record):
    """Up to N bodies, B blocks below the diagonal, C contacts."""

    body_at: np.ndarray  # (N,) int64     body eliminated k-th
    place: np.ndarray  # (N,) int64       inverse of body_at
    start: np.ndarray  # (N+1,) int64     blocks of column k: start[k] .. start[k+1]
    below: np.ndarray  # (B,) int64       row (place) of a block, ascending within a column
    slot: np.ndarray  # (C,) int64        block a two-body contact adds to, -1 for one body
    edge_start: np.ndarray  # (N+1,) int64  a body's part of `edges`: bodies from the front, elements from the back
    edges: np.ndarray  # (2C,) int64
    bodies: np.ndarray  # (N,) int64      how many bodies are left in it
    elements: np.ndarray  # (N,) int64    how many elements
    degree: np.ndarray  # (N,) int64
    seen: np.ndarray  # (N,) int64        stamp of the last visit
    bucket: np.ndarray  # (N,) int64      first body of a degree, -1: none
    outside: np.ndarray  # (N,) int64     members of an element that are not in the newest one, -1: absorbed
    counted: np.ndarray  # (N,) int64     newest element for which `outside` holds
    row_start: np.ndarray  # (N+1,) int64 transposed pattern, while sorting
    column: np.ndarray  # (B,) int64
    known: np.ndarray  # (2,) int64       bodies and contacts of the graph this pattern is of ...
    known_a: np.ndarray  # (C,) int64     ... and its edges
    known_b: np.ndarray  # (C,) int64
    after: np.ndarray  # (N,) int64       doubly linked lists of the buckets
    ahead: np.ndarray  # (N,) int64


def empty_pattern(bodies: int, blocks: int, contacts: int) -> Pattern:
    sizes = {name: bodies + 1 for name in ("start", "edge_start", "row_start")}
    sizes |= {name: contacts for name in ("slot", "known_a", "known_b")}
    sizes |= {"below": blocks, "column": blocks, "edges": 2 * contacts, "known": 2}
    return Pattern(*(np.zeros(max(sizes.get(name, bodies), 1), np.int64) for name in Pattern._fields))


@kernel
def _put_in_bucket(i, degree, bucket, ahead, after):
    first = bucket[degree[i]]
    after[i] = first
    ahead[i] = -1
    if first >= 0:
        ahead[first] = i
    bucket[degree[i]] = i


@kernel
def _take_from_bucket(i, degree, bucket, ahead, after):
    if ahead[i] >= 0:
        after[ahead[i]] = after[i]
    else:
        bucket[degree[i]] = after[i]
    if after[i] >= 0:
        ahead[after[i]] = ahead[i]


@inline
def _collect_edges(n, body_a, body_b, p):
    """Lists of distinct neighbours, and every body in the bucket of its degree."""
    for i in range(n + 1):
        p.edge_start[i] = 0
    for c in range(body_a.shape[0]):
        if body_b[c] >= 0:
            p.edge_start[body_a[c] + 1] += 1
            p.edge_start[body_b[c] + 1] += 1
    for i in range(n):
        p.edge_start[i + 1] += p.edge_start[i]
        p.bodies[i] = 0
        p.elements[i] = 0
        p.place[i] = -1
        p.seen[i] = -1
        p.bucket[i] = -1
    for c in range(body_a.shape[0]):
        if body_b[c] >= 0:
            a = body_a[c]
            b = body_b[c]
            p.edges[p.edge_start[a] + p.bodies[a]] = b
            p.edges[p.edge_start[b] + p.bodies[b]] = a
            p.bodies[a] += 1
            p.bodies[b] += 1
    for i in range(n):
        first = p.edge_start[i]
        kept = 0
        for e in range(first, first + p.bodies[i]):
            j = p.edges[e]
            if p.seen[j] != i:
                p.seen[j] = i
                p.edges[first + kept] = j
                kept += 1
        p.bodies[i] = kept
        p.degree[i] = kept
    for i in range(n - 1, -1, -1):
        p.seen[i] = -1
        p.counted[i] = -1
        _put_in_bucket(i, p.degree, p.bucket, p.ahead, p.after)


@inline
def _eliminate(body, k, p):
    """Column k: the neighbours of `body`, whose elements it absorbs. Returns its end in p.below, -1 when it is full."""
    p.place[body] = k
    used = p.start[k]
    first = p.edge_start[body]
    for e in range(first, first + p.bodies[body]):
        j = p.edges[e]
        if p.place[j] < 0:
            if used == p.below.shape[0]:
                return -1
            p.seen[j] = k
            p.below[used] = j
            used += 1
    last = p.edge_start[body + 1]
    for e in range(last - p.elements[body], last):
        element = p.edges[e]
        if p.outside[element] < 0:
            continue
        p.outside[element] = -1
        for s in range(p.start[element], p.start[element + 1]):
            j = p.below[s]
            if p.place[j] < 0 and p.seen[j] != k:
                if used == p.below.shape[0]:
                    return -1
                p.seen[j] = k
                p.below[used] = j
                used += 1
    return used


@inline
def _shorten(i, k, p):
    """Drop from the lists of body i, a member of the new element k, what k covers, and add k."""
    first = p.edge_start[i]
    kept = 0
    for e in range(first, first + p.bodies[i]):
        j = p.edges[e]
        if p.place[j] < 0 and p.seen[j] != k:
            p.edges[first + kept] = j
            kept += 1
    p.bodies[i] = kept
    last = p.edge_start[i + 1]
    kept = 0
    for e in range(last - 1, last - 1 - p.elements[i], -1):
        element = p.edges[e]
        if p.outside[element] >= 0:
            kept += 1
            p.edges[last - kept] = element
            if p.counted[element] != k:
                p.counted[element] = k
                p.outside[element] = p.start[element + 1] - p.start[element]
            p.outside[element] -= 1
    kept += 1
    p.edges[last - kept] = k
    p.elements[i] = kept


@inline
def _degree(i, n, k, p):
    """Upper bound of the number of neighbours of body i after step k."""
    size = p.start[k + 1] - p.start[k] - 1
    total = p.bodies[i] + size
    last = p.edge_start[i + 1]
    for e in range(last - p.elements[i], last):
        if p.edges[e] != k:
            total += p.outside[p.edges[e]]
    return min(total, min(p.degree[i] + size, n - k - 2))


@inline
def _sort_columns(n, p):
    """Bodies to places, ascending in every column: written row by row."""
    for i in range(n + 1):
        p.row_start[i] = 0
    total = p.start[n]
    for s in range(total):
        p.below[s] = p.place[p.below[s]]
        p.row_start[p.below[s] + 1] += 1
    for i in range(n):
        p.row_start[i + 1] += p.row_start[i]
    for k in range(n):
        for s in range(p.start[k], p.start[k + 1]):
            i = p.below[s]
            p.column[p.row_start[i]] = k
            p.row_start[i] += 1
    for k in range(n):
        p.seen[k] = p.start[k]
    s = 0
    for i in range(n):
        while s < p.row_start[i]:
            k = p.column[s]
            p.below[p.seen[k]] = i
            p.seen[k] += 1
            s += 1


@inline
def _is_known(n, body_a, body_b, p):
    """Whether the pattern is already that of this graph."""
    if p.known[0] != n or p.known[1] != body_a.shape[0]:
        return False
    for c in range(body_a.shape[0]):
        if p.known_a[c] != body_a[c] or p.known_b[c] != body_b[c]:
            return False
    return True


@inline
def find_pattern(n, body_a, body_b, p):
    """Order and fill of an island of n bodies. False when p.below is too short."""
    if _is_known(n, body_a, body_b, p):
        return True
    p.known[0] = 0
    _collect_edges(n, body_a, body_b, p)
    p.start[0] = 0
    least = 0
    for k in range(n):
        while p.bucket[least] < 0:
            least += 1
        body = p.bucket[least]
        _take_from_bucket(body, p.degree, p.bucket, p.ahead, p.after)
        used = _eliminate(body, k, p)
        if used < 0:
            return False
        p.body_at[k] = body
        p.start[k + 1] = used
        p.outside[k] = 0
        p.counted[k] = k
        for s in range(p.start[k], used):
            _shorten(p.below[s], k, p)
        for s in range(p.start[k], used):
            i = p.below[s]
            _take_from_bucket(i, p.degree, p.bucket, p.ahead, p.after)
            p.degree[i] = _degree(i, n, k, p)
            least = min(least, p.degree[i])
            _put_in_bucket(i, p.degree, p.bucket, p.ahead, p.after)
    _sort_columns(n, p)
    for c in range(body_a.shape[0]):
        p.slot[c] = -1
        if body_b[c] >= 0:
            i = p.place[body_a[c]]
            j = p.place[body_b[c]]
            s = p.start[min(i, j)]
            while p.below[s] != max(i, j):
                s += 1
            p.slot[c] = s
        p.known_a[c] = body_a[c]
        p.known_b[c] = body_b[c]
    p.known[0] = n
    p.known[1] = body_a.shape[0]
    return True
