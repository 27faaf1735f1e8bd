"""How bodies come onto the stage before look-ahead's flights begin."""

from __future__ import annotations

from engine.arrivals.ahead.arrival import Arrival
from engine.arrivals.ahead.assemble import Assembly
from engine.arrivals.ahead.search import Search
from engine.arrivals.ahead.tuning import ASKED
from engine.arrivals.brief import Brief
from engine.arrivals.entering import Coming, entered
from engine.arrivals.hands import spin_at
from engine.arrivals.unmet import unmet
from engine.model.arrays import State
from engine.tape.tape import Tape

LETTING = ("drop", "toss")  # how a body is let go, where it was asked for
ALONG = ("slide", "roll")


def enter(brief: Brief, search: Search, assembly: Assembly) -> tuple[Tape, list[str]]:
    """The tape of a search, with everybody's release and hand, and what is to be said of them."""
    released = search.steps - assembly.let_go
    comings = [
        Coming(
            row,
            search.steps - each.last,
            State(*(part[:0:-1] for part in (each.x, each.q, each.v, each.l))),
            _how(brief.entrances[row].kind, each, row in search.near),
            int(released[row]),
        )
        for row, each in sorted(search.found.items())
    ]
    tape, notes = entered(brief, assembly.tape(), comings)
    return tape, notes + _not_from_above(brief, search) + _missed(brief, comings)


def _how(asked: str, came: Arrival, near: bool) -> str:
    if came.is_placed:
        return "placed"
    if near:
        return "carried"
    if asked in ALONG:
        return asked if came.candidate.kind == ASKED else "drop"
    return asked if asked in LETTING else "carried"


def _not_from_above(brief: Brief, search: Search) -> list[str]:
    """Who was to fall from above the stage and found no such way. Heights that were asked for tell by themselves."""
    hurried = search.ways.near
    near = (row for row in sorted(search.near - hurried) if brief.entrances[row].height is None)
    told = ["bodies are carried in: the take is too short for them to fall from above the stage"] if hurried else []
    return told + [
        f'"{search.name(row)}" is carried in: nothing that falls from above the stage finds a way to its place'
        for row in near
        if row in search.found and not search.found[row].is_placed
    ]


def _missed(brief: Brief, comings: list[Coming]) -> list[str]:
    """Whose wishes did not come true."""
    model, up, found = brief.model, brief.structure.up, []
    for each in comings:
        state = State(*(part[0] for part in each.states))
        spin = spin_at(model, each.row, state)
        wanted = brief.entrances[each.row].kind
        if wanted in ALONG and each.row in brief.launches and each.how != wanted:
            found.append(f'"{model.names[each.row]}" does not {wanted} in: no such way leads to its place')
        missed = unmet(brief.entrances[each.row], brief.scene.camera, model.start.x[each.row], state, spin, up)
        found += [f'"{model.names[each.row]}" comes in otherwise than asked: {words}' for words in missed]
    return found
