"""Palette: find a command by typing, and run it. Everything in the table of actions is in it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPainterPath
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.kit import set_surface
from app.kit.layouts import column
from app.kit.painting import RIGHT, write
from app.look.fonts import font
from app.look.look import Look, size, tokens
from app.shell.action import Action
from app.shell.action_set import ActionSet, key_words
from app.shell.actions import ACTIONS, path_words
from app.shell.fuzzy import ranked
from app.shell.studio import Studio

WIDTH, ROWS = 520, 9
HIDDEN = {"help.find"}  # finding itself is no find
ENTRY, REASON, WORDS = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2


class Palette(QFrame):
    """A float under the middle of the top bar. Arrows choose, Enter runs, Escape and clicking elsewhere close."""

    def __init__(self, studio: Studio, actions: ActionSet, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._studio, self._actions = studio, actions
        self.setObjectName("palette")
        inner = QWidget(self)
        set_surface(inner, "float")
        column(inner, of=self)
        self.field = QLineEdit(inner)
        self.field.setPlaceholderText("Find a command")
        self.field.setAccessibleName("Find a command")
        self.field.setFixedHeight(size("button_large"))
        self.field.installEventFilter(self)
        self.list = QListWidget(inner)
        self.list.setItemDelegate(_Row(studio.look, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.setStyleSheet("QListWidget { background: transparent; }")
        column(self.field, self.list, of=inner, edge=(8, 8, 8, 8))
        self.field.textChanged.connect(self._find)
        self.list.itemClicked.connect(self._run)

    def open(self) -> None:
        parent = self.parentWidget()
        assert parent is not None
        width = min(WIDTH, parent.width() - 40)
        self.list.setFixedHeight(ROWS * size("list_row_large") + 2 * self.list.frameWidth())  # whole rows
        height = self.sizeHint().height()
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.setGeometry(QRect(corner.x() + (parent.width() - width) // 2, corner.y() + 84, width, height))
        outline = QPainterPath()
        radius = tokens()["radius"]["float"]
        outline.addRoundedRect(self.rect().toRectF(), radius, radius)
        self.setMask(outline.toFillPolygon().toPolygon())  # round also where no compositor blends windows
        self.field.clear()
        self._find("")
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _find(self, query: str) -> None:
        entries = [entry for entry in ACTIONS if entry.id not in HIDDEN]
        names = [f"{entry.words(self._studio)} {' '.join(entry.menu.split('/'))}" for entry in entries]
        order = ranked(query, names)
        reasons = {number: entries[number].reason(self._studio) for number in order}
        order.sort(key=lambda number: bool(reasons[number]))  # what can be done now comes first
        self.list.clear()
        for number in order:
            item = QListWidgetItem(entries[number].words(self._studio))
            item.setData(ENTRY, entries[number].id)
            item.setData(REASON, reasons[number])
            item.setData(WORDS, self._right_words(entries[number]))
            item.setToolTip(entries[number].tip)
            item.setSizeHint(QSize(0, size("list_row_large")))
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _right_words(self, entry: Action) -> str:
        keys = entry.shortcuts(str(self._studio.settings.get("view/keys")))
        return f"{path_words(entry)}\t{key_words(keys[0]) if keys else ''}"

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress:
            assert isinstance(event, QKeyEvent)
            return self._key(event.key())
        return super().eventFilter(watched, event)

    def _key(self, key: int) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}
        count = self.list.count()
        if key in steps and count:
            self.list.setCurrentRow(max(0, min(count - 1, self.list.currentRow() + steps[Qt.Key(key)])))
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            item = self.list.currentItem()
            if item is not None:
                self._run(item)
            return True
        return False

    def _run(self, item: QListWidgetItem) -> None:
        if item.data(REASON):
            return  # the row says why
        self.close()
        self._actions.run(item.data(ENTRY))


class _Row(QStyledItemDelegate):
    """Name and, under it or in its place, the menu; the key at the right."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        reason, (menu, key) = index.data(REASON), index.data(WORDS).split("\t")  # type: ignore[attr-defined]
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        room = option.rect.adjusted(0, 1, 0, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(self._look.color("tint" if chosen else "hover"))
            painter.drawRoundedRect(room, 5, 5)
        room = room.adjusted(10, 0, -10, 0)
        small = font("small")
        wide = QFontMetrics(small).horizontalAdvance(key)
        write(painter, room, key, self._look.color("text3" if not reason else "disabled"), RIGHT, small)
        room = room.adjusted(0, 3, -(wide + 12), -3)
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft,
                         _fitting(painter, reason or menu, room.width()))  # fmt: skip
        painter.setFont(font("body"))
        painter.setPen(self._look.color("disabled" if reason else "text"))
        name = _fitting(painter, index.data(Qt.ItemDataRole.DisplayRole), room.width())  # type: ignore[attr-defined]
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, name)
        painter.restore()


def _fitting(painter: QPainter, text: str, width: int) -> str:
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
