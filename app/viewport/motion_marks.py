"""What is painted over the picture of a take: the trails of bodies, and where they will end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.camera import Camera
from app.kit import letters
from app.kit.painting import fitting
from app.look.look import Look
from app.tools.tool import Label
from app.viewport.layout import Layout
from app.viewport.mark_pills import paint_pill, pill_area
from app.viewport.mark_places import FARTHEST, box, grown
from app.viewport.silhouette import Silhouette, silhouette

MOST_LABELS = 3
FADES = 12  # steps of opacity along a trail
LINE, DOT = 1.6, 3.6  # px, width of a trail and of the dot of a frame
DOTS_APART = 5.0  # px: dots of frames closer than this would be a blob
OUTLINE = 1.5  # px
DASH, DOTTED = (4.0, 3.0), (0.1, 2.6)  # on and off, in widths
LEADER = 34.0  # px from what a label is about to the label
LONGEST_NAME = 220.0  # px
TOP_PILLS = 48.0  # px at the top of the picture that labels leave to the pills there

Trail = np.ndarray  # (n, 3) m: the way of a body's middle, frame by frame


@dataclass(frozen=True, eq=False)
class Ending:
    """Where a body will end."""

    name: str
    body: Layout  # of it alone


class MotionMarks:
    """Positions in the picture are found again only when the camera, the picture's size or the marks changed."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._trails: Sequence[Trail] = ()
        self._endings: Sequence[Ending] = ()
        self._now, self._ending = 0, 0
        self._seen_from: tuple[object, ...] = ()
        self._lines: list[tuple[np.ndarray, np.ndarray]] = []  # px, and what lies in front of the camera
        self.outlines: list[tuple[str, Silhouette]] = []  # of the endings in the last picture, by name
        self.projections = 0  # so far
        self.changes = 0  # of the marks, so far

    def __bool__(self) -> bool:
        return bool(self._trails or self._endings)

    def set_trails(self, trails: Sequence[Trail], now: int, ending: int) -> bool:
        """`now` and `ending`: frames that are shown, and authored. Does the picture change?"""
        same = trails is self._trails and (not trails or (now, ending) == (self._now, self._ending))
        self._trails, self._now, self._ending = trails, now, ending
        self.changes += not same
        return not same

    def set_endings(self, endings: Sequence[Ending]) -> None:
        self._endings = endings
        self.changes += 1

    def area(self, camera: Camera, extent: tuple[int, int]) -> QRectF:
        """px round all that `paint` paints."""
        self._project(camera, extent)
        area = QRectF()
        for pixels, ahead in self._lines:
            area |= box(np.clip(pixels[ahead], -FARTHEST, FARTHEST), DOT) if ahead.any() else QRectF()
        for _, outline in self.outlines:
            area |= box(np.stack([outline.low, outline.high]), OUTLINE)
        for _, pill, top in self._labels(extent):
            area |= grown(pill) | box(np.array([[top.x(), top.y()]]), 1.0)
        return area

    def paint(self, painter: QPainter, camera: Camera, extent: tuple[int, int]) -> None:
        self._project(camera, extent)
        for _, outline in self.outlines:
            self._paint_outline(painter, outline)
        for pixels, ahead in self._lines:
            self._paint_trail(painter, pixels, ahead)
        self._paint_labels(painter, extent)

    def _project(self, camera: Camera, extent: tuple[int, int]) -> None:
        wanted = (camera, extent, self._trails, self._endings)
        if len(self._seen_from) == 4 and self._seen_from[:2] == wanted[:2]:
            if self._seen_from[2] is wanted[2] and self._seen_from[3] is wanted[3]:
                return
        self._seen_from = wanted
        self.projections += 1
        self._lines = [camera.project(trail, *extent) for trail in self._trails]
        found = [(ending.name, silhouette(ending.body, camera, extent)) for ending in self._endings]
        self.outlines = [(name, outline) for name, outline in found if outline is not None]

    # -- trails ------------------------------------------------------------------------------------------------

    def _paint_trail(self, painter: QPainter, pixels: np.ndarray, ahead: np.ndarray) -> None:
        newest, oldest = self._look.view("trail_opacity_now_to_oldest")
        now = min(max(self._now, 0), len(pixels) - 1)
        if self._ending > now:
            pen = QPen(self._color(newest), LINE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            pen.setDashPattern(list(DOTTED))
            painter.setPen(pen)
            _polyline(painter, pixels[now : self._ending + 1], ahead[now : self._ending + 1])
        marked = _apart(pixels, now)
        cuts = np.unique(np.linspace(0, now, FADES + 1).round().astype(int))
        for first, last in zip(cuts[:-1], cuts[1:], strict=True):
            part = (first + last) / (2.0 * now)
            color = self._color(oldest + part * (newest - oldest))
            painter.setPen(QPen(color, LINE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            _polyline(painter, pixels[first : last + 1], ahead[first : last + 1])
            dots = pixels[first : last + 1][(marked & ahead)[first : last + 1]]
            painter.setPen(QPen(color, DOT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(polygon(dots))

    def _color(self, opacity: float) -> QColor:
        return self._look.view_color("trail", opacity)

    # -- endings -----------------------------------------------------------------------------------------------

    def _paint_outline(self, painter: QPainter, outline: Silhouette) -> None:
        path = QPainterPath()
        for area in outline.areas:
            piece = QPainterPath()
            piece.addPolygon(polygon(area))
            piece.closeSubpath()
            path = path.united(piece) if len(outline.areas) > 1 else piece
        color = self._look.view_color("ending_outline")
        fill = self._look.view_color("ending_outline", float(self._look.view("ending_fill_opacity")))
        painter.fillPath(path, fill)
        pen = QPen(color, OUTLINE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
        pen.setDashPattern(list(DASH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen)
        painter.drawPath(path)
        for edge in outline.edges:
            painter.drawPolyline(polygon(edge))

    def _paint_labels(self, painter: QPainter, extent: tuple[int, int]) -> None:
        for label, pill, top in self._labels(extent):
            painter.setPen(QPen(self._look.view_color("ending_outline"), 1.0))
            if pill.bottom() < top.y():
                painter.drawLine(QPointF(pill.center().x(), pill.bottom()), top)
            paint_pill(painter, label, pill, self._look)

    def _labels(self, extent: tuple[int, int]) -> list[tuple[Label, QRectF, QPointF]]:
        """Labels, their pills and what they point at; of the last endings: those of the bodies chosen last."""
        found: list[tuple[Label, QRectF, QPointF]] = []
        for name, outline in self.outlines[-MOST_LABELS:]:
            top = QPointF(0.5 * float(outline.low[0] + outline.high[0]), float(outline.low[1]))
            if not QRectF(0.0, 0.0, extent[0], extent[1]).contains(top):
                continue
            words = f"Ending of {fitting(name, letters('small'), LONGEST_NAME)}"
            label = Label(top.x(), top.y(), words, icon="ending", icon_role="accent_hi", centered=True)
            pill = pill_area(label, top, extent)
            pill.moveBottom(max(TOP_PILLS + pill.height(), top.y() - LEADER))
            while any(pill.intersects(other) for _, other, _ in found):
                pill.translate(0.0, pill.height() + 4.0)
            found.append((label, pill, top))
        return found


def _apart(pixels: np.ndarray, now: int) -> np.ndarray:
    """(n,) which frames get a dot: counted back from the one that is shown, far enough from the dot before."""
    marked = np.zeros(len(pixels), bool)
    last = None
    for k in range(now, -1, -1):
        if last is None or float(np.abs(pixels[k] - last).max()) >= DOTS_APART:
            marked[k], last = True, pixels[k]
    return marked


def _polyline(painter: QPainter, pixels: np.ndarray, ahead: np.ndarray) -> None:
    """The stretches of a line in front of the camera."""
    if ahead.all():
        painter.drawPolyline(polygon(pixels))
        return
    changes = np.flatnonzero(np.diff(ahead)) + 1
    for stretch, seen in zip(np.split(pixels, changes), np.split(ahead, changes), strict=True):
        if seen[0] and len(stretch) > 1:
            painter.drawPolyline(polygon(stretch))


def polygon(points: np.ndarray) -> QPolygonF:
    """Of points (n, 2) in px."""
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])
