"""Layout: the solids of a scene as arrays, by kind, in the world. Drawing and picking both start from it. No GL, no Qt.

Hidden bodies are left out, and so is what cannot be understood: a scene under edit may hold any value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from app.viewport.meshes import Mesh, shape_mesh
from app.viewport.seams import joined
from engine.errors import ForegoneError
from engine.scene.dice import is_die
from engine.scene.spec import Body, Compound, Scene, Shape
from engine.scene.vectors import across
from engine.shapes.ask import ask
from engine.shapes.components import components
from engine.shapes.surface import shape_key
from engine.shapes.turns import rotation_matrices

PLANE_HALF = 10.0  # m, how far a half-space is drawn from its point
FARTHEST = 1e6  # m, sum of the coordinates of what is drawn
UNIT = (1.0, 1.0, 1.0)
_REMEMBERED = 20000  # shapes whose solids are kept


class Piece(NamedTuple):
    """A simple solid in its body's frame."""

    kind: str  # sphere, box, capsule, cylinder, plane; "hull ..." and "mesh ..." name one geometry each
    size: tuple[float, float, float]  # half extents of the unit mesh; capsule: (radius, radius, half length)
    place: np.ndarray | None  # (3,) None: at the origin, not turned
    turn: np.ndarray | None  # (3, 3)
    mesh: Mesh | None = None  # of hulls and meshes


@dataclass(frozen=True)
class Solids:
    """All solids of one kind."""

    rows: np.ndarray  # (m,) row of the body in Layout.bodies
    place: np.ndarray  # (m, 3) m
    turn: np.ndarray  # (m, 3, 3)
    size: np.ndarray  # (m, 3) m
    mesh: Mesh | None = None
    own_place: np.ndarray | None = None  # (m, 3) m, in the body's frame; None: every solid is its whole body
    own_turn: np.ndarray | None = None  # (m, 3, 3)

    def moved(self, place: np.ndarray, turn: np.ndarray) -> Solids:
        """The same solids with their bodies elsewhere: place (n, 3) and turn (n, 3, 3) by row."""
        at, turned = place[self.rows], turn[self.rows]
        if self.own_place is not None and self.own_turn is not None:
            at = at + np.einsum("nij,nj->ni", turned, self.own_place)
            turned = turned @ self.own_turn
        return replace(self, place=at, turn=turned)

    def only(self, chosen: np.ndarray) -> Solids:
        """Some of the solids: those marked in (m,)."""
        own = (None, None) if self.own_place is None or self.own_turn is None else (
            self.own_place[chosen], self.own_turn[chosen])  # fmt: skip
        return Solids(self.rows[chosen], self.place[chosen], self.turn[chosen], self.size[chosen], self.mesh, *own)


@dataclass(frozen=True)
class Layout:
    """What is visible of a scene."""

    bodies: list[Body]  # row by row
    numbers: np.ndarray  # (n,) place of each body in the scene's list
    kinds: dict[str, Solids]
    dice: np.ndarray  # (n,) is the body a box with pips?
    place: np.ndarray  # (n, 3) m, of each body
    turn: np.ndarray  # (n, 3, 3)
    low: np.ndarray  # (n, 3) m, box round each body
    high: np.ndarray


_pieces: dict[int, tuple[Shape, list[Piece]]] = {}  # by identity: shapes are values, shared between versions


def pieces(shape: Shape) -> list[Piece]:
    """The solids of a shape; empty when its values make no sense."""
    known = _pieces.get(id(shape))
    if known is not None:
        return known[1]
    try:
        found = _read(shape)
    except (ForegoneError, TypeError, ValueError, IndexError, AttributeError):
        found = []
    if len(_pieces) >= _REMEMBERED:
        _pieces.clear()
    _pieces[id(shape)] = (shape, found)
    return found


def _read(shape: Shape) -> list[Piece]:
    whole = not isinstance(shape, Compound)
    found = []
    for part in components(shape):
        place, turn = (None, None) if whole else (part.place, part.turn)
        answers = ask(part.shape)
        if answers.endless:
            found.append(_plane(answers.pieces(part.place, part.turn, 0.0).planes[0]))
        elif (span := answers.span()) is not None:
            size = tuple(float(length) for length in span)
            if len(size) != 3 or not all(0.0 < length < 1e6 for length in size):
                raise ValueError("a size that cannot be drawn")
            found.append(Piece(type(part.shape).__name__.lower(), size, place, turn))
        else:
            kind, mesh = _geometry(part.shape)
            found.append(Piece(kind, UNIT, place, turn, mesh))
    return _joined(found)


def _joined(found: list[Piece]) -> list[Piece]:
    """Convex pieces of one body as one mesh in its frame, named by the content of all."""
    hulls = [
        (piece.kind, (piece.mesh, piece.place, piece.turn))
        for piece in found
        if _is_hull(piece) and piece.mesh is not None and piece.place is not None and piece.turn is not None
    ]
    if len(hulls) < 2:
        return found
    digest = hashlib.blake2b(digest_size=12)
    for kind, (_, place, turn) in hulls:
        digest.update(kind.encode() + place.tobytes() + turn.tobytes())
    name = f"hull {digest.hexdigest()}"
    if name not in _geometries:
        _geometries[name] = joined([solid for _, solid in hulls])
    rest = [piece for piece in found if not _is_hull(piece)]
    return [Piece(name, UNIT, np.zeros(3), np.eye(3), _geometries[name]), *rest]


def _is_hull(piece: Piece) -> bool:
    return piece.kind.startswith("hull ")


def _plane(half_space: tuple[np.ndarray, np.ndarray]) -> Piece:
    point, normal = half_space
    if not np.isfinite(normal).all():
        raise ValueError("a plane without direction")
    frame = np.stack([*across(normal), normal], axis=1)
    return Piece("plane", (PLANE_HALF, PLANE_HALF, 1.0), point, frame)


_geometries: dict[str, Mesh] = {}


def _geometry(shape: Shape) -> tuple[str, Mesh]:
    """Name and mesh. The name comes from the content: a thousand copies of one hull are drawn as one batch."""
    if not np.isfinite(ask(shape).points()).all():
        raise ValueError("points that are no numbers")
    digest = hashlib.blake2b(repr(shape_key(shape)).encode(), digest_size=12).hexdigest()
    kind = f"{'hull' if ask(shape).massive else 'mesh'} {digest}"
    if kind not in _geometries:
        if len(_geometries) >= _REMEMBERED:
            _geometries.clear()
        _geometries[kind] = shape_mesh(shape)
    return kind, _geometries[kind]


def layout_of(scene: Scene) -> Layout:
    """Everything visible."""
    bodies, numbers, solids = [], [], []
    for number, body in enumerate(scene.bodies):
        if not body.hidden and (found := pieces(body.shape)) and _placed(body):
            bodies.append(body)
            numbers.append(number)
            solids.append(found)
    place = np.array([body.position for body in bodies], float).reshape(-1, 3)
    turn = rotation_matrices(np.array([body.orientation for body in bodies], float).reshape(-1, 4))
    kinds = _world(solids, place, turn)
    dice = np.array([is_die(body) for body in bodies], bool)
    return Layout(bodies, np.array(numbers, np.int64), kinds, dice, place, turn, *_bounds(len(bodies), kinds))


def _placed(body: Body) -> bool:
    """Are position and orientation numbers that a picture can be made of?"""
    try:
        w, x, y, z = body.orientation
        return -FARTHEST < sum(body.position) < FARTHEST and 0.5 < w * w + x * x + y * y + z * z < 2.0
    except (TypeError, ValueError):
        return False


def _world(solids: list[list[Piece]], place: np.ndarray, turn: np.ndarray) -> dict[str, Solids]:
    """`solids`: of each row's body."""
    by_kind: dict[str, tuple[list[int], list[Piece]]] = {}
    for row, found in enumerate(solids):
        for piece in found:
            rows, parts = by_kind.setdefault(piece.kind, ([], []))
            rows.append(row)
            parts.append(piece)
    return {kind: _gathered(np.array(rows), parts, place, turn) for kind, (rows, parts) in by_kind.items()}


def _gathered(rows: np.ndarray, parts: list[Piece], place: np.ndarray, turn: np.ndarray) -> Solids:
    size = np.array([piece.size for piece in parts])
    own_place = own_turn = None
    if any(piece.place is not None for piece in parts):
        own_place = np.array([np.zeros(3) if piece.place is None else piece.place for piece in parts])
        own_turn = np.array([np.eye(3) if piece.turn is None else piece.turn for piece in parts])
    solids = Solids(rows, np.zeros((0, 3)), np.zeros((0, 3, 3)), size, parts[0].mesh, own_place, own_turn)
    return solids.moved(place, turn)


def moved(layout: Layout, rows: np.ndarray, positions: np.ndarray, orientations: np.ndarray) -> Layout:
    """The layout with the bodies of some rows at other poses, (k, 3) m and (k, 4): what playback shows."""
    return _put(layout, layout.bodies, rows, positions, orientations)


def part(layout: Layout, rows: np.ndarray) -> Layout:
    """Some rows of a layout as a layout of their own, in that order."""
    number = np.full(len(layout.bodies), -1, np.int64)
    number[rows] = np.arange(len(rows))
    kinds = {}
    for kind, solids in layout.kinds.items():
        chosen = number[solids.rows] >= 0
        if chosen.any():
            found = solids.only(chosen)
            kinds[kind] = replace(found, rows=number[found.rows])
    bodies = [layout.bodies[row] for row in rows]
    arrays = (layout.dice, layout.place, layout.turn, layout.low, layout.high)
    return Layout(bodies, layout.numbers[rows], kinds, *(array[rows] for array in arrays))


def without(layout: Layout, rows: np.ndarray) -> Layout:
    """The layout with nothing to draw or to pick of some rows; all rows keep their numbers."""
    gone = np.zeros(len(layout.bodies), bool)
    gone[rows] = True
    kinds = {kind: solids.only(~gone[solids.rows]) for kind, solids in layout.kinds.items()}
    return replace(layout, kinds={kind: solids for kind, solids in kinds.items() if len(solids.rows)})


def followed(layout: Layout, scene: Scene, rows: Sequence[int]) -> Layout | None:
    """The layout of a scene that differs from the one before only in where the bodies of some rows are; None when
    anything else that shows is different about them."""
    if not rows:
        return layout
    bodies = list(layout.bodies)
    numbers = layout.numbers[rows].tolist()
    for row, number in zip(rows, numbers, strict=True):
        body = scene.bodies[number]
        if not _looks_as(body, bodies[row]):
            return None
        bodies[row] = body
    try:
        at = np.array([bodies[row].position for row in rows], float).reshape(-1, 3)
        turns = np.array([bodies[row].orientation for row in rows], float).reshape(-1, 4)
    except (TypeError, ValueError):
        return None
    length = (turns * turns).sum(axis=1)
    if not ((np.abs(at.sum(axis=1)) < FARTHEST) & (0.5 < length) & (length < 2.0)).all():
        return None
    return _put(layout, bodies, np.array(rows, np.int64), at, turns)


def _looks_as(body: Body, other: Body) -> bool:
    """But for its place."""
    same = body.id == other.id and body.shape is other.shape and body.color == other.color
    seen = body.hidden == other.hidden and body.static == other.static and body.arrival == other.arrival
    return same and seen and body.extra is other.extra


def _put(layout: Layout, bodies: list[Body], rows: np.ndarray, at: np.ndarray, turns: np.ndarray) -> Layout:
    """The same solids, some of their bodies elsewhere."""
    place, turn = layout.place.copy(), layout.turn.copy()
    place[rows], turn[rows] = at, rotation_matrices(turns)
    kinds = {kind: solids.moved(place, turn) for kind, solids in layout.kinds.items()}
    low, high = _bounds(len(bodies), kinds)
    return replace(layout, bodies=bodies, kinds=kinds, place=place, turn=turn, low=low, high=high)


def local_box(kind: str, solids: Solids) -> tuple[np.ndarray, np.ndarray]:
    """Middle (m, 3) and half extents (m, 3) of each solid's box in its own frame."""
    half = solids.size.copy()
    middle = np.zeros_like(half)
    if kind == "capsule":
        half[:, 2] += half[:, 0]
    elif kind == "plane":
        half[:, 2] = 0.0
    elif solids.mesh is not None:
        low, high = solids.mesh.vertices.min(axis=0), solids.mesh.vertices.max(axis=0)
        middle[:], half[:] = 0.5 * (low + high), 0.5 * (high - low)
    return middle, half


def _bounds(count: int, kinds: dict[str, Solids]) -> tuple[np.ndarray, np.ndarray]:
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    for kind, solids in kinds.items():
        middle, half = local_box(kind, solids)
        if kind == "sphere":
            reach = half
        elif kind in ("capsule", "cylinder"):
            axis = np.abs(solids.turn[:, :, 2])
            flat = np.sqrt(np.maximum(1.0 - axis * axis, 0.0)) if kind == "cylinder" else 1.0
            reach = axis * solids.size[:, 2:] + flat * solids.size[:, :1]
        else:
            reach = np.einsum("nij,nj->ni", np.abs(solids.turn), half)
        center = solids.place + np.einsum("nij,nj->ni", solids.turn, middle)
        np.minimum.at(low, solids.rows, center - reach)
        np.maximum.at(high, solids.rows, center + reach)
    return low, high
