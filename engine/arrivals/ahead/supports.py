"""Handing a push down: every resting body passes what presses on it to what it rests on, from the top to the ground.

What carries a body stays as long as the body rests (except for what passes under it, which carries nothing here), so
its contacts below are the same through a whole search and what they can give is prepared once. A push is shared evenly
where friction allows that, else in line with itself, else by a few edges of the friction pyramids. Edges lean as far as
friction lets them, and what is handed on so is hard to carry further down: they come last. A yes comes with the
impulses, exact to rounding, and is a yes; a no only means that this way of sharing does not work (carry.py asks all
bodies together, which takes a hundred times as long).
"""

from __future__ import annotations

import math
from collections.abc import Set

import numpy as np

from engine.algebra import norms, times
from engine.arrivals.structure import Structure
from engine.factors import singular
from engine.functions import around
from engine.jit import inline, kernel, standalone
from engine.params import Params
from engine.record import Record
from engine.vec import add, any_perpendicular, cross, dot, norm, put, row, scale, sub

FACETS = 12  # of the pyramid inside a friction cone
FLATTEST = 1e-9  # share of the strongest way to push: what is weaker is rounding
MISSED = 1e-12  # share of a load that may be left over
MOST_ROUNDS = 60  # of the search for edges
ALMOST_FLAT = 1e-9  # pivots smaller than this share are none
REFINEMENTS = 2


class Supports(Record):
    """n bodies, C contacts of the ending; B places below a body, in the order of bodies."""

    order: np.ndarray  # (m,) int64     moving bodies from the top to the ground; none where they carry each other
    start: np.ndarray  # (n + 1,) int64 places below each body
    contact: np.ndarray  # (B,) int64
    carrier: np.ndarray  # (B,) int64   the body there
    sign: np.ndarray  # (B,)            +1 where the carried body is a
    normal: np.ndarray  # (B, 3)        toward the carried body
    friction: np.ndarray  # (B,)
    share: np.ndarray  # (B, 3, 6)      impulse on the body, N s, per unit of what is asked for
    edge: np.ndarray  # (B, FACETS, 3)  of the pyramid, unit normal impulse
    column: np.ndarray  # (B, FACETS, 6) what an edge gives, as asked for
    touch_start: np.ndarray  # (n + 1,) int64  contacts of each body that are not below it
    touch: np.ndarray  # (T,) int64
    moves: np.ndarray  # (n,) bool
    mass: np.ndarray  # (n,) kg
    size: np.ndarray  # (n,) m
    x: np.ndarray  # (n, 3) m
    a: np.ndarray  # (C,) int32
    point: np.ndarray  # (C, 3) m
    fall: tuple[float, float, float]  # m/s of a step


class Burden(Record):
    """Work: what presses on whom in one kick, and what the contacts of the structure then give."""

    held_from: np.ndarray  # (n,) int64 how many have left when a body is held: it passes nothing on then
    load: np.ndarray  # (n, 6) N s, N m s about the centre of mass
    pressed: np.ndarray  # (n,) bool
    impulse: np.ndarray  # (C, 3) N s on body a, where it is another one than at rest; there is no torque then
    other: np.ndarray  # (C,) int64  number of the last question that found it to be another one
    asked: np.ndarray  # (1,) int64  number of this question
    found: np.ndarray  # (B, 3) N s on the carried body
    part: np.ndarray  # (B,) m/s that each place gives, in line
    weight: np.ndarray  # (B FACETS,)
    picked: np.ndarray  # (6,) int64
    table: np.ndarray  # (6, 6) orthogonal columns
    upper: np.ndarray  # (6, 6)
    change: np.ndarray  # (6,)
    answer: np.ndarray  # (6,)


def supports_of(structure: Structure, params: Params, passing: Set[int] = frozenset()) -> Supports:
    """passing: bodies that leave while others still stand on them. Nothing is handed down to them: their contacts bear
    what they bear at rest, and the others carry the rest."""
    model, contacts, moves = structure.model, structure.contacts, structure.moves
    below: list[int] = []
    touch: list[int] = []
    start, touch_start = [0], [0]
    for body in range(len(moves)):
        if moves[body]:
            carriers = structure.carriers[body] - passing
            for c, other in zip(structure.rows_of[body], structure.others_of(body), strict=True):
                (below if not moves[other] or int(other) in carriers else touch).append(int(c))
        start.append(len(below))
        touch_start.append(len(touch))
    owner = np.repeat(np.arange(len(moves)), np.diff(start))
    at = np.array(below, np.int64)
    own_a = contacts.a[at] == owner
    sign = np.where(own_a, 1.0, -1.0)
    normal = sign[:, None] * contacts.normal[at]
    friction = structure.material.friction[at]
    mass, size = np.where(moves, model.bodies.mass, 1.0), np.maximum(model.bodies.size, 1e-9)
    arm = contacts.point[at] - model.start.x[owner]
    first, second = _tangents(normal)
    cosines, sines = around(FACETS)
    level = cosines[:, None] * first[:, None] + sines[:, None] * second[:, None]
    edge = normal[:, None] + friction[:, None, None] * level
    return Supports(
        order=np.array(_top_down(structure, passing), np.int64),
        start=np.array(start, np.int64),
        contact=at,
        carrier=np.where(own_a, contacts.b[at], contacts.a[at]).astype(np.int64),
        sign=sign,
        normal=normal,
        friction=friction,
        share=_even_shares(start, np.stack([normal, first, second], axis=2), friction, arm, owner, mass, size),
        edge=edge,
        column=_wrenches(edge, arm[:, None], mass[owner][:, None, None], size[owner][:, None, None]),
        touch_start=np.array(touch_start, np.int64),
        touch=np.array(touch, np.int64),
        moves=moves,
        mass=mass,
        size=size,
        x=model.start.x,
        a=contacts.a,
        point=contacts.point,
        fall=(params.dt * params.gravity_x, params.dt * params.gravity_y, params.dt * params.gravity_z),
    )


NEVER_HELD = 1 << 40


def make_burden(supports: Supports) -> Burden:
    n, places = len(supports.moves), len(supports.contact)
    return Burden(
        np.full(n, NEVER_HELD, np.int64), np.zeros((n, 6)), np.zeros(n, bool),
        np.zeros((len(supports.a), 3)), np.zeros(len(supports.a), np.int64), np.zeros(1, np.int64),
        np.zeros((places, 3)), np.zeros(places),
        np.zeros(places * FACETS), np.zeros(6, np.int64), np.zeros((6, 6)), np.zeros((6, 6)), np.zeros(6), np.zeros(6),
    )  # fmt: skip


def _top_down(structure: Structure, passing: Set[int]) -> list[int]:
    """Empty where bodies carry each other in a ring: nobody is on top."""
    waiting = {int(i): 0 if int(i) in passing else len(structure.carried[i]) for i in np.flatnonzero(structure.moves)}
    free, order = [i for i, count in waiting.items() if count == 0], []
    while free:
        body = free.pop(0)
        order.append(body)
        for carrier in sorted(structure.carriers[body] - passing):
            waiting[carrier] -= 1
            if waiting[carrier] == 0:
                free.append(carrier)
    return order if len(order) == len(waiting) else []


def _tangents(normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    steep = np.abs(normal[:, :1]) < 0.7
    first = np.cross(normal, np.where(steep, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
    first /= norms(first, keepdims=True)
    return first, np.cross(normal, first)


def _wrenches(impulse: np.ndarray, arm: np.ndarray, mass: np.ndarray, size: np.ndarray) -> np.ndarray:
    """(..., 6) what impulses at an arm give: m/s, and turning as m/s at the body's size."""
    turn = np.cross(np.broadcast_to(arm, impulse.shape), impulse)
    return np.concatenate([impulse / mass, turn / (mass * size)], axis=-1)


def _even_shares(
    start: list[int],
    frame: np.ndarray,
    friction: np.ndarray,
    arm: np.ndarray,
    owner: np.ndarray,
    mass: np.ndarray,
    size: np.ndarray,
) -> np.ndarray:
    """The least impulses (friction counted by its bound) that give what is asked for. frame: (B, 3, 3) n, t1, t2."""
    share = np.zeros((len(frame), 3, 6))
    basis = frame * np.stack([np.ones_like(friction), friction, friction], axis=1)[:, None, :]
    for body in range(len(start) - 1):
        own = slice(start[body], start[body + 1])
        k = start[body + 1] - start[body]
        if k == 0:
            continue
        unit = np.moveaxis(basis[own], 2, 1)  # (k, 3 basis, 3 xyz)
        rows = _wrenches(unit, arm[own][:, None], mass[owner[own]][:, None, None], size[owner[own]][:, None, None])
        values, axes, images = singular(rows.reshape(3 * k, 6))
        some = values > FLATTEST * values[0]
        least = times(images[some].T / np.square(values[some]), axes[some]).reshape(k, 3, 6)  # the pseudoinverse
        share[own] = times(basis[own], least)
    return share


@kernel
def clear_burden(burden):
    for i in range(burden.pressed.shape[0]):
        if burden.pressed[i]:
            burden.pressed[i] = False
            for k in range(6):
                burden.load[i, k] = 0.0


@kernel
def press(burden, body, impulse, turn):
    """Something gives a body an impulse and a turn about its centre of mass."""
    burden.pressed[body] = True
    for k in range(3):
        burden.load[body, k] += impulse[k]
        burden.load[body, 3 + k] += turn[k]


@standalone
def hand_down(supports, gone, resting_impulse, resting_torque, burden):
    """Whether what presses reaches the ground, or a hand; then the impulses of `settle` leave every resting body at
    rest.

    gone: how many have left. resting_*: (C, 3) what the contacts bear while nothing happens."""
    if supports.order.shape[0] == 0:
        return False
    burden.asked[0] += 1
    for i in range(supports.order.shape[0]):
        body = supports.order[i]
        if not burden.pressed[body] or burden.held_from[body] <= gone:
            continue
        first, last = supports.start[body], supports.start[body + 1]
        wanted = lack(supports, resting_impulse, resting_torque, burden, body)
        if not (
            share_evenly(supports, first, last, body, wanted, burden.found)
            or share_in_line(supports, first, last, body, wanted, burden)
            or share_by_edges(supports, first, last, wanted, burden)
        ):
            return False
        for b in range(first, last):
            put(burden.impulse, supports.contact[b], scale(supports.sign[b], row(burden.found, b)))
            burden.other[supports.contact[b]] = burden.asked[0]
            if supports.moves[supports.carrier[b]]:
                burden.pressed[supports.carrier[b]] = True
    return True


@standalone
def settle(burden, resting_impulse, resting_torque, impulse, torque):
    """(C, 3) what all contacts bear, of a question that was answered with yes."""
    for c in range(impulse.shape[0]):
        if burden.other[c] == burden.asked[0]:
            put(impulse, c, row(burden.impulse, c))
            put(torque, c, (0.0, 0.0, 0.0))
        else:
            put(impulse, c, row(resting_impulse, c))
            put(torque, c, row(resting_torque, c))


@inline
def lack(supports, resting_impulse, resting_torque, burden, body):
    """What the contacts below must give, as m/s and turning in m/s at the body's size."""
    load = burden.load
    force = scale(-supports.mass[body], supports.fall)
    force = sub(force, (load[body, 0], load[body, 1], load[body, 2]))
    turn = (-load[body, 3], -load[body, 4], -load[body, 5])
    for t in range(supports.touch_start[body], supports.touch_start[body + 1]):
        c = supports.touch[t]
        sign = 1.0 if supports.a[c] == body else -1.0
        is_other = burden.other[c] == burden.asked[0]
        p = scale(sign, row(burden.impulse, c) if is_other else row(resting_impulse, c))
        force = sub(force, p)
        turn = sub(turn, cross(sub(row(supports.point, c), row(supports.x, body)), p))
        if not is_other:
            turn = sub(turn, scale(sign, row(resting_torque, c)))
    lever = supports.mass[body] * supports.size[body]
    f = scale(1.0 / supports.mass[body], force)
    return f[0], f[1], f[2], turn[0] / lever, turn[1] / lever, turn[2] / lever


@kernel
def length6(w):
    return math.sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2 + w[3] ** 2 + w[4] ** 2 + w[5] ** 2)


@inline
def share_evenly(supports, first, last, body, wanted, found):
    """Whether the least impulses lie in the cones; they are in `found`."""
    for b in range(first, last):
        put(found, b, (0.0, 0.0, 0.0))
    left = wanted
    for _ in range(REFINEMENTS):
        add_evenly(supports, first, last, left, found)
        left = lacking(supports, first, last, body, wanted, found)
    return length6(left) <= MISSED * (1.0 + length6(wanted)) and in_cones(supports, first, last, found)


@inline
def add_evenly(supports, first, last, left, found):
    """Add the least impulses that give what is left."""
    for b in range(first, last):
        for k in range(3):
            for j in range(6):
                found[b, k] += supports.share[b, k, j] * left[j]


@kernel
def lacking(supports, first, last, body, wanted, found):
    """What of the wanted the found impulses do not give."""
    force, turn = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for b in range(first, last):
        p = row(found, b)
        force = add(force, p)
        turn = add(turn, cross(sub(row(supports.point, supports.contact[b]), row(supports.x, body)), p))
    m, lever = supports.mass[body], supports.mass[body] * supports.size[body]
    return (wanted[0] - force[0] / m, wanted[1] - force[1] / m, wanted[2] - force[2] / m,
            wanted[3] - turn[0] / lever, wanted[4] - turn[1] / lever, wanted[5] - turn[2] / lever)  # fmt: skip


@kernel
def in_cones(supports, first, last, found):
    for b in range(first, last):
        n, p = row(supports.normal, b), row(found, b)
        up = dot(n, p)
        if up < 0.0 or norm(sub(p, scale(up, n))) > supports.friction[b] * up:
            return False
    return True


@inline
def share_in_line(supports, first, last, body, wanted, burden):
    """Whether impulses that all point the way of the whole push can give it: places that would pull are left out, one
    round after the other. What is handed on leans no more than what came."""
    found, part = burden.found, burden.part
    whole = norm((wanted[0], wanted[1], wanted[2]))
    if whole == 0.0:
        return False
    along = scale(1.0 / whole, (wanted[0], wanted[1], wanted[2]))
    first_arm = any_perpendicular(along)
    arms = first_arm, cross(along, first_arm)
    for b in range(first, last):
        part[b] = 1.0
    settled = False
    while not settled:
        settled = weigh_in_line(supports, first, last, body, along, arms, wanted, part)
    for b in range(first, last):
        put(found, b, scale(max(part[b], 0.0) * supports.mass[body], along))
    left = lacking(supports, first, last, body, wanted, found)
    for _ in range(REFINEMENTS):  # it turns about its own line, too
        if length6(left) > MISSED * (1.0 + length6(wanted)):
            add_evenly(supports, first, last, left, found)
            left = lacking(supports, first, last, body, wanted, found)
    return length6(left) <= MISSED * (1.0 + length6(wanted)) and in_cones(supports, first, last, found)


@kernel
def weigh_in_line(supports, first, last, body, along, arms, wanted, part):
    """The most even parts (m/s) with the wanted sum and turning, of the places whose part is positive; False where one
    of them came out negative, and is left out from now on."""
    turn, whole = (wanted[3], wanted[4], wanted[5]), dot((wanted[0], wanted[1], wanted[2]), along)
    count, mean1, mean2 = 0, 0.0, 0.0
    for b in range(first, last):
        if part[b] > 0.0:
            one, two = levers(supports, b, body, along, arms)
            count, mean1, mean2 = count + 1, mean1 + one, mean2 + two
    if count == 0:
        return True
    mean1, mean2 = mean1 / count, mean2 / count
    s11, s12, s22 = 0.0, 0.0, 0.0
    for b in range(first, last):
        if part[b] > 0.0:
            one, two = levers(supports, b, body, along, arms)
            s11 += (one - mean1) ** 2
            s12 += (one - mean1) * (two - mean2)
            s22 += (two - mean2) ** 2
    lean = s12 / s11 if s11 > ALMOST_FLAT * count else 0.0
    s22 -= lean * s12
    by1 = dot(turn, arms[0]) - mean1 * whole
    by2 = dot(turn, arms[1]) - mean2 * whole - lean * by1
    by1 = by1 / s11 if s11 > ALMOST_FLAT * count else 0.0
    by2 = by2 / s22 if s22 > ALMOST_FLAT * count else 0.0
    settled = True
    for b in range(first, last):
        if part[b] > 0.0:
            one, two = levers(supports, b, body, along, arms)
            one, two = one - mean1, two - mean2
            part[b] = whole / count + by1 * one + by2 * (two - lean * one)
            if part[b] < 0.0:
                settled = False
    return settled


@inline
def levers(supports, b, body, along, arms):
    """How a unit impulse along a direction at a place turns the body about two axes across it."""
    r = sub(row(supports.point, supports.contact[b]), row(supports.x, body))
    turn = scale(1.0 / supports.size[body], cross(r, along))
    return dot(turn, arms[0]), dot(turn, arms[1])


@inline
def share_by_edges(supports, first, last, wanted, burden):
    """Whether edges of the pyramids can give it (non-negative least squares after Lawson and Hanson, on six rows)."""
    weight, picked, answer = burden.weight, burden.picked, burden.answer
    low, high = first * FACETS, last * FACETS
    for e in range(low, high):
        weight[e] = 0.0
    count = 0
    size = 1.0 + length6(wanted)
    left = wanted
    barred = -1
    for _ in range(MOST_ROUNDS):
        if length6(left) <= 0.1 * MISSED * size or count == 6:
            break
        best, pick = 1e-15 * size, -1
        for e in range(low, high):
            if weight[e] == 0.0 and e != barred:
                gain = 0.0
                for j in range(6):
                    gain += supports.column[e // FACETS, e % FACETS, j] * left[j]
                if gain > best:
                    best, pick = gain, e
        if pick < 0:
            break
        picked[count] = pick
        count += 1
        independent = fit_edges(
            supports.column, picked, count, wanted, burden.table, burden.upper, burden.change, answer
        )
        if not independent or answer[count - 1] <= 0.0:
            count -= 1
            barred = pick
            continue
        barred = -1
        weight[pick] = 0.0
        while True:
            step, worst = 1.0, -1
            for i in range(count):
                if answer[i] <= 0.0:
                    w = weight[picked[i]]
                    if worst < 0 or w / (w - answer[i]) < step:
                        step, worst = w / (w - answer[i]), i
            if worst < 0:
                break
            for i in range(count):
                weight[picked[i]] += step * (answer[i] - weight[picked[i]])
            weight[picked[worst]] = 0.0
            count = drop_zeros(picked, weight, count)
            if not fit_edges(supports.column, picked, count, wanted, burden.table, burden.upper, burden.change, answer):
                return False
        for i in range(count):
            weight[picked[i]] = answer[i]
        left = remaining(supports.column, picked, count, weight, wanted)
    if not length6(left) <= MISSED * size:
        return False
    for b in range(first, last):
        put(burden.found, b, (0.0, 0.0, 0.0))
    for i in range(count):
        b = picked[i] // FACETS
        f = picked[i] % FACETS
        for k in range(3):
            burden.found[b, k] += weight[picked[i]] * supports.edge[b, f, k]
    return True


@inline
def drop_zeros(picked, weight, count):
    kept = 0
    for i in range(count):
        if weight[picked[i]] > 0.0:
            picked[kept] = picked[i]
            kept += 1
        else:
            weight[picked[i]] = 0.0
    return kept


@inline
def remaining(column, picked, count, weight, wanted):
    left = (wanted[0], wanted[1], wanted[2], wanted[3], wanted[4], wanted[5])
    for i in range(count):
        b = picked[i] // FACETS
        f = picked[i] % FACETS
        w = weight[picked[i]]
        c = column[b, f]
        left = (left[0] - w * c[0], left[1] - w * c[1], left[2] - w * c[2], left[3] - w * c[3], left[4] - w * c[4],
                left[5] - w * c[5])  # fmt: skip
    return left


@kernel
def fit_edges(column, picked, count, wanted, table, upper, change, answer):
    """Least squares on the picked columns, orthogonalised twice and refined; False where they depend on each other."""
    for i in range(count):
        b, f = picked[i] // FACETS, picked[i] % FACETS
        long = 0.0
        for j in range(6):
            table[i, j] = column[b, f, j]
            long += table[i, j] ** 2
        for h in range(i):
            upper[h, i] = 0.0
        for _ in range(2):
            for h in range(i):
                along = 0.0
                for j in range(6):
                    along += table[h, j] * table[i, j]
                upper[h, i] += along
                for j in range(6):
                    table[i, j] -= along * table[h, j]
        rest = 0.0
        for j in range(6):
            rest += table[i, j] ** 2
        if rest <= ALMOST_FLAT**2 * long:
            return False
        rest = math.sqrt(rest)
        upper[i, i] = rest
        for j in range(6):
            table[i, j] /= rest
        answer[i] = 0.0
    left = (wanted[0], wanted[1], wanted[2], wanted[3], wanted[4], wanted[5])
    for _ in range(REFINEMENTS):
        carried = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        correct_answer(table, upper, count, left, change, answer)
        for i in range(count):
            c = column[picked[i] // FACETS, picked[i] % FACETS]
            w = answer[i]
            carried = (carried[0] + w * c[0], carried[1] + w * c[1], carried[2] + w * c[2], carried[3] + w * c[3],
                       carried[4] + w * c[4], carried[5] + w * c[5])  # fmt: skip
        left = (wanted[0] - carried[0], wanted[1] - carried[1], wanted[2] - carried[2], wanted[3] - carried[3],
                wanted[4] - carried[4], wanted[5] - carried[5])  # fmt: skip
    return True


@inline
def correct_answer(table, upper, count, left, change, answer):
    """Add the solution of R change = Q^T left."""
    for back in range(count):
        i = count - 1 - back
        value = 0.0
        for j in range(6):
            value += table[i, j] * left[j]
        for h in range(i + 1, count):
            value -= upper[i, h] * change[h]
        change[i] = value / upper[i, i]
    for i in range(count):
        answer[i] += change[i]
