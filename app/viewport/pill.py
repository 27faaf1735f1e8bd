"""A pill over the picture: icon, word, and a menu below it; or a switch, with or without a menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionToolButton, QToolButton, QWidget

from app.kit.painting import LEFT, radius, write
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size

PAD, GAP, CARET = 9, 6, 12  # px
T = TypeVar("T")


class Pill(QToolButton):
    """Loses its word, not its tooltip, when there is little room. The menu of a switch opens at the caret, or with the
    Down key."""

    def __init__(
        self, look: Look, icon_name: str, name: str, parent: QWidget, menu: bool = True, switch: bool = False
    ) -> None:
        super().__init__(parent)
        self._look, self._icon_name, self._icon_role = look, icon_name, ""
        self.compact = False
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setCheckable(switch)
        if menu:
            modes = QToolButton.ToolButtonPopupMode
            self.setPopupMode(modes.MenuButtonPopup if switch else modes.InstantPopup)
            self.setMenu(QMenu(self))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFont(font("small"))
        look.changed.connect(self.update)

    def offer(self, choices: Mapping[T, str], choose: Callable[[T], object]) -> dict[T, QAction]:
        """Choices of which one holds, at the end of the menu: value -> words."""
        group, made = QActionGroup(self), {}
        for value, words in choices.items():
            made[value] = group.addAction(self.menu().addAction(words))
            made[value].setCheckable(True)
            made[value].triggered.connect(lambda _, value=value: choose(value))
        return made

    def set_words(self, words: str) -> None:
        if words != self.text():
            self.setText(words)
            self.adjustSize()

    def set_compact(self, compact: bool) -> None:
        if compact != self.compact:
            self.compact = compact
            self.adjustSize()

    def sizeHint(self) -> QSize:
        return QSize(self.room(self.compact), size("button"))

    def room(self, compact: bool) -> int:
        """Width in px, with its word or without."""
        words = 0 if compact else QFontMetrics(self.font()).horizontalAdvance(self.text()) + GAP
        return 2 * PAD + size("icon") + words + (GAP + CARET if self.menu() is not None else 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at_caret = event.position().x() > self.width() - PAD - CARET - GAP
        if self.isCheckable() and self.menu() is not None and at_caret:
            self.showMenu()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.menu() is not None:
            self.showMenu()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver) or self.isDown()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = bool(option.state & QStyle.StateFlag.State_KeyboardFocusChange) and self.hasFocus()
        edge = QPen(self._look.color("focus"), 2.0) if focused else QPen(self._look.color("line2"), 1.0)
        painter.setPen(edge)
        painter.setBrush(self._look.color("hover" if hot else "tint" if self.isChecked() else "raised", 0.94))
        corner = radius("button")
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), corner, corner)
        role, glyph = ("accent_hi" if self.isChecked() else "text" if hot else "text2"), size("icon")
        top = (self.height() - glyph) // 2
        icon(self._look, self._icon_name, self._icon_role or role).paint(painter, QRect(PAD, top, glyph, glyph))
        if not self.compact:
            room = self.rect().adjusted(PAD + glyph + GAP, 0, -PAD, 0)
            write(painter, room, self.text(), self._look.color("text" if self.isChecked() else role), LEFT)
        if self.menu() is not None:
            caret = QRect(self.width() - PAD - CARET + 2, (self.height() - CARET) // 2 + 1, CARET, CARET)
            icon(self._look, "field.open", role).paint(painter, caret)
