"""Buttons of the panels: a verb on a quiet plate, and an icon alone with its name as tooltip."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from app.kit.control import Control, presses
from app.kit.painting import fitting, plate, radius
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size


class Pressable(Control):
    """Signals:
    clicked()
    """

    clicked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.down = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def fill_role(self, rest: str | None) -> str | None:
        if not self.isEnabled():
            return rest
        return "tint" if self.down else "hover" if self.hovered else rest

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.ring, self.down = False, True
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_down, self.down = self.down, False
        self.update()
        if was_down and event.button() == Qt.MouseButton.LeftButton:
            if self.rect().contains(event.position().toPoint()):
                self.clicked.emit()

    def uses_key(self, event: QKeyEvent) -> bool:
        return presses(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.uses_key(event) and not event.isAutoRepeat():
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class WordButton(Pressable):
    """A secondary button; `plain` has no plate until the mouse is there."""

    def __init__(self, look: Look, words: str, plain: bool = False) -> None:
        super().__init__(look)
        self.words, self._plain = words, plain
        self.setFont(font("body"))
        self.setFixedHeight(size("button"))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_words(words)

    def set_words(self, words: str) -> None:
        self.words = words
        self.setAccessibleName(words)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(self.font()).horizontalAdvance(self.words)) + 24, size("button"))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(72, self.sizeHint().width()), size("button"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        fill = self.fill_role(None if self._plain else "raised")
        edge = None if self._plain else self.look.color("line2")
        area = QRectF(self.rect())
        plate(painter, area, radius("button"), self.look.color(fill) if fill else None, edge)
        painter.setPen(self.look.color("disabled" if not self.isEnabled() else "text2" if self._plain else "text"))
        shown = fitting(self.words, self.font(), self.width() - 12)
        self.setToolTip(self.words if shown != self.words else "")
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)
        self.paint_ring(painter, area, radius("button"))


class IconButton(Pressable):
    """An icon whose name, with its shortcut, is the tooltip."""

    def __init__(self, look: Look, glyph: str, words: str, shortcut: str = "") -> None:
        super().__init__(look)
        self._glyph, self._role = glyph, "text2"
        self.setFixedSize(size("field"), size("field"))
        self.set_words(words, shortcut)

    def set_words(self, words: str, shortcut: str = "") -> None:
        self.setAccessibleName(words)
        self.setToolTip(f"{words}  ({shortcut})" if shortcut else words)

    def set_glyph(self, glyph: str, role: str = "text2") -> None:
        if (glyph, role) != (self._glyph, self._role):
            self._glyph, self._role = glyph, role
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect())
        fill = self.fill_role(None)
        if fill:
            plate(painter, area, radius("button"), self.look.color(fill))
        role = self._role if self.isEnabled() else "disabled"
        if role == "text2" and self.hovered:
            role = "text"
        side, at = size("icon"), (self.width() - size("icon")) // 2
        icon(self.look, self._glyph, role).paint(painter, at, at, side, side)
        self.paint_ring(painter, area, radius("button"))
