"""How a row of the outliner is painted and typed into: caret, chip or folder, name, marks, lock and eye."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from app.kit import MEDIUM, letters, paint_chip
from app.kit.painting import MIDDLE, RIGHT, plate, radius, write
from app.look.icons import icon
from app.look.look import Look, size
from app.panels.outliner_model import OutlinerModel
from engine.scene.colors import body_color
from engine.scene.spec import Body

Index = QModelIndex | QPersistentModelIndex
SLOT = 24  # px, width of what can be clicked at the right end of a row
MARK = 20  # px, width of a mark that only tells
EYE, LOCK = "eye", "lock"


class OutlinerDelegate(QStyledItemDelegate):
    """Paints everything of a row itself, so that 3000 rows need no widgets."""

    def __init__(self, look: Look, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._look, self._view = look, view
        self._body_font, self._count_font = letters("body"), letters("small")
        self._folder_font = letters("body", MEDIUM)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, size("row"))

    def slots(self, row: QRect) -> dict[str, QRect]:
        """Where the eye and the lock of a row are."""
        right = self._view.viewport().width() - 4
        return {
            EYE: QRect(right - SLOT, row.top(), SLOT, row.height()),
            LOCK: QRect(right - 2 * SLOT, row.top(), SLOT, row.height()),
        }

    def slot_at(self, row: QRect, place: QPoint) -> str:
        return next((name for name, area in self.slots(row).items() if area.contains(place)), "")

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model: OutlinerModel = index.model()  # type: ignore[assignment]
        painter.save()
        self._paint_back(painter, option, index)
        body = model.body(index)
        if body is None:
            self._paint_folder(painter, option, index, model)
        else:
            self._paint_body(painter, option, index, model, body)
        painter.restore()

    def _paint_back(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        row = QRectF(4, rect.top(), self._view.viewport().width() - 8, rect.height())
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            plate(painter, row, radius("field"), self._look.color("tint"))
        elif state & QStyle.StateFlag.State_MouseOver:
            plate(painter, row, radius("field"), self._look.color("hover"))
        keyboard = state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange
        if keyboard:
            plate(painter, row.adjusted(1, 1, -1, -1), radius("field"), None, self._look.color("focus"))

    def _paint_folder(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, model: OutlinerModel
    ) -> None:
        rect: QRect = option.rect
        side = size("icon")
        top = rect.top() + (rect.height() - side) // 2
        icon(self._look, "group").paint(painter, rect.left() + 2, top, side, side)
        count = str(model.row_of(index).count)
        right = self._view.viewport().width() - 12
        area = QRect(rect.left(), rect.top(), right - rect.left(), rect.height())
        write(painter, area, count, self._look.color("text3"), RIGHT, self._count_font)
        room = right - QFontMetrics(self._count_font).horizontalAdvance(count) - 8
        name = QRect(rect.left() + side + 8, rect.top(), room - rect.left() - side - 8, rect.height())
        self._paint_name(painter, name, index, self._folder_font, "text")

    def _paint_body(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, model: OutlinerModel, body: Body
    ) -> None:
        rect: QRect = option.rect
        chip = QRectF(rect.left() + 4, rect.top() + (rect.height() - 10) / 2, 10, 10)
        paint_chip(painter, chip, QColor(body_color(body, model.place(index))), self._look)
        right = self._paint_marks(painter, option, rect, model, body)
        name = QRect(rect.left() + 22, rect.top(), right - rect.left() - 22, rect.height())
        self._paint_name(painter, name, index, self._body_font, "text3" if body.hidden else "text")

    def _paint_marks(
        self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect, model: OutlinerModel, body: Body
    ) -> int:
        """From the right: eye, lock (open only under the mouse), arrival, hint, warning. Returns what is left."""
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        side = size("icon")
        top = rect.top() + (rect.height() - side) // 2
        areas = self.slots(rect)
        eye = "body.hidden" if body.hidden else "body.visible"
        role = "text2" if hovered or body.hidden else "text3"
        icon(self._look, eye, role).paint(painter, areas[EYE].left() + 4, top, side, side)
        right = areas[EYE].left()
        if body.locked or hovered:
            glyph = "body.held" if body.locked else "body.unlocked"
            icon(self._look, glyph, "text2" if body.locked else "text3").paint(
                painter, areas[LOCK].left() + 4, top, side, side
            )
            right = areas[LOCK].left()
        marks = [
            ("body.arriving", "text2", body.arrival is not None),
            ("hint.mark", "hint", model.is_hinted(body.id)),
            ("state.warning", "ghosted", bool(model.problem(body.id))),
        ]
        for glyph, colour, shown in marks:
            if shown:
                right -= MARK
                icon(self._look, glyph, colour).paint(painter, right + 2, top, side, side)
        return right - 4

    def _paint_name(self, painter: QPainter, area: QRect, index: Index, letter: QFont, role: str) -> None:
        shown = QFontMetrics(letter).elidedText(str(index.data()), Qt.TextElideMode.ElideRight, area.width())
        write(painter, area, shown, self._look.color(role), MIDDLE, letter)

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        """Names in full, what is wrong, and what the eye and the lock do."""
        words = self.words_at(index, option.rect, event.pos())
        if event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), words, view)
        return True

    def words_at(self, index: Index, row: QRect, place: QPoint) -> str:
        model: OutlinerModel = index.model()  # type: ignore[assignment]
        body = model.body(index)
        if body is None:
            return f"{index.data()}: {model.row_of(index).count} bodies"
        slot = self.slot_at(row, place)
        if slot == EYE:
            return f"{'Show' if body.hidden else 'Hide'} {body.name}"
        if slot == LOCK:
            return f"{'Unlock' if body.locked else 'Lock'} {body.name}"
        lines = [body.name, model.problem(body.id)]
        lines += ["Has a hint"] if model.is_hinted(body.id) else []
        lines += [f"Comes to rest {body.arrival:g} s before the end"] if body.arrival is not None else []
        return "\n".join(line for line in lines if line)

    # Typing a name

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        line = QLineEdit(parent)
        line.setFrame(False)
        line.setFont(self._body_font)
        line.setAccessibleName(f"New name of {index.data()}")
        look = self._look
        line.setStyleSheet(
            f"QLineEdit {{ background: {look.hex('well')}; color: {look.hex('text')}; border: 1px solid"
            f" {look.hex('accent')}; border-radius: 4px; padding: 0 3px; margin: 0; min-height: 0;"
            f" selection-background-color: {look.hex('tint')}; selection-color: {look.hex('text')}; }}"
        )
        return line

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        editor.setText(str(index.data()))
        editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        if editor.text().strip() != index.data():
            model.setData(QModelIndex(index), editor.text())  # type: ignore[arg-type]

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        left = rect.left() + 16
        editor.setGeometry(left, rect.top() + 1, self._view.viewport().width() - left - 8, rect.height() - 2)
