"""Copies of states inside kernels, of one body or of all. Inlined: whoever has arrays x, q, v and l will do."""

from __future__ import annotations

from engine.jit import inline


@inline
def copy_body(source, i, target, j):
    """Row j of one state, or path, from row i of another."""
    for k in range(3):
        target.x[j, k] = source.x[i, k]
        target.v[j, k] = source.v[i, k]
        target.l[j, k] = source.l[i, k]
    for k in range(4):
        target.q[j, k] = source.q[i, k]


@inline
def move_state(source, target):
    """target = source."""
    for body in range(source.x.shape[0]):
        copy_body(source, body, target, body)


@inline
def recall_state(states, k, state):
    """state: the k-th of many."""
    for body in range(state.x.shape[0]):
        for i in range(3):
            state.x[body, i] = states.x[k, body, i]
            state.v[body, i] = states.v[k, body, i]
            state.l[body, i] = states.l[k, body, i]
        for i in range(4):
            state.q[body, i] = states.q[k, body, i]


@inline
def keep_state(state, states, k):
    """The inverse of recall_state."""
    for body in range(state.x.shape[0]):
        for i in range(3):
            states.x[k, body, i] = state.x[body, i]
            states.v[k, body, i] = state.v[body, i]
            states.l[k, body, i] = state.l[body, i]
        for i in range(4):
            states.q[k, body, i] = state.q[body, i]
