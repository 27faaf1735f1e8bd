"""EdgeScroll: what is dragged near the edge of a scroll area takes the area along."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

EDGE = 24  # px from the edge of what is seen
STEP, BEAT = 8, 30  # px at every beat, ms


class EdgeScroll(QTimer):
    """From `follow` to `stop`.

    Signals:
        scrolled()   the area moved under the pointer
    """

    scrolled = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, interval=BEAT)
        self._widget = widget
        self._place = QPoint()
        self.timeout.connect(self._step)

    def follow(self, place: QPoint) -> None:
        """The pointer is here on the screen, with something in its hand."""
        self._place = place
        self.start()

    def _step(self) -> None:
        area = self._area()
        if area is None:
            return
        y, bar = area.viewport().mapFromGlobal(self._place).y(), area.verticalScrollBar()
        way = -STEP if y < EDGE else STEP if y > area.viewport().height() - EDGE else 0
        before = bar.value()
        bar.setValue(before + way)
        if bar.value() != before:
            self.scrolled.emit()

    def _area(self) -> QScrollArea | None:
        above = self._widget.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return above
