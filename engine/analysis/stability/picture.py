"""Standing as things to draw: forces at contacts, loads, marks, motions, and polygons of what can be taken."""

from __future__ import annotations

import math

import numpy as np

from engine.analysis.stability.findings import Margins, Push, Standing
from engine.analysis.touch import Touch
from engine.scene.inspection import Arrow, Curve, Mark, Plot, Point

PLAYED = 0.1  # s of falling: the speeds that are shown


def plots(rest: Margins, hardest: np.ndarray | None) -> tuple[Plot, ...]:
    """Polygons of what can be taken, direction by direction: slices of the set of loads that are held."""
    angle = np.arange(len(rest.ways)) * (2.0 * math.pi / len(rest.ways))
    plots = []
    if rest.tilt is not None:
        plots.append(_polygon("Tilt it can take", "degrees", "held", np.degrees(rest.tilt), angle))
    if hardest is not None:
        plots.append(_polygon("Push it can take at its centre", "N", "held", hardest, angle))
    return tuple(plots)


def _polygon(title: str, unit: str, label: str, reach: np.ndarray, angle: np.ndarray) -> Plot:
    x, y = reach * np.cos(angle), reach * np.sin(angle)
    curve = Curve(label, tuple(map(float, x)), tuple(map(float, y)), closed=True)
    return Plot(title, f"toward x ({unit})", f"toward y ({unit})", (curve,), equal=True)


def forces(touch: Touch, found: Standing, row: int | None = None) -> tuple[Arrow, ...]:
    """What contacts bear: of all of them on their body a, or of one body, on it."""
    arrows = []
    for k, c in enumerate(found.group.contacts):
        body = int(touch.a[c]) if row is None else row
        if body not in (touch.a[c], touch.b[c]):
            continue
        side = 1.0 if body == touch.a[c] else -1.0
        pressing, along, across = side * found.forces[:, k]
        at, id = point(touch.point[c]), touch.model.ids[body]
        arrows.append(Arrow("normal", at, point(pressing * touch.normal[c]), id))
        arrows.append(Arrow("friction", at, point(along * touch.tangent[c] + across * touch.other[c]), id))
    return tuple(arrows)


def load_arrows(touch: Touch, row: int, push: Push | None) -> tuple[Arrow, ...]:
    id = touch.model.ids[row]
    weight = Arrow("load", point(touch.model.start.x[row]), point(touch.weight_of(row)[:3]), id)
    return (weight,) if push is None else (weight, Arrow("load", point(push.at), point(push.force), id))


def mark(touch: Touch, row: int) -> Mark:
    return Mark("unstable", point(touch.model.start.x[row]), touch.model.ids[row])


def played(acceleration: np.ndarray) -> tuple[Point, Point]:
    return point(PLAYED * acceleration[:3]), point(PLAYED * acceleration[3:])


def point(values: np.ndarray) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z
