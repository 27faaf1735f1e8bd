"""A picture of cells built as masonry: boxes on boxes, and planks over what has nothing below it.

A cell with nothing under it becomes part of a plank that reaches over cells that do stand. Whether a plank stands is
told by following the weight from the top row down: the resultant of its own weight and of what stands on it must lie
over what carries it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Plank(NamedTuple):
    """Cells of one row that are one box."""

    row: int  # 0 on the ground
    first: int  # column
    last: int
    stands: bool


def planks_of(cells: np.ndarray) -> list[Plank]:
    """Boxes and planks for a picture (rows, columns) bool, row 0 lowest, from the ground up."""
    under = np.vstack([np.ones_like(cells[:1]), cells[:-1]])
    spans = [
        (row, first + start, first + stop)
        for row in range(len(cells))
        for first, last in _runs(cells[row])
        for start, stop in _spans(list(map(bool, under[row, first : last + 1])))
    ]
    return _weighed(spans, cells, under)


def _runs(row: np.ndarray) -> list[tuple[int, int]]:
    """First and last column of every stretch of filled cells."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _spans(under: list[bool]) -> list[tuple[int, int]]:
    """Pieces of a run: every gap with enough of its banks to lie on, all other cells on their own."""
    count = len(under)
    plank_of = [-1] * count
    planks, cell = 0, 0
    while cell < count:
        if under[cell]:
            cell += 1
            continue
        last = cell
        while last + 1 < count and not under[last + 1]:
            last += 1
        first, last = _grown(cell, last, under)
        met = {plank_of[c] for c in range(first, last + 1)} - {-1}
        for c in range(count):
            if first <= c <= last or plank_of[c] in met:
                plank_of[c] = planks
        planks, cell = planks + 1, last + 1
    spans: list[tuple[int, int]] = []
    for c, plank in enumerate(plank_of):
        if plank >= 0 and spans and plank_of[spans[-1][1]] == plank:
            spans[-1] = (spans[-1][0], c)
        else:
            spans.append((c, c))
    return spans


def _grown(first: int, last: int, under: list[bool]) -> tuple[int, int]:
    """A gap, grown over its banks until it would lie there by its own weight, or all of the run is in it."""
    while not _rests(first, last, under, 0.5 * (first + last)):
        wider = (max(0, first - 1), min(len(under) - 1, last + 1))
        if wider == (first, last):
            break
        first, last = wider
    return first, last


def _rests(first: int, last: int, under: list[bool] | np.ndarray, middle: float) -> bool:
    """Is a weight at `middle` over what a plank lies on?"""
    held = [c for c in range(first, last + 1) if under[c]]
    return bool(held) and held[0] - 0.5 < middle < held[-1] + 0.5


def _weighed(spans: list[tuple[int, int, int]], cells: np.ndarray, under: np.ndarray) -> list[Plank]:
    """Planks with `stands` told by the weight that comes down on each; a cell weighs one."""
    load = np.zeros(cells.shape)
    found = []
    for row, first, last in sorted(spans, reverse=True):
        weight = 1.0 + load[row, first : last + 1]
        total = float(weight.sum())
        middle = float(weight @ np.arange(first, last + 1)) / total
        stands = _rests(first, last, under[row], middle)
        found.append(Plank(row, first, last, stands))
        if stands and row > 0:
            held = [c for c in range(first, last + 1) if under[row, c]]
            left = max((c for c in held if c <= middle), default=held[0])
            right = min((c for c in held if c >= middle), default=held[-1])
            share = 0.5 if left == right else (middle - left) / (right - left)
            load[row - 1, left] += total * (1.0 - share)
            load[row - 1, right] += total * share
    return found[::-1]
