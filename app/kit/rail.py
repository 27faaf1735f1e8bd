"""Rail: named tabs one under the other, on the outer edge of a dock."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent

from app.kit.clickable import Clickable
from app.kit.layouts import FILL, column
from app.kit.painting import CENTRE, active_role, plate, radius, space, write
from app.kit.panel import Ground
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size

LEAST = 40  # px of a tab


class RailTab(Clickable):
    """Icon over name; a badge with a number where there is something to see to."""

    def __init__(self, look: Look, glyph: str, words: str) -> None:
        super().__init__(look)
        self._glyph, self._words = glyph, words
        self.current = False
        self.badge, self._badge_role = "", "ghosted"
        self.setFont(font("caption"))
        self.setFixedWidth(size("rail_width") - 12)
        self.setMinimumHeight(LEAST)
        self.setMaximumHeight(size("rail_tab"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(words)
        self.setToolTip(words)

    def set_badge(self, count: int, severe: bool = False) -> None:
        self.badge = "" if count == 0 else str(count) if count < 100 else "99+"
        self._badge_role = "assisted" if severe else "ghosted"
        self.setToolTip(f"{self._words}: {count}" if count else self._words)
        self.setAccessibleDescription(str(count) if count else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(size("rail_width") - 12, size("rail_tab"))

    def set_current(self, on: bool) -> None:
        if on != self.current:
            self.current = on
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect())
        if self.current or self.hovered:
            plate(painter, area, radius("button"), self.look.color("tint" if self.current else "hover"))
        role = active_role(self.look) if self.current else "text" if self.hovered else "text2"
        side = size("icon_shelf")
        top = 9 - (size("rail_tab") - self.height()) // 2  # in low windows they stand closer
        icon(self.look, self._glyph, role).paint(painter, (self.width() - side) // 2, top, side, side)
        write(painter, QRectF(0, top + side, self.width(), 20), self._words, self.look.color(role), CENTRE, self.font())
        if self.badge:
            self._paint_badge(painter)
        self.paint_ring(painter, area, radius("button"))

    def _paint_badge(self, painter: QPainter) -> None:
        width = max(16.0, QFontMetricsF(self.font()).horizontalAdvance(self.badge) + 8)
        area = QRectF(self.width() / 2 + 5, 3, width, 16)
        plate(painter, area, 8.0, self.look.color(f"{self._badge_role}_fill"))
        write(painter, area, self.badge, self.look.color("app" if self.look.theme == "dark" else "raised"), CENTRE)


class Rail(Ground):
    """Signals:
    chosen(str)   the key of a tab
    """

    chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.tabs: dict[str, RailTab] = {}
        self._column = column(FILL, of=self, gap=space("xs"), edge=(7, space("s"), 5, space("s")))
        self._upper = 0
        self.setFixedWidth(size("rail_width"))

    def add(self, key: str, glyph: str, words: str, at_end: bool = False, after: str = "") -> RailTab:
        """Below the others, or under the one `after`; `at_end` puts it at the foot of the rail."""
        tab = RailTab(self._look, glyph, words)
        tab.clicked.connect(lambda: self.chosen.emit(key))
        place = self._column.indexOf(self.tabs[after]) + 1 if after else self._upper
        self._column.insertWidget(self._column.count() if at_end else place, tab)
        self._upper += not at_end
        self.tabs[key] = tab
        return tab

    def set_current(self, key: str) -> None:
        for name, tab in self.tabs.items():
            tab.set_current(name == key)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, 1, self.height(), self._look.color("line"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down walk the tabs."""
        by = {int(Qt.Key.Key_Up): -1, int(Qt.Key.Key_Down): 1}.get(event.key())
        order = sorted(self.tabs.values(), key=lambda tab: tab.y())
        at = next((i for i, tab in enumerate(order) if tab.hasFocus()), None)
        if by is None or at is None or not 0 <= at + by < len(order):
            return super().keyPressEvent(event)
        order[at + by].setFocus(Qt.FocusReason.TabFocusReason)
