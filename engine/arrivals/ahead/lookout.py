"""Looking around: for how many steps a flying body surely meets nobody, or who stands in its way.

Distances are estimated from below by the boxes around parts, and measured only between bodies that are near each other.
"""

from __future__ import annotations

import math

import numpy as np

from engine.collide.broad import room_between_boxes
from engine.collide.dismiss import part_centre
from engine.collide.distance import part_distance
from engine.collide.extent import lowest_point
from engine.collide.part_boxes import fit_box
from engine.jit import inline, kernel, standalone
from engine.model.arrays import PLANE, State
from engine.record import Record
from engine.spin import spin_of
from engine.vec import add, dot, norm, quat_row, rotate, row, sub

MOST_AHEAD = 64  # steps between two looks around
NEAR = 8.0  # steps: closer than this distances are measured, not estimated


class Traffic(Record):
    """Where everybody else is. Step k is the k-th state counted from the ending."""

    leaves_at: np.ndarray  # (n,) int64  last step at the resting pose; far off for those who never leave
    known: np.ndarray  # (n,) int64   row in the paths, -1: none yet
    since: np.ndarray  # (m,) int64   the step of the first row of a path
    until: np.ndarray  # (m,) int64   and of the last: before it, seen forward, the body is not there
    x: np.ndarray  # (m, longest + 1, 3) m
    q: np.ndarray  # (m, longest + 1, 4)
    pace: np.ndarray  # (m,) m        no point of the body moves further in a step
    reach: np.ndarray  # (n,) m       radius of a ball about the centre of mass that holds the body
    box: np.ndarray  # (P, 6) m       around every part at rest (planes have none); those of the flying body are work
    rest: State  # the ending
    parts: np.ndarray  # (n + 1,) int64  first part of each body
    up: tuple[float, float, float]
    apart: np.ndarray  # (n,) m that others keep from the flying body; less where they rest closer to each other
    wait: int  # steps to keep out of a place that was left meanwhile
    rise: tuple[float, float, float]  # m: the way it was left by


@inline
def fastest_point(inverse_inertia, size, params, body, state):
    """m that no point of the body exceeds in any of the next MOST_AHEAD steps, flying freely."""
    g = math.sqrt(params.gravity_x**2 + params.gravity_y**2 + params.gravity_z**2)
    w = spin_of(quat_row(state.q, body), inverse_inertia, body, row(state.l, body))
    # In free flight the spin changes while the momentum stays: twice the energy bounds it by the slowest axis.
    energy = dot(w, row(state.l, body))
    stiffest = 0.0
    for i in range(3):
        for j in range(3):
            stiffest += inverse_inertia[body, i, j] ** 2
    spin = math.sqrt(max(energy, 0.0) * math.sqrt(stiffest))
    speed = norm(row(state.v, body)) + MOST_AHEAD * params.dt * g
    return params.dt * (speed + spin * size[body])


@standalone
def look_around(narrow, pace, body, k, first, traffic, seen):
    """(steps in which the body surely touches nothing, who stands in its way or -1).

    seen: poses; the body's own is as of step k, the others are written. first: its first step under way."""
    wait, rise = traffic.wait, traffic.rise
    geometry, cores = narrow.geometry, narrow.cores
    rest, parts, steps = traffic.rest, traffic.parts, MOST_AHEAD
    for p in range(parts[body], parts[body + 1]):
        fit_box(geometry, cores, p, seen.x, seen.q, 0.0, traffic.box)
    for other in range(rest.x.shape[0]):
        leaves_at, way = traffic.leaves_at[other], traffic.known[other]
        if other == body or (way < 0 and (k > leaves_at + wait or leaves_at < first)):
            continue  # whoever has no way yet will keep clear of this one
        closing, room, kept = pace, math.inf, traffic.apart[other]
        if k <= leaves_at:
            if steps > leaves_at - k:
                steps = leaves_at - k
            room = room_at_rest(geometry, cores, traffic, body, other, seen)
        elif way >= 0:
            if k > traffic.until[way]:
                continue
            at = k - traffic.since[way]
            stand(other, traffic.x[way, at], traffic.q[way, at], seen)
            closing += traffic.pace[way]
            if ball_room(body, other, seen.x, traffic.reach) < (steps + 1) * closing + kept:
                room = bodies_apart(narrow, body, other, parts, NEAR * closing, seen) - kept
        else:
            # It has just left, nobody knows yet where to: keep out of where it was, and of what is above that.
            stand(other, rest.x[other], rest.q[other], seen)
            room = bodies_apart(narrow, body, other, parts, NEAR * closing, seen)
            for i in range(3):
                seen.x[other, i] += rise[i]
            room = min(room, bodies_apart(narrow, body, other, parts, NEAR * closing, seen)) - kept
        if k > leaves_at and room < 0.0:
            return 0, other
        if closing > 0.0 and room < (steps + 1) * closing:
            steps = max(int(room / closing) - 1, 0)
    return max(steps, 0), -1


@inline
def room_at_rest(geometry, cores, traffic, body, other, seen):
    """At most the distance (m) of the body from one that rests, by the boxes around their parts."""
    parts, rest, room = traffic.parts, traffic.rest, math.inf
    for p in range(parts[body], parts[body + 1]):
        for o in range(parts[other], parts[other + 1]):
            if geometry.part_kind[o] == PLANE:
                turn = quat_row(rest.q, other)
                n = rotate(turn, row(geometry.part_axis, o))
                base = dot(n, add(row(rest.x, other), rotate(turn, row(geometry.part_center, o))))
                apart = lowest_point(geometry, cores, p, body, seen.x, seen.q, n) - base
            else:
                apart = room_between_boxes(traffic.box, p, o)
            room = min(room, apart)
    return room


@inline
def ball_room(a, b, x, reach):
    """At most the distance (m) of two bodies, by balls around them."""
    return norm(sub(row(x, a), row(x, b))) - reach[a] - reach[b]


@standalone
def bodies_apart(narrow, a, b, parts, near, state):
    """At most the distance (m) of two bodies; exact where parts are nearer than `near`."""
    geometry, room = narrow.geometry, math.inf
    for p in range(parts[a], parts[a + 1]):
        for o in range(parts[b], parts[b + 1]):
            here = part_centre(p, a, geometry.part_center, state.x, state.q)
            there = part_centre(o, b, geometry.part_center, state.x, state.q)
            apart = norm(sub(here, there)) - geometry.part_bound[p] - geometry.part_bound[o]
            if apart < room and apart < near:
                apart, _ = part_distance(narrow, p, o, state.x, state.q)
            room = min(room, apart)
    return room


@kernel
def stand(body, x, q, state):
    for i in range(3):
        state.x[body, i] = x[i]
    for i in range(4):
        state.q[body, i] = q[i]
