"""Quantities as the artist reads them, the same in every panel."""

from __future__ import annotations

UNITS = ((1e6, "MJ"), (1e3, "kJ"), (1.0, "J"), (1e-3, "mJ"))
NOTHING = 5e-7  # J: less is shown as none


def energy_words(joules: float) -> str:
    """ "96 J", "1.2 kJ", "340 mJ": two digits, or all before the point."""
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
    """ "86 %": whole, and 100 only when it is all."""
    percent = round(100.0 * share)
    return f"{min(percent, 99) if share < 1.0 else percent} %"


def length_words(metres: float) -> str:
    """ "12 mm", "46 cm", "1.2 m"."""
    size = abs(metres)
    sign = "−" if metres < 0.0 else ""
    if size < 5e-5:
        return "0 mm"
    if size < 0.0995:
        return f"{sign}{_digits(1000.0 * size)} mm"
    if size < 0.995:
        return f"{sign}{_digits(100.0 * size)} cm"
    return f"{sign}{size:.3g} m"


def force_words(newtons: float) -> str:
    """ "24.7 N", "1.3 kN": three digits."""
    if abs(newtons) >= 999.5:
        return f"{_three(newtons / 1000.0)} kN"
    return f"{_three(newtons)} N" if abs(newtons) >= 0.0005 else "0 N"


def quantity_words(value: float, unit: str) -> str:
    """Any figure of an inspector, with its unit."""
    if unit == "m":
        return length_words(value)
    if unit == "N":
        return force_words(value)
    if unit == "%":
        return f"{value:.0f} %".replace("-", "−")
    return f"{_three(value)} {unit}".rstrip()


def _three(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")
