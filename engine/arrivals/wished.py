"""What was wished and did not come true, in the artist's words: of hints, read from the plan as it was left; of who
stays, who leaves and who comes after whom, read from the motion."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.ending import ending_of, holders_of, is_constrained
from engine.decide.launch import Launch, vector
from engine.decide.plan import LEFT, STUCK, Plan
from engine.scene.succession import asked_order
from engine.scene.vectors import up_of
from engine.tape.take import Take


def left_undone(brief: Brief, plan: Plan, launches: Mapping[int, Launch], steps: int) -> tuple[str, ...]:
    """What was asked of a plan and did not happen within `steps` steps."""
    model, seconds = brief.model, steps * brief.params.dt
    notes = []
    for body, launch in sorted(launches.items()):
        name = model.names[body]
        if plan.stage[body] > 0 or plan.mark[body] == LEFT:
            if plan.next[body] >= 0 or plan.mark[body] != LEFT:
                notes.append(f'"{name}": the take is too short for all of its hints')
            continue
        if plan.mark[body] == STUCK:
            notes.append(
                f'"{name}" stays at rest: nothing like its hint can end there (a roll needs rolling friction; '
                "a body cannot have come out of what it rests on)"
            )
        elif launch.time > seconds:
            notes.append(f'"{name}" stays at rest: it arrives {launch.time:g} s before the end of {seconds:g} s')
        else:
            held = [model.names[row] for row in holders_of(brief.ending, body, up_of(vector(model.gravity)))]
            by = " and ".join(f'"{holder}"' for holder in held) or "something"
            notes.append(f'"{name}" stays at rest: {by} holds it in place')
    return tuple(notes)


def unkept(take: Take) -> tuple[str, ...]:
    """What was wished of the order of arrival, and by whom a take did not keep it."""
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
