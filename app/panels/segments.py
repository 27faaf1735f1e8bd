"""Segments: two to five choices side by side, one of them lit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.fonts import font
from app.look.look import Look, size
from app.panels.control import Control, active_role, plate, radius

STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class Segments(Control):
    """Signals:
    chosen(str)   the artist chose this key
    """

    chosen = Signal(str)

    def __init__(
        self, look: Look, choices: Sequence[tuple[str, str]], name: str = "", parent: QWidget | None = None
    ) -> None:
        """`choices` are (key, words)."""
        super().__init__(look, parent)
        self._choices = list(choices)
        self._current: str | None = None
        self._name = name
        self._under = -1
        self.setMouseTracking(True)
        self.setFont(font("small"))
        self.setFixedHeight(size("field"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)

    @property
    def current(self) -> str | None:
        return self._current

    def set_current(self, key: str | None) -> None:
        """Light a choice; None: none of them is what there is."""
        if key != self._current:
            self._current = key
            words = dict(self._choices).get(key or "", "none of these")
            self.setAccessibleDescription(words)
            self.update()

    def set_words(self, key: str, words: str) -> None:
        """Another text for a choice ("Pinned 2")."""
        choices = [(known, words if known == key else old) for known, old in self._choices]
        if choices != self._choices:
            self._choices = choices
            self.updateGeometry()
            self.update()

    def area_of(self, index: int) -> QRectF:
        width = (self.width() - 4) / len(self._choices)
        return QRectF(2 + index * width, 2, width, self.height() - 4)

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        widest = max(metrics.horizontalAdvance(words) for _, words in self._choices)
        return QSize(round((widest + 20) * len(self._choices)), size("field"))

    def minimumSizeHint(self) -> QSize:
        return QSize(40 * len(self._choices), size("field"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        plate(painter, QRectF(self.rect()), radius("button"), self.look.color("well"), self.look.color("line2"))
        metrics = QFontMetricsF(self.font())
        for index, (key, words) in enumerate(self._choices):
            area, on = self.area_of(index), key == self._current
            if on:
                plate(painter, area, radius("key_cap"), self.look.color("tint"))
            elif index == self._under and self.isEnabled():
                plate(painter, area, radius("key_cap"), self.look.color("hover"))
            role = active_role(self.look) if on else "text2"
            painter.setPen(self.look.color(role if self.isEnabled() else "disabled"))
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width() - 4)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)
        self.paint_ring(painter, QRectF(self.rect()), radius("button"))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._index_at(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(-1)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.ring = False
            self._choose(self._index_at(event.position().x()))

    def uses_key(self, event: QKeyEvent) -> bool:
        return event.key() in STEPS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key())) if self.uses_key(event) else None
        if step is None:
            return super().keyPressEvent(event)
        keys = [key for key, _ in self._choices]
        at = keys.index(self._current) if self._current in keys else (-1 if step > 0 else len(keys))
        self._choose(min(len(keys) - 1, max(0, at + step)))

    def _index_at(self, x: float) -> int:
        return min(len(self._choices) - 1, max(0, int((x - 2) / max(1.0, self.area_of(0).width()))))

    def _point(self, index: int) -> None:
        if index != self._under:
            self._under = index
            words = self._choices[index][1] if index >= 0 else ""
            cut = QFontMetricsF(self.font()).horizontalAdvance(words) > self.area_of(0).width() - 4
            self.setToolTip(words if cut else "")
            self.update()

    def _choose(self, index: int) -> None:
        key = self._choices[index][0]
        if key != self._current:
            self.set_current(key)
            self.chosen.emit(key)
