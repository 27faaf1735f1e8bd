"""Hand: the artist's mouse and keyboard. Events enter where those of the window system do, so that Qt itself finds
which widget, popup or shortcut gets them."""

from __future__ import annotations

import subprocess
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

LEFT = Qt.MouseButton.LeftButton
LONG = 480_000  # ms: on a fresh checkout the worker compiles the engine first
SOON = 20_000  # ms, on a busy machine


class Hand:
    def __init__(self, window: Any, qtbot: Any) -> None:
        self.window, self._qtbot = window, qtbot

    # -- mouse -------------------------------------------------------------------------------------------------

    def move(self, widget: QWidget, x: float, y: float) -> None:
        top, place = self._place(widget, x, y)
        QTest.mouseMove(top, place)
        QApplication.processEvents()

    def click(self, widget: QWidget, x: float | None = None, y: float | None = None, keys: Any = None) -> None:
        """On a pixel of a widget, or its middle."""
        assert widget.isVisible() and widget.isEnabled(), widget
        middle = widget.rect().center()
        x, y = middle.x() if x is None else x, middle.y() if y is None else y
        self.move(widget, x, y)
        top, place = self._place(widget, x, y)
        QTest.mouseClick(top, LEFT, keys or Qt.KeyboardModifier.NoModifier, place)
        QApplication.processEvents()

    def drag(self, widget: QWidget, start: Any, end: Any, steps: int = 6) -> None:
        """Press, move in steps, release."""
        none = Qt.KeyboardModifier.NoModifier
        self.move(widget, *start)
        top, place = self._place(widget, *start)
        QTest.mousePress(top, LEFT, none, place)
        for k in range(1, steps + 1):
            self.move(widget, *(a + (b - a) * k / steps for a, b in zip(start, end, strict=True)))
        top, place = self._place(widget, *end)
        QTest.mouseRelease(top, LEFT, none, place)
        QApplication.processEvents()

    def carry(self, source: QWidget, target: QWidget, x: float, y: float) -> None:
        """Drag and drop, which Qt runs in a loop of its own that only events of the X server reach."""
        start, end = source.mapToGlobal(source.rect().center()), target.mapToGlobal(QPoint(round(x), round(y)))
        near = start + QPoint(12, 12)
        middle = (start + end) / 2
        moves = [f"mousemove {p.x()} {p.y()} sleep 0.15" for p in (near, middle, end - QPoint(2, 2), end)]
        line = f"mousemove {start.x()} {start.y()} sleep 0.15 mousedown 1 {' '.join(moves)} mouseup 1"
        with subprocess.Popen(["xdotool", *line.split()]) as process:
            self.wait(lambda: process.poll() is not None)
        assert process.returncode == 0

    def _place(self, widget: QWidget, x: float, y: float) -> tuple[Any, QPoint]:
        """The window of a widget, and a pixel of the widget there."""
        top = widget.window()
        return top.windowHandle(), widget.mapTo(top, QPoint(round(x), round(y)))

    # -- keyboard ----------------------------------------------------------------------------------------------

    def keys(self, *presses: str) -> None:
        """Keys and chords one after the other, as shortcuts are written: "G", "Ctrl+Z", "1", "Return"."""
        for press in presses:
            chord = QKeySequence(press)[0]
            popup = QApplication.activePopupWidget() or self.window
            QTest.keyClick(popup.windowHandle(), chord.key(), chord.keyboardModifiers())
            QApplication.processEvents()

    def choose(self, words: str) -> None:
        """Click an entry of the menu that is open."""
        self.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        menu = QApplication.activePopupWidget()
        action = next(action for action in menu.actions() if action.text() == words)
        place = menu.actionGeometry(action).center()
        self.click(menu, place.x(), place.y())
        self.wait(lambda: not menu.isVisible())

    # -- time --------------------------------------------------------------------------------------------------

    def wait(self, condition: Any, timeout: int = SOON) -> None:
        self._qtbot.waitUntil(condition, timeout=timeout)
