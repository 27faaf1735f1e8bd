"""Shades: many bodies of one colour, told apart by a little light and dark. The same wall has the same shades."""

from __future__ import annotations

DARKEST, LIGHTEST = 0.88, 1.06  # of the colour
GOLDEN = 0.6180339887498949  # steps of this share of the range never repeat and never crowd


def shade(color: str, number: int) -> str:
    """The colour ("#rrggbb") of the body with this number."""
    factor = DARKEST + (LIGHTEST - DARKEST) * (number * GOLDEN % 1.0)
    channels = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{min(255, round(factor * channel)):02x}" for channel in channels)
