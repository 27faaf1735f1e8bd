"""Which parts pass through each other between two configurations.

Contacts are found where steps leave the bodies. A part that goes farther in a step than it and another are thick may be
before the other in one configuration and behind it in the next. With h half the least thickness of a part, two of them
have *passed* when between the configurations they overlap by more than half of ha + hb, and are not apart afterwards in
the way they came. Only pairs that come closer by more than ha + hb can do that; where nobody is so fast this is all
that is asked.

Moments are found by steps that are surely short enough: in a share t of the way the distance of two parts changes by no
more than t times the longest way of any of their points (conservative advancement).
"""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import norms
from engine.collide.broad import KEPT
from engine.collide.dismiss import part_centre
from engine.collide.distance import part_distance
from engine.collide.extent import lowest_point
from engine.collide.first_touch import between
from engine.collide.order import key_first, key_second, pair_key
from engine.jit import inline, kernel, standalone
from engine.model.arrays import CYLINDER, PLANE, POLYTOPE, SPHERE, TRIANGLE, Bodies, Geometry
from engine.params import NOWHERE
from engine.record import Record
from engine.vec import axpy, dot, norm, put, quat_put, quat_row, rotate, row, scale, sub, unit

DEEP = 0.5  # of ha + hb: parts that overlap by more between two configurations may come out on the far side
CAUGHT_DEEP = 0.25  # of ha + hb: and those caught so deep inside each other may go on to there
DEEP_ENOUGH = 0.05  # of ha + hb: so close to that overlap counts as there
CLOSE = 0.02  # of ha + hb: and so close to the surface as touching
SAME_SIDE = 0.5  # cosine between the ways apart at first touch and at the end: who comes back the way it came in, stays
TURN = 2.5  # rad per unit of |q - q'|; 2 for small turns. Holds up to 1.7 rad, `between` not being even included
MOST_PASSED = 64  # pairs noted in one step; those beyond it are found when these are met


class Passing(Record):
    """Work of the search: P parts, n bodies."""

    half: np.ndarray  # (P,) m       half the least thickness; 0 of a TRIANGLE, inf of a PLANE, which has no far side
    reach: np.ndarray  # (P,) m      how far its points are from where its body turns about
    thinnest: np.ndarray  # (1,) m   least ha + hb of two parts of which one moves
    linked: np.ndarray  # (k,) int64 pairs of bodies that do not collide (joint/linkage.py)
    stiffest: np.ndarray  # (n,) 1/(kg m^2)  spin per angular momentum, at most
    way: np.ndarray  # (n,) m        how far a body moves
    turn: np.ndarray  # (n,) rad     and turns, at most
    beyond: np.ndarray  # (P,) bool  a part that leaves the box which the broad phase keeps about it
    part_a: np.ndarray  # (64,) int64  pairs that pass, in the order of contacts
    part_b: np.ndarray  # (64,) int64
    touched: np.ndarray  # (64,)     share of the way after which they touch
    x: np.ndarray  # (n, 3) m        poses of two bodies on the way
    q: np.ndarray  # (n, 4)
    next_x: np.ndarray  # (n, 3) m   where a step goes on to
    next_q: np.ndarray  # (n, 4)


def make_passing(geometry: Geometry, bodies: Bodies, linked: np.ndarray) -> Passing:
    inverse_mass = bodies.inverse_mass
    n, half = len(inverse_mass), _half_thickness(geometry)
    kind, centre = geometry.part_kind, norms(geometry.part_center)
    return Passing(
        half=half,
        reach=np.where(kind == PLANE, 0.0, np.where(kind == SPHERE, centre, centre + geometry.part_bound)),
        thinnest=np.array([_thinnest(geometry.part_body, half, inverse_mass)]),
        linked=linked,
        stiffest=np.sqrt((bodies.inverse_inertia * bodies.inverse_inertia).sum((1, 2))),
        way=np.zeros(n),
        turn=np.zeros(n),
        beyond=np.zeros(len(half), bool),
        part_a=np.zeros(MOST_PASSED, np.int64),
        part_b=np.zeros(MOST_PASSED, np.int64),
        touched=np.zeros(MOST_PASSED),
        x=np.zeros((n, 3)),
        q=np.zeros((n, 4)),
        next_x=np.zeros((n, 3)),
        next_q=np.zeros((n, 4)),
    )


def _half_thickness(geometry: Geometry) -> np.ndarray:
    """(P,) m: of polytopes along the normals of their faces."""
    kind, half = geometry.part_kind, geometry.part_radius.copy()
    half[kind == CYLINDER] = np.minimum(half, geometry.part_half)[kind == CYLINDER]
    half[kind == TRIANGLE], half[kind == PLANE] = 0.0, math.inf
    sizes = np.stack([np.diff(geometry.face_start), np.diff(geometry.vert_start)], axis=1)
    for faces, corners in {tuple(size) for size in sizes[kind == POLYTOPE].tolist()}:  # all bricks of a wall at once
        alike = np.flatnonzero((kind == POLYTOPE) & (sizes == (faces, corners)).all(1))
        face = geometry.face_start[alike, None] + np.arange(faces)
        corner = geometry.verts[geometry.vert_start[alike, None] + np.arange(corners)]
        heights = (geometry.face_normal[face][:, :, None] * corner[:, None]).sum(3)
        half[alike] = 0.5 * (geometry.face_offset[face] - heights.min(2)).min(1)
    return half


def _thinnest(part_body: np.ndarray, half: np.ndarray, inverse_mass: np.ndarray) -> float:
    """Of any two bodies of which one moves."""
    bodies = len(inverse_mass)
    of_body = np.full(bodies, math.inf)
    np.minimum.at(of_body, part_body, half)
    order = np.argsort(of_body, kind="stable")
    moving = order[inverse_mass[order] > 0.0]
    if bodies < 2 or not len(moving):
        return math.inf
    thin = moving[0]
    return float(of_body[thin] + of_body[order[1] if order[0] == thin else order[0]])


@inline
def measure_ways(passing, size, x, q, to_x, to_q):
    """How far bodies go and turn; the sum of the two longest ways of any point of a body."""
    longest, second = 0.0, 0.0
    for body in range(size.shape[0]):
        square, same, opposite = 0.0, 0.0, 0.0
        for k in range(3):
            square += (to_x[body, k] - x[body, k]) ** 2
        for k in range(4):
            same += (to_q[body, k] - q[body, k]) ** 2
            opposite += (to_q[body, k] + q[body, k]) ** 2
        passing.way[body] = math.sqrt(square)
        passing.turn[body] = TURN * math.sqrt(min(same, opposite))
        way = passing.way[body] + passing.turn[body] * size[body]
        if way > longest:
            second = longest
            longest = way
        elif way > second:
            second = way
    return longest + second


@standalone
def find_passed(narrow, near, passing, size, is_static, strict, x, q, to_x, to_q):
    """passing.part_a, part_b and touched of the pairs that pass each other on the way from (x, q), where contacts were
    found last, to (to_x, to_q); returns how many. strict: and of those caught deep inside each other at the end."""
    if not measure_ways(passing, size, x, q, to_x, to_q) > passing.thinnest[0]:
        return 0
    geometry, found = narrow.geometry, 0
    part_body = geometry.part_body
    for p in range(part_body.shape[0]):
        own = passing.way[part_body[p]] + passing.turn[part_body[p]] * passing.reach[p]
        passing.beyond[p] = not is_static[part_body[p]] and own > 0.0 and near.way[p] + own > near.way_out[p]
    for k in range(near.counts[KEPT]):
        p, other = key_first(near.kept[k]), key_second(near.kept[k])
        if not passing.beyond[p] and not passing.beyond[other]:
            found = note_passed(narrow, passing, strict, p, other, x, q, to_x, to_q, found)
    for p in range(part_body.shape[0]):
        if not passing.beyond[p]:
            continue
        body = part_body[p]
        for other in range(part_body.shape[0]):
            partner = part_body[other]
            if partner == body or passing.beyond[other] and other < p:
                continue
            first = is_static[partner] or body < partner
            key = pair_key(p, other) if first else pair_key(other, p)
            found = note_passed(narrow, passing, strict, key_first(key), key_second(key), x, q, to_x, to_q, found)
    return found


@kernel
def note_passed(narrow, passing, strict, p, other, x, q, to_x, to_q, found):
    """Note a pair if it passes; returns how many are noted."""
    geometry = narrow.geometry
    a, b = geometry.part_body[p], geometry.part_body[other]
    thin = passing.half[p] + passing.half[other]
    if (
        not passing.way[a]
        + passing.way[b]
        + passing.turn[a] * passing.reach[p]
        + passing.turn[b] * passing.reach[other]
        > thin
        or found >= passing.touched.shape[0]
    ):
        return found
    if x[a, 2] == NOWHERE or x[b, 2] == NOWHERE:
        return found
    key = min(a, b) * x.shape[0] + max(a, b)
    for k in range(passing.linked.shape[0]):
        if passing.linked[k] == key:
            return found
    at = moment_of_passing(narrow, passing, strict, p, other, x, q, to_x, to_q)
    if at >= 0.0:
        passing.part_a[found] = p
        passing.part_b[found] = other
        passing.touched[found] = at
        found += 1
    return found


@standalone
def moment_of_passing(narrow, passing, strict, p, other, x, q, to_x, to_q):
    """Share of the way after which two parts touch that pass each other; -1 when they do not."""
    geometry = narrow.geometry
    a, b = geometry.part_body[p], geometry.part_body[other]
    thin = passing.half[p] + passing.half[other]
    turned = passing.turn[a] * passing.reach[p] + passing.turn[b] * passing.reach[other]
    apart = sub(part_centre(p, a, geometry.part_center, x, q), part_centre(other, b, geometry.part_center, x, q))
    come = sub(sub(row(to_x, a), row(x, a)), sub(row(to_x, b), row(x, b)))
    way = norm(come) + turned
    if not way > thin:
        return -1.0
    square = dot(come, come)
    nearest = min(max(-dot(apart, come) / square, 0.0), 1.0) if square > 0.0 else 0.0
    if norm(axpy(nearest, come, apart)) - turned > geometry.part_bound[p] + geometry.part_bound[other]:
        return -1.0
    depth = (CAUGHT_DEEP if strict else DEEP) * thin
    if kept_apart(narrow, passing, p, other, x, q, to_x, to_q, (1.0 - DEEP_ENOUGH) * depth):
        return -1.0
    deep, _, _ = go_to_depth(narrow, passing, p, other, x, q, to_x, to_q, way, depth, DEEP_ENOUGH * thin)
    if strict and deep == 0.0:
        depth = DEEP * thin
        deep, _, _ = go_to_depth(narrow, passing, p, other, x, q, to_x, to_q, way, depth, DEEP_ENOUGH * thin)
    if not deep <= 1.0 or deep == 0.0:
        return -1.0  # never so deep, or from the beginning
    at, _, n = go_to_depth(narrow, passing, p, other, x, q, to_x, to_q, way, 0.0, CLOSE * thin)
    stand_between(passing, a, x, q, to_x, to_q, 1.0)
    stand_between(passing, b, x, q, to_x, to_q, 1.0)
    end, way_out = part_distance(narrow, p, other, passing.x, passing.q)
    return at if dot(way_out, n) < SAME_SIDE or strict and end < DEEP_ENOUGH * thin - depth else -1.0


@standalone
def kept_apart(narrow, passing, p, other, x, q, to_x, to_q, depth):
    """True only if one direction surely keeps two parts from overlapping by `depth` (m) on the way. Cheap, and so for
    nearly all that are near each other: a stack of coins, a wall of bricks."""
    geometry, cores = narrow.geometry, narrow.cores
    part_body, kind, centre = geometry.part_body, geometry.part_kind, geometry.part_center
    a, b = part_body[p], part_body[other]
    # A point that turns by t leaves the straight way between the ends by no more than its distance times t^2 / 8.
    bent = (passing.turn[a] ** 2 * passing.reach[p] + passing.turn[b] ** 2 * passing.reach[other]) / 8.0
    n = unit(sub(part_centre(p, a, centre, x, q), part_centre(other, b, centre, x, q)))
    if least_room(geometry, cores, p, other, x, q, to_x, to_q, n) > bent - depth:
        return True
    for part in (p, other):
        turn = quat_row(q, part_body[part])
        if kind[part] == CYLINDER:
            n = rotate(turn, row(geometry.part_axis, part))
            for sign in (1.0, -1.0):
                if least_room(geometry, cores, p, other, x, q, to_x, to_q, scale(sign, n)) > bent - depth:
                    return True
        for f in range(cores.face_start[part], cores.face_start[part + 1]):
            n = rotate(turn, row(cores.normals, f))
            if least_room(geometry, cores, p, other, x, q, to_x, to_q, scale(1.0 if part == other else -1.0, n)) > (
                bent - depth
            ):
                return True
    return False


@kernel
def least_room(geometry, cores, p, other, x, q, to_x, to_q, n):
    """Of both ends of the way: how far apart two parts are along n, which points from the other one to p."""
    a, b, up = geometry.part_body[p], geometry.part_body[other], scale(-1.0, n)
    before = lowest_point(geometry, cores, p, a, x, q, n) + lowest_point(geometry, cores, other, b, x, q, up)
    after = lowest_point(geometry, cores, p, a, to_x, to_q, n)
    return min(before, after + lowest_point(geometry, cores, other, b, to_x, to_q, up))


@kernel
def go_to_depth(narrow, passing, p, other, x, q, to_x, to_q, way, depth, close):
    """First share of the way at which two parts overlap by `depth` less `close` (m), with their distance and the normal
    there; beyond 1 when they never do."""
    a, b = narrow.geometry.part_body[p], narrow.geometry.part_body[other]
    at, gap, n = 0.0, math.inf, (0.0, 0.0, 0.0)
    while at <= 1.0:
        stand_between(passing, a, x, q, to_x, to_q, at)
        stand_between(passing, b, x, q, to_x, to_q, at)
        gap, n = part_distance(narrow, p, other, passing.x, passing.q)
        if gap <= close - depth:
            break
        at += (gap + depth) / way
    return at, gap, n


@kernel
def stand_between(passing, body, x, q, to_x, to_q, at):
    """passing.x, q of a body a share of the way on."""
    place, turn = between(row(x, body), quat_row(q, body), row(to_x, body), quat_row(to_q, body), at)
    put(passing.x, body, place)
    quat_put(passing.q, body, turn)
