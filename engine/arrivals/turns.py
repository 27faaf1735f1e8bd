"""Whose turn it is: times to arrive, dealt out in the order that the artist asked for; and who stays at rest."""

from __future__ import annotations

from collections.abc import Mapping

from engine.model.compile import Model
from engine.scene.spec import Scene
from engine.scene.succession import asked_order


def staying(scene: Scene, model: Model) -> set[int]:
    """Rows of the bodies that are to stay at rest."""
    return {int(row) for body, row in zip(scene.bodies, model.row_of, strict=True) if body.leaves == "never"}


def in_turn(scene: Scene, model: Model, drawn: Mapping[int, float]) -> dict[int, float]:
    """Times (s before the end) by row, given to other bodies where that keeps the asked-for order: the first to arrive
    has the longest time to lie there."""
    row_of = dict(zip(model.ids, range(len(model.ids)), strict=True))
    rows = [row_of[key] for key in asked_order(scene) if row_of[key] in drawn]
    times = sorted((drawn[row] for row in rows), reverse=True)
    return {**drawn, **dict(zip(rows, times, strict=True))}
