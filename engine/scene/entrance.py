"""Entrances: how bodies come into the picture before physics takes over. What is asked of a body (Entrance), who comes
when (Stagger), the space that is entered (Stage) and who looks at it (Camera).

Records as in spec.py: nothing raises for a bad value, `Scene.problems()` tells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from engine.functions import arc_tangent
from engine.scene.entrance_words import BEFORES, ENTRANCE_KINDS, ORDERS, SIDES
from engine.scene.record import Entry, Quaternion, Vector, as_number, as_numbers, as_orientation

__all__ = ["BEFORES", "ENTRANCE_KINDS", "ORDERS", "SIDES", "Camera", "Entrance", "Stage", "Stagger"]

WORD_SPREAD = 90.0  # degrees of the ground that a word for a side means
STEEP = 1e-3  # a direction with a smaller share along the ground points up or down
ALONG_Y = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "front": (0.0, -1.0), "behind": (0.0, 1.0)}
"""Where sides are on the ground (x, y) when nobody looks."""


def _as_start(value: Any) -> Any:
    """(position, orientation, seconds), or the value itself."""
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        return value
    return as_numbers(value[0]), as_orientation(value[1]), as_number(value[2])


@dataclass(eq=False)
class Camera(Entry):
    """Who looks at the shot: along its -z, its y up, as in Blender, USD and glTF."""

    position: Vector = (0.0, 0.0, 0.0)  # m
    orientation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    lens: float = 50.0  # mm, focal length
    sensor: float = 36.0  # mm, width of what it falls on
    aspect: float = 16.0 / 9.0  # width over height
    near: float = 0.01  # m, nothing nearer is seen
    far: float = 1000.0  # m
    name: str = "Camera"
    extra: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def look_at(
        cls, position: Sequence[float], target: Sequence[float], up: Sequence[float] = (0.0, 0.0, 1.0), **fields: Any
    ) -> Camera:
        """From a place toward another. Straight up or down, y of the world is up in the picture; toward itself it
        looks straight down."""
        back = np.subtract(position, target, dtype=float)
        if not back.any():
            back = np.array([0.0, 0.0, 1.0])
        back /= math.hypot(*back)
        right = np.cross(up, back)
        if math.hypot(*right) <= STEEP * math.hypot(*up):
            right = np.cross((0.0, 1.0, 0.0) if abs(back[1]) < 0.5 else (0.0, 0.0, 1.0), back)
        right /= math.hypot(*right)
        return cls(tuple(position), _turn_to(right, np.cross(back, right), back), **fields)  # type: ignore[arg-type]

    @property
    def axes(self) -> np.ndarray:
        """(3, 3) rows: right, up and back of the picture, in the world."""
        w, x, y, z = self.orientation
        return np.array(
            [
                [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
                [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
                [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
            ]
        )

    def sees(self, points: np.ndarray) -> np.ndarray:
        """(k,) bool: which of the points (k, 3) are in the picture, its border included. What stands in front of them
        does not count."""
        away = np.asarray(points, float).reshape(-1, 3) - np.array(self.position)
        right, up, back = ((away * axis).sum(axis=1) for axis in self.axes)
        reach = -back * self.sensor  # half the width of the picture there, times twice the lens
        inside = (np.abs(right) * (2.0 * self.lens) <= reach) & (np.abs(up) * (2.0 * self.lens * self.aspect) <= reach)
        found: np.ndarray = inside & (-back >= self.near) & (-back <= self.far)
        return found

    def sides(self) -> dict[str, tuple[float, float]]:
        """Where left, right, front and behind are on the ground (x, y; of any length). In front is where the camera
        is; of one that looks straight down, behind is where the picture has its top."""
        right, up, back = self.axes
        behind = -back
        if math.hypot(behind[0], behind[1]) < STEEP:
            behind = up if back[2] > 0.0 else -up
        x, y = float(behind[0]), float(behind[1])
        level = (float(right[0]), float(right[1])) if math.hypot(right[0], right[1]) >= STEEP else (y, -x)
        return {"left": (-level[0], -level[1]), "right": level, "front": (-x, -y), "behind": (x, y)}


def _turn_to(right: np.ndarray, up: np.ndarray, back: np.ndarray) -> Quaternion:
    """The turn that brings x, y and z there; by the largest of its four numbers, which loses nothing."""
    (a, d, g), (b, e, h), (c, f, i) = right.tolist(), up.tolist(), back.tolist()
    squares = (1.0 + a + e + i, 1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i)
    rows = (
        (squares[0], h - f, c - g, d - b),
        (h - f, squares[1], b + d, c + g),
        (c - g, b + d, squares[2], f + h),
        (d - b, c + g, f + h, squares[3]),
    )
    w, x, y, z = rows[squares.index(max(squares))]
    length = math.hypot(w, x, y, z)
    return w / length, x / length, y / length, z / length


@dataclass(eq=False)
class Entrance(Entry):
    """How a body, those of a group, or all are to come in. The nearest one counts for a body: see Scene.entrance_of.
    Ranges are (lowest, highest), at the release; what is None is left to the director, by the size of the body."""

    who: str = ""  # id or name of a body or a group; "": everything
    kind: Literal["auto", "drop", "toss", "roll", "slide", "carried", "placed", "flight"] | str = "auto"
    side: tuple[float, float] | str | None = None
    """From which it comes: degrees on the ground, from x toward y, and how wide a sector around that (360: any side);
    or one of SIDES."""
    height: tuple[float, float] | None = None  # m over its resting place
    speed: tuple[float, float] | None = None  # m/s
    spin: tuple[float, float] | None = None  # rad/s
    region: tuple[Vector, Vector] | None = None  # m: centre and half edges of a box in which it is let go
    off_camera: bool = False  # it is let go where the camera does not see it
    start: tuple[Vector, Quaternion, float] | None = None
    """A pose from which it is carried (m, quaternion), and when: s before the end."""
    before: Literal["entering", "held", "unseen"] | str = "entering"
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    coercions = {"side": as_numbers, "start": _as_start}

    @property
    def asks_nothing(self) -> bool:
        """Whether the body may come in from anywhere, in any way."""
        asked = (self.side, self.height, self.speed, self.spin, self.region, self.start)
        return self.kind == "auto" and not self.off_camera and all(each is None for each in asked)

    def sector(self, camera: Camera | None = None) -> tuple[float, float] | None:
        """The side as degrees and spread, for whoever looks; None from any side, and from the top."""
        if not isinstance(self.side, str):
            return self.side
        direction = (ALONG_Y if camera is None else camera.sides()).get(self.side)
        if direction is None:
            return None
        return math.degrees(arc_tangent(direction[1], direction[0])) % 360.0, WORD_SPREAD


@dataclass(eq=False)
class Stagger(Entry):
    """Who comes when. An order of arrival, and times of arrival, are the stronger wishes."""

    order: str = "one after another"  # one of ORDERS
    seconds: float | None = None  # between two bodies; None: as it fits
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(eq=False)
class Stage(Entry):
    """The space that bodies enter, from its edge: a box. A scene without one means what its camera sees, and without a
    camera a space around the ending."""

    center: Vector  # m
    half: Vector  # m, half edge lengths
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
