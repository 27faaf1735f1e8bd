"""Imported bodies in another unit, or with another axis up, without reading the file again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from engine.export.axes import Axes, back
from engine.layout.bodies import BESIDE
from engine.layout.tidy import tidy, tidy_length, tidy_turn
from engine.scene.spec import Body, Shape, Vector
from engine.shapes.ask import ask
from engine.shapes.turns import about, product

UPRIGHT = {("y", "z"): -0.5 * math.pi, ("z", "y"): 0.5 * math.pi}
"""Turn about x of what was taken to be `first` up and is `second` up."""


def converted(bodies: Sequence[Body], factor: float, was: str, up: str) -> list[Body]:
    """All of them `factor` times as large about the origin, and turned so that another axis of the file is up. Their
    own frames turn with them, so solids stay what they are."""
    shapes: dict[int, Shape] = {}
    turn = about((1.0, 0.0, 0.0), UPRIGHT[was, up]) if was != up else None

    def made(body: Body) -> Body:
        if id(body.shape) not in shapes:
            shapes[id(body.shape)] = scaled(body.shape, factor)
        position, orientation = np.array(body.position), body.orientation
        if turn is not None:
            orientation = tidy_turn(product(turn, orientation))
            position = _picked(position, up)
        x, y, z = tidy(factor * position).tolist()
        return replace(
            body,
            shape=shapes[id(body.shape)],
            position=(x, y, z),
            orientation=orientation,
            extra={**body.extra, BESIDE: _beside(body.extra.get(BESIDE, {}), factor)},
        )

    return list(bodies) if factor == 1.0 and turn is None else [made(body) for body in bodies]


def _picked(point: np.ndarray, up: str) -> np.ndarray:
    """The turn of a point by picking coordinates, which keeps their bits."""
    axes = Axes(up="y")
    return back(axes, point) if up == "y" else axes.directions(point)


def _beside(known: dict[str, Any], factor: float) -> dict[str, Any]:
    found = dict(known)
    if "pivot" in known:
        found["pivot"] = [[factor * c for c in known["pivot"][0]], known["pivot"][1]]
    if "reach" in known:
        found["reach"] = [factor * c for c in known["reach"]]
    return found


def scaled(shape: Shape, factor: float) -> Shape:
    """Of the shapes that an import makes; lengths become what was typed."""
    larger: Any = ask(shape).scaled(np.full(3, factor))
    values = {each.name: getattr(larger, each.name) for each in fields(larger)}
    lengths = {name: value for name, value in values.items() if isinstance(value, float | tuple)}
    return replace(larger, **{name: _tidied(value) for name, value in lengths.items()})


def _tidied(value: float | Vector) -> float | tuple[float, ...]:
    return tuple(tidy_length(c) for c in value) if isinstance(value, tuple) else tidy_length(value)
