"""What supports bodies of a scene: contacts, rolling friction, joints; and which bodies hang together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.rims import rounded
from engine.analysis.stability.balance import HeldBy
from engine.analysis.touch import Touch
from engine.model.joints import BALL, FIXED, SLIDER
from engine.shapes.turns import rotation_matrix

AT_LIMIT = 1e-6  # rad or m from the ending within which a joint's limit pushes


class HeldGroup(NamedTuple):
    """Bodies that only hold together, with all that acts on them. Contacts come first among the supports; limits of
    joints follow as contacts without friction."""

    bodies: np.ndarray  # (m,) rows
    touch: Touch  # with round rims
    contacts: np.ndarray  # (k,) rows of it
    of: np.ndarray  # (k,) contacts of the scene to which they belong
    rims: list[np.ndarray]  # rows of it around each rim
    supports: HeldBy
    gravity: np.ndarray  # (6 m,)
    mass: np.ndarray  # (6 m, 6 m)

    def six(self, body: int) -> slice:
        at = 6 * int(np.flatnonzero(self.bodies == body)[0])
        return slice(at, at + 6)


def groups_of(touch: Touch) -> list[np.ndarray]:
    """Rows of moving bodies, linked by contacts and joints, group by group."""
    label = np.arange(len(touch.model.names))
    moves = np.isin(label, touch.moving)
    joints = touch.model.joints
    for a, b in zip(np.r_[touch.a, joints.a], np.r_[touch.b, joints.b], strict=True):
        if moves[a] and moves[b] and label[a] != label[b]:
            label[label == max(label[a], label[b])] = min(label[a], label[b])
    return [np.flatnonzero(moves & (label == each)) for each in np.unique(label[moves])]


def group(touch: Touch, bodies: np.ndarray) -> HeldGroup:
    """These bodies, everything else held."""
    fine = rounded(touch)
    touch = fine.touch
    all_of_them = touch.on_all(bodies)
    held, pushes = _joints(touch, bodies)
    flat = np.zeros_like(pushes)
    columns = ((all_of_them.Wn, pushes), (all_of_them.Wt, flat), (all_of_them.Wo, flat))
    J = np.stack([np.hstack(pair) for pair in columns])
    more = np.zeros(pushes.shape[1])
    rolling = np.r_[touch.rolling[all_of_them.rows], more]
    supports = HeldBy(
        J=J,
        mu=np.r_[all_of_them.mu, more],
        root=np.linalg.cholesky(all_of_them.mass),
        spin=_spins(touch, bodies, all_of_them.rows, len(more)) if rolling.any() else None,
        rolling=rolling if rolling.any() else None,
        held=held if held.shape[1] else None,
    )
    return HeldGroup(
        bodies=bodies,
        touch=touch,
        contacts=all_of_them.rows,
        of=fine.of[all_of_them.rows],
        rims=[rim for rim in fine.rims if np.isin(rim, all_of_them.rows).all()],
        supports=supports,
        gravity=all_of_them.gravity,
        mass=all_of_them.mass,
    )


def _spins(touch: Touch, bodies: np.ndarray, rows: np.ndarray, more: int) -> np.ndarray:
    """(3, w, n) unit torques on body a of each contact, and against them on b."""
    spin = np.zeros((3, 6 * len(bodies), len(rows) + more))
    for i, body in enumerate(bodies):
        own = np.flatnonzero((touch.a[rows] == body) | (touch.b[rows] == body))
        for k in range(3):
            spin[k, 6 * i + 3 + k, own] = touch.side(int(body), rows[own])
    return spin


def _joints(touch: Touch, bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(w, f) wrenches of joints, which push and pull, and (w, p) of limits that the ending lies at, which push."""
    model, joints = touch.model, touch.model.joints
    held, pushes = [], []
    place = {int(body): 6 * i for i, body in enumerate(bodies)}
    for j in range(len(joints.kind)):
        a, b = int(joints.a[j]), int(joints.b[j])
        if a not in place and b not in place:
            continue
        turn = rotation_matrix(model.start.q[b])
        axes = joints.frame_b[j] @ turn.T
        at = model.start.x[b] + turn @ joints.point_b[j]
        slider, kind = joints.kind[j] == SLIDER, joints.kind[j]
        forces = axes[:2] if slider else axes
        torques = axes[:0] if kind == BALL else axes if kind in (FIXED, SLIDER) else axes[:2]
        held += [_pair(touch, place, a, b, at, way, turns=False) for way in forces]
        held += [_pair(touch, place, a, b, at, way, turns=True) for way in torques]
        for limit, sign in ((joints.lo[j], 1.0), (-joints.hi[j], -1.0)):
            if limit >= -AT_LIMIT:
                pushes.append(_pair(touch, place, a, b, at, sign * axes[2], turns=not slider))
    empty = np.zeros((6 * len(bodies), 0))
    return (np.stack(held, axis=1) if held else empty), (np.stack(pushes, axis=1) if pushes else empty)


def _pair(
    touch: Touch, place: dict[int, int], a: int, b: int, at: np.ndarray, way: np.ndarray, turns: bool
) -> np.ndarray:
    """(w,) a unit force at a point, or a unit torque, on body b and against it on a."""
    wrench = np.zeros(6 * len(place))
    for body, sign in ((b, 1.0), (a, -1.0)):
        if body in place:
            torque = way if turns else np.cross(at - touch.model.start.x[body], way)
            wrench[place[body] : place[body] + 6] = sign * np.r_[np.zeros(3) if turns else way, torque]
    return wrench
