"""A strategy: one way in which the bodies of an ending may have arrived (strategies.py lists all).

To add one: a package beside the others, its name in options.ArrivalsName, and a line in the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.arrivals.brief import Brief
from engine.tape.tape import Tape


@dataclass(frozen=True)
class Made:
    """A motion that ends as the brief says."""

    tape: Tape
    notes: tuple[str, ...]  # what could not be done as asked, in the artist's words
    stopped: str | None  # why it ended early, None when it did not
    why: Mapping[int, str] = field(default_factory=dict)  # by row: why a body does not come as its hint asks


@dataclass(frozen=True)
class Strategy:
    make: Callable[[Brief], Made]
    unsuited: Callable[[Brief], str]  # why it does not suit an ending, "" when it does
    refusal: str = ""  # what the take says before that reason; "": nothing, nobody asked for this way by name
