"""Who came after whom: orders of arrival, and what the support makes of them. Bodies go by any key."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from engine.scene.spec import Scene

Key = TypeVar("Key", bound=Hashable)
Carriers = Mapping[Key, Collection[Key]]
"""What must have come to rest before each body. Bodies that may leave under others carry nobody here."""


def asked_order(scene: Scene) -> list[str]:
    """Ids of the moving bodies that the artist put into an order, the first to arrive first."""
    if not scene.arrival_order:
        return []
    moving = [body for body in scene.bodies if not body.static]
    ids = {body.name: body.id for body in reversed(moving)} | {body.id: body.id for body in moving}
    return list(dict.fromkeys(ids[key] for key in scene.arrival_order if key in ids))


def lawful(order: Sequence[Key], carriers: Carriers[Key]) -> list[Key]:
    """The order, with whoever carries another drawn before it."""
    wanted, placed, seen = set(order), [], set()
    rank = {key: number for number, key in enumerate(order)}

    def place(key: Key) -> None:
        if key in seen:
            return  # or they carry each other in a ring
        seen.add(key)
        for carrier in sorted(carriers.get(key, ()), key=lambda each: (rank.get(each, -1), str(each))):
            place(carrier)
        if key in wanted:
            placed.append(key)

    for key in order:
        place(key)
    return placed


def too_early(order: Sequence[Key], carriers: Carriers[Key]) -> list[tuple[Key, Key]]:
    """(body, what carries it) where the body comes first, over any number of bodies between; the nearest only."""
    rank = {key: number for number, key in enumerate(order)}
    found = []

    def below(key: Key) -> list[Key]:
        return sorted(carriers.get(key, ()), key=lambda each: (rank.get(each, -1), str(each)))

    for key in order:
        pending, seen = below(key), {key}
        while pending:
            carrier = pending.pop(0)
            if carrier in seen:
                continue
            seen.add(carrier)
            if rank.get(carrier, -1) > rank[key]:
                found.append((key, carrier))
                break
            pending += below(carrier)
    return found


def threaded(every: Sequence[Key], order: Sequence[Key]) -> list[Key]:
    """`every` with those of `order` in that order, at the places that they have among the others."""
    known = set(every)
    following = iter([key for key in order if key in known])
    chosen = set(order)
    return [next(following) if key in chosen else key for key in every]


def shifted(order: Sequence[Key], moved: Collection[Key], before: int) -> list[Key]:
    """The order with some put, as they follow each other, before the one that is at the place `before` now."""
    head = [key for key in order[:before] if key not in moved]
    tail = [key for key in order[before:] if key not in moved]
    return [*head, *(key for key in order if key in moved), *tail]
