"""What a hand does with a body before it is let go, as far as it is seen: from when to when, and in words. No Qt."""

from __future__ import annotations

from typing import NamedTuple

from engine.scene.film import Film

PLACED = "placed"
SHORTEST = 0.02  # s: a film has a pose about every 8 ms, so that what it says of motion is no finer than two of them


class InHand(NamedTuple):
    first: float  # s, of the film's times
    last: float  # s, when it is let go
    words: str  # "carried in until 1.2 s"


def in_hand(film: Film, row: int) -> InHand | None:
    """None where there is nothing to be seen of a hand: the body is under way from the first moment on, or appears when
    it is let go; and in films of earlier versions, which know no hands."""
    if film.release is None:
        return None
    release = float(film.release[row])
    first = film.first if film.seen is None else max(film.first, float(film.seen[row]))
    if release - first < SHORTEST:
        return None
    moved = float(film.begin[row]) < release - SHORTEST
    waits = float(film.rest[row]) < release - SHORTEST  # at its place, for others to come
    if moved and not waits and film.how is not None and film.how[row] == PLACED:
        return InHand(first, release, "laid by a hand")
    verb = "carried in" if moved and not waits else "held"
    return InHand(first, release, f"{verb} until {release - film.first:.1f} s")


def let_go(film: Film, row: int) -> float:
    """s, when a body's own motion begins: not before physics takes over."""
    begin = float(film.begin[row])
    return begin if film.release is None else max(begin, float(film.release[row]))
