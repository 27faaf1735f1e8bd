"""Round bodies beside each other. One that goes straight up from between others is still within the slop of their
sides a step later, unless it goes fast: seen forward it came nearer than what touches may, and no law explains that.
What is let go may land only so fast, so the slop is made as small as it has to be; landings are drawn fast enough.
"""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import times
from engine.arrivals.ahead.tuning import TUNING
from engine.arrivals.structure import Structure
from engine.model.arrays import CAPSULE, CYLINDER, SPHERE
from engine.params import Params
from engine.shapes.turns import rotation_matrix

AS_SLOW = 0.35  # of the speed at which bodies bounce: landings from so slow on are free to draw
FINEST = 1e-9  # m, smallest slop
ROOM = 4.0  # times the gaps of an ending that its slop is, at least
FASTER = 1.05  # than just out of the slop
LYING = 0.5  # cosine: an axis this near to upright makes a side straight


def fine_slop(structure: Structure, params: Params) -> float:
    """m; the usual one where nothing round is beside anything round."""
    across = across_sides(structure)
    if not np.isfinite(across).any():
        return params.slop
    step = AS_SLOW * params.bounce_speed * params.dt  # m
    wanted = step * step / (2.0 * float(across[np.isfinite(across)].max()))
    gaps = float(np.abs(structure.contacts.gap).max())
    return min(max(wanted, ROOM * gaps, FINEST), params.slop)


def slowest_landing(across: np.ndarray, params: Params) -> float:
    """m/s at which a body comes out of the slop of its sides in a step; 0 where these are straight."""
    widest = float(across[np.isfinite(across)].max(initial=0.0))
    return FASTER * math.sqrt(2.0 * widest * params.slop) / params.dt


def across_sides(structure: Structure) -> np.ndarray:
    """(C,) m between the middles of round sides that touch: shifted by z along each other they are z^2 / 2 of these
    apart. Infinite where a side is straight upward, or carries."""
    contacts, level = structure.contacts, np.abs(times(structure.contacts.normal, structure.up)) <= TUNING.sideways
    radii = _radii(structure)
    found: np.ndarray = np.where(level, radii[contacts.part_a] + radii[contacts.part_b], np.inf)
    return found


def _radii(structure: Structure) -> np.ndarray:
    """(P,) m of the sides of all parts, going up along them; infinite of straight ones."""
    geometry, start = structure.model.geometry, structure.model.start
    found = np.full(len(geometry.part_body), np.inf)
    for part, kind in enumerate(geometry.part_kind):
        lies = kind == SPHERE
        if kind in (CAPSULE, CYLINDER):
            axis = times(rotation_matrix(start.q[geometry.part_body[part]]), geometry.part_axis[part])
            lies = abs(float(times(axis, structure.up))) < LYING
        if lies:
            found[part] = geometry.part_radius[part]
    return found
