"""How numbers are written in fields: fixed decimals, digits in groups of three, never minus zero."""

from __future__ import annotations

GROUP = "\u202f"  # narrow no-break space
NOTHING = 1e-9  # smaller values are what rounding leaves of zero, and are shown as zero
MIXED = "—"  # several bodies with different values


def number_text(value: float, decimals: int, trim: bool = False) -> str:
    """`value` with `decimals` places (`trim`: without the zeros at the end). What would be rounded away to nothing,
    or is too large to read digit by digit, is written with a power of ten."""
    if abs(value) < NOTHING:
        value = 0.0
    if abs(value) >= 1e9 or (value != 0.0 and abs(value) < 0.5 * 10.0**-decimals):
        return f"{value:.2g}"
    text = f"{value:,.{decimals}f}".replace(",", GROUP)
    if trim and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.removeprefix("-") if not text.strip("-0.") else text


def editing_text(value: float) -> str:
    """All digits that matter to a person, to start typing from."""
    return f"{value:.12g}"


def length_text(metres: float) -> str:
    """A length in the unit people would say it in: mm, cm or m."""
    if abs(metres) < 0.01:
        return f"{number_text(1000 * metres, 1, trim=True)} mm"
    if abs(metres) < 1.0:
        return f"{number_text(100 * metres, 1, trim=True)} cm"
    return f"{number_text(metres, 2, trim=True)} m"


def mass_text(kilograms: float) -> str:
    """A mass in g, kg or t."""
    if kilograms < 1.0:
        return f"{number_text(1000 * kilograms, 0 if kilograms >= 0.1 else 1, trim=True)} g"
    if kilograms < 1000.0:
        return f"{number_text(kilograms, 1 if kilograms < 100 else 0, trim=True)} kg"
    return f"{number_text(kilograms / 1000, 1, trim=True)} t"
