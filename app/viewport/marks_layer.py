"""Marks layer: trails and endings, lines and labels of the tool, and glyphs of bodies with a problem, painted over the
picture.

A plain widget on top of the GL picture: text and thin lines come out crisp without multisampling.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.camera import Camera
from app.look.look import Look
from app.tools.tool import Dot, Marks, Stroke
from app.viewport.mark_pills import paint_label
from app.viewport.motion_marks import MotionMarks, polygon

NEAREST = 1e-3  # clip depth (m) at which lines that run behind the camera are cut
GLYPH = 9.0  # px, radius of the ring over a body with a problem
GLYPH_ROOM = 11  # px, from its middle to the edge of its picture
LETTERS = {"overlap": "×", "floating": "↓"}  # others get "!"
ARROW = (11.0, 4.5)  # px, length and half width of an arrow head


class MarksLayer(QWidget):
    """Transparent for the mouse; hidden while there is nothing to paint."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.motion = MotionMarks(look)
        self._marks: list[Marks] = []
        self._glyphs: list[tuple[float, float, str]] = []
        self._pictures: dict[tuple[str, float], QPixmap] = {}
        look.changed.connect(self._forget_pictures)
        self._camera = Camera()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_marks(self, marks: Sequence[Marks], glyphs: list[tuple[float, float, str]], camera: Camera) -> None:
        """Paint these from now on; glyphs are (x, y, problem)."""
        shown = [entry for entry in marks if entry]
        wanted = bool(shown or glyphs or self.motion)
        if not wanted and self.isHidden():
            return
        self._marks, self._glyphs, self._camera = shown, glyphs, camera
        self.setVisible(wanted)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.motion:
            self.motion.paint(painter, self._camera, (self.width(), self.height()))
        for marks in self._marks:
            for stroke in marks.strokes:
                self._paint_stroke(painter, stroke)
            for dot in marks.dots:
                self._paint_dot(painter, dot)
        for x, y, problem in self._glyphs:
            painter.drawPixmap(QPointF(round(x) - GLYPH_ROOM, round(y) - GLYPH_ROOM), self._glyph(problem))
        for marks in self._marks:
            for label in marks.labels:
                paint_label(painter, label, self._look, self._camera, (self.width(), self.height()))
        painter.end()

    def _paint_stroke(self, painter: QPainter, stroke: Stroke) -> None:
        color = QColor(stroke.color)
        color.setAlphaF(color.alphaF() * stroke.opacity)
        lines = pixel_lines(stroke, self._camera, (self.width(), self.height()))
        if stroke.filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            for line in lines:
                painter.drawPolygon(polygon(line))
            return
        pen = QPen(color, stroke.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        if stroke.dash is not None and stroke.width > 0.0:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([length / stroke.width for length in stroke.dash])  # Qt counts dashes in widths
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for line in lines:
            painter.drawPolyline(polygon(line))
        if stroke.arrow is not None and lines:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawPolygon(polygon(arrow_head(max(lines, key=len), stroke.arrow)))

    def _paint_dot(self, painter: QPainter, dot: Dot) -> None:
        (pixel,), ahead = self._camera.project(dot.point[None, :], self.width(), self.height())
        if ahead[0] and np.abs(pixel).max() < 1e5:
            painter.setPen(QPen(QColor(dot.color), 2.0))
            painter.setBrush(QColor(dot.fill or dot.color))
            painter.drawEllipse(QPointF(*pixel), dot.radius, dot.radius)

    def _glyph(self, problem: str) -> QPixmap:
        """A dashed ring with a sign in it: a problem is never told by colour alone. Painted once: a scene may have
        thousands."""
        ratio = self.devicePixelRatioF()
        if (problem, ratio) not in self._pictures:
            picture = QPixmap(round(2 * GLYPH_ROOM * ratio), round(2 * GLYPH_ROOM * ratio))
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_glyph(painter, QPointF(GLYPH_ROOM, GLYPH_ROOM), LETTERS.get(problem, "!"))
            painter.end()
            self._pictures[problem, ratio] = picture
        return self._pictures[problem, ratio]

    def _forget_pictures(self) -> None:
        self._pictures.clear()

    def _paint_glyph(self, painter: QPainter, middle: QPointF, letter: str) -> None:
        warning = self._look.view_color("warning")
        painter.setBrush(self._look.color("overlay", 0.85))
        pen = QPen(warning, 1.8)
        pen.setDashPattern([2.0, 1.4])
        painter.setPen(pen)
        painter.drawEllipse(middle, GLYPH, GLYPH)
        painter.setPen(warning)
        font = self.font()
        font.setPixelSize(13)
        font.setBold(True)
        painter.setFont(font)
        room = QPointF(GLYPH, GLYPH)
        painter.drawText(QRectF(middle - room, middle + room), Qt.AlignmentFlag.AlignCenter, letter)


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
    return np.clip(pixels, -1e5, 1e5)  # beyond this QPainter loses its way
