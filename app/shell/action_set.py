"""ActionSet: the table as QActions, kept in step with the state of the studio."""

from __future__ import annotations

from functools import cache
from textwrap import fill

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.look.icons import icon
from app.shell.action import Action
from app.shell.actions import ACTIONS
from app.shell.studio import Studio

LONGEST_LINE = 72  # letters of a tip; Qt would write it across the whole window


class ActionSet(QObject):
    """One QAction per row, added to the window so that its shortcuts work wherever the focus is."""

    def __init__(self, studio: Studio, window: QWidget) -> None:
        super().__init__(window)
        self._studio = studio
        self._says: dict[str, tuple[str, str, str]] = {}  # why it cannot run, its words, the preset of its keys
        self._actions: dict[str, QAction] = {}
        for entry in ACTIONS:
            self._actions[entry.id] = self._made(entry, window)
        self._recolor()
        self.refresh()
        studio.refreshed.connect(self.refresh)
        studio.look.changed.connect(self._recolor)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def refresh(self) -> None:
        """Bring texts, marks and what can run up to date. Most stays as it was: only what differs is told to Qt."""
        preset = str(self._studio.settings.get("view/keys"))
        for entry in ACTIONS:
            made = self._actions[entry.id]
            says = (entry.reason(self._studio), entry.words(self._studio), preset)
            if says != self._says.get(entry.id):
                self._says[entry.id] = says
                self._tell(made, entry, *says)
            if entry.checked is not None:
                made.setChecked(entry.checked(self._studio))

    def _tell(self, made: QAction, entry: Action, reason: str, words: str, preset: str) -> None:
        made.setEnabled(not reason)
        made.setText(entry.menu_words(words))
        made.setShortcuts([QKeySequence(key) for key in entry.shortcuts(preset)])
        made.setToolTip(tool_tip(words, entry, preset, reason))

    def run(self, key: str) -> None:
        """As if chosen from the menu; what cannot run says why."""
        if self._actions[key].isEnabled():
            self._actions[key].trigger()
        else:
            self.refuse(key)

    def refuse(self, key: str) -> None:
        """Say why it cannot run: nobody who presses something is left without an answer."""
        self._studio.shell.tell(self._says[key][0])

    def why_not(self, keys: QKeySequence) -> str:
        """What is to be said of keys that do nothing now: the action they are for, and why it cannot run."""
        for entry in ACTIONS:
            reason, words, _ = self._says[entry.id]
            if reason and keys in self._actions[entry.id].shortcuts():
                return f"{words.removesuffix('…')}: {reason}"
        return ""

    def _made(self, entry: Action, window: QWidget) -> QAction:
        made = QAction(entry.text, window)
        made.setObjectName(entry.id)
        made.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        made.setCheckable(entry.checked is not None)
        made.setMenuRole(QAction.MenuRole.NoRole)
        made.triggered.connect(lambda: self._run(entry))
        window.addAction(made)
        return made

    def _run(self, entry: Action) -> None:
        if not entry.reason(self._studio):
            entry.run(self._studio)
        self.refresh()  # a checkable action flips by itself; the state decides

    def _recolor(self) -> None:
        for entry in ACTIONS:
            if entry.icon:
                self._actions[entry.id].setIcon(icon(self._studio.look, entry.icon))


def tool_tip(words: str, entry: Action, preset: str, reason: str) -> str:
    """Name, keys, what it does, and why it cannot be done now."""
    keys = ", ".join(key_words(key) for key in entry.shortcuts(preset))
    keys = f"{entry.list_key} in the list" if entry.list_key else keys
    head = f"{words.removesuffix('…')} ({keys})" if keys else words.removesuffix("…")
    return "\n".join(line for line in (head, fill(entry.tip, LONGEST_LINE), reason) if line)


@cache
def key_words(key: str) -> str:
    """A key as the artist's system writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
