"""EnergyPlot: energies of takes over the seconds before the ending, in the colours of the theme."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPen

from app.kit.painting import line_width
from app.kit.plot import ThemedPlot
from app.look.fonts import font
from app.look.look import Look
from app.takes.curves import Line

ROOM, MORE_ROOM = 1.15, 1.3  # of the highest curve; with a threshold, which starts above all
MARGIN = 0.06  # of the range, so that the words at its ends have room
THIN = 1.0  # px


class _Axis(pg.AxisItem):
    """Counts seconds up from the ending at the right."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        if self.orientation == "left":
            return [f"{value:.4g}" for value in values]
        return [f"{abs(value):.3g}" if abs(value) > 1e-9 else "ending" for value in values]


class EnergyPlot(ThemedPlot):
    """Signals:
    threshold_moved(float)   J, while the line is dragged and when it is let go
    """

    threshold_moved = Signal(float)

    def __init__(self, look: Look, name: str, has_threshold: bool = False) -> None:
        super().__init__(look, axisItems={side: _Axis(side) for side in ("left", "bottom")})
        self._lines: list[pg.PlotDataItem] = []
        self._shown: list[Line] = []
        self.setAccessibleName(name)
        self._playhead = pg.InfiniteLine(angle=90, movable=False)
        self._playhead.hide()
        self.addItem(self._playhead)
        self._caption = pg.TextItem("Energy, J", anchor=(1.0, 0.0))
        self._caption.setFont(font("caption"))
        self.addItem(self._caption)
        self.threshold: pg.InfiniteLine | None = self._made_threshold() if has_threshold else None
        self.top = 1.0  # J, of what is shown
        look.changed.connect(self._recolor)
        self._recolor()

    def _made_threshold(self) -> pg.InfiniteLine:
        line = pg.InfiniteLine(angle=0, movable=True)
        for moved in (line.sigDragged, line.sigPositionChangeFinished):
            moved.connect(lambda: self.threshold_moved.emit(float(line.value())))
        line.setZValue(20)
        self.addItem(line)
        return line

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Later ones lie over earlier ones."""
        self._shown = list(lines)
        while len(self._lines) > len(lines):
            self.removeItem(self._lines.pop())
        while len(self._lines) < len(lines):
            item = pg.PlotDataItem()
            self.addItem(item)
            self._lines.append(item)
        for number, (item, line) in enumerate(zip(self._lines, lines, strict=True)):
            item.setData(-line.curve.before, line.curve.energy)
            item.setPen(_pen(line))
            item.setZValue(number / max(len(lines), 1))
        self._fit()

    def _fit(self) -> None:
        energies = [float(line.curve.energy.max()) for line in self._shown]
        self.top = max([*energies, 1e-9])
        first = max([float(line.curve.before.max()) for line in self._shown] or [1.0])
        last = min([float(line.curve.before.min()) for line in self._shown] or [0.0])
        low = min([0.0, *(float(line.curve.energy.min()) for line in self._shown)])
        self.setXRange(-first, -last + MARGIN * (first - last), padding=0.0)
        high = self.top * (ROOM if self.threshold is None else MORE_ROOM)
        self.setYRange(low - MARGIN * self.top, high, padding=0.0)
        self._caption.setPos(-last + MARGIN * (first - last), high)
        if self.threshold is not None:
            self.threshold.setBounds((low, high))

    def show_playhead(self, before: float | None) -> None:
        """s before the ending; None hides it."""
        self._playhead.setVisible(before is not None)
        if before is not None:
            self._playhead.setValue(-before)

    def show_threshold(self, joules: float) -> None:
        if self.threshold is not None and not self.threshold.moving and self.threshold.value() != joules:
            self.threshold.setValue(joules)

    def _recolor(self) -> None:
        look = self._look
        self._dress_axes("text2")
        self._caption.setColor(look.color("text2"))
        self.showGrid(x=False, y=True, alpha=0.18)
        self._playhead.setPen(pg.mkPen(look.color("accent"), width=line_width("playhead")))
        if self.threshold is not None:
            dashed = pg.mkPen(look.color("ghosted_fill"), width=1.6, style=Qt.PenStyle.DashLine)
            self.threshold.setPen(dashed)
            self.threshold.setHoverPen(pg.mkPen(look.color("ghosted_fill"), width=3.0))


def _pen(line: Line) -> QPen:
    width = line_width("plot_line") if line.strong else THIN
    style = Qt.PenStyle.DashLine if line.dashed else Qt.PenStyle.SolidLine
    return pg.mkPen(line.color, width=width, style=style)
