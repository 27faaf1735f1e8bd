"""What a file from another program holds: named objects with a mesh and a pose.

Readers (usd.py, gltf.py, obj.py) hand on everything in the unit and the axes of the file; `in_metres` makes it metres,
z up. Nothing here compiles: a small process, or the window, may use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.errors import LayoutError
from engine.export.axes import Axes, back
from engine.layout.tidy import tidy, tidy_turn
from engine.scene.spec import Quaternion
from engine.shapes.turns import matrix_turn

MOST_BYTES = 500_000_000  # of a file
MOST_OBJECTS = 5_000
MOST_TRIANGLES = 2_000_000  # of a file
MOST_POINTS = 3 * MOST_TRIANGLES
FARTHEST = 1e12  # units of the file from the origin, beyond which numbers are nonsense


@dataclass(frozen=True, eq=False)
class Placed:
    """One object. Its mesh is in its own frame, with every scale baked in: what is left is a position and a turn."""

    name: str
    vertices: np.ndarray  # (n, 3)
    triangles: np.ndarray  # (m, 3)
    position: np.ndarray  # (3,)
    orientation: Quaternion
    properties: Mapping[str, Any] = field(default_factory=dict)  # what our own exports write beside a body
    color: str = ""  # "#rrggbb"; "": none


@dataclass(frozen=True, eq=False)
class Layout:
    file: str  # its name, for messages
    objects: tuple[Placed, ...]
    metres: float = 1.0  # per unit of the file
    up: str = "z"
    unit_known: bool = True  # False: guessed
    up_known: bool = True
    notes: tuple[str, ...] = ()  # what was left out and why, in sentences

    def in_metres(self, metres: float | None = None, up: str | None = None) -> Layout:
        """The same in metres, z up. What is given overrules what the file says.

        Bodies' own frames turn along with the world, as they do when we export: a cylinder stays along z."""
        scale, axes = self.metres if metres is None else metres, Axes(up=self.up if up is None else up)

        def converted(each: Placed) -> Placed:
            w, *turn = each.orientation
            x, y, z = back(axes, np.array(turn)).tolist()
            return replace(
                each,
                vertices=scale * back(axes, each.vertices),
                position=tidy(scale * back(axes, each.position)),
                orientation=tidy_turn((w, x, y, z)),
            )

        return replace(self, objects=tuple(map(converted, self.objects)), metres=1.0, up="z")


def placed(
    name: str,
    matrix: np.ndarray,
    vertices: np.ndarray,
    triangles: np.ndarray,
    properties: Mapping[str, Any] | None = None,
    color: str = "",
) -> Placed:
    """An object from the affine map (4, 4) that takes its mesh to the world (points are columns).

    The map is a turn after a stretch (polar decomposition): the stretch, with scales, shear and mirrors, goes into the
    mesh, the turn into the pose. One that flattens the mesh leaves an object without volume."""
    turn, stretch = _polar(matrix[:3, :3])
    if np.linalg.det(stretch) < 0.0:  # mirrored: the other side of every triangle is out
        triangles = triangles[:, ::-1]
    still = np.abs(stretch - np.eye(3)).max() <= 1e-6
    return Placed(
        name,
        np.asarray(vertices, float) if still else np.asarray(vertices, float) @ stretch.T,
        np.ascontiguousarray(triangles, np.int64),
        np.array(matrix[:3, 3], float),
        matrix_turn(turn),
        dict(properties or {}),
        color,
    )


def _polar(linear: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turn R and stretch P with linear = R P."""
    if not np.isfinite(linear).all():
        return np.eye(3), linear
    u, sizes, vt = np.linalg.svd(linear)
    turn = u @ vt
    if np.linalg.det(turn) < 0.0:
        turn, sizes = -turn, -sizes
    stretch = vt.T @ np.diag(sizes) @ vt
    noise = np.abs(stretch) <= 1e-7 * float(np.abs(sizes).max())
    return turn, np.where(noise, 0.0, tidy(stretch))


def check_counts(file: str, objects: int, triangles: int, points: int = 0) -> None:
    if objects > MOST_OBJECTS:
        raise LayoutError(f"{file} holds {objects} objects; {MOST_OBJECTS} is the most. Import it in parts.")
    if triangles > MOST_TRIANGLES:
        raise LayoutError(f"{file} has {triangles / 1e6:.1f} million triangles; two million is the most. Thin it out.")
    if points > MOST_POINTS:
        raise LayoutError(f"{file} has more than {MOST_POINTS // 1_000_000} million points. Thin it out.")


def check_size(file: str, size: int) -> None:
    if size > MOST_BYTES:
        raise LayoutError(f"{file} is larger than 500 MB. Thin it out before importing.")


def check_points(layout: Layout) -> None:
    """Raises for numbers that are none, and for triangles of points that do not exist."""
    for each in layout.objects:
        if len(each.triangles) and (each.triangles.min() < 0 or each.triangles.max() >= len(each.vertices)):
            raise LayoutError(f"{layout.file} is damaged: triangles of {each.name} use points that do not exist.")
        used = each.vertices[np.unique(each.triangles)]
        if not (np.isfinite(used).all() and np.isfinite(each.position).all() and np.isfinite(each.orientation).all()):
            raise LayoutError(f"{layout.file}: {each.name} has points that are not numbers. Export it again.")
        if len(used) and max(float(np.abs(used).max()), float(np.abs(each.position).max())) > FARTHEST:
            raise LayoutError(f"{layout.file}: {each.name} is of an impossible size. Export it again in a usual unit.")
