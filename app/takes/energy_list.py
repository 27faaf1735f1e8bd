"""EnergyList: all takes with their energies, calmest first; a click shows one."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from app.document.document import Document
from app.document.take_edits import ranked
from app.kit.painting import active_role
from app.look.icons import icon
from app.look.look import Look
from app.look.quantity_words import energy_words
from app.session.playback import Playback
from app.takes.browsing import Browsing
from app.takes.choosing import above
from engine.scene.shot import TakeCard

KEY = Qt.ItemDataRole.UserRole
ENERGY, PINNED, STALE = 1, 2, 3  # columns after the name
MARK_WIDTH = 22  # px


class Row(NamedTuple):
    card: TakeCard
    goes: bool  # would be discarded
    stale: bool


class EnergyList(QTreeWidget):
    def __init__(self, document: Document, playback: Playback, browsing: Browsing, look: Look) -> None:
        super().__init__()
        self._document, self._playback, self._browsing, self._look = document, playback, browsing, look
        self._listed: list[Row] = []
        self.setAccessibleName("Energies of all takes")
        self.setColumnCount(4)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setStyleSheet("QTreeWidget::item { border-radius: 0px; }")  # one band over all columns
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setMinimumSectionSize(MARK_WIDTH)
        self.header().setSectionResizeMode(ENERGY, QHeaderView.ResizeMode.ResizeToContents)
        for mark in (PINNED, STALE):
            self.header().setSectionResizeMode(mark, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(mark, MARK_WIDTH)
        self.currentItemChanged.connect(self._show)

    def show_cards(self, limit: float | None) -> None:
        """`limit` (J): takes above it that would be discarded are pale."""
        scene = self._document.scene
        gone = {card.id for card in above(scene, limit)} if limit is not None else set()
        cards = ranked([card for card in scene.takes if not card.rejected])
        rows = [Row(card, card.id in gone, self._browsing.is_stale(card)) for card in cards]
        if rows == self._listed:
            self.mark_shown()
            return
        self._listed = rows
        self.blockSignals(True)
        self.clear()
        for row in rows:
            self._add(row)
        for mark, on in ((PINNED, any(row.card.pinned for row in rows)), (STALE, any(row.stale for row in rows))):
            self.setColumnHidden(mark, not on)
        self.blockSignals(False)
        self.mark_shown()

    def _add(self, row: Row) -> None:
        card = row.card
        item = QTreeWidgetItem(self, [card.name, energy_words(card.energy)])
        item.setData(0, KEY, card.id)
        item.setTextAlignment(ENERGY, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setForeground(ENERGY, self._look.color("disabled" if row.goes else "text2"))
        item.setForeground(0, self._look.color("disabled" if row.goes else "text"))
        states = [card.name]
        if card.pinned:
            item.setIcon(PINNED, icon(self._look, "take.pinned", active_role(self._look)))
            states.append("pinned")
        if row.stale:
            item.setIcon(STALE, icon(self._look, "take.stale", "ghosted"))
            states.append("older than the scene")
        for column in range(self.columnCount()):
            item.setToolTip(column, ", ".join(states))
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, ", ".join([*states, energy_words(card.energy)]))

    def forget(self) -> None:
        """Make the rows anew next time: their colours changed."""
        self._listed = []

    def mark_shown(self) -> None:
        self.blockSignals(True)
        keys = [row.card.id for row in self._listed]
        row = keys.index(self._playback.key) if self._playback.key in keys else -1
        self.setCurrentIndex(self.model().index(row, 0))  # no row: none is marked
        self.blockSignals(False)

    def _show(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self._playback.show(str(item.data(0, KEY)))
