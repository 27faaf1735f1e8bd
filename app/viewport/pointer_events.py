"""PointerEvents: a widget that leaves the mouse to its input, an object of its own."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtGui import QMouseEvent, QWheelEvent


class PointerInput(Protocol):
    """What a widget's mouse does."""

    def press(self, event: QMouseEvent) -> None: ...

    def move(self, event: QMouseEvent) -> None: ...

    def release(self, event: QMouseEvent) -> None: ...

    def double_click(self, event: QMouseEvent) -> None: ...

    def wheel(self, event: QWheelEvent) -> None: ...


class PointerEvents:
    """For widgets to inherit before their Qt class; they set `_input`."""

    _input: PointerInput

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._input.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._input.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._input.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._input.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._input.wheel(event)
