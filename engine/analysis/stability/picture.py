"""Standing as things to draw: forces at contacts, loads, marks, motions, and polygons of what can be taken."""

from __future__ import annotations

import math

import numpy as np

from engine.analysis.stability.findings import GroupStanding, Margins, Push
from engine.analysis.touch import Touch
from engine.scene.inspection import Arrow, Curve, Mark, Outline, Plot, Point
from engine.scene.vectors import as_vector

PLAYED = 0.1  # s of falling: the speeds that are shown
CORNERS = 12  # of a friction cone's rim
HEIGHT, REACH = 0.25, 1.5  # of friction cones and of the cone of gravity, in sizes of the body


def plots(rest: Margins, hardest: np.ndarray | None) -> tuple[Plot, ...]:
    """Polygons of what can be taken, direction by direction: slices of the set of loads that are held."""
    angle = np.arange(len(rest.ways)) * (2.0 * math.pi / len(rest.ways))
    plots = []
    if rest.tilt is not None:
        plots.append(_polygon("Tilt it can take", "°", np.degrees(rest.tilt), angle))
    if hardest is not None:
        plots.append(_polygon("Push it can take at its middle", " N", hardest, angle))
    return tuple(plots)


def _polygon(title: str, unit: str, reach: np.ndarray, angle: np.ndarray) -> Plot:
    """With the way in which it can take least."""
    x, y = reach * np.cos(angle), reach * np.sin(angle)
    least = int(np.argmin(reach))
    held = Curve("held", tuple(map(float, x)), tuple(map(float, y)), closed=True)
    words = f"{reach[least]:.3g}{unit}"
    weakest = Curve(words, (0.0, float(x[least])), (0.0, float(y[least])), warning=True)
    here = Curve("", (0.0,), (0.0,), dots=True)
    return Plot(title, f"toward x ({unit.strip()})", f"toward y ({unit.strip()})", (held, weakest, here), equal=True)


def forces(touch: Touch, found: GroupStanding, row: int | None = None) -> tuple[Arrow, ...]:
    """What contacts bear: of all of them on their body a, or of one body, on it. What the points of a rim bear is drawn
    at those of the scene, each at the middle of its share."""
    arrows = []
    for c in np.unique(found.group.of).tolist():
        body = int(touch.a[c]) if row is None else row
        if body not in (touch.a[c], touch.b[c]):
            continue
        own = np.flatnonzero(found.group.of == c)
        side = 1.0 if body == touch.a[c] else -1.0
        pressing, along, across = side * found.forces[:, own].sum(1)
        places, weights = found.group.touch.point[found.group.contacts[own]], np.maximum(found.forces[0, own], 0.0)
        at = as_vector(weights @ places / weights.sum() if weights.sum() > 0.0 else touch.point[c])
        id = touch.model.ids[body]
        arrows.append(Arrow("normal", at, as_vector(pressing * touch.normal[c]), id))
        arrows.append(Arrow("friction", at, as_vector(along * touch.tangent[c] + across * touch.other[c]), id))
    return tuple(arrows)


def cones(touch: Touch, row: int) -> tuple[Outline, ...]:
    """Rims of the friction cones at the contacts of a body, on its side."""
    height = HEIGHT * float(touch.model.bodies.size[row])
    angle = 2.0 * math.pi * np.arange(CORNERS)[:, None] / CORNERS
    rims = []
    for c in touch.rows_of(row):
        side = 1.0 if touch.a[c] == row else -1.0
        round_it = np.cos(angle) * touch.tangent[c] + np.sin(angle) * touch.other[c]
        rim = touch.point[c] + height * (side * touch.normal[c] + touch.friction[c] * round_it)
        rims.append(Outline("cone", tuple(as_vector(corner) for corner in rim), as_vector(touch.point[c])))
    return tuple(rims)


def gravity_cone(touch: Touch, row: int, rest: Margins) -> tuple[Outline, ...]:
    """How far gravity may lean: the rim of the cone of its directions, about the centre of the body."""
    if rest.tilt is None:
        return ()
    down = touch.model.gravity / np.linalg.norm(touch.model.gravity)
    lean = rest.tilt[:, None]
    rim = touch.model.start.x[row] + REACH * touch.model.bodies.size[row] * (
        np.cos(lean) * down + np.sin(lean) * rest.ways
    )
    return (Outline("load set", tuple(as_vector(corner) for corner in rim), as_vector(touch.model.start.x[row])),)


def load_arrows(touch: Touch, row: int, push: Push | None) -> tuple[Arrow, ...]:
    id = touch.model.ids[row]
    weight = Arrow("load", as_vector(touch.model.start.x[row]), as_vector(touch.weight_of(row)[:3]), id)
    return (weight,) if push is None else (weight, Arrow("load", as_vector(push.at), as_vector(push.force), id))


def mark(touch: Touch, row: int) -> Mark:
    return Mark("unstable", as_vector(touch.model.start.x[row]), touch.model.ids[row])


def played(acceleration: np.ndarray) -> tuple[Point, Point]:
    return as_vector(PLAYED * acceleration[:3]), as_vector(PLAYED * acceleration[3:])
