"""What the colour of a body says: its material, or one value per body. No GL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from app.look.look import Look, tokens
from app.look.tiers import tier_names, tiers_by_rank
from engine.scene.colors import body_color, rgb
from engine.scene.spec import Body

MODES: dict[str, str] = {  # mode -> word in the pill
    "material": "material",
    "energy": "energy",
    "certificate": "certificate",
    "free": "free or held",
    "arrival": "arrival",
}
RAMP = ("denim", "pine", "sand")  # from little to much; told apart in grey as well
PATTERNS = {
    "none": 0,
    "vertical lines": 1,
    "horizontal lines": 2,
    "diagonal hatch": 3,
    "cross hatch": 4,
    "back hatch": 5,
}
"""Hatch in the tokens -> number in the shader (assets/shaders/body.frag.glsl)."""
NO_PATTERN = 0.0


class Entry(NamedTuple):
    """One line of the legend."""

    color: str  # "#rrggbb"
    words: str


def colors(
    mode: str, bodies: Sequence[Body], numbers: Sequence[int] | np.ndarray, values: Mapping[str, Any], look: Look
) -> np.ndarray:
    """(n, 4) float32: red, green, blue from 0 to 1, and the number of a hatch (a tier is never told by colour alone).
    `numbers` are the bodies' places in the scene, which choose the palette colour."""
    if not bodies:
        return np.zeros((0, 4), np.float32)
    if mode == "material":
        known: dict[str, tuple[float, ...]] = {}
        names = [body_color(body, int(number)) for body, number in zip(bodies, numbers, strict=True)]
        for name in set(names):
            known[name] = (*rgb(name), NO_PATTERN)
        return np.array([known[name] for name in names], np.float32)
    if mode == "arrival":
        values = values or _arrivals(bodies)
    grey = (*rgb(look.view("static_body")), NO_PATTERN)
    top = _largest(values)
    found = [grey if (value := values.get(body.id)) is None else _shade(mode, value, top, look) for body in bodies]
    return np.array(found, np.float32)


def _shade(mode: str, value: Any, top: float, look: Look) -> tuple[float, ...]:
    if mode == "certificate":
        tier = _tier(value)
        return (*rgb(look.hex(f"{tier}_fill")), float(PATTERNS.get(tokens()["tiers"][tier]["strip_fill"], 0)))
    if mode == "free":
        return (*rgb(free_color(bool(value))), NO_PATTERN)
    return (*ramp(float(value) / top if top > 0.0 else 0.0), NO_PATTERN)


def free_color(free: bool) -> str:
    return _palette("sky") if free else _palette("clay")


def ramp(part: float) -> tuple[float, float, float]:
    """A colour between little (0) and much (1)."""
    stops = np.array([rgb(_palette(name)) for name in RAMP])
    at = min(1.0, max(0.0, part)) * (len(stops) - 1)
    low = min(int(at), len(stops) - 2)
    r, g, b = stops[low] + (at - low) * (stops[low + 1] - stops[low])
    return float(r), float(g), float(b)


def legend(mode: str, values: Mapping[str, Any], bodies: Sequence[Body], look: Look) -> list[Entry]:
    """What the colours mean; empty for materials."""
    none = Entry(look.view("static_body"), "No value")
    if mode == "certificate":
        table, by_rank = tokens()["tiers"], [tier_names()[tier] for tier in tiers_by_rank()]
        return [Entry(look.hex(f"{name}_fill"), table[name]["label"]) for name in by_rank] + [none]
    if mode == "free":
        return [Entry(free_color(True), "Free"), Entry(free_color(False), "Held"), none]
    if mode == "arrival":
        unknown = "Does not move" if values else "Chosen when generating"
        values = values or _arrivals(bodies)
        top, none = _largest(values), Entry(look.view("static_body"), unknown)
        words = [f"{part * top:.3g} s before the end" for part in (0.0, 0.5, 1.0)]
    elif mode == "energy":
        top = _largest(values)
        words = [f"{part * top:.3g} J" for part in (0.0, 0.5, 1.0)]
    else:
        return []
    if top <= 0.0:
        return [none]
    return [Entry(_hex(ramp(0.5 * k)), text) for k, text in enumerate(words)] + [none]


def _arrivals(bodies: Sequence[Body]) -> dict[str, float]:
    return {body.id: body.arrival for body in bodies if isinstance(body.arrival, float)}


def _largest(values: Mapping[str, Any]) -> float:
    numbers = [float(v) for v in values.values() if isinstance(v, (int, float)) and np.isfinite(v)]
    return max(numbers, default=0.0)


def _tier(value: Any) -> str:
    names = tier_names()
    if isinstance(value, str) and value.lower() in names:
        return value.lower()
    return names[min(max(int(value), 0), len(names) - 1)]


def _palette(name: str) -> str:
    return next(entry["hex"] for entry in tokens()["body_palette"]["colors"] if entry["name"] == name)


def _hex(color: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in color)
