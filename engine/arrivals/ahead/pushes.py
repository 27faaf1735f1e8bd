"""What an arriving body puts on those at rest, step by step, and whether they carry it."""

from __future__ import annotations

import numpy as np

from engine.arrivals.ahead.supports import Burden, Supports, clear_burden, hand_down, press
from engine.jit import inline, kernel, standalone
from engine.record import Record
from engine.vec import add, cross, put, row, scale, sub


class Pushes(Record):
    """What resting bodies are given from outside."""

    step: np.ndarray  # (p,) int64
    body: np.ndarray  # (p,) int64
    impulse: np.ndarray  # (p, 3) N s
    turn: np.ndarray  # (p, 3) N m s about the body's centre of mass
    used: np.ndarray  # (1,) int64: how many there are


class Rests(Record):
    """What rests under a flight. Remainders are numbered by how many of the order have left; w of them are there."""

    order: np.ndarray  # (m,) int64     bodies as they leave, seen backward
    until: np.ndarray  # (n,) int64     last step in which a body's contacts are the structure's
    gone: int  # how many have left in the first remainder that is there
    impulse: np.ndarray  # (w, C, 3) what contacts bear in each remainder
    torque: np.ndarray  # (w, C, 3)
    others: Pushes  # of the arrivals known, by step
    others_start: np.ndarray  # (steps + 2,) int64
    supports: Supports
    burden: Burden


def make_pushes(count: int) -> Pushes:
    return Pushes(
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, 3)),
        np.zeros((count, 3)),
        np.zeros(1, np.int64),
    )


@kernel
def add_push(pushes, k, body, impulse, turn):
    p = pushes.used[0]
    pushes.step[p] = k
    pushes.body[p] = body
    put(pushes.impulse, p, impulse)
    put(pushes.turn, p, turn)
    pushes.used[0] = p + 1


@inline
def push_others(count, contacts, kick, is_static, pushes, k, body, x):
    """What the contacts of a step put on bodies that rest at x."""
    for c in range(count):
        other, sign = contacts.a[c], 1.0
        if other == body:
            other, sign = contacts.b[c], -1.0
        if not is_static[other]:
            p = scale(sign, row(kick.impulse, c))
            turn = cross(sub(row(contacts.point, c), row(x, other)), p)
            add_push(pushes, k, other, p, add(turn, scale(sign, row(kick.torque, c))))


@standalone
def borne(rests, pushes, k, first):
    """Whether what rests in step k carries a flight's pushes from `first` on, with those of the known arrivals."""
    burden, others = rests.burden, rests.others
    clear_burden(burden)
    for p in range(first, pushes.used[0]):
        press(burden, pushes.body[p], row(pushes.impulse, p), row(pushes.turn, p))
    for p in range(rests.others_start[k], rests.others_start[k + 1]):
        press(burden, others.body[p], row(others.impulse, p), row(others.turn, p))
    gone, at = remainder_of(rests, k)
    return hand_down(rests.supports, gone, rests.impulse[at], rests.torque[at], burden)


@kernel
def remainder_of(rests, k):
    """How many have left in step k, and the number of what remains."""
    gone = rests.gone
    while gone < rests.order.shape[0] and rests.until[rests.order[gone]] < k:
        gone += 1
    return gone, min(gone - rests.gone, rests.impulse.shape[0] - 1)
