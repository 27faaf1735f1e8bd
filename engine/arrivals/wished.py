"""Whether a take did what was wished of who stays, who leaves and who comes after whom, read from its motion."""

from __future__ import annotations

import numpy as np

from engine.arrivals.ending import ending_of, is_constrained
from engine.scene.succession import asked_order
from engine.tape.take import Take


def unkept(take: Take) -> tuple[str, ...]:
    """Wishes that did not come true, in the artist's words."""
    row_of = {body.id: take.model.index(body) for body in take.scene.bodies if not body.static}
    leaves = {row_of[body.id]: body.leaves for body in take.scene.bodies if not body.static}
    staying = [row for row, wish in leaves.items() if wish == "never"]
    free = [row for row, wish in leaves.items() if wish == "free"]
    order = [row_of[key] for key in asked_order(take.scene)]
    if not staying and not free and len(order) < 2:
        return ()
    names, path = take.model.names, take.tape.x
    rests = {row: _rests_from(path[:, row]) for row in (*staying, *free, *order)}
    notes = [f'"{names[row]}" was pushed on the way, though it is to stay' for row in staying if rests[row]]
    for row in free:
        if not rests[row] and is_constrained(ending_of(take.model), row):
            notes.append(f'"{names[row]}" stays at rest: under others it leaves only when they come one after another')
    came = [row for row in order if rests[row] and row not in staying]
    for earlier, later in zip(came, came[1:], strict=False):
        if rests[earlier] > rests[later]:
            notes.append(f'"{names[earlier]}" comes to rest after "{names[later]}", not before it')
    return tuple(notes)


def _rests_from(path: np.ndarray) -> int:
    """The step from which on a body rests in its place; 0 when it was there all the time."""
    away = np.flatnonzero((path != path[-1]).any(axis=1))
    return int(away[-1]) + 1 if len(away) else 0
