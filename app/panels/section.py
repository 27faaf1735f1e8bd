"""Sections of a panel: a line, a 12 px heading and what belongs under it; some fold away."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget

from app.look.icons import icon
from app.look.look import Look, size
from app.panels.control import Control, presses, radius, space
from app.panels.text import Text

LABEL_WIDTH = 64  # px, so that the fields of a panel start at one line


class Heading(Control):
    """The line over a section and its name; a folding one has a caret and takes clicks and keys.

    Signals:
        clicked()
    """

    clicked = Signal()

    def __init__(self, look: Look, words: str, aside: str, folds: bool, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._folds, self.open = folds, True
        self.words = Text(look, words, "text2", "small", strong=True)
        self.aside = Text(look, aside, "text3", "small", align=Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, space("m"), 0, space("s") - 2)
        row.addWidget(self.words)
        row.addStretch(1)
        row.addWidget(self.aside)
        row.addSpacing(size("icon") + 4 if folds else 0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if folds:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setAccessibleName(words)

    def rename(self, words: str) -> None:
        self.words.set_text(words)
        if self._folds:
            self.setAccessibleName(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, self.look.color("line"))
        if self._folds:
            glyph = "field.open" if self.open else "tree.closed"
            role = "text" if self.hovered else "text2"
            side = size("icon")
            y = self.words.geometry().center().y() - side // 2
            icon(self.look, glyph, role).paint(painter, self.width() - side, y, side, side)
        self.paint_ring(painter, QRectF(self.rect()).adjusted(0, 4, 0, 0), radius("field"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._folds and event.button() == Qt.MouseButton.LeftButton:
            self.ring = False
            self.clicked.emit()

    def uses_key(self, event: QKeyEvent) -> bool:
        return self._folds and presses(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.uses_key(event):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class Section(QWidget):
    """Add what belongs here with `add`, `row` and `fields`."""

    def __init__(self, look: Look, words: str, aside: str = "", folds: bool = False, opened: bool = True) -> None:
        super().__init__()
        self._look = look
        self.heading = Heading(look, words, aside, folds)
        self._content = QWidget()
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(0, 0, 0, space("m"))
        self._column.setSpacing(space("s") - 2)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.heading)
        outer.addWidget(self._content)
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

    def add(self, entry: QWidget | QLayout) -> None:
        if isinstance(entry, QLayout):
            self._column.addLayout(entry)
        else:
            self._column.addWidget(entry)

    def row(self, words: str, *entries: QWidget) -> QWidget:
        """A label and what it names, side by side; returns the row, to hide it as one."""
        label = Text(self._look, words, "text2", "small")
        label.setFixedWidth(LABEL_WIDTH)
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(space("s"))
        line.addWidget(label)
        for entry in entries:
            line.addWidget(entry, 1 if entry.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding else 0)
        self._column.addWidget(row)
        return row

    def fields(self, words: str, unit: str, *entries: QWidget) -> QWidget:
        """A caption with its unit over fields of equal width; returns the block, to hide it as one."""
        block = QWidget()
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(space("xs"))
        caption = QHBoxLayout()
        caption.addWidget(Text(self._look, words, "text2", "small"))
        caption.addStretch(1)
        caption.addWidget(Text(self._look, unit, "text3", "small"))
        line = QHBoxLayout()
        line.setSpacing(space("s") - 2)
        for entry in entries:
            line.addWidget(entry, 1)
        column.addLayout(caption)
        column.addLayout(line)
        self._column.addWidget(block)
        return block
