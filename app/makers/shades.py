"""Shades: many bodies of one colour, told apart by a little light and dark. The same wall has the same shades."""

from __future__ import annotations

import zlib

DARKEST, LIGHTEST = 0.88, 1.06  # of the colour
STEPS = 64


def shade(color: str, number: int) -> str:
    """The colour ("#rrggbb") of the body with this number."""
    part = zlib.crc32(str(number).encode()) % STEPS / (STEPS - 1)  # mixed well: regular steps would show as stripes
    factor = DARKEST + (LIGHTEST - DARKEST) * part
    channels = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{min(255, round(factor * channel)):02x}" for channel in channels)
