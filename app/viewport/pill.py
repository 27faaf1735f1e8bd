"""A pill over the picture: icon, word, and a menu below it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionToolButton, QToolButton, QWidget

from app.look.icons import icon
from app.look.look import Look, size, tokens

PAD, GAP, CARET = 9, 6, 12  # px


class Pill(QToolButton):
    """Loses its word, not its tooltip, when there is little room."""

    def __init__(self, look: Look, icon_name: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._icon_name = look, icon_name
        self._compact = False
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        font = self.font()
        font.setPixelSize(int(tokens()["font"]["sizes"]["small"]["px"]))
        self.setFont(font)
        look.changed.connect(self.update)

    def set_words(self, words: str) -> None:
        if words != self.text():
            self.setText(words)
            self.adjustSize()

    def set_compact(self, compact: bool) -> None:
        if compact != self._compact:
            self._compact = compact
            self.adjustSize()

    @property
    def compact(self) -> bool:
        return self._compact

    def sizeHint(self) -> QSize:
        words = 0 if self._compact else QFontMetrics(self.font()).horizontalAdvance(self.text()) + GAP
        return QSize(2 * PAD + size("icon") + words + GAP + CARET, size("button"))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver) or self.isDown()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = bool(option.state & QStyle.StateFlag.State_KeyboardFocusChange) and self.hasFocus()
        edge = QPen(self._look.color("focus"), 2.0) if focused else QPen(self._look.color("line2"), 1.0)
        painter.setPen(edge)
        painter.setBrush(self._look.color("hover" if hot else "raised", 0.94))
        radius = float(tokens()["radius"]["button"])
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        role, glyph = ("text" if hot else "text2"), size("icon")
        top = (self.height() - glyph) // 2
        icon(self._look, self._icon_name, role).paint(painter, QRect(PAD, top, glyph, glyph))
        if not self._compact:
            painter.setPen(self._look.color(role))
            room = self.rect().adjusted(PAD + glyph + GAP, 0, -PAD - CARET, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        caret = QRect(self.width() - PAD - CARET + 2, (self.height() - CARET) // 2 + 1, CARET, CARET)
        icon(self._look, "field.open", role).paint(painter, caret)
        painter.end()
