"""How bodies come onto the stage before look-ahead's flights begin."""

from __future__ import annotations

from engine.arrivals.ahead.assemble import Assembly
from engine.arrivals.ahead.search import Search
from engine.arrivals.brief import Brief
from engine.arrivals.entering import Coming, entered
from engine.arrivals.hands import spin_at
from engine.arrivals.unmet import unmet
from engine.model.arrays import State
from engine.tape.tape import Tape

LETTING = {kind: kind for kind in ("drop", "toss", "roll", "slide")}  # how a body is let go, where it was asked for


def enter(brief: Brief, search: Search, assembly: Assembly) -> tuple[Tape, list[str]]:
    """The tape of a search, with everybody's release and hand, and what is to be said of them."""
    released = search.steps - assembly.let_go
    comings = [
        Coming(
            row,
            search.steps - each.last,
            State(*(part[:0:-1] for part in (each.x, each.q, each.v, each.l))),
            "placed" if each.is_placed else LETTING.get(brief.entrances[row].kind, "carried"),
            int(released[row]),
        )
        for row, each in sorted(search.found.items())
    ]
    tape, notes = entered(brief, assembly.tape(), comings)
    return tape, notes + _missed(brief, comings)


def _missed(brief: Brief, comings: list[Coming]) -> list[str]:
    """Whose wishes did not come true."""
    model, up, found = brief.model, brief.structure.up, []
    for each in comings:
        state = State(*(part[0] for part in each.states))
        spin = spin_at(model, each.row, state)
        missed = unmet(brief.entrances[each.row], brief.scene.camera, model.start.x[each.row], state, spin, up)
        found += [f'"{model.names[each.row]}" comes in otherwise than asked: {words}' for words in missed]
    return found
