"""That sleepers are carried: one pass over a whole tape, in forward time.

A sleeper's contacts are on record where it fell asleep, not in every step, so no step by itself tells what carries it.
Asked is, of every stretch of sleep: what its contacts bore where it began, less those whose other body has moved since,
and with what is on record of them later, must be the body's weight over a step, in force and in moment. Where a stretch
begins is known from the step before it, in which the body was awake: what the kick there did not change of its velocity
was balanced, and that step's kick is checked like any other (check.py), joints and their limits included.

A tape that was recorded backward has a sleeper's contacts at the other end: where it fell asleep seen backward, in the
step after the stretch. So a stretch is carried as well when the kick after it left the body at rest, when whoever bore
it there slept just as long (or never moves: else it may not have known of its load), and when nothing was on record of
its contacts meanwhile.

Who comes to sleep straight out of a hand has what its contacts bore in the hand; one that sleeps from the first step to
the last with nothing on record is asked where it touches (resting.py). Of what joints bear only the ends of a stretch
tell: a joint's impulse that changes while the body sleeps is not seen here, but check.py sees the joint open.
"""

from __future__ import annotations

import numpy as np

from engine.certificate.resting import lacking
from engine.jit import inline, kernel
from engine.record import Record
from engine.tape.tape import Recorded, Tape
from engine.vec import add, cross, norm, row, sub

LEDGER_FULL = 128  # status: more contacts than there is room for
ROOM_AT_FIRST = 1024  # contacts

IN_HAND, AWAKE, ASLEEP = 0, 1, 2  # phases of a body
NEVER, NOBODY = -1, -1


class Ledger(Record):
    """What every contact (parts, feature) of a tape bore last, and what n bodies lack of being carried; room for c."""

    slot: np.ndarray  # (2 c,) int64  contacts by hash of their key; NOBODY: free
    key: np.ndarray  # (c, 3) int64   part a, part b, feature
    body: np.ndarray  # (c, 2) int64
    when: np.ndarray  # (c,) int64    step in which it was recorded last
    impulse: np.ndarray  # (c, 3) N s on the first body
    torque: np.ndarray  # (c, 3)
    point: np.ndarray  # (c, 3) m
    following: np.ndarray  # (c, 2) int64  next one in the list of either body
    listed: np.ndarray  # (c, 2) bool      whether it is in that list
    known: np.ndarray  # (1,) int64
    first: np.ndarray  # (n,) int64   head of a body's list
    phase: np.ndarray  # (n,) int64
    since: np.ndarray  # (n,) int64   first step of the stretch of sleep
    valid: np.ndarray  # (n,) int64   contacts recorded before this step are no longer the body's
    moved: np.ndarray  # (n,) int64   last step in which it moved, or was not there
    late: np.ndarray  # (n,) int64    first step of the stretch in which it was not carried; NEVER: it is
    lack: np.ndarray  # (n,) m/s      and by how much
    force: np.ndarray  # (n, 3) N s   what is left over of weight and contacts
    moment: np.ndarray  # (n, 3)      about the centre of mass
    changed: np.ndarray  # (n,) bool  that is other than it was in the step before
    disturbed: np.ndarray  # (n,) bool  contacts are on record within the stretch
    woke: np.ndarray  # (n,) int64    the step after its last stretch of sleep
    woken: np.ndarray  # (n,) bool    the stretch that was not carried has just ended; its other end is looked at
    on_record: np.ndarray  # (n,) bool  something on the tape touches it, or it was awake
    uncarried: np.ndarray  # (k,) m/s  found: by how much sleepers lacked what would carry them, step by step
    who: np.ndarray  # (k,) int64      the worst of them; NOBODY


def make_ledger(bodies: int, states: int, room: int = ROOM_AT_FIRST) -> Ledger:
    def of_bodies(value: int) -> np.ndarray:
        return np.full(bodies, value, np.int64)

    def no() -> np.ndarray:
        return np.zeros(bodies, bool)

    return Ledger(
        slot=np.full(2 * room, NOBODY, np.int64), key=np.zeros((room, 3), np.int64), body=np.zeros((room, 2), np.int64),
        when=np.zeros(room, np.int64), impulse=np.zeros((room, 3)), torque=np.zeros((room, 3)),
        point=np.zeros((room, 3)), following=np.zeros((room, 2), np.int64), listed=np.zeros((room, 2), bool),
        known=np.zeros(1, np.int64), first=of_bodies(NOBODY), phase=of_bodies(IN_HAND), since=of_bodies(0),
        valid=of_bodies(0), moved=of_bodies(NEVER), late=of_bodies(NEVER), woke=of_bodies(NEVER), lack=np.zeros(bodies),
        force=np.zeros((bodies, 3)), moment=np.zeros((bodies, 3)), changed=no(), disturbed=no(), woken=no(),
        on_record=no(), uncarried=np.zeros(states), who=np.full(states, NOBODY, np.int64),
    )  # fmt: skip


def _enlarged(ledger: Ledger) -> Ledger:
    """Twice the room for contacts."""
    columns = ("key", "body", "when", "impulse", "torque", "point", "following", "listed")
    doubled = {
        name: np.concatenate([column, np.zeros_like(column)])
        for name, column in zip(ledger._fields, ledger, strict=True)
        if name in columns
    }
    more = ledger._replace(slot=np.full(2 * len(ledger.slot), NOBODY, np.int64), **doubled)
    _sort_in(more)
    return more


@kernel
def _place(ledger, part_a, part_b, feature):
    """The slot of a contact, or the free one where it belongs."""
    last = ledger.slot.shape[0] - 1
    at = (part_a * 73856093 ^ part_b * 19349663 ^ feature * 83492791) & last
    while True:
        e = ledger.slot[at]
        if e == NOBODY:
            return at
        if ledger.key[e, 0] == part_a and ledger.key[e, 1] == part_b and ledger.key[e, 2] == feature:
            return at
        at = (at + 1) & last


@kernel
def _sort_in(ledger):
    """Fill empty slots with the contacts known."""
    for e in range(ledger.known[0]):
        ledger.slot[_place(ledger, ledger.key[e, 0], ledger.key[e, 1], ledger.key[e, 2])] = e


@inline
def _entry(ledger, contacts, i):
    """The contact of row i, new where it was never met, in the lists of both its bodies."""
    at = _place(ledger, contacts.part_a[i], contacts.part_b[i], contacts.feature[i])
    e = ledger.slot[at]
    if e == NOBODY:
        e = ledger.known[0]
        ledger.known[0] += 1
        ledger.slot[at] = e
        ledger.key[e, 0] = contacts.part_a[i]
        ledger.key[e, 1] = contacts.part_b[i]
        ledger.key[e, 2] = contacts.feature[i]
        ledger.body[e, 0] = contacts.a[i]
        ledger.body[e, 1] = contacts.b[i]
        ledger.when[e] = NEVER
        ledger.listed[e, 0] = False
        ledger.listed[e, 1] = False
    for side in range(2):
        if not ledger.listed[e, side]:
            body = ledger.body[e, side]
            ledger.listed[e, side] = True
            ledger.following[e, side] = ledger.first[body]
            ledger.first[body] = e
    return e


@kernel
def _give(ledger, body, sign, point, x, impulse, torque):
    """Put an impulse on a body's account."""
    turning = add(cross(sub(point, x), impulse), torque)
    for k in range(3):
        ledger.force[body, k] += sign * impulse[k]
        ledger.moment[body, k] += sign * turning[k]
    ledger.changed[body] = True


@inline
def _begin(ledger, body, step, bodies, params, states, j):
    """A stretch of sleep begins. Out of a hand, or from the start: what is on record of its contacts and its weight."""
    if ledger.phase[body] == IN_HAND:
        ledger.valid[body] = 0
        mass = params.dt / bodies.inverse_mass[body]
        ledger.force[body, 0] = mass * params.gravity_x
        ledger.force[body, 1] = mass * params.gravity_y
        ledger.force[body, 2] = mass * params.gravity_z
        for k in range(3):
            ledger.moment[body, k] = 0.0
        e = ledger.first[body]
        while e != NOBODY:
            side = 0 if ledger.body[e, 0] == body else 1
            sign = 1.0 - 2.0 * side
            x = row(states.x[j], body)
            _give(ledger, body, sign, row(ledger.point, e), x, row(ledger.impulse, e), row(ledger.torque, e))
            e = ledger.following[e, side]
    ledger.phase[body] = ASLEEP
    ledger.since[body] = step
    ledger.late[body] = NEVER
    ledger.lack[body] = 0.0
    ledger.disturbed[body] = False
    ledger.changed[body] = True


@inline
def _turn_over(ledger, body, step, asleep, in_hand):
    """Answers who falls asleep in a step. Who wakes up is looked at once more where it was not carried."""
    begins = False
    if in_hand:
        ledger.phase[body] = IN_HAND
    elif asleep:
        begins = ledger.phase[body] != ASLEEP
    else:
        if ledger.phase[body] == ASLEEP:
            ledger.woke[body] = step
            ledger.woken[body] = ledger.late[body] != NEVER
        ledger.phase[body] = AWAKE
        ledger.on_record[body] = True
    return begins


@inline
def _slept_as_well(ledger, body, other, step, inverse_mass):
    """Whether one of two who touch, awake again, slept just as long as the other. (Who touch each other fall asleep and
    wake up together, seen backward.) What never moves counts as asleep."""
    if inverse_mass[other] == 0.0:
        return True
    return ledger.since[other] == ledger.since[body] and ledger.woke[other] == step


@inline
def _write_down(ledger, step, j, recorded, inverse_mass, least):
    """The contacts of a step: sleepers bear now what is on record."""
    contacts = recorded.contacts
    for i in range(recorded.start[j], recorded.start[j + 1]):
        e = _entry(ledger, contacts, i)
        impulse, torque, point = row(recorded.impulse, i), row(recorded.torque, i), row(contacts.point, i)
        for side in range(2):
            body, other = ledger.body[e, side], ledger.body[e, 1 - side]
            if inverse_mass[body] == 0.0:
                continue
            ledger.on_record[body] = True
            sign = 1.0 - 2.0 * side
            if ledger.phase[body] == ASLEEP:
                x = row(recorded.states.x[j], body)
                ledger.disturbed[body] = True
                if ledger.when[e] >= ledger.valid[body] and ledger.when[e] != NEVER:
                    _give(ledger, body, -sign, row(ledger.point, e), x, row(ledger.impulse, e), row(ledger.torque, e))
                _give(ledger, body, sign, point, x, impulse, torque)
            elif ledger.woken[body] and inverse_mass[body] * norm(impulse) > least:
                if not _slept_as_well(ledger, body, other, step, inverse_mass):
                    ledger.disturbed[body] = True  # what bears it here came while it slept, or did not bear it then
        ledger.when[e] = step
        for k in range(3):
            ledger.impulse[e, k] = impulse[k]
            ledger.torque[e, k] = torque[k]
            ledger.point[e, k] = point[k]


@inline
def _settle(ledger, body, step, j, recorded, inverse_mass, stiffest, least):
    """A body's account at the end of a step."""
    states = recorded.states
    if ledger.phase[body] == AWAKE:
        dv = sub(row(states.v[j + 1], body), row(states.v[j], body))
        dl = sub(row(states.l[j + 1], body), row(states.l[j], body))
        lack = norm(dv) + stiffest[body] * norm(dl)
        if ledger.woken[body] and (ledger.disturbed[body] or not lack <= least):
            note_uncarried(ledger, body)
        ledger.woken[body] = False
        ledger.late[body] = NEVER
        ledger.valid[body] = step
        for k in range(3):
            ledger.force[body, k] = dv[k] / inverse_mass[body]
            ledger.moment[body, k] = dl[k]
        ledger.changed[body] = False
    elif ledger.phase[body] == ASLEEP and ledger.changed[body]:
        moment = norm(row(ledger.moment, body))
        lack = inverse_mass[body] * norm(row(ledger.force, body))
        if moment != 0.0:
            lack += stiffest[body] * moment
        if not lack <= least:
            ledger.lack[body] = max(ledger.lack[body], lack)
            if ledger.late[body] == NEVER:
                ledger.late[body] = step
        ledger.changed[body] = False


@kernel
def note_uncarried(ledger, body):
    """Tell of a stretch of sleep that nothing carried."""
    step = ledger.late[body]
    if ledger.who[step] == NOBODY or ledger.lack[body] > ledger.uncarried[step]:
        ledger.who[step] = body
    ledger.uncarried[step] += ledger.lack[body]


@inline
def _let_down(ledger, body, step, x):
    """A body has moved: its contacts as they were carry nobody any more."""
    ledger.moved[body] = step
    e = ledger.first[body]
    while e != NOBODY:
        side = 0 if ledger.body[e, 0] == body else 1
        other = ledger.body[e, 1 - side]
        sign = 1.0 - 2.0 * (1 - side)
        at, p, t = row(ledger.point, e), row(ledger.impulse, e), row(ledger.torque, e)
        if ledger.phase[other] != IN_HAND and ledger.when[e] >= ledger.valid[other] and norm(p) + norm(t) > 0.0:
            _give(ledger, other, -sign, at, row(x, other), p, t)
        for k in range(3):
            ledger.impulse[e, k] = 0.0
            ledger.torque[e, k] = 0.0
        ledger.listed[e, side] = False
        e = ledger.following[e, side]
    ledger.first[body] = NOBODY


@inline
def _moves(recorded, j, body):
    """Whether a body is elsewhere a step later, or not there at all; who is held stands still (hands.py asks that)."""
    if j < recorded.release[body]:
        return j < recorded.there[body]
    states = recorded.states
    for k in range(3):
        if states.x[j, body, k] != states.x[j + 1, body, k]:
            return True
    for k in range(4):
        if states.q[j, body, k] != states.q[j + 1, body, k]:
            return True
    return False


@kernel
def watch_sleepers(bodies, params, stiffest, first, begun, recorded, ledger):
    """Steps from `begun` on of a block whose first is step `first` of the tape. Returns (next step to do, status)."""
    inverse_mass, states, least = bodies.inverse_mass, recorded.states, params.certificate_tolerance
    for j in range(begun, recorded.start.shape[0] - 1):
        step = first + j
        if ledger.known[0] + recorded.start[j + 1] - recorded.start[j] > ledger.when.shape[0]:
            return j, LEDGER_FULL
        for body in range(inverse_mass.shape[0]):
            if inverse_mass[body] > 0.0:
                in_hand = j < recorded.release[body]
                if _turn_over(ledger, body, step, recorded.asleep[j, body], in_hand):
                    _begin(ledger, body, step, bodies, params, states, j)
        _write_down(ledger, step, j, recorded, inverse_mass, least)
        for body in range(inverse_mass.shape[0]):
            if inverse_mass[body] > 0.0:
                _settle(ledger, body, step, j, recorded, inverse_mass, stiffest, least)
        for body in range(inverse_mass.shape[0]):
            if inverse_mass[body] > 0.0 and _moves(recorded, j, body):
                _let_down(ledger, body, step, states.x[j])
    return recorded.start.shape[0] - 1, 0


class Watch:
    """The pass over a tape, block after block."""

    def __init__(self, tape: Tape, stiffest: np.ndarray) -> None:
        self.tape, self.model, self.params, self.stiffest = tape, tape.model, tape.params, stiffest
        self.ledger = make_ledger(len(tape.model.names), tape.steps + 1)

    def see(self, first: int, recorded: Recorded) -> None:
        """The next block, whose first step this is."""
        begun, steps = 0, len(recorded.start) - 1
        while begun < steps:
            begun, status = watch_sleepers(
                self.model.bodies, self.params, self.stiffest, first, begun, recorded, self.ledger
            )
            if status:
                self.ledger = _enlarged(self.ledger)

    def close(self) -> tuple[np.ndarray, np.ndarray]:
        """All blocks were seen. (k,) m/s that sleepers lacked in every step, (k,) the body that lacked most; NOBODY."""
        ledger = self.ledger
        asleep = (ledger.phase == ASLEEP) & (ledger.late != NEVER)
        silent = asleep & ~ledger.on_record & (ledger.moved == NEVER)
        if silent.any():
            at = self.tape.state(0)
            for body, lack in lacking(self.model, self.params, at, silent, self.stiffest).items():
                asleep[body] = lack > self.params.certificate_tolerance
                ledger.lack[body] = lack
        for sleeper in map(int, np.flatnonzero(asleep)):
            note_uncarried(ledger, sleeper)
        for step in map(int, np.flatnonzero(ledger.uncarried)):
            if self._could_rest(step, int(ledger.who[step])):
                ledger.uncarried[step] = 0.0
        return ledger.uncarried, ledger.who

    def _could_rest(self, step: int, body: int) -> bool:
        """Whether nothing is on record of a body while it sleeps, from a step on, and what rests there can carry it: it
        came to rest in a blow, or was struck, and what it bore then tells nothing of later."""
        tape, part_body = self.tape, self.model.geometry.part_body
        asleep = tape.at_step(step).asleep[step - tape.at_step(step).first]
        rests = asleep & (tape.releases.step <= step) & (self.model.bodies.inverse_mass > 0.0)
        if not rests[body]:
            return False
        later = step
        while later < tape.steps:
            opened = tape.at_step(later)
            if not opened.asleep[later - opened.first, body]:
                break
            rows = opened.rows(later)
            parts = np.concatenate([opened.column("part_a")[rows], opened.column("part_b")[rows]])
            if (part_body[parts] == body).any():
                return False
            later += 1
        found = lacking(self.model, self.params, tape.state(step), rests, self.stiffest)
        return max(found.values(), default=0.0) <= self.params.certificate_tolerance
