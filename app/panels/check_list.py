"""CheckList: what holds and what does not, one line each: a sign, the question, and why in quieter words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit import Glyph, Question, Text, show_each
from app.kit.layouts import FILL, column, row
from app.kit.painting import space
from app.look.look import Look
from engine.scene.inspection import Check

SIGNS = {True: ("state.ok", "exact"), False: ("state.error", "assisted"), None: ("state.info", "text3")}
SAID = {True: "yes", False: "no", None: "not known"}


class CheckRow(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self.sign = Glyph(look, "state.info")
        self.label, self.note = Text(look), Text(look, role="text3", size="small")
        self.term = Question(look)
        row(self.sign, self.label, self.term, FILL, self.note, of=self, gap=space("s"))

    def show_check(self, check: Check) -> None:
        self.sign.show_icon(*SIGNS[check.holds])
        self.label.set_text(check.label)
        self.label.setMinimumWidth(self.label.sizeHint().width())  # the note gives way first
        self.term.show_term(check.term)
        self.note.set_text(check.note)
        self.setAccessibleName(f"{check.label}: {SAID[check.holds]}. {check.note}".strip())


class CheckList(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.rows: list[CheckRow] = []
        self._column = column(of=self, gap=space("xs"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_checks(self, checks: Sequence[Check]) -> None:
        while len(self.rows) < len(checks):
            self.rows.append(CheckRow(self._look))
            self._column.addWidget(self.rows[-1])
        show_each(self.rows, checks, CheckRow.show_check)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())
