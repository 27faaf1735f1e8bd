"""InspectionPlot: one picture of an inspector: places in a plane, or something over time, in the theme's colours."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem

from app.kit.painting import line_width
from app.kit.plot import ThemedPlot
from app.look.fonts import font
from app.look.look import Look
from app.look.quantity_words import length_words
from engine.scene.inspection import Curve, Plot

HIGH = 168  # px
MILLIMETRES = {"m": "mm"}  # over time, lengths are shown in those
ROOM = 0.12  # of the range, round what is shown
NOW = 9  # px, the ring that says where it is now


class InspectionPlot(ThemedPlot):
    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.plot = Plot("", "", "", ())
        self._made: list[pg.GraphicsObject] = []
        self.setFixedHeight(HIGH)
        look.changed.connect(self._draw)
        self._draw()

    def show_plot(self, plot: Plot) -> None:
        if plot != self.plot:
            self.plot = plot
            self.setAccessibleName(plot.title)
            self.setAccessibleDescription(", ".join(curve.label for curve in plot.curves))
            self._draw()

    def _draw(self) -> None:
        for item in self._made:
            self.removeItem(item)
        self._made = []
        self._dress()
        for curve in self.plot.curves:
            self._made += self._items(curve)
        for item in self._made:
            self.addItem(item, ignoreBounds=True)
        self._fit()

    def _dress(self) -> None:
        look, plane = self._look, self.plot.equal
        self._dress_axes("text3")
        for side, words in (("left", MILLIMETRES.get(self.plot.up, self.plot.up)), ("bottom", self.plot.across)):
            axis = self.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setLabel("" if plane else words, color=look.hex("text3"), **{"font-size": "11px"})
            axis.showLabel(not plane)
            self.showAxis(side, not plane)
        self.showGrid(x=plane, y=True, alpha=0.12)
        self.setAspectLocked(plane)

    def _items(self, curve: Curve) -> list[pg.GraphicsObject]:
        x, y = np.array(curve.x, float), self._tall * np.array(curve.y, float)
        if not len(x):
            return []
        look = self._look
        if curve.dots:
            brush = look.color("well")
            pen = pg.mkPen(look.color("text"), width=2.6)
            return [pg.ScatterPlotItem(x, y, size=NOW + 2, pen=pen, brush=brush), *self._label(curve, x[-1], y[-1])]
        if curve.closed:
            x, y = np.append(x, x[0]), np.append(y, y[0])
            item = pg.PlotDataItem(x, y, pen=pg.mkPen(look.color("accent"), width=line_width("patch_edge")))
            return [_filled(x, y, look.color("accent", 0.16)), item]
        if curve.warning:
            line = pg.PlotDataItem(x, y, pen=pg.mkPen(look.color("ghosted_fill"), width=3.0))
            return [line, *(self._label(curve, x[-1], y[-1], "ghosted") if self._is_of_loads else [])]
        style = Qt.PenStyle.DotLine if self.plot.equal else Qt.PenStyle.SolidLine
        color = look.color("text2" if self.plot.equal else "text")
        return [pg.PlotDataItem(x, y, pen=pg.mkPen(color, width=line_width("plot_line"), style=style))]

    @property
    def _tall(self) -> float:
        return 1000.0 if not self.plot.equal and self.plot.up in MILLIMETRES else 1.0

    @property
    def _is_of_loads(self) -> bool:
        """Directions and how much is taken along them, not places."""
        return self.plot.equal and self.plot.across != "m"

    def _label(self, curve: Curve, x: float, y: float, role: str = "text") -> list[pg.GraphicsObject]:
        if not curve.label:
            return []
        anchor = (1.1 if self._is_of_loads and x < 0.0 else -0.12, 0.5 if self._is_of_loads else -0.1)
        words = pg.TextItem(curve.label, color=self._look.color(role), anchor=anchor)
        words.setFont(font("caption"))
        words.setPos(x, y)
        return [words]

    def _fit(self) -> None:
        across = _span([x for curve in self.plot.curves for x in curve.x])
        up = _span([self._tall * y for curve in self.plot.curves for y in curve.y], from_zero=not self.plot.equal)
        for (low, high), put in ((across, self.setXRange), (up, self.setYRange)):
            room = ROOM * (high - low)
            put(low - room, high + room, padding=0.0)

    def caption(self) -> str:
        """Of places in a plane: how large the area is."""
        area = next((curve for curve in self.plot.curves if curve.closed), None)
        if area is None or not self.plot.equal:
            return ""
        if self._is_of_loads:
            return "seen from above, X to the right"
        wide, high = (length_words(max(values) - min(values)) for values in (area.x, area.y))
        unit = wide.rpartition(" ")[2]
        if unit == high.rpartition(" ")[2]:
            wide = wide.rpartition(" ")[0]
        return f"{wide} × {high}"


def _span(values: list[float], from_zero: bool = False) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    low = min(low, 0.0) if from_zero else low
    return (low, high) if high - low > 1e-9 else (low - 0.5, high + 0.5)


def _filled(x: np.ndarray, y: np.ndarray, color: QColor) -> pg.GraphicsObject:
    item = QGraphicsPolygonItem(QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]))
    item.setPen(QColor(0, 0, 0, 0))
    item.setBrush(color)
    return item
