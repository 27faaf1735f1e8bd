"""The picture of a card, without what changes while playing or under the mouse. Painted once, then only copied:
scrubbing moves a line on every card in sight."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from app.document.take_edits import exact_words, shortfalls, worst_tier
from app.kit.painting import LEFT, RIGHT, active_role, fitting, plate, radius, write
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import size
from app.look.quantity_words import energy_words
from app.look.tier_marks import paint_glyph, paint_shares
from app.takes.card_layout import CardLayout
from app.takes.card_words import IN_THE_SHOT, missed_words, remedy_words
from app.takes.curves import Curve
from app.takes.sources import Sources
from engine.scene.shot import TakeCard

BAR = 6.0  # px high
KEPT = 64  # pictures
Scale = tuple[float, float]  # J and s at the edges of all curves


class CardPictures:
    def __init__(self, sources: Sources, screen: QWidget) -> None:
        self._document, self._browsing, self._look = sources.document, sources.browsing, sources.look
        self._thumbnails, self._curves, self._screen = sources.thumbnails, sources.curves, screen
        self._strong, self._small = font("body_strong"), font("small")
        self._known: OrderedDict[str, tuple[tuple[object, ...], QPixmap]] = OrderedDict()

    def get(self, card: TakeCard, layout: CardLayout, before: float | None, scale: Scale) -> QPixmap:
        """`before`: s before the ending that the thumbnail is to show; None: the middle."""
        ratio = self._screen.devicePixelRatioF()
        image = self._thumbnails.request(card.id, before, ratio)
        curve = self._curves.request(card.id)
        wanted = (
            card, image.cacheKey() if image is not None else 0, curve is None, tuple(self._marks(layout, card)),
            self._is_shot(card), scale, layout.cell.height(), self._look.theme, ratio,
        )  # fmt: skip
        known = self._known.get(card.id)
        if known is None or known[0] != wanted:
            known = self._known[card.id] = (wanted, self._painted(card, layout, image, curve, scale, ratio))
        self._known.move_to_end(card.id)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return known[1]

    def _painted(
        self, card: TakeCard, place: CardLayout, image: QImage | None, curve: Curve | None, scale: Scale, ratio: float
    ) -> QPixmap:
        layout = CardLayout(QRect(0, 0, place.cell.width(), place.cell.height()))
        extent = layout.card.size() * ratio
        picture = QPixmap(QSize(round(extent.width()), round(extent.height())))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plate(painter, layout.card, radius("card"), self._look.color("raised"), self._look.color("line"))
        self._paint_thumb(painter, layout, image)
        if self._is_shot(card):
            self._paint_shot(painter, layout.shot)
        if self._says_missed(layout, card):
            self._paint_missed(painter, layout.missed(self._is_shot(card)), card)
        self._paint_name(painter, layout, card)
        if curve is not None:
            self._paint_curve(painter, layout.curve, curve, scale)
        self._paint_tiers(painter, layout, card)
        painter.end()
        return picture

    def _paint_thumb(self, painter: QPainter, layout: CardLayout, image: QImage | None) -> None:
        area = layout.thumb.adjusted(1, 1, -1, 0)
        path, corner = QPainterPath(), radius("card") - 1
        path.addRoundedRect(area.adjusted(0, 0, 0, corner), corner, corner)
        painter.save()
        painter.setClipPath(path)
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        painter.fillRect(area, self._look.view_color("background_bottom"))
        if image is not None and not image.isNull():
            shown = image.height() * area.height() / (area.width() * image.height() / image.width())
            source = QRectF(0, 0.5 * (image.height() - shown), image.width(), shown)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(area, image, source)
        painter.restore()

    def _is_shot(self, card: TakeCard) -> bool:
        return card.id == self._document.scene.shot

    def _paint_shot(self, painter: QPainter, area: QRectF) -> None:
        side = size("icon")
        plate(painter, area, radius("field"), self._look.color("overlay", 0.9), self._look.color("line2"))
        role, top = active_role(self._look), round(area.center().y() - side / 2)
        icon(self._look, "take.shot", role).paint(painter, round(area.left()) + 6, top, side, side)
        words = area.adjusted(side + 11, 0, 0, 0)
        write(painter, words, IN_THE_SHOT, self._look.color("text"), LEFT, self._small)

    def _says_missed(self, layout: CardLayout, card: TakeCard) -> bool:
        return bool(shortfalls(card)) and layout.missed(self._is_shot(card)).top() > layout.thumb.top()

    def _paint_missed(self, painter: QPainter, area: QRectF, card: TakeCard) -> None:
        side = size("icon")
        plate(painter, area, radius("field"), self._look.color("overlay", 0.9), self._look.color("line2"))
        top = round(area.center().y() - side / 2)
        icon(self._look, "state.warning", "ghosted").paint(painter, round(area.left()) + 6, top, side, side)
        room, more = area.adjusted(side + 11, 0, -8, 0), len(shortfalls(card)) - 1
        if more:
            write(painter, room, f"+{more}", self._look.color("text2"), RIGHT, self._small)
            room.setWidth(room.width() - QFontMetricsF(self._small).horizontalAdvance(f"+{more}") - 6)
        told = fitting(missed_words(card), self._small, room.width())
        write(painter, room, told, self._look.color("text"), LEFT, self._small)

    def _paint_name(self, painter: QPainter, layout: CardLayout, card: TakeCard) -> None:
        area, metrics, words = layout.name, QFontMetricsF(self._strong), energy_words(card.energy)
        write(painter, area, words, self._look.color("text"), RIGHT, self._strong)
        marks = self._marks(layout, card)
        side, room = size("icon"), area.width() - metrics.horizontalAdvance(words) - 10
        line = room
        room -= len(marks) * (side + 4)
        name = fitting(card.name, self._strong, room)
        write(painter, area, name, self._look.color("text"), LEFT)
        left = area.left() + metrics.horizontalAdvance(name) + 6
        for glyph, role in marks:
            icon(self._look, glyph, role).paint(painter, round(left), round(area.center().y() - side / 2), side, side)
            left += side + 4
        if card.remedies:  # made otherwise than the others: it says how, as far as there is room
            told = fitting(remedy_words(card.remedies), self._small, area.left() + line - left)
            write(
                painter, area.adjusted(left - area.left(), 0, 0, 0), told, self._look.color("text2"), LEFT, self._small
            )

    def _marks(self, layout: CardLayout, card: TakeCard) -> list[tuple[str, str]]:
        """Icons after the name: something in it is not as asked, where the thumbnail has no room to say what; it is
        older than the scene, it has a note."""
        marks = []
        if shortfalls(card) and not self._says_missed(layout, card):
            marks.append(("state.warning", "ghosted"))
        if self._browsing.is_stale(card):
            marks.append(("take.stale", "ghosted"))
        if card.note:
            marks.append(("take.note", "text2"))
        return marks

    def _paint_curve(self, painter: QPainter, area: QRectF, curve: Curve, scale: Scale) -> None:
        top, longest = scale
        x = area.right() - curve.before.clip(0.0, None) / longest * area.width()
        y = area.bottom() - 1 - (curve.energy / top).clip(0.0, 1.0) * (area.height() - 3)
        points = [QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
        under = [QPointF(points[0].x(), area.bottom()), *points, QPointF(points[-1].x(), area.bottom())]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("text3", 0.22))
        painter.drawPolygon(QPolygonF(under))
        painter.setPen(QPen(self._look.color("text2"), 1.2))
        painter.drawPolyline(QPolygonF(points))

    def _paint_tiers(self, painter: QPainter, layout: CardLayout, card: TakeCard) -> None:
        area, middle_y = layout.tiers, layout.tiers.center().y()
        words = exact_words(card) if card.tiers else "no contacts"
        widest = "100 % exact" if card.exact_in_motion is None else "100 % exact in motion"
        room = QFontMetricsF(self._small).horizontalAdvance(widest)
        write(painter, area, words, self._look.color("text2"), RIGHT, self._small)
        bar = QRectF(area.left(), middle_y - BAR / 2, area.width() - room - 26, BAR)
        paint_shares(painter, bar, card.tiers, self._look)
        if card.tiers:
            paint_glyph(painter, worst_tier(card), QPointF(bar.right() + 11, middle_y), self._look)
