"""Lengths on a binary grid, so that faces that should touch have the same coordinate to the last bit."""

from __future__ import annotations

GRID = 2.0**-20  # m, 0.95 micrometres: far below what anyone places, far above what doubles lose


def on_grid(length: float) -> float:
    """The nearest multiple of GRID. Sums, differences and halves of such lengths below 2^20 m are exact in double
    precision, whatever the order of the additions, so bodies set side by side neither overlap nor leave a gap."""
    return round(length / GRID) * GRID
