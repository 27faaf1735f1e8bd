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
from app.viewport.mark_pills import paint_pill
from app.viewport.mark_places import PlacedMarks, arrow_head, box, placed
from app.viewport.motion_marks import MotionMarks, polygon

GLYPH = 9.0  # px, radius of the ring over a body with a problem
GLYPH_ROOM = 11  # px, from its middle to the edge of its picture
LETTERS = {"overlap": "×", "floating": "↓"}  # others get "!"


class MarksLayer(QWidget):
    """Transparent for the mouse; hidden while there is nothing to paint."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.motion = MotionMarks(look)
        self._placed: list[PlacedMarks] = []
        self._glyphs: list[tuple[float, float, str]] = []
        self._pictures: dict[tuple[str, float], QPixmap] = {}
        look.changed.connect(self._recolor)
        self._seen_from: tuple[Camera, tuple[int, int]] = (Camera(), (0, 0))
        self._motion_painted = 0  # which state of it
        self.area = QRectF()  # px, of all that is painted
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_marks(self, marks: Sequence[Marks], glyphs: list[tuple[float, float, str]], camera: Camera) -> None:
        """Paint these from now on; glyphs are (x, y, problem). Only where something was or will be is painted again,
        and nowhere when nothing changed: the layer is as large as the picture, and takes change many times a second."""
        shown = [entry for entry in marks if entry]
        wanted = bool(shown or glyphs or self.motion)
        if not wanted and self.isHidden():
            return
        fresh = self._follow(shown, glyphs, (camera, (self.width(), self.height())))
        self.setVisible(wanted)
        if fresh:
            before, self.area = self.area, self._whole_area()
            self.update(before.toAlignedRect())
            self.update(self.area.toAlignedRect())

    def _follow(
        self, shown: list[Marks], glyphs: list[tuple[float, float, str]], sight: tuple[Camera, tuple[int, int]]
    ) -> bool:
        """Does anything differ from what was painted? The same marks seen from the same place are not placed again."""
        known = {id(entry.marks): entry for entry in self._placed} if sight == self._seen_from else {}
        fresh = [known.get(id(entry)) or placed(entry, *sight) for entry in shown]
        now = (fresh, glyphs, sight, self.motion.changes)
        before = (self._placed, self._glyphs, self._seen_from, self._motion_painted)
        self._placed, self._glyphs, self._seen_from, self._motion_painted = now
        return now != before

    def _whole_area(self) -> QRectF:
        area = self.motion.area(*self._seen_from) if self.motion else QRectF()
        for entry in self._placed:
            area |= entry.area
        if self._glyphs:
            area |= box(np.array([place[:2] for place in self._glyphs]), GLYPH_ROOM)
        return area & QRectF(self.rect())

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paint(QPainter(self))

    def paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.motion:
            self.motion.paint(painter, *self._seen_from)
        for entry in self._placed:
            for stroke, lines in zip(entry.marks.strokes, entry.lines, strict=True):
                self._paint_stroke(painter, stroke, lines)
            for dot, pixel in zip(entry.marks.dots, entry.dots, strict=True):
                if pixel is not None:
                    self._paint_dot(painter, dot, pixel)
        for x, y, problem in self._glyphs:
            painter.drawPixmap(QPointF(round(x) - GLYPH_ROOM, round(y) - GLYPH_ROOM), self._glyph(problem))
        for entry in self._placed:
            for label, pill in zip(entry.marks.labels, entry.pills, strict=True):
                if pill is not None:
                    paint_pill(painter, label, pill, self._look)

    def _paint_stroke(self, painter: QPainter, stroke: Stroke, lines: list[np.ndarray]) -> None:
        color = QColor(stroke.color)
        color.setAlphaF(color.alphaF() * stroke.opacity)
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

    def _paint_dot(self, painter: QPainter, dot: Dot, pixel: np.ndarray) -> None:
        pen = QPen(QColor(dot.color), 2.0)
        if dot.dashed:
            pen.setDashPattern([2.0, 1.4])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush if dot.dashed else QColor(dot.fill or dot.color))
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

    def _recolor(self) -> None:
        self._pictures.clear()
        self.update()

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
