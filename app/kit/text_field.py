"""TextField: a line of text in the frame of a field: names and filters."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit

from app.kit.control import Control
from app.kit.inline_line import bare_style, set_placeholder_color
from app.kit.layouts import row
from app.kit.painting import plate, radius
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size


class TextField(Control):
    """Signals:
    edited(str)      every change by the artist
    committed(str)   Enter or leaving the field, after a change
    """

    edited = Signal(str)
    committed = Signal(str)

    def __init__(
        self,
        look: Look,
        name: str,
        placeholder: str = "",
        glyph: str = "",
        framed: bool = True,
        lettering: str = "body",
        clears: bool = False,
    ) -> None:
        """`clears`: Escape empties the field (a filter) instead of going back to the last text (a name)."""
        super().__init__(look)
        self._glyph, self._framed, self._clears = glyph, framed, clears
        self._before = ""
        self.line = QLineEdit(self)
        self.line.setFrame(False)
        self.line.setFont(font(lettering))
        self.line.setPlaceholderText(placeholder)
        self.line.setAccessibleName(name)
        self.line.textEdited.connect(self.edited)
        self.line.editingFinished.connect(self._finish)
        self.line.installEventFilter(self)
        inset = 8 if framed else 4
        row(self.line, of=self, edge=(inset + (size("icon") + 6 if glyph else 0), 1, inset, 1))
        self.be_field("", 120, 64)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the line inside has it
        self.setFocusProxy(self.line)
        look.changed.connect(self._recolour)
        self._recolour()

    @property
    def text(self) -> str:
        return self.line.text()

    def set_text(self, text: str) -> None:
        """Show a text; what is being typed is not overwritten."""
        if not (self.line.hasFocus() and self.line.isModified()):
            self._before = text
            if text != self.line.text():
                self.line.setText(text)
                self.line.setCursorPosition(0)
                self.line.setModified(False)

    def clear(self) -> None:
        """Empty the field, as if the artist had done so."""
        self._before = ""
        self.line.clear()
        self.edited.emit("")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        focused = self.line.hasFocus()
        if self._framed or self.hovered or focused:
            edge = "accent" if focused else "control_edge" if self.hovered else "line2"
            plate(painter, QRectF(self.rect()), radius("field"), self.look.color("well"), self.look.color(edge))
        if self._glyph:
            side = size("icon")
            icon(self.look, self._glyph, "text3").paint(painter, 8, (self.height() - side) // 2, side, side)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape takes back what was typed, and only then reaches the window; the frame follows the focus."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self.line.text() != self._before:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.line.setText(self._before)
                self.line.setModified(False)
                self.edited.emit(self._before)
                return True
        return super().eventFilter(watched, event)

    def _finish(self) -> None:
        if self.line.isModified():
            self.line.setModified(False)
            text = self.line.text()
            if text != self._before:
                self._before = "" if self._clears else text
                self.committed.emit(text)

    def _recolour(self) -> None:
        self.line.setStyleSheet(bare_style(self.look))
        set_placeholder_color(self.line, self.look)
