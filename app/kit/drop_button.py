"""DropButton: a field that shows words and opens a menu."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from app.kit.lettering import letters, measures
from app.kit.painting import MIDDLE, fitting, write
from app.look.icons import icon
from app.look.look import Look, size

EDGE = 8  # px


class DropButton(QPushButton):
    """The style sheet gives the plate; words, icons and arrow are painted here. The menu is filled when it opens."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._words, self._aside = look, "", ""
        self._glyph, self._glyph_role = "", "text2"
        self.menu_ = QMenu(self)
        self.setMenu(self.menu_)
        self.setAccessibleName(name)
        self.setFixedHeight(size("button"))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setStyleSheet("QPushButton::menu-indicator { image: none; width: 0px; }")
        look.changed.connect(self.update)

    def set_words(self, words: str, aside: str = "", glyph: str = "", glyph_role: str = "text2") -> None:
        """`aside` is said in a quieter colour, after the words."""
        fresh = (words, aside, glyph, glyph_role)
        if fresh != (self._words, self._aside, self._glyph, self._glyph_role):
            self._words, self._aside, self._glyph, self._glyph_role = fresh
            self.setAccessibleDescription(f"{words} {aside}".strip())
            self.updateGeometry()
            self.update()

    @property
    def words(self) -> str:
        return f"{self._words} {self._aside}".strip()

    def sizeHint(self) -> QSize:
        metrics = measures("body_strong" if self._aside else "body")
        width = metrics.horizontalAdvance(self._words) + measures("body").horizontalAdvance(self._aside)
        width += 2 * EDGE + size("icon") + 10
        width += size("icon") + 6 if self._glyph else 0
        width += 8 if self._aside else 0
        return QSize(round(width), size("button"))

    def minimumSizeHint(self) -> QSize:
        return QSize(64, size("button"))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        side = size("icon")
        top, left, right = (self.height() - side) // 2, EDGE, self.width() - EDGE - side
        if self._glyph:
            icon(self._look, self._glyph, self._glyph_role).paint(painter, left, top, side, side)
            left += side + 6
        for words, role, color in (
            (self._words, "body_strong" if self._aside else "body", "text"),
            (self._aside, "body", "text2"),
        ):
            metrics = measures(role)
            shown = fitting(words, letters(role), max(0, right - 4 - left))
            write(painter, QRectF(left, 0, right - left, self.height()), shown,
                  self._look.color(color if self.isEnabled() else "disabled"), MIDDLE, letters(role))  # fmt: skip
            left += round(metrics.horizontalAdvance(shown)) + 8
        icon(self._look, "field.open").paint(painter, QRect(right + 2, top, side, side))
