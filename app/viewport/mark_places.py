"""Where marks lie in the picture: lines, dots and pills in pixels, and the area they take. No widget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF

from app.camera import Camera
from app.tools.tool import Marks, Stroke
from app.viewport.mark_pills import label_pill

NEAREST = 1e-3  # clip depth (m) at which lines that run behind the camera are cut
FARTHEST = 1e5  # px: beyond this QPainter loses its way
ARROW = (11.0, 4.5)  # px, length and half width of an arrow head
EDGE = 2.0  # px round what is painted, for smooth edges and for the pen of a dot or a pill


@dataclass(frozen=True, eq=False)
class PlacedMarks:
    marks: Marks
    lines: list[list[np.ndarray]]  # px, the polylines of every stroke
    dots: list[np.ndarray | None]  # (2,) px; None: not in the picture
    pills: list[QRectF | None]
    area: QRectF  # px, round all of it


def placed(marks: Marks, camera: Camera, extent: tuple[int, int]) -> PlacedMarks:
    lines = [pixel_lines(stroke, camera, extent) for stroke in marks.strokes]
    dots = [_place(dot.point, camera, extent) for dot in marks.dots]
    pills = [label_pill(label, camera, extent) for label in marks.labels]
    area = QRectF()
    for stroke, parts in zip(marks.strokes, lines, strict=True):
        reach = max(0.5 * stroke.width, ARROW[1] if stroke.arrow is not None else 0.0)
        for part in parts:
            area |= box(part, reach)
    for dot, pixel in zip(marks.dots, dots, strict=True):
        area |= box(pixel[None, :], dot.radius) if pixel is not None else QRectF()
    for pill in pills:
        area |= grown(pill) if pill is not None else QRectF()
    return PlacedMarks(marks, lines, dots, pills, area)


def box(points: np.ndarray, reach: float) -> QRectF:
    """Round points (n, 2) px and all that is painted up to `reach` px from them."""
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return grown(QRectF(left, top, right - left, bottom - top), reach)


def grown(area: QRectF, reach: float = 0.0) -> QRectF:
    return area.adjusted(-reach - EDGE, -reach - EDGE, reach + EDGE, reach + EDGE)


def _place(point: np.ndarray, camera: Camera, extent: tuple[int, int]) -> np.ndarray | None:
    (pixel,), ahead = camera.project(np.asarray(point)[None, :], *extent)
    return pixel if ahead[0] and np.abs(pixel).max() < FARTHEST else None


def pixel_lines(stroke: Stroke, camera: Camera, extent: tuple[int, int]) -> list[np.ndarray]:
    """A stroke as polylines in pixels; what lies behind the camera is cut off."""
    points = np.asarray(stroke.points, float)
    if points.ndim != 2 or len(points) < 2:
        return []
    if stroke.closed:
        points = np.concatenate([points, points[:1]])
    if points.shape[1] == 2:
        return [points]
    clip = np.c_[points, np.ones(len(points))] @ camera.matrix(*extent).T
    if stroke.filled:
        return [_to_pixels(part, extent) for part in [_cut_area(clip)] if len(part) > 2]
    return [_to_pixels(part, extent) for part in _cut(clip)]


def arrow_head(line: np.ndarray, share: float) -> np.ndarray:
    """(3, 2) px of an arrow head on a polyline, its tip a share of the way along; smaller where the line is short."""
    steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    at = share * way[-1]
    size = min(1.0, way[-1] / (2.0 * ARROW[0])) if way[-1] > 0.0 else 0.0
    tip, tail = (np.array([np.interp(s, way, line[:, k]) for k in range(2)]) for s in (at, at - size * ARROW[0]))
    onward = tip - tail
    onward = onward / max(1e-9, float(np.linalg.norm(onward)))
    side = size * ARROW[1] * np.array([-onward[1], onward[0]])
    back = tip - size * ARROW[0] * onward
    return np.array([tip, back + side, back - side])


def _cut(clip: np.ndarray) -> list[np.ndarray]:
    """The stretches of a line in front of the camera."""
    ahead = clip[:, 3] > NEAREST
    if ahead.all():
        return [clip]
    parts: list[list[np.ndarray]] = [[]]
    for k, point in enumerate(clip):
        if k and ahead[k] != ahead[k - 1]:
            parts[-1].append(_crossing(clip[k - 1], point))
            if not ahead[k]:
                parts.append([])
        if ahead[k]:
            parts[-1].append(point)
    return [np.array(part) for part in parts if len(part) > 1]


def _cut_area(clip: np.ndarray) -> np.ndarray:
    """The part of a convex area in front of the camera."""
    ahead = clip[:, 3] > NEAREST
    kept: list[np.ndarray] = []
    for k, point in enumerate(clip):
        if ahead[k] != ahead[k - 1]:
            kept.append(_crossing(clip[k - 1], point))
        if ahead[k]:
            kept.append(point)
    return np.array(kept).reshape(-1, 4)


def _crossing(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    part = (NEAREST - a[3]) / (b[3] - a[3])
    return a + part * (b - a)


def _to_pixels(clip: np.ndarray, extent: tuple[int, int]) -> np.ndarray:
    flat = clip[:, :2] / clip[:, 3:]
    pixels = np.stack([0.5 * (flat[:, 0] + 1.0) * extent[0], 0.5 * (1.0 - flat[:, 1]) * extent[1]], axis=1)
    return np.clip(pixels, -FARTHEST, FARTHEST)
