"""Past: what is kept of every step of a meeting, so that any of them can be entered again."""

from __future__ import annotations

import numpy as np

from engine.collide.broad import READY
from engine.contact.kick import WARM
from engine.decide.plan import DUE, NEXT
from engine.jit import inline, kernel
from engine.model.arrays import State, copy_state
from engine.record import Record

NEVER = 1 << 40

# Past.decision: what a step decided about a body.
NOTHING, BOUNCE, LEAVE, KNOCK = range(4)
"""BOUNCE: the coefficients of a collision; LEAVE: how it left rest, or a slide; KNOCK: it was struck while at rest and
must have slid in."""


class Past(Record):
    """K steps of n bodies; row k is k steps before the end."""

    x: np.ndarray  # (K + 1, n, 3) m       states
    q: np.ndarray  # (K + 1, n, 4)
    v: np.ndarray  # (K + 1, n, 3) m/s
    l: np.ndarray  # (K + 1, n, 3) kg m^2/s
    asleep: np.ndarray  # (K + 1, n) bool
    release: np.ndarray  # (K + 1, n) int64   step from which a body that rests or slides may leave
    decision: np.ndarray  # (K, n) int64      of the step that leads from row k to row k + 1
    nonce: np.ndarray  # (n,) int64           how often a body was asked to decide anew
    conflict: np.ndarray  # (n + 1,) int64    how many bodies could not go on together, and which
    hint_numbers: np.ndarray  # (K + 1, h, 7)      what has become of the plan (velocity, spin, way), h bodies: all, or
    hint_marks: np.ndarray  # (K + 1, h, 6) int64  none without hints (slide, roll, held, stage, next, mark)
    hint_queue: np.ndarray  # (K + 1, m + 2) int64 those who are due, and the plan's counts
    state: State  # (n, ...)  where a step begins
    before: State  # where it leads


def make_past(start: State, steps: int, hints: int) -> Past:
    """hints: bodies that have any."""
    n = len(start.x)
    followed = n if hints else 0
    x, q, v, l = (np.zeros((steps + 1, n, width)) for width in (3, 4, 3, 3))
    past = Past(
        x=x,
        q=q,
        v=v,
        l=l,
        asleep=np.zeros((steps + 1, n), bool),
        release=np.full((steps + 1, n), NEVER),
        decision=np.zeros((steps, n), np.int64),
        nonce=np.zeros(n, np.int64),
        conflict=np.zeros(n + 1, np.int64),
        hint_numbers=np.zeros((steps + 1, followed, 7)),
        hint_marks=np.zeros((steps + 1, followed, 6), np.int64),
        hint_queue=np.zeros((steps + 1, hints + 2), np.int64),
        state=copy_state(start),
        before=copy_state(start),
    )
    for part, first in zip(past, start, strict=False):
        part[0] = first
    return past


def state_at(past: Past, k: int) -> State:
    return State(past.x[k].copy(), past.q[k].copy(), past.v[k].copy(), past.l[k].copy())


@kernel
def keep_plan(plan, past, k):
    """What the plan has come to before step k."""
    for body in range(past.hint_numbers.shape[1]):
        for j in range(3):
            past.hint_numbers[k, body, j] = plan.velocity[body, j]
            past.hint_numbers[k, body, 3 + j] = plan.spin[body, j]
        past.hint_numbers[k, body, 6] = plan.way[body]
        past.hint_marks[k, body, 0] = plan.slide[body]
        past.hint_marks[k, body, 1] = plan.roll[body]
        past.hint_marks[k, body, 2] = plan.held[body]
        past.hint_marks[k, body, 3] = plan.stage[body]
        past.hint_marks[k, body, 4] = plan.next[body]
        past.hint_marks[k, body, 5] = plan.mark[body]
    for i in range(plan.due.shape[0]):
        past.hint_queue[k, i] = plan.due[i]
    past.hint_queue[k, plan.due.shape[0]] = plan.counts[NEXT]
    past.hint_queue[k, plan.due.shape[0] + 1] = plan.counts[DUE]


@inline
def recall_plan(plan, past, k):
    """The inverse of keep_plan."""
    for body in range(past.hint_numbers.shape[1]):
        for j in range(3):
            plan.velocity[body, j] = past.hint_numbers[k, body, j]
            plan.spin[body, j] = past.hint_numbers[k, body, 3 + j]
        plan.way[body] = past.hint_numbers[k, body, 6]
        plan.slide[body] = past.hint_marks[k, body, 0] != 0
        plan.roll[body] = past.hint_marks[k, body, 1] != 0
        plan.held[body] = past.hint_marks[k, body, 2] != 0
        plan.stage[body] = past.hint_marks[k, body, 3]
        plan.next[body] = past.hint_marks[k, body, 4]
        plan.mark[body] = past.hint_marks[k, body, 5]
    for i in range(plan.due.shape[0]):
        plan.due[i] = past.hint_queue[k, i]
    plan.counts[NEXT] = past.hint_queue[k, plan.due.shape[0]]
    plan.counts[DUE] = past.hint_queue[k, plan.due.shape[0] + 1]


@inline
def enter(s, plan, past, reel, k):
    """Put plan and scratch into the condition in which step k found them: hints, who sleeps, and the warm impulses of
    the last step. Sleepers wake one by one; whom they touch wakes with them."""
    recall_plan(plan, past, k)
    for body in range(s.asleep.shape[0]):
        s.asleep[body] = past.asleep[k, body]
        s.ring[body] = body
    s.detect.near.counts[READY] = 0
    first = reel.contact_start[max(k - 1, 0)]
    count = reel.contact_start[k] - first
    s.counts[WARM] = count
    for c in range(count):
        i = first + c
        s.warm.keys[c, 0] = reel.strip.part_a[i]
        s.warm.keys[c, 1] = reel.strip.part_b[i]
        s.warm.keys[c, 2] = reel.strip.feature[i]
        for j in range(3):
            s.warm.impulse[c, j] = reel.strip.impulse[i, j]
            s.warm.torque[c, j] = reel.strip.torque[i, j]
