"""The energy track: what the whole scene has over its ending, as a curve that keeps every drop as steep as it is."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from app.look.look import tokens
from app.timeline.shown import Shown

ROOM = 8.0  # px above and below the curve
FILL = 0.08  # opacity under the curve


def paint_energy(painter: QPainter, shown: Shown) -> None:
    area = shown.areas.energy
    if area.height() == 0:
        return
    film = shown.index.film
    x, y = shown.axis.x(film.times), _heights(shown, film.energy)
    near = np.flatnonzero((x > area.left() - 50) & (x < area.right() + 50))
    if not len(near):
        return
    low, high = max(0, int(near[0]) - 1), min(len(x), int(near[-1]) + 2)
    line = _path(x[low:high], y[low:high])
    below = QPainterPath(line)
    bottom = float(area.y() + area.height())
    below.lineTo(float(x[high - 1]), bottom)
    below.lineTo(float(x[low]), bottom)
    if high == len(x):
        line.lineTo(float(area.right() + 1), float(y[-1]))  # it stays as it is
    painter.save()
    painter.setClipRect(area)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillPath(below, shown.look.color("text2", FILL))
    painter.setPen(QPen(shown.look.color("text2"), float(tokens()["line"]["plot_line"])))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(line)
    painter.restore()


def energy_point(shown: Shown, time: float) -> QPointF:
    """Where the curve is at a moment."""
    joules = np.array([shown.index.film.energy_at(time)])
    return QPointF(shown.axis.x(time), float(_heights(shown, joules)[0]))


def _heights(shown: Shown, joules: np.ndarray) -> np.ndarray:
    """px from the top of the widget; the largest energy of the film reaches the top of the track."""
    area, energy = shown.areas.energy, shown.index.film.energy
    low, high = min(0.0, float(energy.min())), float(energy.max())
    share = (joules - low) / (high - low) if high > low else np.zeros(len(joules))
    return area.y() + area.height() - ROOM - share * (area.height() - 2.0 * ROOM)


def _path(x: np.ndarray, y: np.ndarray) -> QPainterPath:
    """A path through many points, made at once. pyqtgraph takes a while to load: only where there is a take."""
    from pyqtgraph.functions import arrayToQPath

    path: QPainterPath = arrayToQPath(np.ascontiguousarray(x, float), np.ascontiguousarray(y, float), connect="all")
    return path
