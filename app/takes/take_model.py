"""TakeModel: the cards of the browser as a list model: takes in their order, then those that are still running."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.document.take_edits import exact_words, shortfalls
from app.look.quantity_words import energy_words
from app.takes.browsing import Browsing
from app.takes.card_words import remedy_words
from app.takes.running import Running, RunningTakes
from engine.scene.shot import TakeCard

Index = QModelIndex | QPersistentModelIndex
ENTRY = Qt.ItemDataRole.UserRole
CROWD = 8  # times the median energy: a take above it does not flatten the curves of all the others


class TakeModel(QAbstractListModel):
    def __init__(self, browsing: Browsing, running: RunningTakes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._browsing, self._running = browsing, running
        self._entries: list[TakeCard | Running] = []
        self.top, self.longest = 1.0, 1.0  # J and s: the scale of all curves
        browsing.changed.connect(self._follow)
        running.changed.connect(self._follow)
        running.advanced.connect(self._advance)
        self._follow()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entry(index)
        if role == ENTRY:
            return entry
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return entry.name if isinstance(entry, TakeCard) else entry.order.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.words(entry)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.entry(index), Running):
            return Qt.ItemFlag.ItemNeverHasChildren
        chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
        return chosen | Qt.ItemFlag.ItemNeverHasChildren

    def entry(self, index: Index) -> TakeCard | Running:
        return self._entries[index.row()]

    def key(self, index: Index) -> str:
        """Id of the take in a row; "" for one that is not there yet."""
        entry = self._entries[index.row()] if index.isValid() else None
        return entry.id if isinstance(entry, TakeCard) else ""

    def index_of(self, key: str) -> QModelIndex:
        for row, entry in enumerate(self._entries):
            if isinstance(entry, TakeCard) and entry.id == key:
                return self.index(row)
        return QModelIndex()

    def words(self, entry: TakeCard | Running) -> str:
        """What a card says, for those who hear it."""
        if isinstance(entry, Running):
            return f"{entry.order.name}, {entry.words}"
        parts = [entry.name, exact_words(entry), energy_words(entry.energy)]
        stale = self._browsing.is_stale(entry)
        states = {"pinned": entry.pinned, "rejected": entry.rejected, "older than the scene": stale}
        parts += [f"paper: {remedy_words(entry.remedies)}"] if entry.remedies else []
        return ", ".join([*parts, *(name for name, on in states.items() if on), *shortfalls(entry)])

    def _follow(self) -> None:
        cards = self._browsing.cards
        before = [_name(entry) for entry in self._entries]
        entries: list[TakeCard | Running] = [*cards, *self._running.shown]
        if before == [_name(entry) for entry in entries]:
            self._entries = entries
            self._scale(cards)
            if entries:
                self.dataChanged.emit(self.index(0), self.index(len(entries) - 1))
        else:
            self.beginResetModel()
            self._entries = entries
            self._scale(cards)
            self.endResetModel()

    def _scale(self, cards: list[TakeCard]) -> None:
        energies = sorted(card.energy for card in cards)
        top = min(energies[-1], CROWD * max(energies[len(energies) // 2], 0.0)) if energies else 0.0
        self.top = top if top > 0.0 else max([1.0, *energies[-1:]])
        self.longest = max((card.seconds for card in cards), default=1.0) or 1.0

    def _advance(self, key: str) -> None:
        for row, entry in enumerate(self._entries):
            if isinstance(entry, Running) and entry.order.id == key:
                self.dataChanged.emit(self.index(row), self.index(row))
                return
        self._follow()  # it has run long enough by now to be shown


def _name(entry: TakeCard | Running) -> str:
    return entry.id if isinstance(entry, TakeCard) else f"running {entry.order.id}"


def model_of(index: Index) -> TakeModel:
    """The model an index of the browser belongs to: Qt only says that it is some model."""
    model = index.model()
    assert isinstance(model, TakeModel)
    return model
