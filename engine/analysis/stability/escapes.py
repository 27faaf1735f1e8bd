"""Motions that the contact law allows what hangs together in a scene."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analysis.asked import LookUp
from engine.analysis.stability.cones import Pyramids, pyramids_of
from engine.analysis.stability.findings import GroupStanding
from engine.analysis.stability.margins import holds_with
from engine.analysis.stability.modes import Escape, EscapeSearch, motion_under, rolling_motion_under
from engine.analysis.stability.sectors import no_motion, within

WORK, MOST_CONTACTS = 8000, 16  # nodes times contacts of a search, for half a second of work; with more it is not asked
OCTAGON = 8  # points of a rim that it sees
INNER = 8  # sides of the pyramids within the cones


class Bracket(NamedTuple):
    """Between what is proven of round cones and what only pyramids (5) about them say."""

    motion: Escape | None  # of pyramids; round cones may not allow it
    proven: bool  # there is none with round cones
    note: str


def escape(found: GroupStanding, look_up: LookUp) -> Bracket | None:
    """None where that is not asked (`pyramids`), and of what needs no friction."""
    own = found.group
    if found.holds and holds_with(own.supports, found.load, 0.0):
        return None
    p = pyramids(found)
    if p is None:
        return None
    limit = WORK // p.J.shape[2]
    if found.holds and no_motion(p, found.load, limit, look_up).proven:
        return Bracket(None, True, "no other motion")
    by_edges = motion_under(p, found.load, limit, look_up)
    if by_edges.motion is not None:
        return Bracket(by_edges.motion, False, "nearly so, it can move")
    return Bracket(None, False, "nearly so, it must" if by_edges.proven else "not proven")


def escape_without_sliding(found: GroupStanding, look_up: LookUp) -> EscapeSearch | None:
    """A motion in which contacts open or roll and none slides: more friction would allow it, too (Pang and Trinkle
    1998, theorem 3). With pyramids within the cones, so that round ones allow it."""
    p = pyramids(found)
    return None if p is None else rolling_motion_under(within(p, INNER), found.load, WORK // p.J.shape[2], look_up)


def pyramids(found: GroupStanding) -> Pyramids | None:
    """What holds the group, of round rims octagons; None for bodies on joints, on rolling friction, with very many
    contacts or none."""
    own = found.group
    rows = np.unique(np.concatenate([_few(found, int(row)) for row in own.bodies]))
    if own.supports.held is not None or own.touch.rolling[rows].any() or not 0 < len(rows) <= MOST_CONTACTS:
        return None
    kept = np.searchsorted(own.contacts, rows)
    Wn, Wt, Wo = own.supports.J[:, :, kept]
    return pyramids_of(Wn, Wt, Wo, own.supports.mu[kept], own.mass)


def _few(found: GroupStanding, row: int) -> np.ndarray:
    """Contacts of a body, of every rim an octagon's: from where it bears most."""
    own, touch = found.group, found.group.touch
    kept = set(touch.rows_of(row).tolist()) & set(own.of.tolist())
    for rim in own.rims:
        if row in (touch.a[rim[0]], touch.b[rim[0]]):
            at = np.searchsorted(own.contacts, rim)
            start = int(np.argmax(found.forces[0, at]))
            kept -= set(own.of[at].tolist())
            kept |= set(rim[(start + np.arange(OCTAGON) * len(rim) // OCTAGON) % len(rim)].tolist())
    return np.array(sorted(kept), int)
