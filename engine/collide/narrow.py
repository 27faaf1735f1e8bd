"""The narrow phase: contacts of two parts, by the code for their kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.collide.cores import build_cores, make_places
from engine.collide.distance import GAUGES
from engine.collide.kinds import Narrow, call_phase, pair_kind, pairs_of
from engine.collide.manifold import make_manifold
from engine.collide.pairs import PHASES
from engine.jit import address_of, kernel
from engine.model.arrays import Geometry


def make_narrow(geometry: Geometry) -> Narrow:
    """With the code for all pairs that its parts can form."""
    cores = build_cores(geometry)
    corners = int(np.max(np.diff(cores.vert_start), initial=0))
    found, tables = make_manifold(max(64, 4 * corners)), np.zeros((2, 8), np.int64)
    narrow = Narrow(geometry, cores, make_places(cores), found, *tables)
    x, q = np.zeros((1, 3)), np.zeros((1, 4))
    for pair in pairs_of(geometry):
        narrow.gauges[pair] = _address(GAUGES[pair], (narrow, 0, 0, x, q))
        if pair in PHASES:
            narrow.phases[pair] = _address(PHASES[pair], (narrow, 0, 0, x, q, x, q, 0.0))
    return narrow


_known: dict[Any, int] = {}


def _address(callee: Callable[..., Any], like: tuple[Any, ...]) -> int:
    """All tables are of one kind: an address is asked for once."""
    if callee not in _known:
        _known[callee] = address_of(callee, *like)
    return _known[callee]


@kernel
def touch(narrow, part_a, part_b, x, q, x_from, q_from, slop):
    """Collect the contacts of two parts in narrow.found, origin at body a; whether the manifold's first part is b."""
    kinds = narrow.geometry.part_kind
    narrow.found.state[:] = 0
    phase = narrow.phases[pair_kind(kinds[part_a], kinds[part_b])]
    return call_phase(phase, (narrow, part_a, part_b, x, q, x_from, q_from, slop))
