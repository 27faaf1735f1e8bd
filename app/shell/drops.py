"""Drops: files from the desktop and shapes from the shelf, dropped on the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.shell.add_commands import MAKERS, add_kind
from app.shell.file_commands import can_drop, open_dropped
from app.shell.studio import Studio
from app.tools.tool import Pointer

SHAPE = "application/x-foregone-shape"
ONE_AT_A_TIME = ("mesh", *MAKERS)  # kinds that ask before they add


class Drops:
    """What the window does with a drag that is over it. A shape over the view is carried by the place tool."""

    def __init__(self, studio: Studio, window: QWidget) -> None:
        self._studio, self._window = studio, window

    def enter(self, event: QDragEnterEvent) -> None:
        data = event.mimeData()
        if data.hasFormat(SHAPE) or dropped_file(data) is not None:
            event.acceptProposedAction()

    def move(self, event: QDragMoveEvent) -> None:
        data = event.mimeData()
        if dropped_file(data) is not None:
            event.acceptProposedAction()
            return
        kind, place = _kind(data), self._in_view(event.position())
        if place is None:
            self.leave()
            event.ignore()
            return
        event.acceptProposedAction()
        if kind not in ONE_AT_A_TIME:
            if self._studio.tool_name:
                self._studio.place(kind)
            self._studio.view.tool.move(Pointer(place.x(), place.y()))

    def leave(self) -> None:
        """The drag went elsewhere."""
        if not self._studio.tool_name:
            self._studio.view.tool.cancel()
            self._studio.end_passing_tool()

    def drop(self, event: QDropEvent) -> None:
        path = dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            open_dropped(self._studio, path)
            return
        kind, place = _kind(event.mimeData()), self._in_view(event.position())
        if place is None:
            return
        event.acceptProposedAction()
        if kind in ONE_AT_A_TIME:
            add_kind(self._studio, kind)
            return
        if self._studio.tool_name:
            self._studio.place(kind)
        tool = self._studio.view.tool
        at = Pointer(place.x(), place.y(), Qt.MouseButton.LeftButton)
        tool.move(at)
        tool.press(at)
        tool.release(Pointer(place.x(), place.y()))

    def _in_view(self, position: QPointF) -> QPointF | None:
        view = self._studio.view
        place = view.mapFrom(self._window, position)
        return place if view.rect().contains(place.toPoint()) and not self._studio.shell.welcome_shown else None


def dropped_file(data: QMimeData) -> Path | None:
    """The first file that the studio can open."""
    for url in data.urls():
        if url.isLocalFile() and can_drop(Path(url.toLocalFile())):
            return Path(url.toLocalFile())
    return None


def _kind(data: QMimeData) -> str:
    return bytes(data.data(SHAPE).data()).decode("utf-8", "replace")
