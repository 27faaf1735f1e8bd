"""Which hints a plan did not get to, in the artist's words. (What the motion missed: unkept.py.)"""

from __future__ import annotations

from collections.abc import Mapping

from engine.arrivals.brief import Brief
from engine.arrivals.ending import holders_of
from engine.decide.launch import Launch, vector
from engine.decide.plan import LEFT, STUCK, Plan
from engine.scene.vectors import up_of


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
