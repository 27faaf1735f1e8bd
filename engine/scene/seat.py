"""How the bodies of an ending sit on each other, as the analysis tells it: plain records, for any process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.scene.spec import Scene
from engine.scene.succession import asked_order, lawful, threaded, too_early


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


def carriers_of(seats: Sequence[Seat], scene: Scene) -> dict[str, frozenset[str]]:
    """What must have come to rest before each body; what may leave under others need not."""
    free = {body.id for body in scene.bodies if body.leaves == "free"}
    return {seat.id: frozenset(seat.below) - free for seat in seats}


def sequence(seats: Sequence[Seat], scene: Scene) -> list[Seat]:
    """The seats in an order in which the bodies can have come: as asked for where the support allows."""
    by_id = {seat.id: seat for seat in seats}
    order = [key for key in asked_order(scene) if key in by_id]
    return [by_id[key] for key in lawful(threaded(list(by_id), order), carriers_of(seats, scene))]


def contradictions(seats: Sequence[Seat], scene: Scene) -> list[Trouble]:
    """Asked-for times (s before the end) and places in the order that contradict who carries whom, or each other."""
    names = {seat.id: seat.name for seat in seats}
    times = {body.id: float(body.arrival) for body in scene.bodies if body.arrival is not None and body.id in names}
    carriers = carriers_of(seats, scene)
    order = [key for key in asked_order(scene) if key in names]
    troubles = [
        _too_late(key, carrier, "which carries it", names, times)
        for key in names
        for carrier in sorted(carriers[key])
        if key in times and carrier in times and times[carrier] < times[key]
    ]
    for key, carrier in too_early(order, carriers):
        words = f'"{names[key]}" cannot come before "{names[carrier]}", which carries it.'
        troubles.append(Trouble((key, carrier), words))
    timed = [key for key in order if key in times]
    for earlier, later in zip(timed, timed[1:], strict=False):
        if times[earlier] < times[later] and earlier not in carriers[later]:
            troubles.append(_too_late(later, earlier, "which comes before it", names, times))
    return troubles


def _too_late(key: str, other: str, which: str, names: Mapping[str, str], times: Mapping[str, float]) -> Trouble:
    words = (
        f'"{names[key]}" cannot come to rest {times[key]:g} s before the end: "{names[other]}", {which}, '
        f"comes to rest {times[other]:g} s before the end."
    )
    return Trouble((key, other), words)
