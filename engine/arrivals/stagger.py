"""Staggers: who comes before whom, as the artist asks for all bodies at once. Orders and times of single bodies, and
what carries what, are stronger."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.algebra import norms, times
from engine.arrivals.brief import Brief
from engine.scene.entrance import ALONG_Y
from engine.scene.vectors import up_of


def staggered(brief: Brief, rows: Sequence[int]) -> list[list[int]] | None:
    """The bodies in the order in which they are to come, those side by side that are to come at once; None where
    nothing is asked of the order."""
    stagger = brief.scene.stagger
    if stagger is None or stagger.order in ("one after another", "at random"):
        return None
    if stagger.order == "at once":
        return [sorted(rows)]
    place = brief.model.start.x[list(rows)]
    along = _along(brief, stagger.order, place)
    order = np.lexsort((np.array(rows), along))
    found: list[list[int]] = []
    last = None
    for i in order:
        if last is not None and abs(float(along[i]) - last) <= ALIKE * float(np.ptp(along)):
            found[-1].append(int(rows[i]))
        else:
            found.append([int(rows[i])])
            last = float(along[i])
    return found


ALIKE = 1e-6  # of the whole length: whoever differs by less comes at once


def _along(brief: Brief, order: str, place: np.ndarray) -> np.ndarray:
    """(k,) m: the smaller, the sooner."""
    if order == "bottom up":
        return times(place, np.asarray(up_of(brief.scene.gravity), float))
    if order == "from the middle":
        return norms(place - 0.5 * (place.min(0) + place.max(0)))
    sides = ALONG_Y if brief.scene.camera is None else brief.scene.camera.sides()
    word = {"left to right": "right", "right to left": "left", "front to back": "behind", "back to front": "front"}
    x, y = sides[word[order]]
    return place[:, 0] * x + place[:, 1] * y
