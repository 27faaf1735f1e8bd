"""Copies of bodies in a grid or around a circle."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.document import edits
from app.makers.lengths import on_grid
from app.makers.made import LIMIT
from engine.scene.spec import Body, Scene, Vector
from engine.shapes.extent import extent
from engine.shapes.turns import about, product, rotation_matrix


@dataclass(frozen=True)
class ArraySpec:
    kind: Literal["grid", "circle"] = "grid"
    counts: tuple[int, int, int] = (3, 1, 1)  # in all, along x, y, z
    relative: bool = True  # spacing in sizes of what is copied (1: they touch), else in metres
    spacing: Vector = (1.0, 1.0, 1.0)
    around: int = 8  # in all, on the circle
    radius: float = 1.0  # m; the originals stay where they are, the centre lies this far behind them (+y)
    sweep: float = 360.0  # degrees; a full turn does not repeat the first
    turned: bool = True  # copies turn with the circle


@dataclass(frozen=True)
class Arrayed:
    scene: Scene
    added: tuple[str, ...]  # ids
    summary: str = ""
    refused: str = ""


def array(scene: Scene, ids: Collection[str], spec: ArraySpec) -> Arrayed:
    """The scene with copies of some bodies; the originals stay."""
    wanted = set(ids)
    chosen = [body for body in scene.bodies if body.id in wanted]
    box = extent(chosen)
    if not chosen or box is None:
        return Arrayed(scene, (), refused="Select the bodies to copy." if not chosen else "A plane cannot be copied.")
    total = math.prod(spec.counts) if spec.kind == "grid" else spec.around
    if min(spec.counts) < 1 or spec.around < 1:
        return Arrayed(scene, (), refused="Counts start at one.")
    count = (total - 1) * len(chosen)
    if count > LIMIT:
        told = f"That would be {count:,} copies; {LIMIT:,} is the most. Use smaller counts.".replace(",", " ")
        return Arrayed(scene, (), refused=told)
    if spec.kind == "grid":
        made, added = edits.array(scene, ids, spec.counts, grid_steps(spec, box))
    else:
        made, added = edits.add_copies(scene, chosen, _circle(chosen, box, spec))
    return Arrayed(made, tuple(added), f"{total} in all, {count} new")


def grid_steps(spec: ArraySpec, box: tuple[np.ndarray, np.ndarray]) -> Vector:
    """Distance from one copy to the next (m). On the binary grid, rounded outward, so that copies that should touch
    do not overlap."""
    if not spec.relative:
        return spec.spacing
    x, y, z = (_outward(factor * float(size)) for factor, size in zip(spec.spacing, box[1] - box[0], strict=True))
    return (x, y, z)


def _outward(length: float) -> float:
    """On the binary grid; never below a length that is a rounding error above a grid line."""
    near = on_grid(length)
    return near if near >= length - 1e-12 * abs(length) else on_grid(length + 2.0**-21)


def _circle(chosen: Sequence[Body], box: tuple[np.ndarray, np.ndarray], spec: ArraySpec) -> list[Body]:
    """Copies about an upright axis behind the originals."""
    middle = 0.5 * (box[0] + box[1])
    center = np.array([middle[0], middle[1] + spec.radius, 0.0])
    full = abs(abs(spec.sweep) - 360.0) < 1e-9
    step = math.radians(spec.sweep) / (spec.around if full else max(1, spec.around - 1))
    copies = []
    for k in range(1, spec.around):
        by = about((0.0, 0.0, 1.0), k * step)
        matrix = rotation_matrix(by)
        carried = center + matrix @ (middle - center) - middle
        for body in chosen:
            old = np.array(body.position)
            x, y, z = center + matrix @ (old - center) if spec.turned else old + carried
            turn = product(by, body.orientation) if spec.turned else body.orientation
            place = (float(x), float(y), float(body.position[2]))
            copies.append(edits.changed(body, position=place, orientation=turn, locked=False))
    return copies
