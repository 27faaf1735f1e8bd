"""ThemedPlot: a plot in the colours of the theme that is not moved by the mouse: it shows what there is as it is.

Not in the kit's door: pyqtgraph takes a while to load, and is needed only where there is something to plot."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.look.fonts import font
from app.look.look import Look


class ThemedPlot(pg.PlotWidget):
    def __init__(self, look: Look, parent: QWidget | None = None, **options: Any) -> None:
        super().__init__(parent, **options)
        self._look = look
        self.setAntialiasing(True)
        self.setMouseEnabled(False, False)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.getViewBox().disableAutoRange()

    def _dress_axes(self, role: str) -> None:
        """`role`: colour of the numbers."""
        self.setBackground(self._look.color("well"))
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(self._look.color("line2"))
            axis.setTextPen(self._look.color(role))
            axis.setStyle(tickFont=font("caption"), tickLength=-4, maxTickLevel=0)
