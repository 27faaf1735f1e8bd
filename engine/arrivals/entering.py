"""From motions that begin with a release to a tape whose bodies enter the stage: hands, and when each is first seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import times
from engine.arrivals.brief import Brief
from engine.arrivals.bystanders import Passage
from engine.arrivals.hands import LEAST_CARRY, Hands, LetGo, spin_at
from engine.decide.chance import draws
from engine.model.arrays import State
from engine.scene.entrance import Entrance
from engine.shapes.turns import rotation_matrix
from engine.tape.hand import Hand
from engine.tape.release import Releases
from engine.tape.tape import Tape

NAMED = 4  # bodies that are told of by name; more are counted
ROUGHLY = 0.15  # sizes: a hand that comes closer than this to another body overlaps it visibly


@dataclass(frozen=True)
class Coming:
    """One body from its release to its rest."""

    row: int
    first: int  # state of the take in which it is let go, or from which it is held at its place
    states: State  # (k, ...) from there on; it rests in the last one
    how: str  # see tape/release.py
    release: int = -1  # state in which it is let go, where it is held before; -1: the first
    together: int = -1  # number of those that joints hold together: one hand brings them all; -1: alone


def entered(brief: Brief, tape: Tape, comings: Sequence[Coming]) -> tuple[Tape, list[str]]:
    """The tape with everybody's release and hand, and what is to be said of them."""
    model, dt, n = brief.model, brief.params.dt, len(brief.model.names)
    step, there, shown = (np.zeros(n, np.int64) for _ in range(3))
    how = [""] * n
    stage = brief.stage
    hands = Hands(model, stage, dt, {each.row: Passage(each.first, each.states.x, each.states.q) for each in comings})
    notes: list[str] = []
    touching: list[str] = []
    leaders: dict[int, Hand] = {}  # by number of what is held together
    for each in sorted(comings, key=lambda each: (each.first, each.row)):
        row, entrance = each.row, brief.entrances[each.row]
        step[row] = each.first if each.release < 0 else each.release
        there[row] = shown[row] = each.first
        how[row] = each.how if each.first > 0 or each.how == "placed" else "flight"
        first = State(*(part[0] for part in each.states))
        size = float(model.bodies.size[row])
        if entrance.start is not None and each.first > 0:
            notes += _from_a_start(brief, hands, each, entrance, tape.steps)
            shown[row] = 0
        elif each.first <= 0 or entrance.before == "held":
            shown[row] = 0
        elif entrance.before == "entering" and stage.shows(first.x, size):
            let_go = LetGo(row, each.first, first.x, first.q, first.v, spin_at(model, row, first))
            rng = draws(brief.seed, "hand", model.ids[row])
            sector = entrance.sector(brief.scene.camera)
            room = 0.0
            if each.together < 0:
                hand, room = hands.bring(let_go, rng, sector)
            else:
                if each.together not in leaders:
                    one = replace(let_go, v=_mean_velocity(brief, comings, each.together), spin=np.zeros(3))
                    leaders[each.together] = hands.bring(one, rng, sector, turns=False)[0]
                hand = hands.follow(let_go, leaders[each.together])
            shown[row] = max(int(np.ceil(hand.step[0])), 0)
            if each.together < 0 and room < -ROUGHLY * size:  # else it is near those that it is joined to
                touching.append(model.names[row])
    notes += told_of_touching(touching)
    return replace(tape, released=Releases(step, there, shown, tuple(how), hands.found)), notes


def told_of_touching(names: Sequence[str]) -> list[str]:
    """What is said of hands that touch somebody on their way: of each, or of very many at once."""
    if len(names) <= NAMED:
        return [f'the hand that brings "{name}" finds no way that touches nothing' for name in names]
    some = ", ".join(f'"{name}"' for name in names[:NAMED])
    return [f"{len(names)} hands find no way that touches nothing: those that bring {some} and others"]


def _mean_velocity(brief: Brief, comings: Sequence[Coming], together: int) -> np.ndarray:
    """m/s, of the centre of mass of what joints hold together, where it is let go."""
    held = [each for each in comings if each.together == together]
    mass = brief.model.bodies.mass[[each.row for each in held]]
    return times(mass / mass.sum(), np.stack([each.states.v[0] for each in held]))


def _from_a_start(brief: Brief, hands: Hands, each: Coming, entrance: Entrance, steps: int) -> list[str]:
    """Let a hand carry a body from the pose that the artist gave; what is to be said of that."""
    assert entrance.start is not None
    model, row = brief.model, each.row
    place, turn, seconds = entrance.start
    first = State(*(part[0] for part in each.states))
    let_go = LetGo(row, each.first, first.x, first.q, first.v, spin_at(model, row, first))
    q = np.array(turn, float)
    x = np.array(place, float) + times(rotation_matrix(q), model.com_offset[row])
    step = steps - seconds / brief.params.dt
    notes = []
    name = model.names[row]
    if step > each.first - round(LEAST_CARRY / brief.params.dt):
        step = max(each.first - round(LEAST_CARRY / brief.params.dt), 0.0)
        notes.append(
            f'"{name}" leaves its start {(steps - step) * brief.params.dt:.2f} s before the end: it is let go soon'
        )
    _, room = hands.carry(let_go, x, q, min(step, each.first - 1.0))
    if room < -ROUGHLY * float(model.bodies.size[row]):
        notes.append(f'the hand that carries "{name}" from its start finds no way that touches nothing')
    return notes
