"""Quantities as the artist reads them, the same in every panel."""

from __future__ import annotations

UNITS = ((1e6, "MJ"), (1e3, "kJ"), (1.0, "J"), (1e-3, "mJ"))
NOTHING = 5e-7  # J: less is shown as none


def energy_words(joules: float) -> str:
    """"96 J", "1.2 kJ", "340 mJ": two digits, or all before the point."""
    size = abs(joules)
    if size < NOTHING:
        return "0 J"
    sign = "−" if joules < 0.0 else ""
    for unit, name in UNITS:
        value = size / unit
        if value >= 0.995 or name == UNITS[-1][1]:
            return f"{sign}{_digits(value)} {name}"
    return "0 J"


def _digits(value: float) -> str:
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}".removesuffix(".0")


def share_words(share: float) -> str:
    """"86 %": whole, and 100 only when it is all."""
    percent = round(100.0 * share)
    return f"{min(percent, 99) if share < 1.0 else percent} %"
