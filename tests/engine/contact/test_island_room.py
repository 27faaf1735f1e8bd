"""Rows and work are sized for one island, and the solver says when they are too small."""

from __future__ import annotations

import numpy as np

from engine.collide.islands import empty_islands, find_islands
from engine.contact.island_solver import empty_solver_work, island_room
from engine.contact.rows import empty_rows


def test_the_largest_island_decides() -> None:
    """Bodies 0-1-2 in a chain with a double contact, 3-4 apart, 5 static under both."""
    a = np.array([0, 1, 1, 3, 2, 4], np.int64)
    b = np.array([1, 2, 2, 4, 5, 5], np.int64)
    islands = empty_islands(6, 6)
    number = find_islands(6, a, b, np.ones(6, np.int64), np.array([1.0, 1, 1, 1, 1, 0]), islands)
    assert number == 2
    assert island_room(islands, number, empty_rows(4), empty_solver_work(3, 4)) == (0, 0)
    assert island_room(islands, number, empty_rows(3), empty_solver_work(3, 4)) == (3, 4)
    assert island_room(islands, number, empty_rows(4), empty_solver_work(2, 4)) == (3, 4)
    assert island_room(islands, 0, empty_rows(1), empty_solver_work(1, 1)) == (0, 0)
