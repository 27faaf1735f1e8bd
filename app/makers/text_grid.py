"""A line of text on a grid of square cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.look.look import body_palette
from app.makers.coverage import coverage
from app.makers.lengths import on_grid
from app.makers.made import LIMIT, Made, refuse, too_many
from app.makers.text_outline import Letter, Line

COVERED = 0.5  # share of a cell a letter must cover to own it
BACKGROUND = body_palette()[-1]  # chalk
LETTER_COLORS = body_palette()[:-1]
COARSER = "Use fewer rows or a shorter text."
TOO_THIN = "The letters are too thin for so few rows. Use more rows or a bolder font."


class WordGrid(NamedTuple):
    """The cells of one word: -1 is empty, else the number of the letter in the line."""

    name: str
    owner: np.ndarray  # (rows, columns) int, row 0 lowest
    left: int  # column of the line at which the word begins


class TextGrid(NamedTuple):
    cell: float  # m
    columns: int  # of the whole line
    words: list[WordGrid]


def letter_color(number: int) -> str:
    return LETTER_COLORS[number % len(LETTER_COLORS)]


def raster(line: Line, cell: float) -> TextGrid | Made:
    """Cells that letters cover by more than half. Every letter begins at a cell of its own, so that equal letters get
    equal cells, and an empty column is kept between letters. Refuses huge grids before anything large is computed."""
    cell = on_grid(cell)
    if cell <= 0.0:
        return refuse("The rows are too fine for this height.")
    corners = [np.concatenate([loop for region in letter.regions for loop in region.loops]) for letter in line.letters]
    low, high = np.min([c.min(axis=0) for c in corners], axis=0), np.max([c.max(axis=0) for c in corners], axis=0)
    bottom, top = int(np.floor(low[1] / cell + 1e-6)), int(np.ceil(high[1] / cell - 1e-6))
    if (top - bottom) * (high[0] - low[0]) / cell > 20 * LIMIT:
        return too_many(int((top - bottom) * (high[0] - low[0]) / cell) // 3, COARSER)
    placed: list[tuple[int, int, np.ndarray]] = []  # number, first column, covered cells
    free = 0
    for number in sorted(range(len(corners)), key=lambda k: float(corners[k][:, 0].min())):
        cells = _letter_cells(line.letters[number], corners[number], cell, bottom, top)
        if cells.any():
            first = max(free, round((corners[number][:, 0].min() - low[0]) / cell))
            placed.append((number, first, cells))
            free = first + cells.shape[1] + 1
    return TextGrid(cell, free - 1, _words(line, placed)) if placed else refuse(TOO_THIN)


def _letter_cells(letter: Letter, corners: np.ndarray, cell: float, bottom: int, top: int) -> np.ndarray:
    """(rows, columns) bool, cut to the columns in use; the letter stands centred in its columns, on the baseline."""
    left, width = float(corners[:, 0].min()), float(np.ptp(corners[:, 0]))
    columns = max(1, round(width / cell))
    loops = [loop for region in letter.regions for loop in region.loops]
    start = left - 0.5 * (columns * cell - width)
    covered = coverage(loops, (start, bottom * cell), cell, (top - bottom, columns)) > COVERED
    used = np.flatnonzero(covered.any(axis=0))
    return covered[:, used[0] : used[-1] + 1] if len(used) else covered


def _words(line: Line, placed: list[tuple[int, int, np.ndarray]]) -> list[WordGrid]:
    """Each word's own cells; all words share the rows from the lowest to the highest cell in use."""
    used = np.flatnonzero(np.any([cells.any(axis=1) for _, _, cells in placed], axis=0))
    rows = slice(used[0], used[-1] + 1)
    found = []
    for word, name in enumerate(line.words):
        mine = [entry for entry in placed if line.letters[entry[0]].word == word]
        if mine:
            left = min(first for _, first, _ in mine)
            owner = np.full((rows.stop - rows.start, max(f + c.shape[1] for _, f, c in mine) - left), -1)
            for number, first, cells in mine:
                owner[:, first - left : first - left + cells.shape[1]][cells[rows]] = number
            found.append(WordGrid(name, owner, left))
    return found
