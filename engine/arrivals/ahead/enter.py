"""How bodies come onto the stage before look-ahead's flights begin: hands, and the tape with its releases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.algebra import norm
from engine.arrivals.ahead.assemble import Assembly
from engine.arrivals.ahead.search import Search
from engine.arrivals.ahead.ways import scale_of
from engine.arrivals.brief import Brief
from engine.arrivals.hands import Hands, LetGo, Motion, spin_at
from engine.arrivals.stage import stage_of
from engine.decide.chance import draws
from engine.tape.release import Releases
from engine.tape.tape import Tape


def enter(brief: Brief, search: Search, assembly: Assembly) -> Tape:
    """The tape of a search, with everybody's release and hand."""
    model, steps, dt = brief.model, search.steps, brief.params.dt
    step = np.zeros(len(model.names), np.int64)
    there, shown = step.copy(), step.copy()
    how = [""] * len(model.names)
    step[brief.moves] = (steps - assembly.let_go)[brief.moves]
    motions = {row: Motion(steps - each.last, each.x[:0:-1], each.q[:0:-1]) for row, each in search.found.items()}
    stage, gravity = stage_of(brief.scene, model), norm(model.gravity)
    hands = Hands(model, stage, dt, motions)
    for row in sorted(search.found, key=lambda row: (steps - search.found[row].last, row)):
        each, entrance = search.found[row], brief.entrances[row]
        there[row] = shown[row] = steps - each.last
        how[row] = "placed" if each.is_placed else "carried"
        if there[row] <= 0 or entrance.before == "held":
            shown[row] = 0
            continue
        if entrance.before == "unseen":
            continue
        state = each.state(each.last)
        let_go = LetGo(row, int(there[row]), state.x, state.q, state.v, spin_at(model, row, state))
        rng = draws(brief.seed, "hand", model.ids[row])
        scale = scale_of(float(model.bodies.size[row]), gravity).time
        hand, _ = hands.bring(let_go, rng, entrance.sector(brief.scene.camera), scale)
        shown[row] = max(int(np.ceil(hand.step[0])), 0)
    return replace(assembly.tape(), released=Releases(step, there, shown, tuple(how), hands.found))
