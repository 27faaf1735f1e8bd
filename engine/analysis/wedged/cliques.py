"""Maximal cliques: the largest sets of things that all go with each other.

Bron and Kerbosch's algorithm with a pivot, on whole sets as the bits of an integer. A package of graphs would bring
nothing more: rays with equal signs are one vertex here, so there are a few hundred at most."""

from __future__ import annotations

from collections.abc import Iterator


def maximal_cliques(friends: list[int]) -> list[tuple[int, ...]]:
    """friends[i]: the neighbours of vertex i as bits, without i itself. In the order of their members."""
    return sorted(tuple(_members(clique)) for clique in _grown(friends, 0, (1 << len(friends)) - 1, 0))


def _grown(friends: list[int], clique: int, able: int, seen: int) -> Iterator[int]:
    """Maximal cliques that contain `clique`, more vertices of `able`, and none of `seen`; both go with all of it."""
    if not able:
        if not seen and clique:
            yield clique
        return
    pivot = max(_members(able | seen), key=lambda vertex: (able & friends[vertex]).bit_count())
    for vertex in _members(able & ~friends[pivot]):
        bit = 1 << vertex
        yield from _grown(friends, clique | bit, able & friends[vertex], seen & friends[vertex])
        able &= ~bit
        seen |= bit


def _members(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
