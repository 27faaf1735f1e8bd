"""StateStrip: the ways in which a flat contact can move, one of them lit: the one it is in."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent

from app.kit import Wrapped
from app.kit.painting import active_role, plate, radius
from app.look.fonts import font
from app.look.look import Look

STATES = {
    "breaking": ("Lifting", "It comes off: it touches without pressing."),
    "tipping": ("Tipping", "It turns over one edge."),
    "slide-tipping": ("Tip and slide", "It turns over one edge, and that edge slides."),
    "sticking": ("Sticking", "It does not move against what it touches."),
    "sliding": ("Sliding", "It slides flat."),
}
HIGH, GAP, PAD = 24, 4, 5  # px


class StateStrip(Wrapped):
    """In one line where there is room, else in two."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.state = ""
        self.setFont(font("caption"))

    def show_state(self, state: str) -> None:
        self.state = state
        words = STATES.get(state, ("", ""))
        self.setAccessibleName(words[0])
        self.setToolTip(words[1])
        self.update()

    def heightForWidth(self, width: int) -> int:
        return len(self._lines(width)) * (HIGH + GAP) - GAP

    def _lines(self, width: float) -> list[list[str]]:
        keys = list(STATES)
        whole = sum(self._wide(key) + 2 * PAD + GAP for key in keys) - GAP
        return [keys] if whole <= width else [keys[:3], keys[3:]]

    def _wide(self, key: str) -> float:
        return QFontMetricsF(self.font()).horizontalAdvance(STATES[key][0])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        for row, keys in enumerate(self._lines(self.width())):
            spare = (self.width() - GAP * (len(keys) - 1) - sum(map(self._wide, keys))) / len(keys)
            left = 0.0
            for key in keys:
                area = QRectF(left, row * (HIGH + GAP), self._wide(key) + spare, HIGH)
                lit = key == self.state
                plate(painter, area, radius("button"), self._look.color("tint" if lit else "raised"))
                painter.setPen(self._look.color(active_role(self._look) if lit else "text3"))
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, STATES[key][0])
                left = area.right() + GAP
