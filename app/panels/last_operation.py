"""LastOperation: a float over the view that changes the hint just drawn, or the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.document.document import Document
from app.document.hint_edits import body_of
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size
from app.panels.control import space
from app.panels.hint_controls import HintControls
from app.panels.text import Text
from app.session.selection import Selection

WIDTH = 284  # px
EDGE = 12  # px from the edges of the view


class _Mark(QWidget):
    """The pink pencil."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFixedSize(QSize(size("icon"), size("icon")))
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        icon(self._look, "hint.mark", "hint").paint(QPainter(self), QRect(QPoint(0, 0), self.size()))


class LastOperation(QFrame):
    """At the lower left of the widget it lies over. Shown while a hint is chosen and `wanted`."""

    def __init__(self, look: Look, document: Document, selection: Selection, over: QWidget) -> None:
        super().__init__(over)
        self._document, self._selection, self._over = document, selection, over
        self._wanted = True
        self.setProperty("surface", "float")
        self.setObjectName("last_operation")
        self.setAccessibleName("Last operation")
        self.setFixedWidth(WIDTH)
        self.title = Text(look, "", "text", "body", strong=True)
        self.controls = HintControls(look, document, selection)
        cap = QLabel("F9", self)
        cap.setProperty("role", "keycap")
        cap.setFont(font("caption"))
        cap.setToolTip("Hide this panel (F9)")
        head = QHBoxLayout()
        head.setSpacing(space("s"))
        head.addWidget(_Mark(look))
        head.addWidget(self.title, 1)
        head.addWidget(cap)
        column = QVBoxLayout(self)
        column.setContentsMargins(space("m"), space("m") - 2, space("m"), space("s"))
        column.setSpacing(space("m") - 2)
        column.addLayout(head)
        column.addWidget(self.controls)
        document.changed.connect(self.refresh)
        selection.hint_chosen.connect(self.refresh)
        self.hide()

    @property
    def wanted(self) -> bool:
        return self._wanted

    def set_wanted(self, wanted: bool) -> None:
        if wanted != self._wanted:
            self._wanted = wanted
            self.refresh()

    def refresh(self) -> None:
        hint = self._selection.chosen_hint() if self._wanted else None
        body = body_of(self._document.shown, hint) if hint is not None else None
        if hint is None or body is None:
            self.hide()
            return
        self.title.set_text(f"Hint on {body.name}")
        self.controls.show_hint(hint.id)
        if not self.isVisible():
            self.show()
        self.place()
        self.raise_()

    def place(self) -> None:
        """At the lower left, as far as there is room."""
        self.adjustSize()
        self.move(EDGE, max(EDGE, self._over.height() - self.height() - EDGE))
