"""Colours of files, which are linear, as those of bodies, which are sRGB."""

from __future__ import annotations

from collections.abc import Sequence


def from_linear(values: Sequence[float]) -> str:
    """ "#rrggbb" of red, green, blue from 0 to 1; "" for what is no colour."""
    parts = [min(max(float(value), 0.0), 1.0) for value in values[:3]]
    if len(parts) < 3 or any(part != part for part in parts):
        return ""
    bent = [12.92 * part if part <= 0.0031308 else 1.055 * part ** (1.0 / 2.4) - 0.055 for part in parts]
    return "#" + "".join(f"{round(255 * part):02x}" for part in bent)
