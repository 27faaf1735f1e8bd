"""OutlinerView: the tree itself: carets, the eye and the lock, dragging rows, keys, and the selection both ways."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QDrag, QKeyEvent, QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTreeView

from app.look.icons import icon
from app.look.look import Look, size
from app.panels.outliner_delegate import EYE, OutlinerDelegate
from app.panels.outliner_model import Index, OutlinerModel
from app.session.selection import Selection

INDENT = 18  # px
SELECT_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class OutlinerView(QTreeView):
    """Signals:
    eye_clicked(QModelIndex), lock_clicked(QModelIndex)
    """

    eye_clicked = Signal(QModelIndex)
    lock_clicked = Signal(QModelIndex)

    def __init__(self, model: OutlinerModel, selection: Selection, look: Look) -> None:
        super().__init__()
        self._rows, self._selection, self._look = model, selection, look
        self._syncing = False
        self._closed: set[str] = set()  # groups the artist folded; all others are open
        self.delegate = OutlinerDelegate(look, self)
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.setObjectName("outliner")
        self.setAccessibleName("Bodies of the scene")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(INDENT)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked)
        self.setExpandsOnDoubleClick(False)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.selectionModel().selectionChanged.connect(self._tell)
        selection.changed.connect(self.show_selection)
        model.rebuilt.connect(self.restore)
        model.about_to_step.connect(lambda: self._hush(True))
        model.stepped.connect(lambda: self._hush(False))
        model.restyled.connect(self.viewport().update)
        self.collapsed.connect(lambda index: self._closed.add(model.row_of(index).key))
        self.expanded.connect(lambda index: self._closed.discard(model.row_of(index).key))
        look.changed.connect(self._recolour)
        self._recolour()
        self.restore()

    def restore(self) -> None:
        """After the tree was built anew: what the artist folded stays folded, and the selection is shown again."""
        closed = set(self._closed)  # expanding tells, and forgets them
        for key in self._rows.folder_keys():  # not expandAll: it asks every row of thousands
            self.setExpanded(self._rows.find_group(key), key not in closed)
        self.show_selection()

    # Selection

    def show_selection(self) -> None:
        """From the window's selection to the rows, as few ranges as possible."""
        if self._syncing:
            return
        self._syncing = True
        self.setAutoScroll(False)  # by itself Qt scrolls to a new current row, and opens the groups it is in
        try:
            ranges = QItemSelection()
            for top, bottom in self._rows.runs(self._selection.ids):
                ranges.select(top, bottom)
            self.selectionModel().select(ranges, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            active = self._rows.find(self._selection.active) if self._selection.active else QModelIndex()
            if active.isValid() and active != self.currentIndex():
                self.selectionModel().setCurrentIndex(active, QItemSelectionModel.SelectionFlag.NoUpdate)
                if self.isVisible() and self._laid_out(active):
                    self.scrollTo(active)
        finally:
            self.setAutoScroll(True)
            self._syncing = False

    def _hush(self, on: bool) -> None:
        """Rows that go take themselves out of Qt's selection; that is no choice of the artist's."""
        self._syncing = on
        if not on:
            self.show_selection()

    def _laid_out(self, index: QModelIndex) -> bool:
        """Is it in no folded group? (Scrolling to a row would open the groups it is in.)"""
        above = index.parent()
        while above.isValid():
            if not self.isExpanded(above):
                return False
            above = above.parent()
        return True

    def _tell(self) -> None:
        """From the rows to the window's selection; the current row becomes the active body, what the filter hides
        stays selected only as long as nothing else is chosen."""
        if self._syncing:
            return
        ids = [self._rows.row_of(index).key for index in self.selectionModel().selectedIndexes()]
        current = self._rows.row_of(self.currentIndex()).key
        if current in ids:
            ids.remove(current)
            ids.append(current)
        self._syncing = True
        try:
            self._selection.set(ids)
        finally:
            self._syncing = False

    def select_folder(self, index: Index, modifiers: Qt.KeyboardModifier) -> None:
        """A folder stands for what is in it; with Shift or Ctrl its bodies join what is selected."""
        ids = self._rows.ids_below(index)
        if modifiers & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier):
            self._selection.add(ids)
        else:
            self._selection.set(ids)

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        slot = self._slot(index, event)
        if slot and event.button() == Qt.MouseButton.LeftButton:
            (self.eye_clicked if slot == EYE else self.lock_clicked).emit(index)
            return
        folder = index.isValid() and self._rows.row_of(index).folder
        if folder and event.position().x() >= self.visualRect(index).left():
            self._syncing = True  # Qt clears the selection for a row that cannot be selected
            super().mousePressEvent(event)
            self._syncing = False
            if event.button() == Qt.MouseButton.LeftButton:
                self.select_folder(index, event.modifiers())
            self.show_selection()
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two quick clicks on an eye are two clicks."""
        if self._slot(self.indexAt(event.position().toPoint()), event):
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self._rows.row_of(index)
        self._selection.set_hover(row.key if index.isValid() and not row.folder else None)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._selection.set_hover(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        busy = self.state() == QAbstractItemView.State.EditingState
        if event.key() in SELECT_KEYS and not busy and index.isValid() and self._rows.row_of(index).folder:
            self.select_folder(index, event.modifiers())
        else:
            super().keyPressEvent(event)

    def _slot(self, index: QModelIndex, event: QMouseEvent) -> str:
        if self._rows.body(index) is None:
            return ""
        return self.delegate.slot_at(self.visualRect(index), event.position().toPoint())

    # Dragging

    def dragged(self) -> list[QModelIndex]:
        """The selected rows, or the folder under the mouse alone."""
        current = self.currentIndex()
        if current.isValid() and self._rows.row_of(current).folder:
            return [current]
        return self.selectionModel().selectedIndexes()

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Qt's own would remove the rows afterwards; here the document moves them."""
        indexes = self.dragged()
        if indexes:
            drag = QDrag(self)
            drag.setMimeData(self._rows.mimeData(indexes))
            drag.exec(Qt.DropAction.MoveAction)

    # Painting

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        if self._rows.row_of(index).folder:
            side = size("icon") - 2
            glyph = "field.open" if self.isExpanded(QModelIndex(index)) else "tree.closed"  # type: ignore[arg-type]
            top = rect.top() + (rect.height() - side) // 2
            icon(self._look, glyph).paint(painter, rect.right() - side, top, side, side)

    def _recolour(self) -> None:
        colors = {
            QPalette.ColorRole.Base: "panel",
            QPalette.ColorRole.Text: "text",
            QPalette.ColorRole.Highlight: "tint",
            QPalette.ColorRole.HighlightedText: "text",
        }
        palette = self.palette()
        for role, name in colors.items():
            palette.setColor(role, self._look.color(name))
        self.setPalette(palette)
        self.setStyleSheet(
            f"QTreeView#outliner {{ background: {self._look.hex('panel')}; border: none; show-decoration-selected: 0;"
            " selection-background-color: transparent; }"
            "QTreeView#outliner::item, QTreeView#outliner::branch { background: transparent; border: none; }"
        )
        self.viewport().update()
