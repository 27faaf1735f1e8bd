"""The handles to move, turn or scale by, of constant size on screen. Calls no Qt: pixels in, handles and lines out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from app.tools.drag import Sight
from app.tools.lock import Lock
from app.tools.tool import Stroke

Mode = Literal["move", "rotate", "scale"]
Kind = Literal["axis", "plane", "all"]

LENGTH = 92.0  # px from the pivot to the tip of an axis
RING = 80.0  # px, radius of the rings about axes
VIEW_RING = 97.0  # px, of the ring about the line of sight
INNER, OUTER = 0.24, 0.44  # sides of the plane squares, in lengths of an axis
CENTER = 7.0  # px, radius of the handle in the middle
CATCH = 9.0  # px, how near to a line the mouse catches it
END_ON = 0.22  # sine of the angle to the line of sight below which an arrow is too short to hold
EDGE_ON = 0.12  # cosine below which a plane square is too thin to hold
RING_POINTS = 96
HALO = 0.35  # opacity


class Handle(NamedTuple):
    mode: Mode
    kind: Kind  # "all": free move, turn about the line of sight, uniform scale
    axis: int = -1  # of "axis"; across which a "plane" lies

    def lock(self, local: bool) -> Lock:
        """What a gesture that holds this handle is locked to."""
        if self.kind == "all":
            return Lock()
        return Lock(self.axis, self.kind == "plane", local)


@dataclass(frozen=True)
class Palette:
    """Colours "#rrggbb"."""

    axes: Mapping[str, str]  # x, y, z
    neutral: str
    halo: str  # under the lines, so that they show on bodies of their own colour

    def of(self, axis: int) -> str:
        return self.axes["xyz"[axis]]


@dataclass(frozen=True)
class Gizmo:
    mode: Mode
    pivot: np.ndarray  # (3,) m
    basis: np.ndarray  # (3, 3) unit axes as columns
    sight: Sight

    # -- geometry ----------------------------------------------------------------------------------------------

    @cached_property
    def scale(self) -> float:
        """Metres per pixel at the pivot."""
        return self.sight.pixel_size(self.pivot)

    @cached_property
    def toward(self) -> np.ndarray:
        return self.sight.toward_viewer(self.pivot)

    @cached_property
    def middle(self) -> np.ndarray:
        return self.sight.pixel(self.pivot)

    @cached_property
    def seen(self) -> bool:
        """Does the pivot lie in front of the camera?"""
        _, ahead = self.sight.camera.project(self.pivot[None, :], self.sight.width, self.sight.height)
        return bool(ahead[0])

    def handles(self) -> list[Handle]:
        """Those that can be held from here, the farthest first."""
        if not self.seen:
            return []
        facing = self.basis.T @ self.toward
        order = [int(k) for k in np.argsort(facing)]
        if self.mode == "rotate":
            return [Handle("rotate", "all"), *(Handle("rotate", "axis", k) for k in order)]
        planes = [Handle("move", "plane", k) for k in order if abs(facing[k]) > EDGE_ON] if self.mode == "move" else []
        axes = [Handle(self.mode, "axis", k) for k in order if math.sqrt(max(0.0, 1.0 - facing[k] ** 2)) > END_ON]
        return [*planes, *axes, Handle(self.mode, "all")]

    def pixels(self, along: np.ndarray) -> np.ndarray:
        """(n, 2) px of points given in pixels along the gizmo's axes (n, 3)."""
        points = self.pivot + self.scale * (np.atleast_2d(along) @ self.basis.T)
        return self.sight.camera.project(points, self.sight.width, self.sight.height)[0]

    def shaft(self, axis: int) -> np.ndarray:
        """(2, 2) px, from beside the middle to the tip."""
        return self.pixels(np.outer([2.0 * CENTER, LENGTH], np.eye(3)[axis]))

    def square(self, axis: int) -> np.ndarray:
        """(4, 2) px of the square in the plane across an axis, on the side toward the viewer."""
        u, v = (k for k in range(3) if k != axis)
        corners = np.zeros((4, 3))
        corners[:, u] = LENGTH * np.array([INNER, OUTER, OUTER, INNER])
        corners[:, v] = LENGTH * np.array([INNER, INNER, OUTER, OUTER])
        return self.pixels(corners * np.where(self.basis.T @ self.toward < -0.2, -1.0, 1.0))

    def ring(self, handle: Handle) -> tuple[np.ndarray, np.ndarray]:
        """(n, 2) px of a ring, and which of its points are on the near side (n,)."""
        angle = np.linspace(0.0, 2.0 * math.pi, RING_POINTS, endpoint=False)
        circle = np.c_[np.cos(angle), np.sin(angle)]
        if handle.kind == "all":
            return self.middle + VIEW_RING * circle, np.ones(len(circle), bool)
        along = np.zeros((len(circle), 3))
        u, v = (k for k in range(3) if k != handle.axis)
        along[:, [u, v]] = RING * circle
        return self.pixels(along), along @ (self.basis.T @ self.toward) > -0.08 * RING

    # -- the mouse ---------------------------------------------------------------------------------------------

    def hit(self, x: float, y: float) -> Handle | None:
        """The handle under a pixel: the nearest, the middle before all others."""
        mouse, best, found = np.array([x, y]), CATCH, None
        for handle in reversed(self.handles()):
            apart = self._distance(handle, mouse)
            if handle.kind == "all" and handle.mode != "rotate" and apart <= CENTER + 3.0:
                return handle
            if apart < best:
                best, found = apart, handle
        return found

    def _distance(self, handle: Handle, mouse: np.ndarray) -> float:
        """Pixels from the mouse to a handle."""
        if handle.mode == "rotate":
            points, near = self.ring(handle)
            following = np.roll(points, -1, axis=0)
            both = near & np.roll(near, -1)
            return to_segments(mouse, points[both], following[both])
        if handle.kind == "all":
            return math.hypot(*(mouse - self.middle))
        if handle.kind == "plane":
            return 0.5 * CATCH if _inside(self.square(handle.axis), mouse) else math.inf
        start, tip = self.shaft(handle.axis)
        along = (tip - start) / max(1e-9, math.hypot(*(tip - start)))
        return to_segments(mouse, start[None, :], (tip + 12.0 * along)[None, :])

    # -- the picture -------------------------------------------------------------------------------------------

    def strokes(self, palette: Palette, lit: Handle | None = None, held: Handle | None = None) -> list[Stroke]:
        """Lines over the picture; `lit` is the handle under the mouse. While one is held, only it is drawn."""
        drawn = [held] if held is not None else self.handles()
        found = []
        for handle in drawn:
            strokes = self._draw(handle, palette, handle in (lit, held))
            found += [_halo(stroke, palette.halo) for stroke in strokes if not stroke.filled and stroke.opacity > 0.5]
            found += strokes
        return found

    def _draw(self, handle: Handle, palette: Palette, lit: bool) -> list[Stroke]:
        if not self.seen:
            return []
        if handle.mode == "rotate":
            return self._draw_ring(handle, palette, lit)
        if handle.kind == "all":
            return self._draw_center(handle, palette, lit)
        color = palette.of(handle.axis)
        if handle.kind == "plane":
            square = self.square(handle.axis)
            return [
                Stroke(square, color, 1.0, 0.75 if lit else 0.28, closed=True, filled=True),
                Stroke(square, color, 2.0 if lit else 1.2, 1.0 if lit else 0.8, closed=True),
            ]
        shaft = self.shaft(handle.axis)
        head = _arrow(shaft, lit) if handle.mode == "move" else _block(shaft, lit)
        opacity = 1.0 if lit else 0.92
        return [
            Stroke(shaft, color, 4.0 if lit else 2.4, opacity),
            Stroke(head, color, 1.0, opacity, closed=True, filled=True),
        ]

    def _draw_ring(self, handle: Handle, palette: Palette, lit: bool) -> list[Stroke]:
        points, near = self.ring(handle)
        if handle.kind == "all":
            return [Stroke(points, palette.neutral, 2.6 if lit else 1.4, 1.0 if lit else 0.55, closed=True)]
        color, width = palette.of(handle.axis), 4.0 if lit else 2.4
        if near.all():
            return [Stroke(points, color, width, 1.0 if lit else 0.92, closed=True)]
        first = int(np.flatnonzero(near & ~np.roll(near, 1))[0])  # begin where the near side begins
        points, near = np.roll(points, -first, axis=0), np.roll(near, -first)
        back = np.vstack([points[~near], points[:1]])
        return [
            Stroke(back, color, 1.2, 0.3 if lit else 0.14),
            Stroke(points[near], color, width, 1.0 if lit else 0.92),
        ]

    def _draw_center(self, handle: Handle, palette: Palette, lit: bool) -> list[Stroke]:
        radius = CENTER + (1.5 if lit else 0.0)
        angle = np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False)
        shape = np.c_[np.cos(angle), np.sin(angle)]
        if handle.mode == "scale":
            shape = np.array([[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]])
        points = self.middle + radius * shape
        return [
            Stroke(points, palette.neutral, 1.0, 0.85 if lit else 0.22, closed=True, filled=True),
            Stroke(points, palette.neutral, 1.6, 1.0 if lit else 0.9, closed=True),
        ]


def _halo(stroke: Stroke, color: str) -> Stroke:
    return replace(stroke, color=color, width=stroke.width + 2.0, opacity=HALO)


def _arrow(shaft: np.ndarray, lit: bool) -> np.ndarray:
    """(3, 2) px, the head at the end of a shaft."""
    along, across = _directions(shaft)
    size = 1.2 if lit else 1.0
    return shaft[1] + size * np.array([13.0 * along, -5.5 * across, 5.5 * across])


def _block(shaft: np.ndarray, lit: bool) -> np.ndarray:
    """(4, 2) px, the box at the end of a shaft."""
    along, across = _directions(shaft)
    size = 6.0 if lit else 5.0
    return shaft[1] + size * np.array([along + across, along - across, -along - across, -along + across])


def _directions(shaft: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    along = (shaft[1] - shaft[0]) / max(1e-9, math.hypot(*(shaft[1] - shaft[0])))
    return along, np.array([-along[1], along[0]])


def to_segments(point: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """The smallest distance of a point from segments a[i] b[i]; infinite when there are none."""
    if not len(a):
        return math.inf
    d = b - a
    square = np.maximum(np.einsum("ij,ij->i", d, d), 1e-12)
    t = np.clip(np.einsum("ij,ij->i", point - a, d) / square, 0.0, 1.0)
    away = point - a - t[:, None] * d
    return float(np.sqrt(np.einsum("ij,ij->i", away, away).min()))


def _inside(polygon: np.ndarray, point: np.ndarray) -> bool:
    """Does a convex polygon, either way round, hold a point?"""
    following = np.roll(polygon, -1, axis=0)
    edge, to = following - polygon, point - polygon
    side = edge[:, 0] * to[:, 1] - edge[:, 1] * to[:, 0]
    return bool((side >= 0.0).all() or (side <= 0.0).all())
