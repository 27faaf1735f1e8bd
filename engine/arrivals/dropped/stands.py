"""Bodies that stand alone on level ground, and why others do not, in the artist's words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.dropped.drop import Setting
from engine.arrivals.dropped.ground import Ground, ground_of
from engine.arrivals.dropped.setting import setting_on
from engine.arrivals.ending import touching
from engine.arrivals.hints import chain_of
from engine.scene.spec import Shape

FLAT = 1e-11  # m: a pose whose contacts all have gaps within this lies as drops come to lie


@dataclass(frozen=True)
class Stand:
    """A body that stands alone on level ground."""

    shape: Shape
    setting: Setting
    ground: Ground


def standing_alone(brief: Brief) -> tuple[dict[int, Stand], dict[int, str]]:
    """Bodies that a drop may bring to their place, by row, and for the others why not, in the artist's words."""
    stands: dict[int, Stand] = {}
    why: dict[int, str] = {}
    model, contacts = brief.model, touching(brief.model)
    for row, body in brief.bodies.items():
        if body.static or row in brief.staying:
            continue
        mine = np.flatnonzero((contacts.a == row) | (contacts.b == row))
        reason = _reason(brief, row, contacts.b[mine], contacts.part_b[mine], contacts.gap[mine])
        ground = None if reason else ground_of(model, row, int(contacts.part_b[mine[0]]))
        if ground is None:
            why[row] = reason or "what it stands on is not level"
        else:
            stands[row] = Stand(body.shape, setting_on(model, brief.params.dt, body, row, ground.part), ground)
    return stands, why


def _reason(brief: Brief, row: int, others: np.ndarray, parts: np.ndarray, gaps: np.ndarray) -> str:
    model = brief.model
    if chain_of(brief.directed[0], brief.bodies[row]):
        return "it has a hint, and drops follow none"
    if model.start.v[row].any() or model.start.l[row].any():
        return "it moves at the ending"
    if not len(others):
        return "it touches nothing at the ending"
    if len(set(parts.tolist())) > 1 or (others == row).any() or model.bodies.inverse_mass[others[0]] > 0.0:
        return "it does not stand alone on the ground or on one thing that stays"
    if not model.gravity.any():
        return "nothing falls without gravity"
    if np.abs(gaps).max() > FLAT:
        return "it does not lie flat to the last bit; settle it first"
    return ""
