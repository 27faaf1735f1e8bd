"""How the bodies of an ending sit on each other, as the analysis tells it: plain records, for any process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Seat:
    """One moving body. Bodies are named by id."""

    id: str
    name: str
    free: bool  # it can leave while everything else stays
    by_rule: bool  # free by the rule of positive dot products, which is wrong in pockets
    reason: str  # in words
    below: tuple[str, ...]  # moving bodies that carry it
    above: tuple[str, ...]  # moving bodies that it carries
    course: int  # how many bodies stand under it, at most


@dataclass(frozen=True)
class Trouble:
    """Something about the stack that no take can mend, about the bodies `ids`."""

    ids: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Stacking:
    seats: tuple[Seat, ...]  # in an order in which they can have arrived
    troubles: tuple[Trouble, ...]


def late_carriers(seats: Sequence[Seat], arrivals: Mapping[str, float]) -> list[Trouble]:
    """Asked-for arrival times (s before the end) that contradict who carries whom: what carries came to rest first."""
    names = {seat.id: seat.name for seat in seats}
    troubles = []
    for seat in seats:
        for carrier in seat.below:
            if seat.id in arrivals and carrier in arrivals and arrivals[carrier] < arrivals[seat.id]:
                words = (
                    f'"{seat.name}" cannot come to rest {arrivals[seat.id]:g} s before the end: "{names[carrier]}", '
                    f"which carries it, comes to rest {arrivals[carrier]:g} s before the end."
                )
                troubles.append(Trouble((seat.id, carrier), words))
    return troubles
