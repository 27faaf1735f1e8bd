"""TakeGrid: the cards side by side. Arrows and clicks choose what is shown; letters decide about it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from app.takes import choosing
from app.takes.card_delegate import CardDelegate
from app.takes.card_layout import GAP, WIDTH, card_height
from app.takes.sources import Sources
from app.takes.take_model import TakeModel

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
DECISIONS = (*ENTER, Qt.Key.Key_P, Qt.Key.Key_X, Qt.Key.Key_C, Qt.Key.Key_F2, Qt.Key.Key_Delete)
OWN_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class TakeGrid(QListView):
    """Signals:
    menu_asked(QPoint)   what can be done with the shown take, at a place on the screen
    focus_changed()      the keyboard came or went
    """

    menu_asked = Signal(QPoint)
    focus_changed = Signal()

    def __init__(self, sources: Sources) -> None:
        super().__init__()
        playback, browsing = sources.playback, sources.browsing
        self._document, self._playback, self._browsing = sources.document, playback, browsing
        self.model_ = TakeModel(browsing, sources.running, self)
        self.delegate = CardDelegate(sources, self)
        self._shape()
        self.setModel(self.model_)
        self.setItemDelegate(self.delegate)
        self.model_.modelReset.connect(self._mark_shown)
        playback.changed.connect(self._mark_shown)
        playback.moved.connect(self._repaint)
        sources.thumbnails.ready.connect(self._repaint_one)
        sources.thumbnails.outdated.connect(self._repaint)
        sources.curves.ready.connect(self._repaint_one)
        sources.look.changed.connect(self._repaint)
        browsing.rename_asked.connect(self._rename_shown)
        self.selectionModel().currentChanged.connect(self._on_current)
        self._mark_shown()

    def _shape(self) -> None:
        self.setAccessibleName("Takes")
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(40)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def key(self) -> str:
        """Id of the take with the keyboard's mark; "" on none."""
        return self.model_.key(self.currentIndex())

    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH + GAP, 80)

    # -- following ---------------------------------------------------------------------------------------------------

    def _mark_shown(self) -> None:
        index = self.model_.index_of(self._playback.key)
        if index != self.currentIndex():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _on_current(self) -> None:
        """The keyboard went to another card: show its take."""
        key = self.key
        if key and key != self._playback.key:
            self._playback.show(key)

    def _repaint(self) -> None:
        self.viewport().update()

    def _repaint_one(self, key: str) -> None:
        index = self.model_.index_of(key)
        if index.isValid():
            self.update(index)

    def _rename_shown(self) -> None:
        index = self.model_.index_of(self._playback.key)
        if index.isValid():
            self.scrollTo(index)
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.edit(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        height = card_height(self.viewport().height())
        if height != self.delegate.height:
            self.delegate.height = height
            self.scheduleDelayedItemsLayout()
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def showEvent(self, event: QShowEvent) -> None:
        """The take that is shown may have been chosen while the list was hidden."""
        super().showEvent(event)
        self.scrollTo(self.currentIndex())

    # -- mouse and keys ----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        key = self.model_.key(index)
        if event.button() != Qt.MouseButton.LeftButton or not key:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.delegate.press(index, event.position()):
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            other = self._browsing.other
            self._browsing.compare_with("" if other is not None and other.id == key else key)
        else:
            self._playback.show(key)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Commands are about the take that is shown, so a right click shows the one under it first."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        key = self.model_.key(index)
        if key:
            self.setFocus(Qt.FocusReason.MouseFocusReason if by_mouse else Qt.FocusReason.OtherFocusReason)
            self._playback.show(key)
            place = self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_asked.emit(event.globalPos() if by_mouse else place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two quick clicks are two clicks."""
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.buttons():  # a drag over the cards chooses nothing
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pass

    def event(self, event: QEvent) -> bool:
        # These keys decide about takes here; elsewhere in the window some of them are about bodies.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._uses(event):
            event.accept()
            return True
        return super().event(event)

    def _uses(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        return plain and (event.key() in DECISIONS or event.key() in OWN_ARROWS)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = self.key
        if self.state() == QAbstractItemView.State.EditingState:
            return  # the Enter that ends a name comes here as well
        if not self._uses(event) or event.key() not in DECISIONS:
            if event.key() in OWN_ARROWS:
                super().keyPressEvent(event)  # not letters: typing would search by name
            else:
                event.ignore()
        elif key:
            self._decide(event.key(), key)

    def _decide(self, pressed: int, key: str) -> None:
        if pressed in ENTER:
            choosing.use_in_shot(self._document, key)
        elif pressed == Qt.Key.Key_P:
            choosing.toggle_pin(self._document, key)
        elif pressed == Qt.Key.Key_X:
            choosing.toggle_rejected(self._document, key)
        elif pressed == Qt.Key.Key_C:
            self._browsing.toggle_compare()
        elif pressed == Qt.Key.Key_F2:
            self._browsing.rename_asked.emit()
        else:
            choosing.discard_shown(self._document, self._playback, self._browsing)
