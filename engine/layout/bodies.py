"""Bodies from the objects of a layout: exact solids where a mesh is one, else hulls; surfaces that never move where
there is no volume to move."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import LayoutError
from engine.layout.layout import Layout, Placed, check_points
from engine.layout.reach import reaches
from engine.layout.recognise import recognise
from engine.layout.tidy import tidy, tidy_turn
from engine.layout.words import listed
from engine.scene.dice import PIPS
from engine.scene.flatness import is_flat
from engine.scene.spec import Body, Hull, Material, Quaternion, Shape, TriangleMesh
from engine.shapes.ask import ask
from engine.shapes.simple_hull import HULL_POINTS, simple_hull
from engine.shapes.turns import IDENTITY, matrix_turn, product, rotation_matrix
from engine.shapes.welding import FILLS_ITS_HULL, Welded, described, hull_volume, welded

PLAIN = Material(name="Plastic", density=1200.0, friction=0.35, restitution=0.5, rolling_friction=0.0005)
LONGEST_NAME = 200
LIMITS = {"density": (1e-3, 1e6), "friction": (0.0, 10.0), "restitution": (0.0, 1.0)}
BESIDE = "layout"  # key of Body.extra for what the merge wants to know


@dataclass(frozen=True)
class Imported:
    """Bodies in the order of the file. Names may repeat; ids are those of our own exports, or empty."""

    bodies: tuple[Body, ...]
    notes: tuple[str, ...] = ()  # what was left out; what became of shapes is told by shape_notes


@dataclass(frozen=True)
class _Solid:
    """What an object's mesh has become, in the object's frame."""

    shape: Shape
    center: np.ndarray
    turn: Quaternion
    fixed: bool = False  # a surface without a volume
    remark: str = ""  # key of REMARKS


REMARKS = {
    "flat": ("has no volume: it stays fixed, as a surface", "have no volume: they stay fixed, as surfaces"),
    "open": ("is not closed: it stays fixed, as a surface", "are not closed: they stay fixed, as surfaces"),
    "hollow": ("has hollows, which its hull fills", "have hollows, which their hulls fill"),
}


def layout_bodies(layout: Layout, metres: float | None = None, up: str | None = None) -> Imported:
    """What is given overrules the unit and the axis of the file. Raises LayoutError when nothing is left."""
    check_points(layout)
    bodies, empty = [], []
    solids: dict[tuple[bytes, bool | None], _Solid | None] = {}  # equal meshes are looked at once, and share a shape
    for each in layout.in_metres(metres, up).objects:
        name = _text(each.properties.get("name"), LONGEST_NAME) or _text(each.name, LONGEST_NAME) or "Body"
        static = _told_static(each.properties)
        key = hashlib.sha256(each.vertices.tobytes() + each.triangles.tobytes()).digest(), static
        if key not in solids:
            solids[key] = _solid(each, static)
        solid = solids[key]
        if solid is None:
            empty.append(name)
        else:
            bodies.append(_body(each, name, solid))
    verbs = ("has no volume and was", "have no volume and were")[len(empty) > 1]
    notes = [f"{listed(empty)} {verbs} left out."] if empty else []
    if not bodies:
        why = f" {notes[0]}" if notes else " Export it again with its meshes."
        raise LayoutError(f"{layout.file} holds nothing that can be a body.{why}")
    return Imported(tuple(bodies), (*layout.notes, *notes))


def shape_notes(bodies: Sequence[Body]) -> list[str]:
    """What became of the shapes of bodies just imported, in sentences."""
    said: dict[str, list[str]] = {key: [] for key in REMARKS}
    for body in bodies:
        remark = body.extra.get(BESIDE, {}).get("remark")
        if remark in said:
            said[remark].append(body.name)
    return [f"{listed(names)} {REMARKS[key][len(names) > 1]}." for key, names in said.items() if names]


def _body(each: Placed, name: str, solid: _Solid) -> Body:
    frame = rotation_matrix(each.orientation)
    moved = bool(np.abs(solid.center).max() > 0.0)
    x, y, z = (tidy(each.position + frame @ solid.center) if moved else each.position).tolist()
    turned = solid.turn != IDENTITY
    told = _told_static(each.properties)
    return Body(
        name,
        solid.shape,
        (x, y, z),
        tidy_turn(product(each.orientation, solid.turn)) if turned else each.orientation,
        _material(each.properties),
        static=solid.fixed or bool(told),
        id=_text(each.properties.get("id"), 64),
        color=each.color,
        extra={BESIDE: _beside(each, solid), **({PIPS: True} if each.properties.get(PIPS) is True else {})},
    )


def _beside(each: Placed, solid: _Solid) -> dict[str, Any]:
    """Where the object's own frame is in the body's, for who wants to put motion on the very object; and how far the
    whole mesh reaches in its own frame, to tell later whether a body has that shape already."""
    place = -rotation_matrix(solid.turn).T @ solid.center + 0.0  # no -0
    w, x, y, z = solid.turn
    found: dict[str, Any] = {"pivot": [place.tolist(), [w, 0.0 - x, 0.0 - y, 0.0 - z]]}
    if ask(solid.shape).span() is None:
        found["reach"] = reaches(each.vertices[np.unique(each.triangles)]).tolist()
    if solid.remark:
        found["remark"] = solid.remark
    return found


def _solid(each: Placed, static: bool | None) -> _Solid | None:
    """`static`: what the file says, None when it says nothing. Then what is open or flat stays fixed."""
    if len(each.triangles) == 0:
        return None
    points, triangles = welded(each.vertices, each.triangles)
    if len(triangles) == 0:
        return None
    used, corners = np.unique(triangles, return_inverse=True)
    points, triangles = points[used], corners.reshape(-1, 3)
    if is_flat(points):
        return _surface(points, _upward(points, triangles, each), "flat")
    mesh = described(points, triangles)
    if mesh.open_edges and static is not False:
        return _surface(points, mesh.triangles, "open")
    found = recognise(points, mesh.triangles, mesh.volume) if mesh.open_edges == 0 else None
    if found is not None:
        turn = matrix_turn(found.turn)
        return _Solid(found.shape, found.center, tidy_turn(turn))
    return _hull_or_surface(mesh, bool(static))


def _hull_or_surface(mesh: Welded, static: bool) -> _Solid:
    """Fixed meshes keep their hollows, and every triangle when a hull would have too many corners."""
    convex = mesh.volume >= FILLS_ITS_HULL * hull_volume(mesh.vertices)
    corners = simple_hull(mesh.vertices)
    if static and not (convex and len(corners) <= HULL_POINTS):
        return _surface(mesh.vertices, mesh.triangles, "")
    center = _handy_center(corners)
    return _Solid(Hull(corners - center), center, IDENTITY, remark="" if convex else "hollow")


def _surface(points: np.ndarray, triangles: np.ndarray, remark: str) -> _Solid:
    center = _handy_center(points)
    return _Solid(TriangleMesh(points - center, triangles), center, IDENTITY, fixed=True, remark=remark)


def _handy_center(points: np.ndarray) -> np.ndarray:
    """The object's own origin where that is in or on its box; far from it nobody could turn the body by its handles."""
    low, high = points.min(axis=0), points.max(axis=0)
    slack = 1e-6 * float((high - low).max())
    return np.zeros(3) if bool(((low <= slack) & (high >= -slack)).all()) else tidy(0.5 * (low + high))


def _upward(points: np.ndarray, triangles: np.ndarray, each: Placed) -> np.ndarray:
    """Flat surfaces that face down carry things from below: turned over."""
    corners = points[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).sum(axis=0)
    down = float((rotation_matrix(each.orientation) @ normal)[2]) < -1e-6 * float(np.linalg.norm(normal))
    return triangles[:, ::-1].copy() if down else triangles


def _told_static(properties: Mapping[str, Any]) -> bool | None:
    told = properties.get("static")
    return bool(told) if isinstance(told, (bool, int)) else None


def _material(properties: Mapping[str, Any]) -> Material:
    """Values that make sense; the others stay usual ones."""
    told: dict[str, Any] = {}
    for key, (low, high) in LIMITS.items():
        value = properties.get(key)
        if isinstance(value, (int, float)) and math.isfinite(value) and low <= value <= high:
            told[key] = float(value)
    return Material(**told) if len(told) == len(LIMITS) else PLAIN


def _text(value: Any, longest: int) -> str:
    """Printable text, cut where nobody reads on."""
    if not isinstance(value, str):
        return ""
    return "".join(letter for letter in value if letter.isprintable())[:longest].strip()
