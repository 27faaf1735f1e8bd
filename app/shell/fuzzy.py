"""Fuzzy search: how well typed letters fit a name. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

WORD_START, NEIGHBOUR, GAP, FIRST = 10, 6, -1, 4


def score(query: str, text: str) -> int | None:
    """Higher fits better; None: the letters do not occur in this order. Spaces in the query count as nothing.

    Letters at the start of words and letters side by side count most, so that "sa" finds "Select all" before
    "Save as" only by the length of what is left over.
    """
    wanted, name = query.lower().replace(" ", ""), text.lower()
    if not wanted:
        return 0
    best: dict[int, int] = {}  # place of the last letter matched -> score
    for number, letter in enumerate(wanted):
        found: dict[int, int] = {}
        for at, here in enumerate(name):
            if here != letter:
                continue
            gain = WORD_START if at == 0 or not name[at - 1].isalnum() else 0
            if number == 0:
                found[at] = gain + (FIRST if at == 0 else 0)
                continue
            before = [
                value + (NEIGHBOUR if at - place == 1 else max(-5, GAP * (at - place)))
                for place, value in best.items()
                if place < at
            ]
            if before:
                found[at] = gain + max(before)
        if not found:
            return None
        best = found
    return 2 * max(best.values()) - len(name) // 8


def ranked(query: str, texts: Sequence[str]) -> list[int]:
    """Numbers of the texts that fit, best first; equals stay in their order."""
    scores = [(score(query, text), number) for number, text in enumerate(texts)]
    fitting = [(-value, number) for value, number in scores if value is not None]
    return [number for _, number in sorted(fitting)]
