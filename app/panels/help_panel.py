"""HelpPanel: how a scene comes about in four steps, and all shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit import Painted, PanelScroll, Section, Text, panel_column
from app.kit.layouts import FILL, column, row, wide
from app.kit.painting import CENTRE, plate, radius, write
from app.look.fonts import font
from app.look.look import Look

STEPS = (
    ("Place the ending", "Drag shapes into the view and put every body where it must end."),
    ("Let it stand", "Settle lets bodies sink onto each other. Problems tells what cannot stand, and mends it."),
    ("Ask for a motion", "Set when a body comes to rest, and what it is made of."),
    ("Keep it safe", "Every change can be undone. Work that was never saved is offered again after a crash."),
)
Shortcuts = Sequence[tuple[str, Sequence[tuple[str, str]]]]


class KeyCaps(Painted):
    """Keys as caps: "Ctrl+Shift+A" is three of them."""

    HEIGHT = 20

    def __init__(self, look: Look, keys: str) -> None:
        super().__init__(look)
        self._caps = split_keys(keys)
        self.setFont(font("caption"))
        self.setFixedHeight(self.HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(keys)

    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._widths()) + 3 * (len(self._caps) - 1)) + 1, self.HEIGHT)

    def _widths(self) -> list[float]:
        metrics = QFontMetricsF(self.font())
        return [max(20.0, metrics.horizontalAdvance(cap) + 10) for cap in self._caps]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        left = 0.0
        for cap, width in zip(self._caps, self._widths(), strict=True):
            area = QRectF(left, 0, width, self.HEIGHT)
            plate(painter, area, radius("key_cap"), self._look.color("raised"), self._look.color("line2"))
            write(painter, area, cap, self._look.color("text"), CENTRE)
            left += width + 3


def split_keys(keys: str) -> list[str]:
    """The keys of a shortcut; "Ctrl++" ends in the plus key itself."""
    parts = [part for part in keys.split("+") if part]
    return [*parts, "+"] if keys.endswith("+") else parts


class HelpPanel(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        steps: list[Text] = []
        for number, (title, words) in enumerate(STEPS, start=1):
            steps.append(Text(look, f"{number}  {title}", "text", "body_strong"))
            steps.append(Text(look, words, "text2", "small", wraps=True))
        self._column = panel_column(Text(look, "Start from the ending", "text", "panel_title"), *steps, FILL)
        self._sections: list[Section] = []
        column(PanelScroll(self._column), of=self)

    def set_shortcuts(self, table: Shortcuts) -> None:
        """[(section, [(keys, words)])]; entries without keys are left out."""
        for section in self._sections:
            self._column.removeWidget(section)
            section.deleteLater()
        self._sections = [self._section(words, entries) for words, entries in table]
        for section in self._sections:
            self._column.insertWidget(self._column.count() - 1, section)

    def _section(self, words: str, entries: Sequence[tuple[str, str]]) -> Section:
        section = Section(self._look, words)
        for keys, meaning in entries:
            if keys:
                section.add(row(wide(Text(self._look, meaning, "text2", "small")), KeyCaps(self._look, keys)))
        return section
