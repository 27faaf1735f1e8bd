"""The grid on the ground: how far apart its lines are. No GL."""

from __future__ import annotations

import math

SMALLEST_CELL = 56.0  # px at the camera's target

_CELLS = {1.0: 5, 2.5: 4, 5.0: 4}
"""Leading digits of the spacing -> cells between strong lines, so that these too are round lengths."""


def grid_spacing(metres_per_pixel: float) -> tuple[float, float]:
    """Metres between lines, and between strong lines."""
    wanted = max(metres_per_pixel, 1e-9) * SMALLEST_CELL
    decade = 10.0 ** math.floor(math.log10(wanted) + 1e-12)
    for digits, cells in _CELLS.items():
        if digits * decade >= wanted * (1.0 - 1e-9):
            return digits * decade, digits * decade * cells
    return 10.0 * decade, 10.0 * decade * _CELLS[1.0]


def grid_words(spacing: float) -> str:
    """ "Grid 0.5 m" """
    if spacing < 0.0099:
        return f"Grid {1000.0 * spacing:g} mm"
    if spacing < 0.099:
        return f"Grid {100.0 * spacing:g} cm"
    if spacing < 999.0:
        return f"Grid {spacing:g} m"
    return f"Grid {spacing / 1000.0:g} km"
