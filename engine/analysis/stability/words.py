"""Sentences about standing, for people who are no engineers."""

from __future__ import annotations

import math

import numpy as np

STEEP = math.radians(79.0)  # beyond it, tilts were not asked for
TURNS = 0.3  # speed of turning, times the size, over the speed of the centre: more is tipping, not sliding


def how_it_falls(acceleration: np.ndarray, size: float, contacts: int, jointed: bool) -> str:
    """A verb."""
    if not contacts:
        return "swing" if jointed else "fall"
    speed, turning = float(np.linalg.norm(acceleration[:3])), float(np.linalg.norm(acceleration[3:])) * size
    if turning <= TURNS * speed:
        return "slide"
    return "roll off" if contacts == 1 else "tip over"


def falling(name: str, acceleration: np.ndarray, size: float, contacts: int, jointed: bool) -> str:
    if not contacts and not jointed:
        return f"{name} hangs in the air: it would fall."
    return f"{name} does not stand: it would {how_it_falls(acceleration, size, contacts, jointed)}."


def loose(name: str, way: np.ndarray, size: float, contacts: int, jointed: bool) -> str:
    verb = how_it_falls(way, size, contacts, jointed)
    return f"{name} does not stay by itself: let go, it would {verb}. Only a squeeze from its neighbours could hold it."


def standing(name: str, friction: float, tilt: float | None, whole: str) -> str:
    """friction: share that is needed; tilt: rad it can take, None when that was not asked. `whole` gives way."""
    if friction > 0.0:
        lost = per_cent(1.0 - friction)
        return f"{name} stands, but {whole} would give way if {lost} of the friction were lost."
    if tilt is None:
        return f"{name} stands, even without friction."
    if tilt >= STEEP:
        return f"{name} stands, even without friction, and no tilt would move {whole}."
    if tilt < math.radians(0.5):
        return f"{name} stands, but the slightest tilt would set {whole} moving."
    return f"{name} stands, even without friction; tilted by {degrees(tilt)}, {whole} would give way."


def pushed(name: str, factor: float) -> str:
    if factor == math.inf:
        return f"{name} takes this force, and any in the same direction."
    return f"{name} takes this force, and up to {factor:.{0 if factor >= 10.0 else 1}f} times as much."


def uncertain(name: str) -> str:
    return f"{name} can stand, but need not: the same contacts also let it move."


def uncertain_push(name: str) -> str:
    return f"{name} can take this force, but need not: it may jam, or give way."


def nearly(name: str) -> str:
    """Of what pyramids of friction let move, which nearly are the round cones of the law."""
    return f"{name} can stand, but that it must is not proven: contacts nearly like these let it move."


def nearly_push(name: str) -> str:
    return f"{name} can take this force, but that it must is not proven: contacts nearly like these let it move."


def unproven(sentence: str) -> str:
    """Of what stands as far as anybody knows."""
    return f"{sentence} That it can stand is certain; that it must is not proven."


def whatever_friction(sentence: str, who: str) -> str:
    """Of what can go without sliding."""
    return f"{sentence} More friction would not hold it: {who} can roll or lift off without sliding."


def several(names: list[str]) -> str:
    """Bodies that do not stand."""
    if len(names) > 3:
        return f"{len(names)} bodies do not stand: {', '.join(names[:2])} and {len(names) - 2} more."
    return f"{', '.join(names[:-1])} and {names[-1]} do not stand."


def per_cent(share: float) -> str:
    return f"{100.0 * share:.0f} %" if share >= 0.01 else "less than 1 %"


def degrees(angle: float) -> str:
    value = math.degrees(angle)
    return f"{value:.0f}°" if value >= 10.0 else f"{value:.1f}°"
