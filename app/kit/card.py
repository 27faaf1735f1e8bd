"""Card: one thing worth knowing: a title, a sentence, and the one-click fix if there is one."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent

from app.kit.buttons import WordButton
from app.kit.clickable import Clickable
from app.kit.layouts import at_left, column, row
from app.kit.painting import plate, radius, space
from app.kit.text import Text
from app.kit.wrapped import grow_with_width
from app.look.icons import icon
from app.look.look import Look, size

SEVERITIES = {
    "error": ("state.error", "assisted"),
    "warning": ("state.warning", "ghosted"),
    "fine": ("state.ok", "exact"),
    "info": ("state.info", "text3"),
    "": ("", ""),
}
"""Severity -> icon and colour; never told by the colour alone."""


class Card(Clickable):
    """Signals:
    clicked()         anywhere but on the button (only if `clickable`)
    fix_requested()   the button
    """

    fix_requested = Signal()

    def __init__(self, look: Look, clickable: bool = False) -> None:
        super().__init__(look)
        self.takes_clicks = clickable
        self._severity = ""
        self.title = Text(look, size="body_strong", wraps=True)
        self.sentence = Text(look, role="text2", size="small", wraps=True)
        self.button = WordButton(look, "")
        self.button.clicked.connect(self.fix_requested)
        lines = column(self.title, self.sentence, space("xs"), at_left(self.button), gap=space("xs"))
        self._outer = row(lines, of=self)
        grow_with_width(self)
        if clickable:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.show_words("", "")

    def show_words(self, title: str, sentence: str, fix: str = "", severity: str = "") -> None:
        """`fix` are the words on the button, "" for none."""
        self._severity = severity
        self.title.set_text(title)
        self.sentence.set_text(sentence)
        self.sentence.setVisible(bool(sentence))
        self.button.set_words(fix)
        self.button.setVisible(bool(fix))
        indent = space("m") + (size("icon") + space("s") if severity else 0)
        self._outer.setContentsMargins(indent, space("m"), space("m"), space("m") - (0 if fix else space("xs")))
        self.setAccessibleName(f"{title} {sentence}".strip())
        self.update()

    def keep_room(self, words: Iterable[tuple[str, str]]) -> None:
        """Be high enough for any of these titles and sentences."""
        titles, sentences = zip(*words, strict=True)
        self.title.keep_room(titles)
        self.sentence.keep_room(sentences)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect())
        lit = self.takes_clicks and self.hovered
        plate(painter, area, radius("card"), self.look.color("hover" if lit else "raised"))
        glyph, role = SEVERITIES[self._severity]
        if glyph:
            icon(self.look, glyph, role).paint(painter, space("m"), space("m") + 1, size("icon"), size("icon"))
        self.paint_ring(painter, area, radius("card"))
