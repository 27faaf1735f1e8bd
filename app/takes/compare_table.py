"""CompareTable: two takes in numbers, the better one of each line in bold."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.document.take_edits import exact_of_all, shortfalls, worst_tier
from app.kit import Painted
from app.kit.painting import LEFT, fitting, write
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size
from app.look.quantity_words import energy_words, share_words
from app.look.tier_marks import paint_glyph
from app.look.tiers import tier_label, tier_rank
from engine.scene.shot import TakeCard

ROW, HEAD = 30, 30  # px
COLUMNS = (0.0, 0.39, 0.66, 1.0)  # shares of the width


class Row(NamedTuple):
    words: str
    first: str
    second: str
    better: int = 0  # 1 the first, 2 the second, 0 neither
    tiers: tuple[int, int] | None = None
    tips: tuple[str, str] = ("", "")  # what there is to know about each, when the mouse rests on it


def rows(first: TakeCard, second: TakeCard) -> list[Row]:
    """What differs between two takes, in the order of its weight."""
    energies, exact = (first.energy, second.energy), (exact_of_all(first), exact_of_all(second))
    counted = "Exact contacts"
    if first.exact_in_motion is not None and second.exact_in_motion is not None:
        exact, counted = (first.exact_in_motion, second.exact_in_motion), "Exact in motion"
    worst = (worst_tier(first), worst_tier(second))
    hints = (_followed(first), _followed(second))
    tips = ("\n".join(shortfalls(first)), "\n".join(shortfalls(second)))
    labels = (tier_label(worst[0]), tier_label(worst[1]))
    return [
        Row("Energy when let go", energy_words(energies[0]), energy_words(energies[1]), _less(*energies)),
        Row(counted, share_words(exact[0]), share_words(exact[1]), _less(-exact[0], -exact[1])),
        Row("Worst step", *labels, _less(*map(tier_rank, worst)), worst),
        Row("Bounces", str(first.bounces), str(second.bounces)),
        Row("Follows hints", _hint_words(first), _hint_words(second), _less(-hints[0], -hints[1]), tips=tips),
    ]


def _less(first: float, second: float) -> int:
    return 0 if first == second else 1 if first < second else 2


def _followed(card: TakeCard) -> float:
    return card.hints[0] / card.hints[1] if len(card.hints) > 1 and card.hints[1] else 1.0


def _hint_words(card: TakeCard) -> str:
    if len(card.hints) < 2 or not card.hints[1]:
        return "no hints"
    return f"{card.hints[0]:.0f} of {card.hints[1]:.0f}"


class CompareTable(Painted):
    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._names = ("", "")
        self._rows: list[Row] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_takes(self, first: TakeCard, second: TakeCard) -> None:
        self._names, self._rows = (f"A · {first.name}", f"B · {second.name}"), rows(first, second)
        said = [f"{row.words}: {row.first}, {row.second}" for row in self._rows]
        said += [tip.replace("\n", " ") for row in self._rows for tip in row.tips if tip]
        self.setAccessibleName("; ".join([f"{self._names[0]}, {self._names[1]}", *said]))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, HEAD + 5 * ROW)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def tip_at(self, place: QPointF) -> str:
        for number, row in enumerate(self._rows):
            for column, tip in enumerate(row.tips, start=1):
                if self._cell(column, HEAD + number * ROW).contains(place):
                    return tip
        return ""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for column, name in enumerate(self._names, start=1):
            self._paint_words(painter, self._cell(column, 0), name, "text2", "small")
        for number, row in enumerate(self._rows):
            top = HEAD + number * ROW
            painter.fillRect(QRectF(0, top, self.width(), 1), self._look.color("line"))
            self._paint_words(painter, self._cell(0, top), row.words, "text2", "body")
            for column, words in enumerate((row.first, row.second), start=1):
                cell = self._cell(column, top)
                if row.tiers is not None:
                    paint_glyph(painter, row.tiers[column - 1], QPointF(cell.left() + 5, cell.center().y()), self._look)
                    cell.setLeft(cell.left() + 18)
                if row.tips[column - 1]:
                    side = size("icon")
                    top_of_icon = round(cell.center().y() - side / 2)
                    icon(self._look, "state.warning", "ghosted").paint(
                        painter, round(cell.left()), top_of_icon, side, side
                    )
                    cell.setLeft(cell.left() + side + 4)
                strong = row.better == column
                self._paint_words(painter, cell, words, "text", "body_strong" if strong else "body")

    def _cell(self, column: int, top: float) -> QRectF:
        left, right = (share * self.width() for share in COLUMNS[column : column + 2])
        return QRectF(left, top, right - left - 8, ROW if top else HEAD)

    def _paint_words(self, painter: QPainter, area: QRectF, words: str, role: str, lettering: str) -> None:
        chosen = font(lettering)
        write(painter, area, fitting(words, chosen, area.width()), self._look.color(role), LEFT, chosen)
