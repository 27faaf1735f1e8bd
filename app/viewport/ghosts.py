"""Ghosts: where bodies were, or are in another take, drawn so that one sees through. No GL, no Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.viewport.draw_list import PER_INSTANCE, Batch, draw_list, only
from app.viewport.layout import Layout, moved, part
from engine.scene.colors import rgb


@dataclass(frozen=True, eq=False)
class Ghost:
    """Bodies at one moment. Those that are not in the scene, or hidden in it, are left out."""

    ids: Sequence[str]
    positions: np.ndarray  # (k, 3) m
    orientations: np.ndarray  # (k, 4)
    opacity: float
    color: str | None = None  # "#rrggbb"; None: each body's own


def ghost_list(ghosts: Sequence[Ghost], layout: Layout, row_of: Mapping[str, int], colors: np.ndarray) -> list[Batch]:
    """A draw list of all ghosts, in which every mesh comes once; the last number of an instance is its opacity."""
    rows = sorted({row_of[key] for ghost in ghosts for key in ghost.ids if key in row_of})
    if not rows:
        return []
    own = part(layout, np.array(rows, np.int64))
    place = {own.bodies[k].id: k for k in range(len(rows))}
    found: dict[tuple[str, bool], list[Batch]] = {}
    for ghost in ghosts:
        for batch in _batches(ghost, own, place, colors[rows]):
            found.setdefault((batch.key, batch.pips), []).append(batch)
    return [_joined(batches) for batches in found.values()]


def _batches(ghost: Ghost, layout: Layout, row_of: Mapping[str, int], colors: np.ndarray) -> list[Batch]:
    known = [k for k, key in enumerate(ghost.ids) if key in row_of]
    rows = np.array([row_of[ghost.ids[k]] for k in known], np.int64)
    paint = colors.copy()
    if ghost.color is not None:
        paint[:, :3] = rgb(ghost.color)
    paint[:, 3] = ghost.opacity
    there = moved(layout, rows, ghost.positions[known], ghost.orientations[known])
    return only(draw_list(there, paint), rows)


def _joined(batches: list[Batch]) -> Batch:
    joined: dict[str, Any] = {name: np.concatenate([getattr(each, name) for each in batches]) for name in PER_INSTANCE}
    return replace(batches[0], **joined)
