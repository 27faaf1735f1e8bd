"""What there is to know about how bodies of a scene stand, as numbers; words and drawings are made of it elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.let_go import Loosened, let_go
from engine.analysis.stability import margins
from engine.analysis.stability.balance import Balance, least_forces, nearest_balance
from engine.analysis.stability.supports import HeldGroup, group, groups_of
from engine.analysis.stability.unforced import Unforced
from engine.analysis.touch import Touch
from engine.scene.vectors import up_of

FALLS = 1e-3  # acceleration, as a share of the largest, that counts as not standing where something does not
WAYS, MANY = 16, 30  # directions of tilts and pushes; half of them for groups with more contacts
MOST_PUSH = 1e3  # times a push: beyond it any force is taken
MOST_AT_ONCE = 250  # bodies of a group whose forces are looked for: ten seconds, and memory grows with the square
HARDEST = 20.0  # times the weight of its group: no harder push is asked for


@dataclass(frozen=True)
class Push:
    """A force an artist applies."""

    body: int  # row
    force: np.ndarray  # (3,) N
    at: np.ndarray  # (3,) m


@dataclass(frozen=True)
class GroupStanding:
    """How one group stands under gravity and a push."""

    group: HeldGroup
    load: np.ndarray  # (6 m,)
    balance: Balance
    forces: np.ndarray  # (3, k) N at its contacts, on body a
    falls: dict[int, np.ndarray] = field(default_factory=dict)  # row -> acceleration (6,)
    loose: Loosened | None = None  # what happens when it is let go, where that was asked

    @property
    def holds(self) -> bool:
        """Whether forces exist that hold everything; it may not stay all the same."""
        return not self.falls

    @property
    def unsteady(self) -> tuple[int, ...]:
        """Rows of those that nothing can hold, or else of those that go when they are let go."""
        return tuple(self.falls) or (() if self.loose is None else self.loose.moved)

    @cached_property
    def may_move(self) -> np.ndarray | None:
        """(m, 6) accelerations that the law allows although forces exist that hold everything; None: none was found."""
        s = self.group.supports
        left = s.root @ Unforced(s).motion(self.load).left
        return np.linalg.solve(self.group.mass, left).reshape(-1, 6) if left.any() else None


def stand(touch: Touch, bodies: np.ndarray, push: Push | None = None) -> GroupStanding:
    own = group(touch, bodies)
    load = own.gravity.copy()
    if push is not None:
        arm = push.at - touch.model.start.x[push.body]
        load[own.six(push.body)] += np.r_[push.force, np.cross(arm, push.force)]
    balance = nearest_balance(own.supports, load)
    falls = {} if balance.holds else _falling(touch, own, balance.left)
    forces = balance.forces if falls else least_forces(own.supports, load)
    return GroupStanding(own, load, balance, forces[:, : len(own.contacts)], falls)


def _falling(touch: Touch, own: HeldGroup, left: np.ndarray) -> dict[int, np.ndarray]:
    """Accelerations of the bodies that what is left over sets in motion."""
    moves, reach = _reaches(touch, own, left)
    return {int(own.bodies[i]): moves[i] for i in np.flatnonzero(reach > FALLS * reach.max())}


def _reaches(touch: Touch, own: HeldGroup, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 6) accelerations, and (m,) m/s^2 at the far side of each body."""
    moves = np.linalg.solve(own.mass, left).reshape(-1, 6)
    size = touch.model.bodies.size[own.bodies]
    return moves, np.linalg.norm(moves[:, :3], axis=1) + np.linalg.norm(moves[:, 3:], axis=1) * size


def stay(touch: Touch, bodies: np.ndarray, look_up: LookUp = go_on) -> GroupStanding:
    """How a group stands under gravity, and whether it stays when it is let go."""
    look_up()
    found = stand(touch, bodies)
    return replace(found, loose=let_go(touch.model, bodies, look_up))


def stay_all(touch: Touch, look_up: LookUp = go_on) -> list[GroupStanding]:
    return [stay(touch, bodies, look_up) for bodies in groups_of(touch)]


def falling_with(touch: Touch, body: int | None = None, look_up: LookUp = go_on) -> dict[int, int]:
    """Of all, or of a body and what it holds together with: who does not stay where it is, by itself, and everybody
    else who holds together with one that does not, by that one."""
    found: dict[int, int] = {}
    for each in groups_of(touch):
        if body is None or body in each:
            falls = _unsteady(touch, each, look_up)
            found |= {int(row): row if row in falls else falls[0] for row in each.tolist()} if falls else {}
    return found


def unsteady(touch: Touch, body: int | None = None, look_up: LookUp = go_on) -> tuple[int, ...]:
    """Rows of those that do not stay where they are, of all or of a body and what it holds together with."""
    return tuple(row for row, why in falling_with(touch, body, look_up).items() if row == why)


def _unsteady(touch: Touch, bodies: np.ndarray, look_up: LookUp) -> tuple[int, ...]:
    if len(bodies) > MOST_AT_ONCE:
        return let_go(touch.model, bodies, look_up).moved
    return stay(touch, bodies, look_up).unsteady


@dataclass(frozen=True)
class Margins:
    """Of what stands: shares of friction, angles, forces."""

    friction: float  # share of the friction that it needs
    first: int | None  # row of the body that would go first with less
    ways: np.ndarray  # (k, 3) level directions
    tilt: np.ndarray | None  # (k,) rad toward each of them, without a push


def margins_of(touch: Touch, standings: list[GroupStanding], look_up: LookUp = go_on, least: bool = False) -> Margins:
    """The worst over groups that stand. With `least`, only what is worst of all is asked of every group."""
    friction, first = 0.0, None
    for each in standings:
        s = each.group.supports
        look_up()
        if margins.holds_with(s, each.load, 0.0) or (friction and margins.stands_with(s, each.load, friction)):
            continue
        friction = margins.friction_needed(s, each.load, look_up)
        first = _first_to_go(touch, each, friction)
    pulled = touch.model.gravity.any()
    contacts = sum(len(np.unique(each.group.of)) for each in standings)
    ways = margins.circle(
        np.asarray(up_of(tuple(touch.model.gravity))), WAYS // 2 if least or contacts > MANY else WAYS
    )
    if not pulled:
        return Margins(friction, first, ways, None)
    tilt = np.full(len(ways), margins.STEEPEST)
    for each in standings:
        own = each.group
        found = margins.tilts(own.supports, own.gravity, own.mass, touch.model.gravity, ways, look_up)
        tilt = np.minimum(tilt, found)
    return Margins(friction, first, ways, tilt)


def _first_to_go(touch: Touch, standing: GroupStanding, friction: float) -> int | None:
    """The body that accelerates most with a little less friction than needed."""
    s = standing.group.supports
    balance = nearest_balance(s._replace(mu=0.97 * friction * s.mu), standing.load)
    _, reach = _reaches(touch, standing.group, balance.left)
    return int(standing.group.bodies[np.argmax(reach)]) if reach.max() > 0.0 else None


def hardest_pushes(standing: GroupStanding, body: int, ways: np.ndarray, look_up: LookUp = go_on) -> np.ndarray:
    """(k,) N that the centre of a body takes along each way."""
    weight = float(np.linalg.norm(standing.group.gravity.reshape(-1, 6)[:, :3].sum(0)))
    most = HARDEST * max(weight, 1e-9)
    return margins.pushes(standing.group.supports, standing.load, standing.group.six(body), ways, most, look_up)


def push_factor(standing: GroupStanding, look_up: LookUp = go_on) -> float:
    """How many times the push of this standing could be there; `inf` when any could.

    Where gravity alone is not held, factors count from the push as it is."""
    s, gravity = standing.group.supports, standing.group.gravity
    push = standing.load - gravity
    unforced = Unforced(s, look_up)
    start, already = (gravity, 0.0) if unforced.stands(gravity) else (standing.load, 1.0)
    factor = already + unforced.furthest(start, push, MOST_PUSH)
    return math.inf if factor > 0.999 * MOST_PUSH else factor
