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
        self._waiting: dict[str, Value] = {}
        self.pause = 0  # ms of quiet before the first job after `postpone`
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)

    @property
    def waiting(self) -> list[str]:
        return list(self._waiting)

    def ask(self, key: str, value: Value) -> None:
        self._waiting[key] = value
        if not self._timer.isActive():
            self._timer.start(0)

    def postpone(self) -> None:
        """Something more urgent is under way: let `pause` pass first."""
        if self.pause and self._waiting:
            self._timer.start(self.pause)

    def clear(self) -> None:
        self._waiting.clear()
        self._timer.stop()

    def _next(self) -> None:
        if not self._waiting:
            return
        key = next(iter(self._waiting))
        value = self._waiting.pop(key)
        if self._waiting:
            self._timer.start(0)
        self._work(key, value)
