"""LoadSection: which forces at its middle the selected body withstands: a vertical slice, and all directions."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen

from app.kit import Painted, Section, Text, WordButton
from app.kit.layouts import row, wide
from app.kit.painting import space
from app.look.look import Look
from app.panels.check_list import CheckRow
from engine.scene.inspection import Check
from engine.scene.load_map import KINDS, LoadMap

ROLES = ("assisted_fill", "ghosted_fill", "tuned_fill", "exact_fill", "accent")  # of KINDS
HIGH, CHIP = 132, 12  # px
TERM = (
    "Whatever can hold it, surely does: every load that is weakly stable is strongly stable "
    "(Pang and Trinkle 1998, theorem 4)"
)


class LoadSection(Section):
    """Signals:
    asked()   it is to be found out
    """

    asked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__(look, "Forces it withstands", "at its middle")
        self.ask = WordButton(look, "Find out")
        self.ask.setToolTip("Try forces as strong as its weight in every direction, at the ending")
        self.said = Text(look, "", "text3", "small", wraps=True)
        self.slice, self.sheet = _Slice(look), _Sheet(look)
        self.luck = CheckRow(look)
        self.legend = [_Kind(look, kind) for kind in reversed(range(len(KINDS)))]
        words = "Left: toward X and upward. Right: all directions, once around from X, upward above."
        self.told = Text(look, words, "text3", "small", wraps=True)
        self._shown = (self.luck, self.told, self.slice, self.sheet, *self.legend)
        self.add(self.ask, self.said, row(self.slice, wide(self.sheet), gap=space("s")), self.told, self.luck,
                 *self.legend)  # fmt: skip
        self.ask.clicked.connect(self.asked)
        self.clear()

    def clear(self, words: str = "") -> None:
        """Nothing is known, and why."""
        self._show(None, words)

    def set_busy(self) -> None:
        self._show(None, "Trying every direction…")
        self.ask.setEnabled(False)

    def show_map(self, found: LoadMap) -> None:
        words = "Let all that pulls at it, gravity included, be as strong as its weight: it surely holds over"
        self._show(found, f"{words} {found.turn_that_holds:.0f}° of the full turn on the left.")
        note = "not known" if found.no_luck is None else ""
        self.luck.show_check(Check("No luck needed", found.no_luck, note, TERM))

    def _show(self, found: LoadMap | None, words: str) -> None:
        self.ask.setEnabled(True)
        self.said.set_text(words)
        self.said.setVisible(bool(words))
        for widget in self._shown:
            widget.setVisible(found is not None)
        self.slice.show_map(found)
        self.sheet.show_map(found)


class _OfLoads(Painted):
    def __init__(self, look: Look, name: str) -> None:
        super().__init__(look)
        self.found: LoadMap | None = None
        self.setFixedHeight(HIGH)
        self.setAccessibleName(name)

    def show_map(self, found: LoadMap | None) -> None:
        self.found = found
        self.update()


class _Slice(_OfLoads):
    """Forces of a vertical plane, as a disk."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "Forces toward X and upward")
        self.setFixedWidth(HIGH)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.found is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = 360.0 / len(self.found.slice_kinds)
        for way, kind in zip(self.found.slice_ways.tolist(), self.found.slice_kinds.tolist(), strict=True):
            middle = math.degrees(math.atan2(way[2], way[0]))
            painter.setBrush(self._look.color(ROLES[kind]))
            painter.setPen(QPen(self._look.color(ROLES[kind]), 1.0))  # else the ground shines through between two
            place = QRectF(self.rect()).adjusted(1.0, 1.0, -1.0, -1.0)
            painter.drawPie(place, round(16.0 * (middle - 0.5 * wide)), round(16.0 * wide))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("text"))
        painter.drawEllipse(QPointF(0.5 * HIGH, 0.5 * HIGH), 2.5, 2.5)


class _Sheet(_OfLoads):
    """All directions, each with the same area."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "Forces in all directions")

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.found is None:
            return
        kinds = self.found.kinds[::-1]
        picture = QImage(QSize(kinds.shape[1], kinds.shape[0]), QImage.Format.Format_RGB32)
        for y, line in enumerate(kinds.tolist()):
            for x, kind in enumerate(line):
                picture.setPixelColor(x, y, self._look.color(ROLES[kind]))
        QPainter(self).drawImage(QRectF(self.rect()), picture)


class _Kind(Painted):
    """A line of the legend."""

    def __init__(self, look: Look, kind: int) -> None:
        super().__init__(look)
        self._kind = kind
        words = Text(look, KINDS[kind][0].upper() + KINDS[kind][1:], "text2", "small")
        row(wide(words), of=self, edge=(CHIP + space("s"), 0, 0, 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRectF(0.0, 0.5 * (self.height() - CHIP), CHIP, CHIP), self._look.color(ROLES[self._kind]))
