"""How bodies come onto the stage before look-ahead's flights begin."""

from __future__ import annotations

from engine.arrivals.ahead.assemble import Assembly
from engine.arrivals.ahead.search import Search
from engine.arrivals.brief import Brief
from engine.arrivals.entering import Coming, entered
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
    return entered(brief, assembly.tape(), comings)
