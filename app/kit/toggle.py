"""Toggle: on or off, with a grey second line that says the effect."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent

from app.kit.control import Control, presses
from app.kit.painting import MIDDLE, fitting, plate, radius, write
from app.look.fonts import font
from app.look.look import Look, tokens

GAP = 12  # px between words and switch


class Toggle(Control):
    """Signals:
    toggled(bool)   the artist switched it
    """

    toggled = Signal(bool)

    def __init__(self, look: Look, words: str, effect: str = "", leads: bool = False) -> None:
        """`leads`: the switch stands before the words."""
        super().__init__(look)
        self._words, self._effect, self._leads = words, effect, leads
        self.on: bool | None = False  # None: several bodies, some on and some off
        self._title, self._small = font("body"), font("caption")
        self.be_field(words, 0, 96, 38 if effect else 28)
        self.setAccessibleDescription(effect)
        self.setToolTip(f"{words}\n{effect}".strip())

    def set_on(self, on: bool | None) -> None:
        if on is not self.on:
            self.on = on
            self.update()

    def set_effect(self, effect: str) -> None:
        if effect != self._effect:
            self._effect = effect
            self.setAccessibleDescription(effect)
            self.setToolTip(f"{self._words}\n{effect}".strip())
            self.update()

    def sizeHint(self) -> QSize:
        words = max(
            QFontMetricsF(self._title).horizontalAdvance(self._words),
            QFontMetricsF(self._small).horizontalAdvance(self._effect),
        )
        return QSize(round(words) + GAP + self._switch().toRect().width(), self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        switch = self._switch()
        left = switch.right() + GAP if self._leads else 0.0
        width = self.width() - left if self._leads else switch.left() - GAP
        lines = [(self._words, self._title, "text", 18.0)]
        if self._effect:
            lines.append((self._effect, self._small, "text3", 14.0))
        top = (self.height() - sum(line[3] for line in lines)) / 2
        for text, lettering, role, height in lines:
            color = self.look.color(role if self.isEnabled() else "disabled")
            area = QRectF(left, top, width, height)
            write(painter, area, fitting(text, lettering, width), color, MIDDLE, lettering)
            top += height
        self._paint_switch(painter, switch)

    def _paint_switch(self, painter: QPainter, area: QRectF) -> None:
        on = self.on is True
        fill = "disabled" if on and not self.isEnabled() else "accent" if on else "hover" if self.hovered else "well"
        edge = None if on else self.look.color("control_edge")
        plate(painter, area, area.height() / 2, self.look.color(fill), edge)
        share = {True: 1.0, False: 0.0, None: 0.5}[self.on]
        knob = area.height() / 2 - 4
        x = area.left() + area.height() / 2 + share * (area.width() - area.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.color("on_accent" if on else "text2" if self.isEnabled() else "disabled"))
        painter.drawEllipse(QPointF(x, area.center().y()), knob, knob)
        self.paint_ring(painter, area.adjusted(-3, -3, 3, 3), radius("field") + area.height() / 2)

    def _switch(self) -> QRectF:
        width, height = tokens()["size"]["toggle"]
        left = 3 if self._leads else self.width() - width - 3
        return QRectF(left, (self.height() - height) / 2, width, height)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._switch_over()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.ring = False
        event.accept()

    def uses_key(self, event: QKeyEvent) -> bool:
        return presses(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if presses(event):
            self._switch_over()
        else:
            super().keyPressEvent(event)

    def _switch_over(self) -> None:
        self.set_on(self.on is not True)
        self.toggled.emit(self.on is True)
