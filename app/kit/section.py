"""Sections of a panel: a line, a 12 px heading and what belongs under it; some fold away."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit.clickable import Clickable
from app.kit.form import captioned, labelled
from app.kit.layouts import FILL, Entry, column, held, put, row
from app.kit.painting import radius, space
from app.kit.text import Text
from app.look.icons import icon
from app.look.look import Look, size


class Heading(Clickable):
    """The line over a section and its name; a folding one has a caret and takes clicks and keys."""

    def __init__(self, look: Look, words: str, aside: str, folds: bool) -> None:
        super().__init__(look)
        self.takes_clicks, self.open = folds, True
        self.words = Text(look, words, "text2", "small", strong=True)
        self.aside = Text(look, aside, "text3", "small", align=Qt.AlignmentFlag.AlignRight)
        caret = size("icon") + 4 if folds else 0
        row(self.words, FILL, self.aside, caret, of=self, edge=(0, space("m"), 0, space("s") - 2))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if folds:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setAccessibleName(words)

    def rename(self, words: str) -> None:
        self.words.set_text(words)
        if self.takes_clicks:
            self.setAccessibleName(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, self.look.color("line"))
        if self.takes_clicks:
            glyph = "field.open" if self.open else "tree.closed"
            role = "text" if self.hovered else "text2"
            side = size("icon")
            y = self.words.geometry().center().y() - side // 2
            icon(self.look, glyph, role).paint(painter, self.width() - side, y, side, side)
        self.paint_ring(painter, QRectF(self.rect()).adjusted(0, 4, 0, 0), radius("field"))


class Section(QWidget):
    """Add what belongs here with `add`, `row` and `fields`."""

    def __init__(self, look: Look, words: str, aside: str = "", folds: bool = False, opened: bool = True) -> None:
        super().__init__()
        self._look = look
        self.heading = Heading(look, words, aside, folds)
        self._column = column(gap=space("s") - 2, edge=(0, 0, 0, space("m")))
        self._content = held(self._column)
        column(self.heading, self._content, of=self, gap=0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.heading.clicked.connect(lambda: self.set_open(not self.heading.open))
        self.set_open(opened)

    def sizeHint(self) -> QSize:
        """It is never higher than this: words that wrap once more in a narrow panel count."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def set_open(self, opened: bool) -> None:
        self.heading.open = opened
        self._content.setVisible(opened)
        self.heading.setAccessibleDescription("open" if opened else "closed")
        self.heading.update()

    def add(self, *entries: Entry) -> None:
        for entry in entries:
            put(self._column, entry)

    def row(self, words: str, *entries: QWidget) -> QWidget:
        """A label and what it names, side by side; returns the row, to hide it as one."""
        made = labelled(self._look, words, *entries)
        self.add(made)
        return made

    def fields(self, words: str, unit: str, *entries: QWidget) -> QWidget:
        """A caption with its unit over fields of equal width; returns the block, to hide it as one."""
        made = captioned(self._look, words, unit, *entries)
        self.add(made)
        return made
