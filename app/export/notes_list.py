"""NotesList: what holds of an export and what to know about it, one line each: a sign and words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.export.export_words import Note
from app.kit import Painted, Text, show_each
from app.kit.layouts import Put, column, row, wide
from app.kit.painting import space
from app.look.icons import icon
from app.look.look import Look, size

SIGNS = {
    "ok": ("state.ok", "exact"),
    "info": ("state.info", "plastic"),
    "warning": ("state.warning", "ghosted"),
    "error": ("state.error", "assisted"),
}
"""Kind -> icon and colour; never told by the colour alone."""


class Sign(Painted):
    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.kind = "info"
        self.setFixedSize(size("icon"), size("icon") + 2)  # in line with the first line of words

    def show_kind(self, kind: str) -> None:
        self.kind = kind
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        glyph, role = SIGNS[self.kind]
        icon(self._look, glyph, role).paint(QPainter(self), QRect(0, 1, size("icon"), size("icon")))


class NoteRow(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self.sign, self.words = Sign(look), Text(look, "", "text", "body", wraps=True)
        row(Put(self.sign, align=Qt.AlignmentFlag.AlignTop), wide(self.words), of=self, gap=space("s"))

    def show_note(self, note: Note) -> None:
        self.sign.show_kind(note.kind)
        self.words.set_text(note.words)
        self.setToolTip(note.tip)
        self.setAccessibleName(f"{note.words} {note.tip}".strip())


class NotesList(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.rows: list[NoteRow] = []
        self.notes: tuple[Note, ...] = ()
        self._column = column(of=self, gap=space("s") + 2)

    def show_notes(self, notes: Sequence[Note]) -> None:
        self.notes = tuple(notes)
        while len(self.rows) < len(notes):
            self.rows.append(NoteRow(self._look))
            self._column.addWidget(self.rows[-1])
        show_each(self.rows, notes, NoteRow.show_note)
