"""Segments: two to five choices side by side, one of them lit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent

from app.kit.control import Control
from app.kit.painting import active_role, fitting, plate, radius
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size

EDGE = 10  # px beside the words
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class Segments(Control):
    """Signals:
    chosen(str)   the artist chose this key
    """

    chosen = Signal(str)

    def __init__(
        self,
        look: Look,
        choices: Sequence[tuple[str, str]],
        name: str = "",
        glyphs: Mapping[str, str] | None = None,
        fitted: bool = False,
    ) -> None:
        """`choices` are (key, words); `glyphs` are icons before the words, by key; `fitted`: as wide as their words,
        else all alike."""
        super().__init__(look)
        self._fitted = fitted
        self._choices = list(choices)
        self._glyphs = dict(glyphs or {})
        self.current: str | None = None
        self._under = -1
        self.setMouseTracking(True)
        self.setFont(font("small"))
        self.be_field(name, 0, 0)

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Others to choose from."""
        if list(choices) != self._choices:
            self._choices, self._under = list(choices), -1
            self.updateGeometry()
            self.update()

    def set_current(self, key: str | None) -> None:
        """Light a choice; None: none of them is what there is."""
        if key != self.current:
            self.current = key
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
        shares = self._shares()
        left, whole = sum(shares[:index]), sum(shares)
        room = (self.width() - 4) / whole
        return QRectF(2 + left * room, 2, shares[index] * room, self.height() - 4)

    def _shares(self) -> list[float]:
        """How the width is parted among the choices."""
        if not self._fitted:
            return [1.0] * len(self._choices)
        metrics = QFontMetricsF(self.font())
        return [metrics.horizontalAdvance(words) + 2 * EDGE for _, words in self._choices]

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        if self._fitted:
            return QSize(round(sum(self._shares())) + 4, size("field"))
        widest = max(metrics.horizontalAdvance(words) for _, words in self._choices)
        return QSize(round((widest + 2 * EDGE) * len(self._choices)), size("field"))

    def minimumSizeHint(self) -> QSize:
        return QSize(40 * len(self._choices), size("field"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        plate(painter, QRectF(self.rect()), radius("button"), self.look.color("well"), self.look.color("line2"))
        metrics = QFontMetricsF(self.font())
        for index, (key, words) in enumerate(self._choices):
            area, on = self.area_of(index), key == self.current
            if on:
                plate(painter, area, radius("key_cap"), self.look.color("tint"))
            elif index == self._under and self.isEnabled():
                plate(painter, area, radius("key_cap"), self.look.color("hover"))
            role = active_role(self.look) if on else "text2"
            painter.setPen(self.look.color(role if self.isEnabled() else "disabled"))
            if key in self._glyphs:
                area = self._paint_glyph(painter, key, area, metrics.horizontalAdvance(words), role)
            shown = fitting(words, self.font(), area.width() - 4)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)
        self.paint_ring(painter, QRectF(self.rect()), radius("button"))

    def _paint_glyph(self, painter: QPainter, key: str, area: QRectF, words: float, role: str) -> QRectF:
        """The icon, so that icon and words together are in the middle; returns what is left for the words."""
        side = size("icon")
        left = area.left() + max(2.0, (area.width() - words - side - 5) / 2)
        place = QRect(round(left), round(area.center().y() - side / 2), side, side)
        icon(self.look, self._glyphs[key], role if self.isEnabled() else "disabled").paint(painter, place)
        return QRectF(left + side + 3, area.top(), min(words + 8, area.right() - left - side - 3), area.height())

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
        at = keys.index(self.current) if self.current in keys else (-1 if step > 0 else len(keys))
        self._choose(min(len(keys) - 1, max(0, at + step)))

    def _index_at(self, x: float) -> int:
        return next((i for i in range(len(self._choices)) if x < self.area_of(i).right()), len(self._choices) - 1)

    def _point(self, index: int) -> None:
        if index != self._under:
            self._under = index
            words = self._choices[index][1] if index >= 0 else ""
            cut = QFontMetricsF(self.font()).horizontalAdvance(words) > self.area_of(max(0, index)).width() - 4
            self.setToolTip(words if cut else "")
            self.update()

    def _choose(self, index: int) -> None:
        key = self._choices[index][0]
        if key != self.current:
            self.set_current(key)
            self.chosen.emit(key)
