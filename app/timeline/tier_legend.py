"""TierLegend: what the signs of the certificate mean; in a narrow window it is behind a question mark."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QSizePolicy, QToolButton, QToolTip, QWidget, QWidgetAction

from app.kit import Painted, label, letters, measures
from app.kit.painting import MIDDLE, write
from app.look.icons import icon
from app.look.look import Look, size
from app.look.tier_marks import GLYPH, paint_glyph
from app.look.tiers import FREE_FLIGHT, NOTHING_TOUCHES, tier_label, tier_sentence, tiers_by_rank

APART = 14  # px between entries
AFTER_GLYPH = 6  # px


def entries() -> list[tuple[str, str]]:
    """Label and sentence of every tier, the best one first, then of what has none."""
    tiers = [(tier_label(tier), tier_sentence(tier)) for tier in tiers_by_rank()]
    return [*tiers, (FREE_FLIGHT, NOTHING_TOUCHES)]


def paint_entry(painter: QPainter, number: int, center: QPointF, look: Look) -> None:
    """The sign of a tier; after the last one the thin line of free flight."""
    tiers = tiers_by_rank()
    if number < len(tiers):
        paint_glyph(painter, tiers[number], center, look)
    else:
        line = QRectF(center.x() - 0.5 * GLYPH, center.y() - 0.75, GLYPH, 1.5)
        painter.fillRect(line, look.color("text3"))


class TierLegend(Painted):
    """All tiers in one line."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(size("field"))
        self.setAccessibleName("Tiers: " + ", ".join(name for name, _ in entries()))

    def places(self) -> list[tuple[float, float]]:
        """Left and right end of every entry, px."""
        metrics, left, found = measures("small"), 0.0, []
        for name, _ in entries():
            width = GLYPH + AFTER_GLYPH + metrics.horizontalAdvance(name)
            found.append((left, left + width))
            left += width + APART
        return found

    def sizeHint(self) -> QSize:
        return QSize(round(self.places()[-1][1]) + 2, size("field"))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(letters("small"))
        for number, ((left, right), (name, _)) in enumerate(zip(self.places(), entries(), strict=True)):
            paint_entry(painter, number, QPointF(left + 0.5 * GLYPH, 0.5 * self.height()), self._look)
            area = QRectF(left + GLYPH + AFTER_GLYPH, 0, right - left, self.height())
            write(painter, area, name, self._look.color("text2"), MIDDLE)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            x = event.pos().x()
            places = zip(self.places(), entries(), strict=True)
            words = [sentence for (left, right), (_, sentence) in places if left <= x <= right + 4]
            QToolTip.showText(event.globalPos(), words[0] if words else "", self)
            return True
        return super().event(event)


class _Glyph(Painted):
    def __init__(self, number: int, look: Look) -> None:
        super().__init__(look)
        self._number = number
        self.setFixedSize(16, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_entry(painter, self._number, QPointF(0.5 * self.width(), 0.5 * self.height()), self._look)


class LegendButton(QToolButton):
    """The same behind a question mark, with a sentence for each tier."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setAccessibleName("What the signs mean")
        self.setToolTip("What the signs of the certificate mean")
        self.setFixedSize(size("button"), size("button"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.popover = QMenu(self)
        entry = QWidgetAction(self.popover)
        entry.setDefaultWidget(self._made_table())
        self.popover.addAction(entry)
        self.clicked.connect(self.open)
        look.changed.connect(self._recolor)
        self._recolor()

    def open(self) -> None:
        place = self.mapToGlobal(QPoint(0, 0))
        self.popover.popup(place - QPoint(0, self.popover.sizeHint().height() + 4))

    def _made_table(self) -> QWidget:
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(10)
        for number, (name, words) in enumerate(entries()):
            for place, entry in enumerate((_Glyph(number, self._look), label(name), label(words, role="second"))):
                grid.addWidget(entry, number, place)
        return table

    def _recolor(self) -> None:
        self.setIcon(icon(self._look, "tab.help"))
