"""What panels share: their ground, and what they do when they come into sight and go out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.kit.painted import Painted

Shown = TypeVar("Shown", bound=QWidget)
Item = TypeVar("Item")


class Ground(Painted):
    """Painted in the colour of panels, with or without a style sheet."""

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._look.color("panel"))


class LazyPanel(QWidget):
    """Hidden, it waits with `show_now` until it is shown again."""

    def __init__(self) -> None:
        super().__init__()
        self.stale = True

    def show_now(self) -> None:
        """Show everything as it is now."""
        raise NotImplementedError

    def refresh(self) -> None:
        self.stale = not self.isVisible()
        if not self.stale:
            self.show_now()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.stale:
            self.refresh()


class WatchedPanel(QWidget):
    """Signals:
    looked_at(bool)   the panel is shown, or no longer
    """

    looked_at = Signal(bool)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.looked_at.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.looked_at.emit(False)


def show_each(widgets: Sequence[Shown], items: Sequence[Item], show: Callable[[Shown, Item], None]) -> None:
    """One of the widgets for each of the items, the others hidden. They are used again, so that nothing flickers."""
    for number, widget in enumerate(widgets):
        widget.setVisible(number < len(items))
        if number < len(items):
            show(widget, items[number])
