"""Contacts of shapes without quick kernels, through the engine's exact narrow phase."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.collide.cores import Cores, Place, build_cores, make_place
from engine.collide.manifold import GAP, NORMAL, PLACE, Manifold, make_manifold, settle, vector
from engine.collide.pairs import one_cylinder, plane_pair, two_cores, two_cylinders
from engine.fast.candidates import MOST, keep
from engine.jit import kernel
from engine.model.arrays import CYLINDER, PLANE, Geometry
from engine.vec import scale


class Narrow(NamedTuple):
    """What the exact narrow phase needs."""

    geometry: Geometry
    cores: Cores
    place: tuple[Place, Place, Place, Place]
    found: Manifold


def make_narrow(geometry: Geometry) -> Narrow:
    cores = build_cores(geometry)
    corners = int(np.max(np.diff(cores.vert_start), initial=0))
    place = (make_place(cores), make_place(cores), make_place(cores), make_place(cores))
    return Narrow(geometry, cores, place, make_manifold(max(64, 4 * corners)))


@kernel
def general_contacts(narrow, part_a, part_b, x, q, margin, candidates):
    """Candidates (origin: body a) of any pair nearer than `margin`; returns how many."""
    geometry, cores, place, found = narrow.geometry, narrow.cores, narrow.place, narrow.found
    found.state[:] = 0
    kind_a, kind_b = geometry.part_kind[part_a], geometry.part_kind[part_b]
    if kind_b == PLANE:
        flipped = plane_pair(geometry, cores, place, found, part_a, part_b, x, q, margin)
    elif kind_a == CYLINDER and kind_b == CYLINDER:
        flipped = two_cylinders(geometry, found, part_a, part_b, x, q, x, q, margin)
    elif kind_a == CYLINDER or kind_b == CYLINDER:
        flipped = one_cylinder(geometry, cores, place, found, part_a, part_b, x, q, x, q, margin)
    else:
        flipped = two_cores(geometry, cores, place, found, part_a, part_b, x, q, x, q, margin)
    count = min(settle(found, margin), MOST)
    for i in range(count):
        n = scale(-1.0 if flipped else 1.0, vector(found.values, i, NORMAL))
        keep(candidates, i, vector(found.values, i, PLACE), found.values[i, GAP], n)
    return count
