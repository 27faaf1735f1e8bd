"""OneByOne: small jobs, one per turn of the event loop, so that the window answers between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer

Value = TypeVar("Value")


class OneByOne(QObject, Generic[Value]):
    """First asked, first done. A key that is asked for again keeps its place in the line and gets the newer value."""

    def __init__(self, work: Callable[[str, Value], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self.waiting: dict[str, Value] = {}
        self.pause = 0  # ms of quiet before the first job after `postpone`
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._next)

    def ask(self, key: str, value: Value) -> None:
        self.waiting[key] = value
        if not self._timer.isActive():
            self._timer.start(0)

    def postpone(self) -> None:
        """Something more urgent is under way: let `pause` pass first."""
        if self.pause and self.waiting:
            self._timer.start(self.pause)

    def clear(self) -> None:
        self.waiting.clear()
        self._timer.stop()

    def _next(self) -> None:
        if not self.waiting:
            return
        key = next(iter(self.waiting))
        value = self.waiting.pop(key)
        if self.waiting:
            self._timer.start(0)
        self._work(key, value)
