"""NumberTiles: the figures below the sentence: small plates under their names, or lines where names are long."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent

from app.kit import Wrapped, paint_question
from app.kit.painting import plate, radius, space, write
from app.look.fonts import font
from app.look.look import Look
from app.look.quantity_words import quantity_words
from engine.scene.inspection import Number

HIGH, NARROWEST, GAP, PAD = 44, 88, 8, 9  # px, of tiles
MARK = 7  # px, half of a question mark
LINE, APART = 16, 6  # px, of lines of text, and between rows
WRAPS = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignLeft) | int(Qt.AlignmentFlag.AlignTop)
NONE = "none"


class NumberTiles(Wrapped):
    """Tiles side by side where every name fits into one, else a row for each. Notes are told as tooltip, and
    terms, to which a question mark leads."""

    USUAL = 2 * NARROWEST

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.numbers: tuple[Number, ...] = ()

    def show_numbers(self, numbers: Sequence[Number]) -> None:
        if tuple(numbers) != self.numbers:
            self.numbers = tuple(numbers)
            self.setAccessibleName("; ".join(f"{number.label}: {value_words(number)}" for number in self.numbers))
            self.updateGeometry()
            self.update()

    # -- places ------------------------------------------------------------------------------------------------------

    def columns(self, width: int) -> int:
        """Of tiles; 0: rows. As few as need the same number of lines, so that tiles are wide."""
        count = max(1, len(self.numbers))
        most = max(1, (width + GAP) // (NARROWEST + GAP))
        columns = -(-count // -(-count // most))
        room = (width - GAP * (columns - 1)) / columns - 2 * PAD
        letters = QFontMetricsF(font("caption"))
        return columns if all(letters.horizontalAdvance(n.label) <= room for n in self.numbers) else 0

    def places(self, width: int) -> list[QRectF]:
        columns = self.columns(width)
        if columns:
            wide = (width - GAP * (columns - 1)) / columns
            at = [divmod(number, columns) for number in range(len(self.numbers))]
            return [QRectF(column * (wide + GAP), row * (HIGH + GAP), wide, HIGH) for row, column in at]
        found, top = [], 0.0
        for number in self.numbers:
            room = QRectF(0.0, 0.0, self._label_room(number, width), 1000.0)
            high = QFontMetricsF(font("small")).boundingRect(room, WRAPS, number.label).height()
            high = max(LINE, LINE * round(high / LINE))
            found.append(QRectF(0.0, top, width, high))
            top += high + APART
        return found

    def _label_room(self, number: Number, width: float) -> float:
        return width - QFontMetricsF(font("body_strong")).horizontalAdvance(value_words(number)) - space("m")

    def heightForWidth(self, width: int) -> int:
        places = self.places(width)
        return round(places[-1].bottom()) + 1 if places else 0

    # -- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        tiles = bool(self.columns(self.width()))
        for number, area in zip(self.numbers, self.places(self.width()), strict=True):
            role = "text" if number.value is not None else "text3"
            if tiles:
                plate(painter, area, radius("card"), self._look.color("raised"))
                inner = area.adjusted(PAD, space("xs") + 2, -PAD, -space("xs") - 1)
                self._write(painter, inner, number.label, "caption", "text3", int(Qt.AlignmentFlag.AlignTop))
                self._write(painter, inner, value_words(number), "body_strong", role, int(Qt.AlignmentFlag.AlignBottom))
                self._mark(painter, number, QPointF(area.right() - PAD - MARK, area.bottom() - PAD - MARK))
            else:
                label = QRectF(0.0, area.top(), self._label_room(number, area.width()), area.height() + 2)
                self._write(painter, label, number.label, "small", "text2", WRAPS)
                end = min(QFontMetricsF(font("small")).horizontalAdvance(number.label), label.width() - 2 * MARK)
                self._mark(painter, number, QPointF(end + 2 * MARK, area.top() + LINE / 2))
                at = int(Qt.AlignmentFlag.AlignRight) | int(Qt.AlignmentFlag.AlignTop)
                self._write(painter, area.adjusted(0, -1, 0, 2), value_words(number), "body_strong", role, at)

    def _write(self, painter: QPainter, area: QRectF, words: str, size: str, role: str, flags: int) -> None:
        write(painter, area, words, self._look.color(role), flags, font(size))

    def _mark(self, painter: QPainter, number: Number, at: QPointF) -> None:
        if number.term:
            paint_question(painter, at, self._look)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            places = zip(self.numbers, self.places(self.width()), strict=True)
            under = [number for number, area in places if area.contains(event.pos())]
            self.setToolTip(_whole(under[0]) if under else "")
        return super().event(event)


def value_words(number: Number) -> str:
    return quantity_words(number.value, number.unit) if number.value is not None else NONE


def _whole(number: Number) -> str:
    told = f"{number.label}: {value_words(number)}" + (f" ({number.note})" if number.note else "")
    return f"{told}\n{number.term}" if number.term else told
