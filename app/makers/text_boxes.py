"""Letters built of boxes: lying on the ground, or stacked into letters that stand (masonry.py)."""

from __future__ import annotations

import numpy as np

from app.makers.lengths import on_grid
from app.makers.made import LIMIT, Batch, Made, counted, too_many
from app.makers.masonry import Plank, planks_of
from app.makers.text_grid import BACKGROUND, COARSER, TextGrid, WordGrid, letter_color
from engine.scene.spec import Body, Box, Material

GAP = 1.0 / 16.0  # of a cell, between neighbours side by side: boxes stay boxes to the eye, and do not jam
BOX = Material(name="Wood", density=650.0, friction=0.45, restitution=0.35)


def box_text(grid: TextGrid, depth: float, upright: bool, filled: bool) -> Made:
    """`depth` is the thickness of the boxes across the face of the text. Filled, the cells around the letters get
    boxes too; a standing text is then a whole wall in which every box stands on the one below."""
    planks = [(word, _standing(word) if upright and not filled else _single(word, filled)) for word in grid.words]
    count = sum(len(found) for _, found in planks)
    if count > LIMIT:
        return too_many(count, COARSER)
    batches, number = [], 0
    for word, found in planks:
        bodies = []
        for owner, plank in found:
            number += 1
            bodies.append(_body(grid, word, owner, plank, depth, upright, number))
        batches.append(Batch(word.name, tuple(bodies)))
    falling = sum(not plank.stands for _, found in planks for _, plank in found)
    warnings: tuple[str, ...] = ()
    if falling:
        told = counted(falling, "box has", "boxes have")
        warnings = (f"{told} too little to stand on and would fall. Lay the text flat, or fill around the letters.",)
    return Made(tuple(batches), counted(count, "box", "boxes"), warnings)


def _single(word: WordGrid, filled: bool) -> list[tuple[int, Plank]]:
    """Every cell a box of its own."""
    cells = np.argwhere((word.owner >= 0) | filled)
    return [(int(word.owner[row, column]), Plank(int(row), int(column), int(column), True)) for row, column in cells]


def _standing(word: WordGrid) -> list[tuple[int, Plank]]:
    """Boxes and planks, letter by letter. Each letter stands on its own lowest row: a g reaches the ground with its
    tail, and stands higher than its neighbours."""
    found = []
    for letter in sorted(set(map(int, word.owner[word.owner >= 0]))):
        cells = word.owner == letter
        cells = cells[int(np.argmax(cells.any(axis=1))) :]
        found += [(letter, plank) for plank in planks_of(cells)]
    return found


def _body(grid: TextGrid, word: WordGrid, owner: int, plank: Plank, depth: float, upright: bool, number: int) -> Body:
    cell, gap = grid.cell, on_grid(GAP * grid.cell)
    half_x, half_depth = 0.5 * ((plank.last - plank.first + 1) * cell - gap), 0.5 * on_grid(depth)
    x = (word.left + 0.5 * (plank.first + plank.last) - 0.5 * (grid.columns - 1)) * cell
    color = letter_color(owner) if owner >= 0 else BACKGROUND
    if upright:
        half, place = (half_x, half_depth, 0.5 * cell), (x, 0.0, (plank.row + 0.5) * cell)
    else:
        half = (half_x, 0.5 * (cell - gap), half_depth)
        place = (x, (plank.row - 0.5 * (word.owner.shape[0] - 1)) * cell, half_depth)
    return Body(f"Box {number}", Box(half), place, material=BOX, color=color)
