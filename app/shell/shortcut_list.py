"""ShortcutList: every key, by menu, with a filter."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from app.kit.layouts import column
from app.look.fonts import font
from app.shell.action_set import key_words
from app.shell.actions import ACTIONS, MENUS
from app.shell.studio import Studio


def shortcut_table(preset: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """[(menu, [(keys, words)])]; what has no key is left out."""
    table = []
    for menu in MENUS:
        rows = [
            (", ".join(key_words(key) for key in entry.shortcuts(preset)), entry.text.removesuffix("…"))
            for entry in ACTIONS
            if entry.menu.split("/")[0] == menu and entry.shortcuts(preset)
        ]
        if rows:
            table.append((menu, rows))
    return table


class ShortcutList(QDialog):
    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keyboard shortcuts")
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText("Filter by name or key")
        self.filter.setAccessibleName("Filter by name or key")
        self.filter.setClearButtonEnabled(True)
        self.tree = QTreeWidget(self)
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(12)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(False)
        for menu, rows in shortcut_table(str(studio.settings.get("view/keys"))):
            head = QTreeWidgetItem(self.tree, [menu, ""])
            head.setFont(0, font("body_strong"))
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for keys, words in rows:
                QTreeWidgetItem(head, [words, keys]).setForeground(1, studio.look.color("text2"))
        self.tree.expandAll()
        column(self.filter, self.tree, of=self, edge=(16, 16, 16, 16))
        self.filter.textChanged.connect(self._filter)
        self.resize(460, 560)

    def _filter(self, text: str) -> None:
        wanted = text.lower()
        for number in range(self.tree.topLevelItemCount()):
            head = self.tree.topLevelItem(number)
            assert head is not None
            shown = 0
            for child in filter(None, (head.child(place) for place in range(head.childCount()))):
                fits = wanted in child.text(0).lower() or wanted in child.text(1).lower()
                child.setHidden(not fits)
                shown += fits
            head.setHidden(not shown)
