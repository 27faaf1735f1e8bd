"""Where the parts of a card are."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF

WIDTH, HEIGHT, GAP = 258, 244, 14  # px
FOOT = 96  # px under the thumbnail: name, curve, tiers
LOWEST_THUMB = 52
BUTTON = 26
EDGE = 12


def card_height(room: int) -> int:
    """As high as the list has room for, so that a low dock shows whole cards with a flatter picture."""
    return max(FOOT + LOWEST_THUMB, min(HEIGHT, room - GAP))


@dataclass(frozen=True)
class CardLayout:
    """`cell` is what the list gives a card, with the gap to its neighbours."""

    cell: QRect

    @property
    def card(self) -> QRectF:
        return QRectF(self.cell.left(), self.cell.top(), WIDTH, self.cell.height() - GAP)

    @property
    def thumb(self) -> QRectF:
        card = self.card
        return QRectF(card.left(), card.top(), card.width(), card.height() - FOOT)

    def _foot(self, top: float, height: float) -> QRectF:
        card = self.card
        return QRectF(card.left() + EDGE, self.thumb.bottom() + top, card.width() - 2 * EDGE, height)

    @property
    def name(self) -> QRectF:
        return self._foot(8.0, 20.0)

    @property
    def curve(self) -> QRectF:
        return self._foot(34.0, 30.0)

    @property
    def tiers(self) -> QRectF:
        """The whole line: bar, glyph, percentage."""
        return self._foot(68.0, 18.0)

    @property
    def badge(self) -> QRectF:
        thumb = self.thumb
        return QRectF(thumb.left() + 9, thumb.top() + 9, 22, 22)

    @property
    def shot(self) -> QRectF:
        """Where it stands that the take is in the shot."""
        thumb = self.thumb
        return QRectF(thumb.left() + 8, thumb.bottom() - 30, 100, 22)

    def missed(self, is_shot: bool) -> QRectF:
        """Where it stands what did not come out as asked: along the foot of the thumbnail."""
        thumb = self.thumb
        return QRectF(thumb.left() + 8, thumb.bottom() - (58 if is_shot else 30), thumb.width() - 16, 22)

    def button(self, place: int) -> QRectF:
        """From the right: 0 pins, 1 rejects."""
        thumb = self.thumb
        right = thumb.right() - 8 - place * (BUTTON + 6)
        return QRectF(right - BUTTON, thumb.top() + 8, BUTTON, BUTTON)
