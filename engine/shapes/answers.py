"""What can be asked of a shape. One module per shape answers (sphere.py, box.py, ...); ask.py finds it.

Everything is in the shape's own frame and in metres, exact unless it says otherwise, and needs numpy only: the window
asks as well as the engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from engine.algebra import norm
from engine.errors import GeometryError
from engine.scene.faults import Fault
from engine.scene.spec import Shape, Vector
from engine.shapes.inertia import MassProperties
from engine.shapes.rays import Hit
from engine.shapes.solid import Solid
from engine.shapes.surface import Surface
from engine.shapes.symmetry import only_itself

S = TypeVar("S")
Extent = tuple[np.ndarray, np.ndarray]  # lowest and highest corner (3,) of a box along the axes

THINNEST = 1e-4  # m, half a size that scaling never goes below
AXES = tuple(zip("XYZ", ("Width", "Depth", "Height"), strict=True))


@dataclass(frozen=True)
class SizeField:
    """A length (m) that an artist can type."""

    label: str  # inside the field
    name: str  # in full
    read: Callable[[Any], float]  # of the shape
    write: Callable[[Any, float], Shape]


class Magnitude(NamedTuple):
    """Roughly."""

    large: float  # m, from one end to the other, through the origin; 0 for a plane
    thin: float  # m, the smallest extent; infinite for what has no volume


class Pieces(NamedTuple):
    """What a shape is made of, in the world, to be asked for distances."""

    solids: list[Solid]
    triangles: np.ndarray = np.zeros((0, 3, 3))  # thin ones
    planes: tuple[tuple[np.ndarray, np.ndarray], ...] = ()  # point, unit normal out of the solid


def around(boxes: Sequence[Extent]) -> Extent | None:
    """The box that holds all of them; None for none."""
    return (np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)) if boxes else None


class ShapeAnswers(ABC, Generic[S]):
    """Of one shape. What a kind of shape does not say differently holds for solids with corners, faces and an end."""

    word = "Body"  # what artists call it
    massive = True  # it has a volume, so it can move
    endless = False
    rolls = False  # it is round about an axis: without rolling friction it never comes to rest
    sizes: tuple[SizeField, ...] = ()

    def __init__(self, shape: S) -> None:
        self.shape = shape

    @abstractmethod
    def faults(self, static: bool, depth: int = 0) -> Iterator[Fault]:
        """Everything wrong with its values; all other questions are for shapes without faults. `static`: the body never
        moves; `depth`: of compounds around it."""

    def mass(self, density: float) -> MassProperties:
        """Of a solid full of `density` (kg/m^3)."""
        raise GeometryError(f"a {type(self.shape).__name__} has no mass: it can only be static")

    def volume(self) -> float | None:
        """m^3; None where there is none."""
        return self.mass(1.0).mass

    @abstractmethod
    def reach(self, directions: np.ndarray) -> np.ndarray:
        """(k,) the largest d . x over the points x of the shape, for directions d (k, 3) of any length. Infinite where
        it has no end."""

    def box(self, place: np.ndarray, turn: np.ndarray) -> Extent | None:
        """The box along the world's axes around the shape, turned (3, 3) and then moved (3,); None without an end."""
        return place - self.reach(-turn), place + self.reach(turn)

    def size(self) -> Vector | None:
        """Along its own axes."""
        found = self.box(np.zeros(3), np.eye(3))
        if found is None:
            return None
        x, y, z = (float(c) for c in found[1] - found[0])
        return (x, y, z)

    def radius(self) -> float:
        """Of a ball about the origin that holds it."""
        return float(norm(np.maximum(self.reach(np.eye(3)), self.reach(-np.eye(3)))))

    def ball(self) -> tuple[np.ndarray, float]:
        """Centre and radius of a ball that holds it, rather tight."""
        return np.zeros(3), self.radius()

    def scale(self) -> Magnitude:
        return Magnitude(2.0 * self.radius(), min(self.size() or (np.inf,)))

    @abstractmethod
    def scaled(self, factors: np.ndarray, least: float = 0.0) -> Shape:
        """Larger by factors (3,) along its own axes, as far as it can and stay what it is. No half length, and no
        factor of a cloud of points, goes below `least`."""

    @abstractmethod
    def surface(self) -> Surface:
        """As an artist would model it. Raises GeometryError where there is none."""

    def points(self) -> np.ndarray:
        """(n, 3), with the hull of the surface."""
        return self.surface().points

    def span(self) -> Vector | None:
        """Half lengths by which all shapes of this kind are pictures of one: (radius, radius, half length) of round
        ones. None: every one is a form of its own."""
        return None

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        """Where rays meet it first (rays.py)."""
        raise GeometryError(f"rays meet the parts of a {type(self.shape).__name__} one by one")

    @abstractmethod
    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        """What it is made of, turned and moved, and smaller by `shrink` on all sides: at least that much where it is
        round or a box, about that much elsewhere."""

    def alike(self, a: np.ndarray, b: np.ndarray, angle: float = 0.0) -> list[np.ndarray]:
        """Orthogonal matrices S (3, 3), mirrors included, that keep the shape (about its centre) and S a = b, for unit
        a, b. Round shapes have infinitely many; of those `angle` (rad) is the turn about b where it is free."""
        return only_itself(a, b)

    def canonical_side(self, side: np.ndarray) -> np.ndarray:
        """One and the same direction for all that symmetries of the shape bring to each other."""
        return side
