"""EnergyList: all takes with their energies, calmest first; a click shows one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from app.document.document import Document
from app.document.take_edits import ranked
from app.look.look import Look
from app.look.quantity_words import energy_words
from app.session.playback import Playback
from engine.scene.shot import TakeCard

KEY = Qt.ItemDataRole.UserRole


class EnergyList(QTreeWidget):
    def __init__(self, document: Document, playback: Playback, look: Look) -> None:
        super().__init__()
        self._document, self._playback, self._look = document, playback, look
        self._listed: list[tuple[str, str, str, bool]] = []
        self.setAccessibleName("Energies of all takes")
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setStyleSheet("QTreeWidget::item { border-radius: 0px; }")  # one band over both columns
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.currentItemChanged.connect(self._show)

    def show_cards(self, limit: float | None) -> None:
        """`limit` (J): takes above it that would be discarded are pale."""
        scene = self._document.scene
        rows = [
            (card.id, card.name, energy_words(card.energy), _goes(card, limit, scene.shot))
            for card in ranked([card for card in scene.takes if not card.rejected])
        ]
        if rows == self._listed:
            self.mark_shown()
            return
        self._listed = rows
        self.blockSignals(True)
        self.clear()
        for key, name, energy, pale in rows:
            item = QTreeWidgetItem(self, [name, energy])
            item.setData(0, KEY, key)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setForeground(1, self._look.color("disabled" if pale else "text2"))
            item.setForeground(0, self._look.color("disabled" if pale else "text"))
            item.setToolTip(0, name)
        self.blockSignals(False)
        self.mark_shown()

    def forget(self) -> None:
        """Make the rows anew next time: their colours changed."""
        self._listed = []

    def mark_shown(self) -> None:
        self.blockSignals(True)
        keys = [key for key, *_ in self._listed]
        row = keys.index(self._playback.key) if self._playback.key in keys else -1
        self.setCurrentIndex(self.model().index(row, 0))  # no row: none is marked
        self.blockSignals(False)

    def _show(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self._playback.show(str(item.data(0, KEY)))


def _goes(card: TakeCard, limit: float | None, shot: str) -> bool:
    return limit is not None and card.energy > limit and not card.pinned and card.id != shot
