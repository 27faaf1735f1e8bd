"""Balls in a flat tray of bins, one ball to a bin, arranged as letters.

The proportions keep every ball clear of the walls of its bin: a ball at rest touches only the ground.
"""

from __future__ import annotations

import numpy as np

from app.makers.lengths import on_grid
from app.makers.made import LIMIT, Batch, Made, counted, too_many
from app.makers.text_grid import BACKGROUND, COARSER, TextGrid, WordGrid, letter_color
from engine.scene.spec import Body, Box, Compound, Material, Sphere

RADIUS, WALL, HEIGHT = 1.0 / 3.0, 0.07, 0.5  # of the pitch of the bins: ball radius, wall thickness, wall height
BALL = Material(name="Plastic", density=1200.0, friction=0.35, restitution=0.5, rolling_friction=0.0005)
TRAY = Material(name="Wood", density=650.0, friction=0.45, restitution=0.35)


def balls_in_bins(grid: TextGrid, filled: bool) -> Made:
    """Every covered cell a ball, every word a tray; `filled` puts chalk balls into the other bins."""
    count = sum(word.owner.size if filled else int((word.owner >= 0).sum()) for word in grid.words)
    if count + len(grid.words) > LIMIT:
        return too_many(count, COARSER)
    batches = []
    number = 0
    for word in grid.words:
        bodies = [_tray(grid, word)]
        for row, column in np.argwhere((word.owner >= 0) | filled):
            number += 1
            bodies.append(_ball(grid, word, int(row), int(column), number))
        batches.append(Batch(word.name, tuple(bodies)))
    return Made(tuple(batches), f"{counted(count, 'ball')}, {counted(len(grid.words), 'tray')}")


def _center(grid: TextGrid, word: WordGrid, row: float, column: float) -> tuple[float, float]:
    """Middle of a cell, the line centred on the origin."""
    x = (word.left + column - (grid.columns - 1) / 2) * grid.cell
    return x, (row - (word.owner.shape[0] - 1) / 2) * grid.cell


def _ball(grid: TextGrid, word: WordGrid, row: int, column: int, number: int) -> Body:
    radius = on_grid(RADIUS * grid.cell)
    owner = int(word.owner[row, column])
    color = letter_color(owner) if owner >= 0 else BACKGROUND
    place = (*_center(grid, word, row, column), radius)
    return Body(f"Ball {number}", Sphere(radius), place, material=BALL, color=color)


def _tray(grid: TextGrid, word: WordGrid) -> Body:
    """Thin walls between all cells and around them, as one static body standing on the ground."""
    rows, columns = word.owner.shape
    half_wall, half_height = on_grid(0.5 * WALL * grid.cell), on_grid(0.5 * HEIGHT * grid.cell)
    length, width = columns * grid.cell, rows * grid.cell
    upright = (1.0, 0.0, 0.0, 0.0)
    parts = [
        (Box((half_wall, 0.5 * width + half_wall, half_height)), (column * grid.cell - 0.5 * length, 0.0, 0.0), upright)
        for column in range(columns + 1)
    ]
    parts += [
        (Box((0.5 * length + half_wall, half_wall, half_height)), (0.0, row * grid.cell - 0.5 * width, 0.0), upright)
        for row in range(rows + 1)
    ]
    x, y = _center(grid, word, (rows - 1) / 2, (columns - 1) / 2)
    return Body("Tray", Compound(parts), (x, y, half_height), material=TRAY, static=True)
