"""OutlinerPanel: the bodies of the scene as a list with folders, a filter and a menu."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from app.document import edits
from app.document.document import Document
from app.kit import EmptyState, Ground, IconButton, PanelHeader, TextField
from app.kit.layouts import column, wide
from app.kit.painting import space
from app.look.look import Look
from app.panels.outliner_model import OutlinerModel
from app.panels.outliner_rows import FILTERS, dissolved
from app.panels.outliner_view import OutlinerView
from app.session.selection import Selection, who
from engine.scene.spec import Body


class OutlinerPanel(Ground):
    """Signals:
    add_requested(QPoint)   the plus was pressed; the point (on the screen) is where a menu belongs
    """

    add_requested = Signal(QPoint)

    def __init__(self, document: Document, selection: Selection, look: Look) -> None:
        super().__init__(look)
        self._document, self._selection = document, selection
        self._kind = "all"
        self.model = OutlinerModel(document, self)
        self.view = OutlinerView(self.model, selection, look)
        self.filter = TextField(look, "Filter bodies", "Filter bodies", "command.find", clears=True)
        self.filter.edited.connect(lambda text: self.model.set_filter(text=text))
        self._funnel = IconButton(look, "outliner.filter", "Show only some bodies")
        self._funnel.clicked.connect(self._open_filters)
        plus = IconButton(look, "outliner.add", "Add a body", "Shift+A")
        plus.clicked.connect(lambda: self.add_requested.emit(plus.mapToGlobal(QPoint(0, plus.height()))))
        self._nothing = EmptyState(look, "tab.body", "Bodies you add appear here.")
        self._unfound = EmptyState(look, "command.find", "", "Clear filter")
        self._unfound.acted.connect(self.clear_filter)
        self._pages = QStackedWidget()
        for page in (self.view, self._nothing, self._unfound):
            self._pages.addWidget(page)
        field = column(self.filter, edge=(space("m"), 0, space("m"), space("s")))
        column(PanelHeader(look, "Outliner", self._funnel, plus), field, wide(self._pages), of=self, gap=0)
        self.setMinimumWidth(220)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.view.eye_clicked.connect(partial(self._toggle, "hidden"))
        self.view.lock_clicked.connect(partial(self._toggle, "locked"))
        for signal in (self.model.rebuilt, self.model.rowsInserted, self.model.rowsRemoved):
            signal.connect(self._choose_page)
        self._choose_page()

    def clear_filter(self) -> None:
        self.filter.clear()
        self._set_kind("all")

    def _choose_page(self) -> None:
        if self.model.body_count():
            page: QWidget = self.view
        elif self.model.filtered:
            page = self._unfound
            text = self.filter.text.strip()
            kind = FILTERS[self._kind].lower()
            self._unfound.words.set_text(f"No body is called '{text}'." if text else f"No body here is {kind}.")
        else:
            page = self._nothing
        self._pages.setCurrentWidget(page)

    # Filters

    def filters_menu(self) -> QMenu:
        menu = QMenu(self)
        for kind, words in FILTERS.items():
            action = menu.addAction(words)
            action.triggered.connect(partial(self._set_kind, kind))
            action.setCheckable(True)
            action.setChecked(kind == self._kind)
        return menu

    def _open_filters(self) -> None:
        menu = self.filters_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._funnel.mapToGlobal(QPoint(0, self._funnel.height())))

    def _set_kind(self, kind: str, *_: object) -> None:
        self._kind = kind
        self._funnel.set_glyph("outliner.filter", "text2" if kind == "all" else "accent")
        self._funnel.set_words("Show only some bodies" if kind == "all" else f"Showing: {FILTERS[kind].lower()}")
        self.model.set_filter(kind=kind)

    # Commands

    def menu_for(self, index: QModelIndex) -> QMenu:
        """What can be done with the row under the mouse, or with all that is selected when it is one of them."""
        menu, document = QMenu(self), self._document
        row = self.model.row_of(index)
        ids = self._chosen(index)
        bodies = self._bodies(ids)
        hidden, locked = all(body.hidden for body in bodies), all(body.locked for body in bodies)
        menu.addAction("Rename", QKeySequence(Qt.Key.Key_F2), lambda: self.view.edit(index))
        if row.folder:
            menu.addAction("Select group members", lambda: self._selection.set(ids))
            menu.addAction("Ungroup", lambda: document.edit("Ungroup", dissolved(document.scene, row.key)))
        elif bodies[0].group:
            group = bodies[0].group
            menu.addAction("Select group members", lambda: self._selection.set(edits.members(document.scene, group)))
        menu.addAction("Group", lambda: self._group(ids))
        menu.addSeparator()
        menu.addAction("Show" if hidden else "Hide", lambda: self._set("hidden", ids, not hidden))
        menu.addAction("Unlock" if locked else "Lock", lambda: self._set("locked", ids, not locked))
        menu.addSeparator()
        delete = menu.addAction("Delete", QKeySequence(Qt.Key.Key_Delete), lambda: self._delete(ids))
        delete.setEnabled(not locked)
        if locked:
            delete.setToolTip("Locked bodies cannot be deleted. Unlock them first.")
        menu.setToolTipsVisible(True)
        return menu

    def _open_menu(self, at: QPoint) -> None:
        index = self.view.indexAt(at)
        if index.isValid():
            menu = self.menu_for(index)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.view.viewport().mapToGlobal(at))

    def _chosen(self, index: QModelIndex) -> list[str]:
        row = self.model.row_of(index)
        if not row.folder and row.key in self._selection.ids:
            return list(self._selection.ids)
        return self.model.ids_below(index)

    def _bodies(self, ids: Sequence[str]) -> list[Body]:
        chosen = set(ids)
        return [body for body in self._document.scene.bodies if body.id in chosen]

    def _toggle(self, field: str, index: QModelIndex) -> None:
        body = self.model.body(index)
        if body is not None:
            self._set(field, [body.id], not getattr(body, field))

    def _set(self, field: str, ids: Sequence[str], on: bool) -> None:
        verb = {"hidden": ("Show", "Hide"), "locked": ("Unlock", "Lock")}[field][on]
        bodies = self._bodies(ids)
        if bodies:
            scene = edits.set_fields(self._document.scene, ids, **{field: on})
            self._document.edit(f"{verb} {who(bodies)}", scene)

    def _group(self, ids: Sequence[str]) -> None:
        scene, _ = edits.group(self._document.scene, ids)
        self._document.edit(f"Group {who(self._bodies(ids))}", scene)

    def _delete(self, ids: Sequence[str]) -> None:
        self._document.edit(f"Delete {who(self._bodies(ids))}", edits.remove(self._document.scene, ids))
