"""Menus from the table of actions, and the list of recent files."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from app.shell.action_set import ActionSet
from app.shell.actions import ACTIONS, MENUS
from app.shell.file_commands import RECENT_MENU, open_path, recent
from app.shell.studio import Studio

VIEW_MENU = (
    "edit.duplicate", "edit.delete", "", "body.drop", "body.to_ground", "body.settle", "", "body.group", "body.ungroup",
    "body.hide", "body.isolate", "body.show_all", "body.lock", "body.unlock", "", "view.frame", "view.frame_all",
)  # fmt: skip
"""What a right click on the picture offers; "" is a separator."""

CARD_MENU = (
    "takes.use", "takes.pin", "takes.reject", "", "takes.compare", "takes.rename", "takes.note", "", "file.export",
    "takes.again", "takes.discard_shown",
)  # fmt: skip
"""What a right click on a take offers."""


class Menus:
    """Fills a menu bar; `menus` holds every menu by its path ("View/Colour by")."""

    def __init__(self, bar: QMenuBar, actions: ActionSet, studio: Studio) -> None:
        self._studio = studio
        self.menus: dict[str, QMenu] = {}
        for name in MENUS:
            self.menus[name] = bar.addMenu(name)
        for entry in ACTIONS:
            inside = entry.menu in self.menus and not self.menus[entry.menu].isEmpty()
            menu = self._menu(entry.menu, line=entry.line)
            if entry.line and inside:
                menu.addSeparator()
            menu.addAction(actions[entry.id])
        self.view_menu, self.card_menu = QMenu(bar), QMenu(bar)
        for menu, keys in ((self.view_menu, VIEW_MENU), (self.card_menu, CARD_MENU)):
            for key in keys:
                if key:
                    menu.addAction(actions[key])
                else:
                    menu.addSeparator()
        self.add_menu: QMenu = QMenu("Add", bar)  # at the mouse, where there is no need to ask for it again
        self.add_menu.addActions([made for made in self.menus["Add"].actions() if made is not actions["add.menu"]])
        self.view_menu.insertMenu(actions["edit.duplicate"], self.add_menu)
        self._recent_rows: list[QAction] = []
        self.menus[RECENT_MENU].aboutToShow.connect(self._list_recent)

    def _menu(self, path: str, line: bool) -> QMenu:
        """The menu at a path; a submenu is made where its first action stands."""
        if path not in self.menus:
            above, _, name = path.rpartition("/")
            parent = self._menu(above, line=False)
            if line and path != RECENT_MENU and not parent.isEmpty():
                parent.addSeparator()
            self.menus[path] = parent.addMenu(name)
            self.menus[path].setToolTipsVisible(True)  # choices are told apart by what they mean
        return self.menus[path]

    def _list_recent(self) -> None:
        menu = self.menus[RECENT_MENU]
        for row in self._recent_rows:
            menu.removeAction(row)
            row.deleteLater()
        first = menu.actions()[0]  # "Clear list" is always there
        self._recent_rows = []
        for path in recent(self._studio):
            row = QAction(path.stem, menu)
            row.setToolTip(str(path))
            row.triggered.connect(lambda _=False, path=path: open_path(self._studio, path))
            menu.insertAction(first, row)
            self._recent_rows.append(row)
