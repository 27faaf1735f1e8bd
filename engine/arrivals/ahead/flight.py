"""A flight: one body's way from its rest back to where it was let go, between what rests and what flies already.

Most steps touch nothing and are nowhere near: after every look around, the body flies on for as many steps as the room
it found lasts. Near something the full step is taken (solo.py). A flight that no contact law explains, that runs into a
body whose way is known, leaves no room for one that has yet to leave, or strikes what rests harder than it can carry,
ends there and says why.
"""

from __future__ import annotations

import numpy as np

from engine.arrivals.ahead.around import detect_one
from engine.arrivals.ahead.even import Evening, make_evening
from engine.arrivals.ahead.lookout import fastest_point, look_around
from engine.arrivals.ahead.pushes import Pushes, add_push, borne, make_pushes, push_others
from engine.arrivals.ahead.solo import BLOCKER, EVENTS, GLANCED, LAST, STATUS, solo_step
from engine.collide.broad import READY
from engine.contact.kick import CONTACTS, WARM, speeds_before
from engine.contact.tiers import EXACT, GHOSTED, PLASTIC
from engine.decide.plan import LEFT
from engine.jit import inline, kernel, standalone
from engine.model.arrays import State
from engine.model.states import copy_body
from engine.params import NOWHERE
from engine.record import Record
from engine.rest import REST_OF_ARRIVING_CONTACT
from engine.spin import midpoint_spin
from engine.step.stages import open_contacts
from engine.tape.reel import Reel, make_reel, record_contacts
from engine.vec import add, axpy, dot, norm, put, quat_exp, quat_mul, quat_put, quat_row, quat_unit, row, scale, sub

# How a flight ended.
ARRIVED, UNLAWFUL, SIDEWAYS, IN_THE_WAY, CROWDING, UNSOLVED, STAYED, NO_ROOM, NOT_CARRIED, TOO_RICH = range(10)
"""ARRIVED where it may have been let go; UNLAWFUL: a contact had to be ignored or pushed from outside; SIDEWAYS: hit a
resting body from the side; IN_THE_WAY: met one whose way is known; CROWDING: is where another one is about to leave;
UNSOLVED: its impulses were not found; STAYED at rest; NO_ROOM for what it touches (a status says of what); NOT_CARRIED:
what it strikes cannot pass it on to the ground; TOO_RICH: nobody comes in with so much energy."""

WHY = (
    "arrived", "unlawful", "sideways", "in the way", "crowding", "unsolved", "stayed", "no room", "not carried", "rich",
)  # fmt: skip

STEEP = 0.5  # cosine: a hit is from below when its normal is closer to upright than this
GRAZE = 1e-7  # m by which bodies that slide along each other may overlap: rounding, far below the slop
MOST_EVEN = 64  # contacts of a body in one step whose impulses are spread


class Flight(Record):
    """What a flight wrote: states by step, the first one that of the body at rest before it leaves, and its contacts by
    event (a step with contacts)."""

    x: np.ndarray  # (longest + 1, 3)
    q: np.ndarray  # (longest + 1, 4)
    v: np.ndarray  # (longest + 1, 3)
    l: np.ndarray  # (longest + 1, 3)
    reel: Reel  # contact_start counts events
    event_step: np.ndarray  # (e,) int64
    pushes: Pushes  # what it puts on resting bodies, and at its landing on itself
    state: State  # (n, ...)          work
    before: State
    seen: State
    evening: Evening
    counts: np.ndarray  # (5,) int64   solo.py says of what


def make_flight(longest: int, bodies: int) -> Flight:
    """longest: steps."""
    events, contacts = longest + 1, 8 * longest + 1024
    reel = make_reel(bodies, contacts, 1)._replace(
        contact_start=np.zeros(events + 1, np.int64), residual=np.zeros(events)
    )
    return Flight(
        x=np.zeros((longest + 1, 3)),
        q=np.zeros((longest + 1, 4)),
        v=np.zeros((longest + 1, 3)),
        l=np.zeros((longest + 1, 3)),
        reel=reel,
        event_step=np.zeros(events, np.int64),
        pushes=make_pushes(contacts + 1),
        state=empty_state(bodies),
        before=empty_state(bodies),
        seen=empty_state(bodies),
        evening=make_evening(MOST_EVEN),
        counts=np.zeros(5, np.int64),
    )


def empty_state(bodies: int) -> State:
    return State(*(np.zeros((bodies, width)) for width in (3, 4, 3, 3)))


@standalone
def fly(s, plan, params, body, how, first, last, sure, traffic, rests, flight):
    """From rest at step first - 1 to step `last`; returns how it ended.

    how: (given, velocity, momentum, glance, letting). With `given` the body arrived with that velocity and momentum,
    else the plan says how. glance: see solo.py. letting: (step, m, J/kg) from which on, and how far from its place at
    least, it is let go at the top of its way; and the energy over its rest that it may have. Up to step `sure` it is
    known that what rests carries it."""
    given, velocity, momentum, glance, letting = how
    rest, up = traffic.rest, traffic.up
    state, before, seen = flight.state, flight.before, flight.seen
    begin_at_rest(s, body, rest, state)
    begin_at_rest(s, body, rest, before)
    flight.counts[EVENTS] = 0
    flight.counts[BLOCKER] = -1
    flight.counts[GLANCED] = 0
    flight.pushes.used[0] = 0
    if given:
        add_push(flight.pushes, first, body, scale(s.bodies.mass[body], velocity), momentum)
        if first > sure and not borne(rests, flight.pushes, first, 0):
            flight.counts[LAST] = first - 1
            return NOT_CARRIED
    copy_body(state, body, flight, 0)
    k = first
    while k <= last:
        flight.counts[LAST] = k - 1
        if not energy_over(params, body, state, row(flight.x, 0)) <= letting[2]:
            return TOO_RICH
        if k > first:
            copy_body(state, body, seen, body)
            pace = fastest_point(s.bodies.inverse_inertia, s.bodies.size, params, body, state)
            free, blocker = look_around(s.detect.narrow, pace, body, k - 1, first, traffic, seen)
            if blocker >= 0:
                flight.counts[BLOCKER] = blocker
                return IN_THE_WAY if traffic.known[blocker] >= 0 else CROWDING
            if free > 0:
                k = fly_free(
                    s.bodies, params, body, k, min(k + free, last + 1), (first - 1, letting, up), state, flight
                )
                if flight.counts[LAST] == k:
                    return ARRIVED
                continue
        park(traffic.leaves_at, k, state, before)
        if given and k == first:
            put(before.v, body, velocity)
            put(before.l, body, momentum)
            status, residual = arrive(s, params, state, before), 0.0
        else:
            told = (plan, body, glance, flight.evening, flight.counts)
            status, residual, _ = solo_step(s, told, k * params.dt, params, state, before)
            if flight.counts[GLANCED]:
                glance = (0.0, 0.0, 0.0, 0.0)
        if status != 0:
            flight.counts[STATUS] = status
            return NO_ROOM
        ended = judge_step(s, params, body, k, up, traffic.leaves_at, residual)
        if ended != ARRIVED:
            return ended
        if s.counts[CONTACTS] > 0:
            if not keep_event(s, flight, k, residual):
                return NO_ROOM
            known = flight.pushes.used[0]
            if k > first or not given:
                push_others(s.counts[CONTACTS], s.contacts, s.kick, s.is_static, flight.pushes, k, body, rest.x)
            if k > sure and flight.pushes.used[0] > known and not borne(rests, flight.pushes, k, known):
                return NOT_CARRIED
        copy_body(before, body, state, body)
        copy_body(state, body, flight, k - first + 1)
        if k == first and not given and plan.mark[body] != LEFT:
            return STAYED
        k += 1
    flight.counts[LAST] = last
    copy_body(state, body, seen, body)
    _, blocker = look_around(s.detect.narrow, 0.0, body, last, first, traffic, seen)
    flight.counts[BLOCKER] = blocker
    return ARRIVED if blocker < 0 else IN_THE_WAY


@inline
def energy_over(params, body, state, place):
    """J/kg of a body's flight over that of lying at a place."""
    speed = row(state.v, body)
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    return 0.5 * dot(speed, speed) - dot(gravity, sub(row(state.x, body), place))


@standalone
def arrive(s, params, rest, before):
    """The contacts of a body at rest, with the speeds at which they closed when it came as `before` says; their
    impulses are still to be found. Returns a status."""
    kick = s.kick
    s.counts[CONTACTS], status = detect_one(
        s.geometry, s.detect, s.contacts, rest.x, rest.q, rest.x, rest.q, s.awake, s.is_static, params.slop
    )
    s.counts[WARM] = 0
    open_contacts(s, params, rest)
    for c in range(s.counts[CONTACTS]):
        kick.after[c] = 0.0
        s.tier[c] = PLASTIC
    speeds_before(s, params, rest, before)
    for c in range(s.counts[CONTACTS]):
        if kick.before[c] > REST_OF_ARRIVING_CONTACT * params.rest_speed:
            s.tier[c] = GHOSTED  # it would have come out of what it rests on
        elif kick.before[c] >= -params.bounce_speed:
            s.tier[c] = EXACT
    return status


@kernel
def begin_at_rest(s, body, rest, state):
    """Everybody at rest where they end; forget what the last flight left."""
    for i in range(rest.x.shape[0]):
        copy_body(rest, i, state, i)
        put(state.v, i, (0.0, 0.0, 0.0))
        put(state.l, i, (0.0, 0.0, 0.0))
        s.asleep[i] = False
        s.awake[i] = i == body
        put(s.spin, i, (0.0, 0.0, 0.0))
    s.counts[:] = 0
    s.detect.near.counts[READY] = 0


@inline
def park(leaves_at, k, state, before):
    """Put bodies out of the way that have left before step k."""
    for i in range(leaves_at.shape[0]):
        if leaves_at[i] < k:
            state.x[i, 2] = NOWHERE
            before.x[i, 2] = NOWHERE


@inline
def keep_event(s, flight, k, residual):
    """Write the contacts of a step; False when there is no room."""
    e, count = flight.counts[EVENTS], s.counts[CONTACTS]
    reel = flight.reel
    if e >= flight.event_step.shape[0] or reel.contact_start[e] + count > reel.strip.tier.shape[0]:
        return False
    record_contacts(reel, e, count, s.contacts, s.kick, s.tier)
    flight.event_step[e] = k
    reel.residual[e] = residual
    flight.counts[EVENTS] = e + 1
    return True


@standalone
def fly_free(bodies, params, body, k, until, told, state, flight):
    """Steps k to `until` (left out) of a body that touches nothing: drift back, then undo gravity, keep the state. The
    same bits as full steps. Returns `until`, or the step at which it is let go, which is the last one then. told: the
    last step at rest, letting (see fly), and up."""
    rested, letting, up = told
    h = -params.dt
    place, turn = row(state.x, body), quat_row(state.q, body)
    speed, momentum = row(state.v, body), row(state.l, body)
    gain = (h * params.gravity_x, h * params.gravity_y, h * params.gravity_z)
    spins = momentum[0] != 0.0 or momentum[1] != 0.0 or momentum[2] != 0.0
    for step in range(k, until):
        place = axpy(h, speed, place)
        if spins:
            w = midpoint_spin(turn, bodies.inverse_inertia, body, momentum, h)
            turn = quat_unit(quat_mul(quat_exp(scale(h, w)), turn))
        speed = add(speed, gain)
        put(flight.x, step - rested, place)
        quat_put(flight.q, step - rested, turn)
        put(flight.v, step - rested, speed)
        put(flight.l, step - rested, momentum)
        if step >= letting[0] and dot(speed, up) >= 0.0 and norm(sub(place, row(flight.x, 0))) >= letting[1]:
            flight.counts[LAST] = step
            until = step
            break
    put(state.x, body, place)
    quat_put(state.q, body, turn)
    put(state.v, body, speed)
    return until


@inline
def slides_along(s, c):
    """Whether two faces touch and nothing is pushed: whoever is beside may leave meanwhile."""
    p = row(s.kick.impulse, c)
    return s.contacts.gap[c] >= -GRAZE and p[0] == 0.0 and p[1] == 0.0 and p[2] == 0.0


@inline
def judge_step(s, params, body, k, up, leaves_at, residual):
    """Is what the full step did an arrival that may be kept?"""
    contacts, kick = s.contacts, s.kick
    if not residual <= 10.0 * params.solver_tolerance:
        return UNSOLVED
    for c in range(s.counts[CONTACTS]):
        if s.tier[c] >= GHOSTED:
            return UNLAWFUL
        other = contacts.b[c] if contacts.a[c] == body else contacts.a[c]
        if s.is_static[other]:
            continue
        if k >= leaves_at[other] and not slides_along(s, c):
            return CROWDING
        bounced = kick.after[c] > params.rest_speed and norm(row(kick.impulse, c)) > 0.0
        if bounced and abs(dot(row(contacts.normal, c), up)) < STEEP:
            return SIDEWAYS
    return ARRIVED
