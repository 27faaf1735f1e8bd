"""One ruler for every engine: what a final pose looks like to our exact contact detection."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.collide.detect import Detector
from engine.errors import CapacityError
from engine.model.compile import Model
from engine.params import SLOP
from engine.status import CONTACTS_FULL


class Quality(NamedTuple):
    """Overlaps over pairs of bodies that touch, the deepest point of each."""

    deepest_mm: float
    p99_mm: float
    mean_mm: float
    touching_pairs: int
    moved_mm: float  # farthest any body is from its start
    drift_mm: float  # farthest any body went in the last second


def quality(model: Model, poses: tuple[np.ndarray, np.ndarray], earlier: np.ndarray, start: np.ndarray) -> Quality:
    """Of final `poses` (x, q), of positions one second `earlier` and at the `start`, all in the order of the scene."""
    depth = 1e3 * overlaps(model, *poses)
    return Quality(
        deepest_mm=float(depth.max(initial=0.0)),
        p99_mm=float(np.percentile(depth, 99)) if depth.size else 0.0,
        mean_mm=float(depth.mean()) if depth.size else 0.0,
        touching_pairs=len(depth),
        moved_mm=1e3 * _farthest(poses[0] - start),
        drift_mm=1e3 * _farthest(poses[0] - earlier),
    )


def overlaps(model: Model, x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Deepest overlap (m, 0 when they just touch) of every pair of bodies in contact.

    x, q: poses in the order of the scene, of bodies whose origin is their centre of mass."""
    at, turned = model.start.x.copy(), model.start.q.copy()
    at[model.row_of], turned[model.row_of] = x, q
    moving = model.bodies.inverse_mass > 0.0
    capacity = 16 * (int(moving.sum()) + 64)
    while True:
        detector = Detector(model.geometry, model.bodies.inverse_mass, capacity)
        count = detector.find(at, turned, at, turned, moving, SLOP)
        if not detector.status:
            break
        if detector.status & ~CONTACTS_FULL and capacity > 1_000_000:
            raise CapacityError("the pose has too many contacts to be measured")
        capacity *= 2
    found = detector.contacts
    pair = found.a[:count] * len(model.names) + found.b[:count]
    names, which = np.unique(pair, return_inverse=True)
    depth = np.zeros(len(names))
    np.maximum.at(depth, which, -found.gap[:count])
    return depth


def _farthest(way: np.ndarray) -> float:
    return float(np.linalg.norm(way, axis=1).max(initial=0.0))
