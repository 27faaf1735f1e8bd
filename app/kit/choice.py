"""Choice: a field that opens a menu, for more than five choices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu

from app.kit.control import Control, presses
from app.kit.painting import MIDDLE, fitting, plate, radius, write
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size

ARROWS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class Choice(Control):
    """Signals:
    chosen(str)   the artist chose this entry
    """

    chosen = Signal(str)

    def __init__(self, look: Look, entries: Sequence[str], name: str) -> None:
        super().__init__(look)
        self._entries: list[str] = []
        self.text = ""
        self.why = ""  # tooltip, where there is something to explain
        self.menu = QMenu(self)
        self.set_entries(entries)
        self.setFont(font("body"))
        self.be_field(name, 132, 72)

    def set_entries(self, entries: Sequence[str]) -> None:
        """Others to choose from."""
        if list(entries) != self._entries:
            self._entries = list(entries)
            self.menu.clear()
            for entry in entries:
                self.menu.addAction(entry).triggered.connect(partial(self._choose, entry))

    def set_text(self, text: str) -> None:
        """What the field shows; it need not be one of the entries ("Custom", "—")."""
        if text != self.text:
            self.text = text
            self.setAccessibleDescription(text)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area, side = QRectF(self.rect()), size("icon")
        edge = "control_edge" if self.hovered and self.isEnabled() else "line2"
        plate(painter, area, radius("field"), self.look.color("well"), self.look.color(edge))
        inner = area.adjusted(8, 0, -side - 10, 0)
        shown = fitting(self.text, self.font(), inner.width())
        self.setToolTip(self.why or (self.text if shown != self.text else ""))
        write(painter, inner, shown, self.look.color("text" if self.isEnabled() else "disabled"), MIDDLE)
        top = (self.height() - side) // 2
        role = "text2" if self.isEnabled() else "disabled"
        icon(self.look, "field.open", role).paint(painter, self.width() - side - 6, top, side, side)
        self.paint_ring(painter, area, radius("field"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.ring = False
            self.open_menu()

    def uses_key(self, event: QKeyEvent) -> bool:
        return presses(event) or event.key() in ARROWS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if presses(event):
            self.open_menu()
        elif event.key() in ARROWS:
            by = ARROWS[Qt.Key(event.key())]
            at = self._entries.index(self.text) if self.text in self._entries else (-1 if by > 0 else 1)
            at = min(len(self._entries) - 1, max(0, at + by))
            if self._entries[at] != self.text:
                self._choose(self._entries[at])
        else:
            super().keyPressEvent(event)

    def open_menu(self) -> None:
        self.menu.setMinimumWidth(self.width())
        for action in self.menu.actions():
            if action.text() == self.text:
                self.menu.setActiveAction(action)
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _choose(self, entry: str, *_: object) -> None:
        self.set_text(entry)
        self.chosen.emit(entry)
