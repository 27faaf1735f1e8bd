"""When bodies come to rest, in s before the end: as asked, or drawn, and dealt out in the order that was asked for."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.decide.chance import draws
from engine.model.compile import Model
from engine.scene.spec import Body, Scene
from engine.scene.succession import asked_order

FIRST_REST = 0.05  # s. Nobody leaves rest later than this before the end unless asked to: the ending is seen at rest.
HINTED = 0.1  # s, of a hint that says nothing else, as seed 0 takes it
LATEST, EARLIEST = 0.08, 0.3  # s, and as other seeds do


def asked_times(scene: Scene, model: Model) -> dict[int, float]:
    """Those that the artist gave, by row."""
    rows = zip(scene.bodies, model.row_of, strict=True)
    return {int(row): float(body.arrival) for body, row in rows if body.arrival is not None and not body.static}


def drawn_time(rng: np.random.Generator, within: float) -> float:
    """By chance, in the last `within` s of the take."""
    return float(rng.uniform(FIRST_REST, max(FIRST_REST, within)))


def hinted_time(body: Body, seed: int) -> float:
    """Of a body with a hint, when nobody gave a time."""
    return HINTED if seed == 0 else float(draws(seed, "arrival", body.id).uniform(LATEST, EARLIEST))


def in_order(scene: Scene, model: Model, drawn: Mapping[int, float]) -> dict[int, float]:
    """Drawn times by row, given to other bodies where that keeps the asked-for order: the first to arrive has the
    longest time to lie there."""
    row_of = dict(zip(model.ids, range(len(model.ids)), strict=True))
    rows = [row_of[key] for key in asked_order(scene) if row_of[key] in drawn]
    times = sorted((drawn[row] for row in rows), reverse=True)
    return {**drawn, **dict(zip(rows, times, strict=True))}
