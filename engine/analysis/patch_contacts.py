"""Contacts gathered into planar patches: of a step of a take, as the tape has them, or of an ending at rest.

Every contact of two bodies in one plane belongs to one patch, whatever parts they are of; only its hull matters, so
four legs of a table are one patch with the floor."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.patch import Reading, read, wrench_of
from engine.analysis.rims import Rim, rims_of, rounded
from engine.analysis.speeds import motion_of
from engine.analysis.stability.findings import falling_with, stand
from engine.analysis.stability.supports import groups_of
from engine.analysis.touch import Touch, touch_of
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.structure import structure_of
from engine.contact.kick import FREE, GHOST
from engine.contact.law import normal_bias
from engine.model.arrays import Contacts, State
from engine.model.compile import Model
from engine.params import DEFAULT_DT, PREDICTED, make_params
from engine.rest import REST_OF_PATCH_IN_TAKE
from engine.tape.take import Take
from engine.tape.tape import Opened

PARALLEL = 1.0 - 1e-6  # cosine between normals of one plane
ONE_PLANE = 1e-4  # m between contacts of one plane
WEIGHTLESS = 1e-9  # N
OF_HULL = 180  # points of a rim: its outline is short by 0.02 % of the radius


@dataclass(frozen=True)
class Pressing:
    """C contacts of one moment, forces on body a. `law` is the normal velocity of which the contact law speaks."""

    a: np.ndarray  # (C,) int64 body rows
    b: np.ndarray  # (C,) int64
    point: np.ndarray  # (C, 3) m
    normal: np.ndarray  # (C, 3) from b to a
    force: np.ndarray  # (C, 3) N: impulse of the step over its length
    law: np.ndarray  # (C,) m/s
    approach: np.ndarray  # (C,) m/s before the kick


@dataclass(frozen=True)
class Moment:
    """Bodies and contacts of one moment."""

    model: Model
    x: np.ndarray  # (n, 3) m
    q: np.ndarray  # (n, 4)
    velocity: np.ndarray  # (n, 3) m/s after the kick
    spin: np.ndarray  # (n, 3) rad/s
    contacts: Pressing
    falls: dict[int, int] = field(default_factory=dict)  # bodies of an ending that do not stay where they are, or whose
    # neighbours do not -> one that does not
    rims: tuple[Rim, ...] = ()  # with contacts as rows of `contacts`


@dataclass(frozen=True)
class Patch:
    """Contacts of a body with others, in one plane. Two-dimensional quantities refer to `axes` about `origin`."""

    body: int
    others: tuple[int, ...]
    origin: np.ndarray  # (3,) m
    axes: np.ndarray  # (3, 3) rows: two in the plane, and the normal toward the body
    places: np.ndarray  # (k, 3) m
    forces: np.ndarray  # (k, 3) N on the body, world
    velocity: np.ndarray  # (3,) m/s of the body at the origin, against the other
    spin: np.ndarray  # (3,) rad/s
    law: np.ndarray  # (k,) m/s
    approach: float  # m/s, of the fastest contact that pushes back
    rim: np.ndarray  # (r, 3) m, more points at which it touches: a cylinder stands on a circle

    @cached_property
    def points(self) -> np.ndarray:
        """(k, 2) m."""
        return self.flat(self.places)

    @cached_property
    def outline(self) -> np.ndarray:
        """(k + r, 2) m, all points at which it touches."""
        return np.vstack([self.points, self.flat(self.rim)])

    def flat(self, places: np.ndarray) -> np.ndarray:
        """Places in the world (..., 3) in the plane."""
        return np.asarray((places - self.origin) @ self.axes[:2].T)

    @cached_property
    def wrench(self) -> tuple[np.ndarray, float, float, np.ndarray]:
        """(m_T, f_N, m_N, f_T)."""
        return wrench_of(self.points, self.forces @ self.axes.T)

    @cached_property
    def reading(self) -> Reading:
        m_T, f_N, _, _ = self.wrench
        v, w = self.axes @ self.velocity, self.axes @ self.spin
        return read(self.outline, m_T, f_N, w[:2], float(v[2]), v[:2], float(w[2]), REST_OF_PATCH_IN_TAKE, WEIGHTLESS)

    def place(self, points: np.ndarray) -> np.ndarray:
        """Points of the plane (..., 2) in the world."""
        return self.origin + np.asarray(points) @ self.axes[:2]


def moment_of_take(take: Take, step: int, body: int | None = None) -> Moment:
    """The kick of a step, with the contacts of all that is awake, or of one body: those of a sleeper are the ones with
    which it fell asleep, as they are written only once."""
    tape = take.tape
    step = int(np.clip(step, 0, max(tape.steps - 1, 0)))
    at = step if body is None else _recorded_step(take, step, body)
    opened = tape.at_step(at)
    placed, rows = opened.contacts, opened.rows(at)
    kept = opened.column("hold")[rows] != GHOST
    if body is not None:
        kept &= (placed.a[rows] == body) | (placed.b[rows] == body)
    kept = rows.start + np.flatnonzero(kept)
    acts = (opened.column("hold")[kept] == FREE)[:, None]
    contacts = Pressing(
        a=placed.a[kept],
        b=placed.b[kept],
        point=placed.point[kept],
        normal=placed.normal[kept],
        force=np.where(acts, opened.column("impulse")[kept], 0.0) / tape.params.dt,
        law=_law_speeds(take, opened, kept),
        approach=np.maximum(-opened.column("before")[kept].astype(float), 0.0),
    )
    here, after = tape.state(at), tape.state(at + 1)
    velocity, spin = motion_of(take.model, State(here.x, here.q, after.v, after.l))
    there = Contacts(*(column[kept] for column in placed))
    return Moment(
        take.model, here.x, here.q, velocity, spin, contacts, rims=tuple(rims_of(take.model, here, there, OF_HULL))
    )


def _recorded_step(take: Take, step: int, body: int) -> int:
    """Where the contacts of a body that may sleep are written: where it fell asleep. Backward runs do so at the later
    end; who came by a drop or by look-ahead at the earlier one, where nothing moved it any more."""
    asleep = take.tape.asleep[:, body]
    if not 0 <= step < len(asleep) or not asleep[step]:
        return step
    awake = np.flatnonzero(~asleep)
    at = int(np.searchsorted(awake, step))
    earlier = int(awake[at - 1]) if at > 0 else None
    later = int(awake[at]) if at < len(awake) else None
    if earlier is not None and (not take.backward or later is None or _is_still(take, earlier, body)):
        return earlier
    return step if later is None or not take.backward else later


def _is_still(take: Take, step: int, body: int) -> bool:
    """Whether a body is at rest before and after a kick."""
    states = take.tape.state(step), take.tape.state(step + 1)
    return not any(part[body].any() for state in states for part in (state.v, state.l))


def _law_speeds(take: Take, opened: Opened, rows: np.ndarray) -> np.ndarray:
    """(k,) w_n of contact/law.py, of contact rows under the recorded coefficients."""
    params, placed = take.tape.params, opened.contacts
    before, after, restitution = (
        opened.column(name)[rows].astype(float) for name in ("before", "after", "restitution")
    )
    closing = pull = np.zeros(len(rows))
    if params.landing == PREDICTED:
        gravity = np.array([params.gravity_x, params.gravity_y, params.gravity_z])
        falls = take.model.bodies.inverse_mass[placed.b[rows]] == 0.0
        closing = placed.gap[rows] / params.dt
        pull = np.where(falls, params.dt * placed.normal[rows] @ gravity, 0.0)
    threshold = np.where(opened.column("forced")[rows] != 0, 0.0, params.bounce_speed)
    inputs = zip(before, restitution, threshold, closing, pull, strict=True)
    return after + np.array([normal_bias(*(float(x) for x in each)) for each in inputs]).reshape(-1)


def moment_of_ending(model: Model, body: int | None = None, look_up: LookUp = go_on) -> Moment:
    """The ending at rest: what every contact bears, by the engine's own step. Who stays is asked of all, or of a body
    and what it holds together with."""
    structure, touch = structure_of(model), touch_of(model)
    params = make_params(DEFAULT_DT, (float(model.gravity[0]), float(model.gravity[1]), float(model.gravity[2])))
    standing = Remainders(structure, params).standing(structure.moves.copy())
    found, start = structure.contacts, model.start
    none = np.zeros(structure.count)
    contacts = Pressing(found.a, found.b, found.point, found.normal, standing.impulse / params.dt, none, none)
    still = np.zeros((len(model.names), 3))
    falls = falling_with(touch, body, look_up)
    tips = {row for row in standing.falls if falls.get(row) != row}
    if tips:
        contacts = _on_rims(touch, contacts, tips)
    rims = tuple(rims_of(model, start, touch.contacts, OF_HULL))
    return Moment(model, start.x, start.q, still, still, contacts, falls, rims)


def _on_rims(touch: Touch, contacts: Pressing, tips: set[int]) -> Pressing:
    """The same for groups that the step tips, as it begins on eight points of a rim and they press between two."""
    whole = rounded(touch)
    fine, force = whole.touch, np.zeros((len(whole.of), 3))
    force[: touch.count] = contacts.force
    for bodies in groups_of(touch):
        if tips.isdisjoint(bodies.tolist()):
            continue
        found = stand(touch, bodies)
        rows, (pressing, along, across) = found.group.contacts, found.forces[:, :, None]
        force[rows] = pressing * fine.normal[rows] + along * fine.tangent[rows] + across * fine.other[rows]
    none = np.zeros(len(force))
    return Pressing(fine.a, fine.b, fine.point, fine.normal, force, none, none)


def patches(moment: Moment, body: int) -> list[Patch]:
    """The patches of a body, one per other body and plane; most force first."""
    groups = _groups(moment, body, by_other=True)
    return sorted((_patch(moment, body, rows) for rows in groups), key=lambda patch: -patch.wrench[1])


def footprints(moment: Moment, body: int) -> list[Patch]:
    """The same with all bodies of one plane together: what a body stands on."""
    groups = _groups(moment, body, by_other=False)
    return sorted((_patch(moment, body, rows) for rows in groups), key=lambda patch: -patch.wrench[1])


def _groups(moment: Moment, body: int, by_other: bool) -> list[list[int]]:
    """Contact rows of a body by plane."""
    contacts = moment.contacts
    groups: list[list[int]] = []
    for row in np.flatnonzero((contacts.a == body) | (contacts.b == body)).tolist():
        for group in groups:
            first = group[0]
            same = not by_other or {contacts.a[row], contacts.b[row]} == {contacts.a[first], contacts.b[first]}
            toward = _toward(contacts, row, body) @ _toward(contacts, first, body)
            away = abs(_toward(contacts, first, body) @ (contacts.point[row] - contacts.point[first]))
            if same and toward > PARALLEL and away <= ONE_PLANE:
                group.append(row)
                break
        else:
            groups.append([row])
    return groups


def _toward(contacts: Pressing, row: int, body: int) -> np.ndarray:
    return np.asarray(contacts.normal[row] if contacts.a[row] == body else -contacts.normal[row])


def _patch(moment: Moment, body: int, group: list[int]) -> Patch:
    contacts, rows = moment.contacts, np.array(group)
    is_a = contacts.a[rows] == body
    normal = np.mean([_toward(contacts, row, body) for row in group], axis=0)
    normal /= np.linalg.norm(normal)
    start = np.eye(3)[int(np.argmin(np.abs(normal)))]  # x on a level plane: plots are seen from above
    first = start - (start @ normal) * normal
    first /= np.linalg.norm(first)
    places = contacts.point[rows]
    origin = places.mean(0)
    others = np.where(is_a, contacts.b[rows], contacts.a[rows])
    other = int(others[0])
    forces = np.where(is_a, 1.0, -1.0)[:, None] * contacts.force[rows]
    pushed = contacts.approach[rows][forces @ normal > 0.0]
    velocity = (
        moment.velocity[body]
        + np.cross(moment.spin[body], origin - moment.x[body])
        - moment.velocity[other]
        - np.cross(moment.spin[other], origin - moment.x[other])
    )
    rims = [rim.points for rim in moment.rims if not set(rim.rows).isdisjoint(group)]
    return Patch(
        body=body,
        others=tuple(sorted({int(o) for o in others})),
        origin=origin,
        axes=np.array([first, np.cross(normal, first), normal]),
        places=places,
        forces=forces,
        velocity=velocity,
        spin=moment.spin[body] - moment.spin[other],
        law=contacts.law[rows],
        approach=float(pushed.max(initial=0.0)),
        rim=np.concatenate([np.zeros((0, 3)), *rims]),
    )
