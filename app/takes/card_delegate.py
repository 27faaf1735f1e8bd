"""How a card of the browser is painted and typed into. 500 takes need no widgets: the list paints those in sight."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from app.kit.painting import CENTRE, LEFT, RIGHT, active_role, outline, plate, radius, write
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import size, tokens
from app.takes import choosing
from app.takes.card_layout import GAP, WIDTH, CardLayout
from app.takes.card_picture import CardPictures
from app.takes.card_words import PIN, PUT_BACK, REJECT, card_tip
from app.takes.running import Running
from app.takes.sources import Sources
from app.takes.take_model import Index, TakeModel, model_of
from app.viewport.thumbnails import middle
from engine.scene.shot import TakeCard

FADED = 0.4  # opacity of what is rejected or still to come


class CardDelegate(QStyledItemDelegate):
    def __init__(self, sources: Sources, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._document, self._playback, self._browsing = sources.document, sources.playback, sources.browsing
        self._look, self._view = sources.look, view
        self._pictures = CardPictures(sources, view)
        self.height = 0  # px of a card, set by the list
        self._strong, self._small, self._caption = font("body_strong"), font("small"), font("caption")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH + GAP, self.height + GAP)

    # -- painting ----------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, layout = model_of(index), CardLayout(option.rect)
        entry = model.entry(index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(entry, Running):
            self._paint_running(painter, layout, entry)
        else:
            painter.setOpacity(FADED if entry.rejected else 1.0)
            picture = self._pictures.get(entry, layout, self._before(), (model.top, model.longest))
            painter.drawPixmap(layout.card.topLeft(), picture)
            self._paint_playhead(painter, layout, entry, model.longest)
            painter.setOpacity(1.0)
            self._paint_over(painter, option, layout, entry)
        painter.restore()

    def _before(self) -> float | None:
        """The shared moment; at the ending, where all look alike, the middle of each take."""
        return None if self._playback.at_ending else self._playback.ending - self._playback.time

    def _paint_playhead(self, painter: QPainter, layout: CardLayout, card: TakeCard, longest: float) -> None:
        area, before = layout.curve, self._before()
        at = area.right() - (middle(card.seconds) if before is None else before) / longest * area.width()
        if area.left() <= at <= area.right():
            role = "accent" if before is not None else "text3"
            painter.setPen(QPen(self._look.color(role), float(tokens()["line"]["playhead"])))
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))

    def _paint_over(self, painter: QPainter, option: QStyleOptionViewItem, layout: CardLayout, card: TakeCard) -> None:
        """What is never faded: edges, badges, buttons."""
        shown, other = self._browsing.shown, self._browsing.other
        state = option.state
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        letter = "A" if shown is card else "B" if other is card else ""
        if letter:
            outline(painter, layout.card, radius("card"), self._look.color("accent"))
        if focused and state & QStyle.StateFlag.State_KeyboardFocusChange:
            outline(painter, layout.card.adjusted(2, 2, -2, -2), radius("card") - 2, self._look.color("focus"))
        if letter and other is not None:
            plate(painter, layout.badge, radius("field"), self._look.color("accent"))
            write(painter, layout.badge, letter, self._look.color("on_accent"), CENTRE, self._strong)
        if card.rejected:
            self._paint_put_back(painter, layout)
        elif hovered or focused:
            self._paint_button(painter, layout.button(1), "take.reject", "text")
        if card.pinned:
            self._paint_button(painter, layout.button(0), "take.pinned", active_role(self._look))
        elif (hovered or focused) and not card.rejected:
            self._paint_button(painter, layout.button(0), "take.pin", "text")

    def _paint_button(self, painter: QPainter, area: QRectF, glyph: str, role: str) -> None:
        plate(painter, area, radius("button"), self._look.color("overlay", 0.9), self._look.color("line2"))
        side = size("icon")
        center = area.center()
        icon(self._look, glyph, role).paint(
            painter, round(center.x() - side / 2), round(center.y() - side / 2), side, side
        )

    def _paint_put_back(self, painter: QPainter, layout: CardLayout) -> None:
        area = self.put_back_area(layout)
        plate(painter, area, radius("button"), self._look.color("overlay"), self._look.color("line2"))
        inner = area.adjusted(12, 0, -12, 0)
        write(painter, inner, PUT_BACK[0], self._look.color("text2"), LEFT, self._small)
        write(painter, inner, PUT_BACK[1], self._look.color(active_role(self._look)), RIGHT)

    def put_back_area(self, layout: CardLayout) -> QRectF:
        metrics = QFontMetricsF(self._small)
        width = metrics.horizontalAdvance("".join(PUT_BACK)) + 28
        made = QRectF(0, 0, width, 26)
        made.moveCenter(layout.thumb.center())
        return made

    def _paint_running(self, painter: QPainter, layout: CardLayout, running: Running) -> None:
        plate(painter, layout.card, radius("card"), self._look.color("well"), self._look.color("line2"))
        center = layout.card.center() - QPointF(0, 26)
        ring = QRectF(center.x() - 18, center.y() - 18, 36, 36)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._look.color("line2"), 3.0))
        painter.drawEllipse(ring)
        painter.setPen(QPen(self._look.color("accent"), 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawArc(ring, 90 * 16, -round(360 * 16 * running.share))
        write(painter, ring, f"{int(100 * running.share)}", self._look.color("text2"), CENTRE, self._caption)
        below = QRectF(layout.card.left(), ring.bottom() + 10, layout.card.width(), 20)
        write(painter, below, running.order.name, self._look.color("text"), CENTRE, self._strong)
        write(painter, below.translated(0, 24), running.words, self._look.color("text2"), CENTRE, self._small)

    # -- mouse -------------------------------------------------------------------------------------------------------

    def part_at(self, layout: CardLayout, card: TakeCard, place: QPointF) -> str:
        """Which of the buttons of a card lies there: "pin", "reject" (also puts back) or ""."""
        if card.rejected:
            return REJECT if self.put_back_area(layout).contains(place) else ""
        return PIN if layout.button(0).contains(place) else REJECT if layout.button(1).contains(place) else ""

    def press(self, index: Index, place: QPointF) -> bool:
        """A click on a card's button; False when it is on none."""
        entry = model_of(index).entry(index)
        if isinstance(entry, Running):
            return False
        part = self.part_at(CardLayout(self._view.visualRect(index)), entry, place)
        if part == PIN:
            choosing.toggle_pin(self._document, entry.id)
        elif part == REJECT:
            choosing.toggle_rejected(self._document, entry.id)
        return bool(part)

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return False
        entry = model_of(index).entry(index)
        if isinstance(entry, Running):
            return False
        layout = CardLayout(option.rect)
        part = self.part_at(layout, entry, QPointF(event.pos()))
        words = card_tip(entry, part, self._browsing.is_stale(entry), entry.id == self._document.scene.shot)
        QToolTip.showText(event.globalPos(), words, view)
        return True

    # -- typing a name -----------------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName("Name of the take")
        editor.setMaxLength(80)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        area = CardLayout(option.rect).name
        editor.setGeometry(area.adjusted(-8, -4, 8, 4).toRect())

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QLineEdit) and isinstance(model, TakeModel):
            choosing.rename(self._document, model.key(index), editor.text())
