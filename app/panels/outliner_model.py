"""OutlinerModel: the scene as a tree for Qt's view. It follows the document's differences row by row."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from PySide6.QtCore import (
    QAbstractItemModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from app.document import edits
from app.document.difference import Difference
from app.document.document import Document
from app.document.hint_edits import hinted
from app.panels.outliner_rows import Row, Rows, dropped, keeper
from engine.scene.spec import Body, Scene

Index = QModelIndex | QPersistentModelIndex
ROWS_MIME = "application/x-foregone-rows"
MANY = 500  # rows; a larger tree is built between other events, not in the middle of a command
MOST_STEPS = 64  # rows added or removed one by one; beyond, building the tree anew is cheaper

_ROW = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled
ROOT_FLAGS = Qt.ItemFlag.ItemIsDropEnabled
FOLDER_FLAGS = _ROW | Qt.ItemFlag.ItemIsDropEnabled
BODY_FLAGS = _ROW | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
"""Folders cannot be selected themselves: a click on one selects what is in it. Made once, because Qt asks thousands of
times and joining flags is slow in Python."""


class OutlinerModel(QAbstractItemModel):
    """`find` and `body` lead from an index to what it shows; edits go to the document, and come back as differences.

    Signals:
        rebuilt()    the whole tree is another one: expand and select again
        restyled()   many rows look different: paint again
        about_to_step(), stepped()   around rows that come and go one by one
    """

    rebuilt = Signal()
    restyled = Signal()
    about_to_step = Signal()
    stepped = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.scene: Scene = document.shown
        self._by_id: dict[str, Body] = {}
        self._group_names: dict[str, str] = {}
        self._hinted = hinted(self.scene)
        self._problems: dict[str, str] = {}
        self._text, self._kind = "", "all"
        self._rows = Rows(self.scene)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._rebuild)
        self._read()
        document.changed.connect(self._follow)

    # What there is

    @property
    def filtered(self) -> bool:
        return bool(self._text.strip()) or self._kind != "all"

    def body_count(self) -> int:
        """Of the rows shown, not of the scene."""
        return len(self._rows.bodies)

    def row_of(self, index: Index) -> Row:
        """What an index shows: the root for an invalid index and for one from before the tree was rebuilt."""
        rows = self._rows
        return rows.by_serial.get(index.internalId(), rows.root) if index.isValid() else rows.root

    def find(self, key: str) -> QModelIndex:
        """The index of a body, invalid when the filter hides it."""
        row = self._rows.bodies.get(key)
        return QModelIndex() if row is None else self._index_of(row)

    def find_group(self, key: str) -> QModelIndex:
        row = self._rows.folders.get(key)
        return QModelIndex() if row is None else self._index_of(row)

    def folder_keys(self) -> list[str]:
        """Ids of the groups shown, outer ones before those inside them."""
        return [key for key in self._rows.folders if key]

    def runs(self, keys: Collection[str]) -> list[tuple[QModelIndex, QModelIndex]]:
        """First and last index of every run of neighbouring rows that show these bodies."""
        chosen = set(keys)
        folders = {
            row.parent.serial: row.parent for key in chosen if (row := self._rows.bodies.get(key)) and row.parent
        }
        found: list[tuple[QModelIndex, QModelIndex]] = []
        for folder in folders.values():
            places = [at for at, row in enumerate(folder.children) if not row.folder and row.key in chosen]
            for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
                ends = [at for _, at in run]
                found.append((self._index_of(folder.children[ends[0]]), self._index_of(folder.children[ends[-1]])))
        return found

    def body(self, index: Index) -> Body | None:
        row = self.row_of(index)
        return None if row.folder else self._by_id.get(row.key)

    def place(self, index: Index) -> int:
        """Where a body stands in the scene's list (its colour depends on it)."""
        return self.row_of(index).place

    def ids_below(self, index: Index) -> list[str]:
        """The body itself, or all bodies in a folder and the folders inside it."""
        row = self.row_of(index)
        return edits.members(self.scene, row.key) if row.folder else [row.key]

    def is_hinted(self, key: str) -> bool:
        return key in self._hinted

    def problem(self, key: str) -> str:
        """What is wrong with a body, "" when nothing is."""
        return self._problems.get(key, "")

    # What it shows

    def set_problems(self, messages: Mapping[str, str]) -> None:
        """Body id -> what is wrong with it, for the warning marks."""
        before, self._problems = self._problems, dict(messages)
        if self._kind == "problems":
            self._rebuild()
        else:
            self._tell({key for key in before.keys() | self._problems.keys() if before.get(key) != messages.get(key)})

    def set_filter(self, text: str | None = None, kind: str | None = None) -> None:
        """Show only bodies whose name contains `text`, of a kind of FILTERS; None keeps what was set."""
        wanted = (self._text if text is None else text, self._kind if kind is None else kind)
        if wanted != (self._text, self._kind):
            self._text, self._kind = wanted
            self._rebuild()

    # Qt's questions

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self.row_of(parent).children
        return self.createIndex(row, column, children[row].serial) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        above = self.row_of(index).parent
        return QModelIndex() if above is None else self._index_of(above)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self.row_of(parent).children)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        return bool(self.row_of(parent).children)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.AccessibleTextRole):
            row = self.row_of(index)
            if row.folder:
                return self._group_names.get(row.key, "")
            body = self._by_id.get(row.key)
            return body.name if body is not None else ""
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        serial = index.internalId()  # 0 where the index is invalid
        return BODY_FLAGS if serial & 1 else FOLDER_FLAGS if serial else ROOT_FLAGS

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row, name = self.row_of(index), str(value).strip()
        if role != Qt.ItemDataRole.EditRole or not name or not index.isValid():
            return False
        scene = self._document.scene
        if row.folder:
            return self._document.edit(f"Rename group to {name}", edits.rename_group(scene, row.key, name))
        return self._document.edit(f"Rename to {name}", edits.rename(scene, row.key, name))

    # Dragging rows

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [ROWS_MIME]

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        rows = [self.row_of(index) for index in indexes]
        table = {
            "bodies": [row.key for row in rows if not row.folder],
            "groups": [row.key for row in rows if row.folder],
        }
        data = QMimeData()
        data.setData(ROWS_MIME, json.dumps(table).encode())
        return data

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        return data.hasFormat(ROWS_MIME)

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        """One command; False always, because the rows move by the document's difference and not by the view."""
        if not data.hasFormat(ROWS_MIME):
            return False
        table = json.loads(bytes(data.data(ROWS_MIME).data()))
        folder = self.row_of(parent)
        before = self._before(folder, row)
        scene = self._document.scene
        fresh = dropped(scene, table["bodies"], table["groups"], folder.key, before)
        count = len(table["bodies"]) + len(table["groups"])
        self._document.edit(f"Rearrange {count} rows" if count > 1 else "Rearrange a row", fresh)
        return False

    def _before(self, folder: Row, row: int) -> str | None:
        """The body in front of which a drop lands: None when it lands on the folder itself or among folders."""
        bodies = [child for child in folder.children if not child.folder]
        at = row - (len(folder.children) - len(bodies))
        if row < 0 or at < 0 or not bodies:
            return None
        if at < len(bodies):
            return bodies[at].key
        after = bodies[-1].place + 1
        return self.scene.bodies[after].id if after < len(self.scene.bodies) else ""

    # Following the document

    def _read(self) -> None:
        self._by_id = {body.id: body for body in self.scene.bodies}
        self._group_names = {group.id: group.name for group in self.scene.groups}

    def _follow(self, change: Difference) -> None:
        before, self.scene = self._by_id, self._document.shown
        if not (change.bodies or change.groups or change.hints):
            return
        self._read()
        marked = self._hinted
        if change.hints or change.added or change.removed or (self._hinted and change.changed):
            self._hinted = hinted(self.scene)
        if self._soon.isActive():
            return
        if self._same_rows(change, before):
            self._tell(set(change.changed) | (marked ^ self._hinted))
        elif self._few(change):
            self._step(change)
            self._tell(set(change.changed) | (marked ^ self._hinted))
        elif max(len(self.scene.bodies), self.body_count()) > MANY:
            self._soon.start()
        else:
            self._rebuild()

    def _same_rows(self, change: Difference, before: Mapping[str, Body]) -> bool:
        if self.filtered or change.added or change.removed or change.order or change.groups:
            return False
        return all(before[key].group == self._by_id[key].group for key in change.changed)

    def _few(self, change: Difference) -> bool:
        moved = change.order or change.groups or self.filtered
        groups_kept = all(
            (row := self._rows.bodies.get(key)) is not None
            and row.parent is self._rows.folders.get(self._by_id[key].group, self._rows.root)
            for key in change.changed
        )
        return not moved and groups_kept and len(change.added) + len(change.removed) <= MOST_STEPS

    def _step(self, change: Difference) -> None:
        self.about_to_step.emit()
        for key in change.removed:
            index = self.find(key)
            self.beginRemoveRows(index.parent(), index.row(), index.row())
            self._rows.take(key)
            self.endRemoveRows()
        self._rows.renumber(self.scene)
        fresh = set(change.added)
        for place, body in enumerate(self.scene.bodies):
            if body.id in fresh:
                folder = self._rows.folders.get(body.group, self._rows.root)
                at = folder.position(False, place)
                self.beginInsertRows(self._index_of(folder), at, at)
                self._rows.put(body, place)
                self.endInsertRows()
        self._tell_folders()
        self.stepped.emit()

    def _rebuild(self) -> None:
        self._soon.stop()
        self.beginResetModel()
        self._rows = Rows(self.scene, keeper(self._text, self._kind, self._hinted, self._problems))
        self.endResetModel()
        self.rebuilt.emit()

    def _tell(self, keys: Iterable[str]) -> None:
        """These rows look different. Of many at once Qt would ask each for its flags; one signal paints the view."""
        rows = [row for key in keys if (row := self._rows.bodies.get(key)) is not None]
        if len(rows) > MOST_STEPS:
            return self.restyled.emit()
        for row in rows:
            index = self._index_of(row)
            self.dataChanged.emit(index, index, [])

    def _tell_folders(self) -> None:
        """Counts behind the folders' names changed."""
        for key, row in self._rows.folders.items():
            if key:
                index = self._index_of(row)
                self.dataChanged.emit(index, index, [])

    def _index_of(self, row: Row) -> QModelIndex:
        return QModelIndex() if row.parent is None else self.createIndex(row.index(), 0, row.serial)
