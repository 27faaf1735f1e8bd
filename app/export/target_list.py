"""TargetList: the programs an export may go to, one under the other, one of them lit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit import Control
from app.kit.painting import MIDDLE, active_role, fitting, plate, radius, space, write
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size
from engine.export.settings import Target

ROW, LEAST_ROW = 50, 42  # px
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class TargetList(Control):
    """Signals:
    chosen(str)   key of a target
    """

    chosen = Signal(str)

    def __init__(self, look: Look, targets: Sequence[Target], parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._targets, self.current, self._under = list(targets), targets[0].key, -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Where does it go?")

    def set_current(self, key: str) -> None:
        self.current = key
        target = self._targets[self._at()]
        self.setAccessibleDescription(f"{target.name}, {target.words}")
        self.update()

    def area_of(self, index: int) -> QRectF:
        high = min(float(ROW), self.height() / len(self._targets))
        return QRectF(0.0, index * high, self.width(), high)

    def sizeHint(self) -> QSize:
        return QSize(200, ROW * len(self._targets))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, LEAST_ROW * len(self._targets))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for index, target in enumerate(self._targets):
            self._paint_row(painter, self.area_of(index), target, index == self._under)
        if self.ring and self.hasFocus():
            self.paint_ring(painter, self.area_of(self._at()), radius("card"))

    def _paint_row(self, painter: QPainter, area: QRectF, target: Target, under: bool) -> None:
        on = target.key == self.current
        if on or (under and self.isEnabled()):
            plate(painter, area, radius("button"), self.look.color("tint" if on else "hover"))
        side, left = size("icon_shelf"), area.left() + space("s") + 2
        role = "disabled" if not self.isEnabled() else active_role(self.look) if on else "text2"
        place = QRectF(left, area.center().y() - side / 2, side, side).toRect()
        icon(self.look, f"target.{target.key}", role).paint(painter, place)
        left += side + space("s") + 2
        lines = ((target.name, "body_strong" if on else "body", "text", 18.0), (target.words, "small", "text2", 16.0))
        top = area.center().y() - 17.0
        for words, lettering, color, high in lines:
            room = QRectF(left, top, area.right() - left - space("xs"), high)
            shown = fitting(words, font(lettering), room.width())
            ink = self.look.color(color if self.isEnabled() else "disabled")
            write(painter, room, shown, ink, MIDDLE, font(lettering))
            top += high

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._index_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(-1)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._index_at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and index >= 0:
            self.ring = False
            self._choose(index)

    def uses_key(self, event: QKeyEvent) -> bool:
        return event.key() in STEPS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in STEPS:
            return super().keyPressEvent(event)
        self._choose(min(len(self._targets) - 1, max(0, self._at() + STEPS[Qt.Key(event.key())])))

    def _at(self) -> int:
        return next(i for i, target in enumerate(self._targets) if target.key == self.current)

    def _index_at(self, y: float) -> int:
        return next((i for i in range(len(self._targets)) if self.area_of(i).contains(1.0, y)), -1)

    def _point(self, index: int) -> None:
        if index != self._under:
            self._under = index
            self.update()

    def _choose(self, index: int) -> None:
        key = self._targets[index].key
        if key != self.current:
            self.set_current(key)
            self.chosen.emit(key)
