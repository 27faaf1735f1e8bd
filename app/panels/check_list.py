"""CheckList: what holds and what does not, one line each: a sign, the question, and why in quieter words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.look.icons import icon
from app.look.look import Look, size
from app.panels.control import space
from app.panels.text import Text
from engine.scene.inspection import Check

SIGNS = {True: ("state.ok", "exact"), False: ("state.error", "assisted"), None: ("state.info", "text3")}
SAID = {True: "yes", False: "no", None: "not known"}


class _Sign(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.holds: bool | None = None
        self.setFixedSize(size("icon"), size("icon"))

    def paintEvent(self, event: QPaintEvent) -> None:
        glyph, role = SIGNS[self.holds]
        icon(self._look, glyph, role).paint(QPainter(self), self.rect())


class CheckRow(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self.sign = _Sign(look)
        self.label, self.note = Text(look), Text(look, role="text3", size="small")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space("s"))
        row.addWidget(self.sign)
        row.addWidget(self.label)
        row.addStretch(1)
        row.addWidget(self.note)

    def show_check(self, check: Check) -> None:
        self.sign.holds = check.holds
        self.sign.update()
        self.label.set_text(check.label)
        self.label.setMinimumWidth(self.label.sizeHint().width())  # the note gives way first
        self.note.set_text(check.note)
        self.setAccessibleName(f"{check.label}: {SAID[check.holds]}. {check.note}".strip())


class CheckList(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.rows: list[CheckRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space("xs"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        look.changed.connect(self.update)

    def show_checks(self, checks: Sequence[Check]) -> None:
        while len(self.rows) < len(checks):
            self.rows.append(CheckRow(self._look))
            self._column.addWidget(self.rows[-1])
        for number, row in enumerate(self.rows):
            row.setVisible(number < len(checks))
            if number < len(checks):
                row.show_check(checks[number])

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())
