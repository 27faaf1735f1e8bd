"""Bodies in motion: what a step of the fast engine reads and writes, its beginning and its end for each body."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.fast.frames import put_frame, put_product, turned, turned_back
from engine.fast.parts import Parts
from engine.jit import kernel
from engine.model.arrays import Bodies
from engine.record import Record
from engine.vec import add, norm, put, quat_exp, quat_mul, quat_put, quat_row, quat_unit, row, scale

# Columns of Movers.motion: velocity, spin, displacement and turn since the step began, inverse mass, inverse inertia
# in world axes (xx, xy, xz, yy, yz, zz).
V, W, DX, DTH, IM, II = 0, 3, 6, 9, 12, 13
MOTION_WIDTH = 20

# Entries of Movers.counts.
AWAKE, STEP, ROWS, MOVING = range(4)

SLOW_TURN = 1e-3  # rad per step: below, the frame at the start of the step serves for the whole step


class Movers(Record):
    """n bodies (static ones never move)."""

    x: np.ndarray  # (n, 3) m
    q: np.ndarray  # (n, 4)
    v: np.ndarray  # (n, 3) m/s
    l: np.ndarray  # (n, 3) kg m^2/s
    motion: np.ndarray  # (n, MOTION_WIDTH)
    frame: np.ndarray  # (n, 9)        body frames at the start of the step
    half_frame: np.ndarray  # (n, 9)   and half way through it, for the inertia
    base: np.ndarray  # (n, 6)         velocity and spin before the impulses of a substep
    drive: np.ndarray  # (n, 6)        what the impulses of the last substep changed
    travel: np.ndarray  # (n,) m       path length of the body's points since the start, an upper bound
    spin_travel: np.ndarray  # (n,) m  the share of it that comes from turning
    spin_reach: np.ndarray  # (n,) m   what turning adds in one step
    awake: np.ndarray  # (n,) bool     moving and not asleep
    quiet: np.ndarray  # (n,) s        for how long the body has been slow
    shortest: np.ndarray  # (n,) s     and its island, kept at the island's lowest body
    root: np.ndarray  # (n,) int64     islands
    list: np.ndarray  # (n,) int64     awake bodies, upward
    counts: np.ndarray  # (4,) int64   awake bodies, steps done, contact rows of the last step, moving bodies
    center: np.ndarray  # (P, 3) m     parts: centres and frames in world axes
    part_frame: np.ndarray  # (P, 9)
    part_start: np.ndarray  # (n+1,) int64   parts of body i: part_start[i] to part_start[i + 1]
    mass: np.ndarray  # (n, 21)        inverse mass, size, 1 if the inertia is a ball's, inverse inertia, inertia


def make_movers(bodies: Bodies, parts: Parts) -> Movers:
    n, count = len(bodies.mass), len(parts.kind)
    inertia = bodies.inertia
    round_ = np.abs(inertia - inertia[:, :1, :1] * np.eye(3)).max(axis=(1, 2)) <= 1e-12 * inertia[:, 0, 0]
    mass = np.zeros((n, 21))
    mass[:, 0], mass[:, 1], mass[:, 2] = bodies.inverse_mass, bodies.size, round_
    mass[:, 3:12], mass[:, 12:21] = bodies.inverse_inertia.reshape(n, 9), inertia.reshape(n, 9)
    wide = {"x": 3, "q": 4, "v": 3, "l": 3, "motion": MOTION_WIDTH, "frame": 9, "half_frame": 9, "base": 6, "drive": 6}
    whole = ("root", "list")
    columns: dict[str, Any] = {name: np.zeros((n, k)) for name, k in wide.items()}
    columns |= {name: np.zeros(n) for name in ("travel", "spin_travel", "spin_reach", "quiet", "shortest")}
    columns |= {name: np.zeros(n, np.int64) for name in whole}
    return Movers(
        **columns,
        awake=np.zeros(n, bool),
        counts=np.zeros(4, np.int64),
        center=np.zeros((count, 3)),
        part_frame=np.zeros((count, 9)),
        part_start=np.searchsorted(parts.body, np.arange(n + 1)).astype(np.int64),
        mass=mass,
    )


@kernel
def begin_bodies(m, parts, first, dt):
    """Frames, spins and inverse inertias of the listed bodies from number `first` on, at the start of a step.

    The spin is that half way through a free step."""
    motion, mass, frame, half, drive = m.motion, m.mass, m.frame, m.half_frame, m.drive
    x, qs, v, ls, awake, reach = m.x, m.q, m.v, m.l, m.list, m.spin_reach
    start, centers, frames, own_center, own_turn = m.part_start, m.center, m.part_frame, parts.center, parts.turn
    for k in range(first, m.counts[AWAKE]):
        i = awake[k]
        q, l = quat_row(qs, i), row(ls, i)
        put_frame(frame, i, q)
        motion[i, IM] = mass[i, 0]
        for c in range(3):
            motion[i, V + c] = v[i, c]
            motion[i, DX + c] = 0.0
            motion[i, DTH + c] = 0.0
        if mass[i, 2] > 0.0:
            w = scale(mass[i, 3], l)
            put_inverse_inertia(motion, i, mass[i, 3], 0.0, 0.0, mass[i, 3], 0.0, mass[i, 3])
        else:
            w = spin(frame, i, mass, l)
            if norm(w) * dt > SLOW_TURN:
                put_frame(half, i, quat_unit(quat_mul(quat_exp(scale(0.5 * dt, w)), q)))
                w = spin(half, i, mass, l)
            else:
                for c in range(9):
                    half[i, c] = frame[i, c]
            world_inverse_inertia(motion, half, i, mass)
        for c in range(3):
            motion[i, W + c] = w[c]
        for c in range(6):
            drive[i, c] = 0.0
        reach[i] = norm(w) * mass[i, 1] * dt
        for p in range(start[i], start[i + 1]):
            put(centers, p, add(row(x, i), turned(frame, i, row(own_center, p))))
            put_product(frames, p, frame, i, own_turn, p)


@kernel
def spin(frames, i, mass, l):
    """R J^-1 R^T l."""
    return turned(frames, i, _tensor_times(mass, i, 3, turned_back(frames, i, l)))


@kernel
def momentum(frames, i, mass, w):
    """Angular momentum of spin w: R J R^T w."""
    if mass[i, 2] > 0.0:
        return scale(mass[i, 12], w)
    return turned(frames, i, _tensor_times(mass, i, 12, turned_back(frames, i, w)))


@kernel
def _tensor_times(mass, i, k, b):
    """The 3x3 tensor that begins in column k of row i, times b."""
    return (
        mass[i, k] * b[0] + mass[i, k + 1] * b[1] + mass[i, k + 2] * b[2],
        mass[i, k + 3] * b[0] + mass[i, k + 4] * b[1] + mass[i, k + 5] * b[2],
        mass[i, k + 6] * b[0] + mass[i, k + 7] * b[1] + mass[i, k + 8] * b[2],
    )


@kernel
def put_inverse_inertia(motion, i, xx, xy, xz, yy, yz, zz):
    motion[i, II] = xx
    motion[i, II + 1] = xy
    motion[i, II + 2] = xz
    motion[i, II + 3] = yy
    motion[i, II + 4] = yz
    motion[i, II + 5] = zz


@kernel
def world_inverse_inertia(motion, frames, i, mass):
    """R J^-1 R^T into the motion row: columns by turning J^-1 R^T's."""
    x = spin(frames, i, mass, (1.0, 0.0, 0.0))
    y = spin(frames, i, mass, (0.0, 1.0, 0.0))
    z = spin(frames, i, mass, (0.0, 0.0, 1.0))
    put_inverse_inertia(motion, i, x[0], x[1], x[2], y[1], y[2], z[2])


@kernel
def end_bodies(m):
    """The new states of the awake bodies."""
    motion, mass, half, awake = m.motion, m.mass, m.half_frame, m.list
    x, q, v, l, travel, spin_travel = m.x, m.q, m.v, m.l, m.travel, m.spin_travel
    for k in range(m.counts[AWAKE]):
        i = awake[k]
        turn = (motion[i, DTH], motion[i, DTH + 1], motion[i, DTH + 2])
        square = 0.0
        for c in range(3):
            d = motion[i, DX + c]
            x[i, c] += d
            v[i, c] = motion[i, V + c]
            square += d * d
        quat_put(q, i, quat_unit(quat_mul(quat_exp(turn), quat_row(q, i))))
        put(l, i, momentum(half, i, mass, (motion[i, W], motion[i, W + 1], motion[i, W + 2])))
        turning = norm(turn) * mass[i, 1]
        spin_travel[i] += turning
        travel[i] += turning + math.sqrt(square)
