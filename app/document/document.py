"""Document: the scene under edit, its history and its file. The one thing all panels listen to."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from tempfile import gettempdir
from weakref import WeakMethod

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from app.document.difference import Difference, difference
from app.document.lost_takes import reclaim
from app.document.take_store import TakeStore
from engine.scene.file import save_scene
from engine.scene.spec import Scene

UNTITLED = "Untitled"
LOOK_EVERY = 64  # commands between looks for those that the history has deleted

_commands: dict[int, list[_Edit]] = {}
"""The commands of every history, for as long as it lives. A history owns its commands, in C++: if the garbage collector
found both at once and cleared the commands first, they would be deleted twice."""
_numbers = itertools.count()


@dataclass(frozen=True)
class Saving:
    """A save under way: the scene as it was when it began. Writing it needs no document, so a thread can do it."""

    scene: Scene
    target: Path
    source: Path  # the project whose takes come along
    takes: TakeStore  # also tells which of the documents that one Document shows in turn this is

    def write(self) -> None:
        """Raises engine.errors.ProjectError, and then the file is as it was."""
        keys = [card.id for card in self.scene.takes]
        members, without = self.takes.members(keys), self.takes.superfluous(keys)
        save_scene(self.scene, self.target, members, self.source, without)


class Document(QObject):
    """The scene is a value: read `scene`, never change what is in it; `edit` puts a new one in its place.

    While a gesture is under way, `preview` shows what it would do: panels and view read `shown`, commands start from
    `scene`.

    Signals:
        changed(Difference)   what is shown changed: by an edit, undo, redo, new, open or a preview
        replaced()            another document is shown now (after new and open, before `changed`)
        named()               path or dirty mark changed
    """

    changed = Signal(object)
    replaced = Signal()
    named = Signal()

    def __init__(self, parent: QObject | None = None, scratch: Path | None = None) -> None:
        """`scratch`: a folder for the motions of takes that are not saved yet."""
        super().__init__(parent)
        self._scene = Scene()
        self._scratch = scratch if scratch is not None else Path(gettempdir()) / "foregone"
        self._takes = TakeStore(self._scratch)
        self._preview: Scene | None = None
        self._path: Path | None = None
        self._rescued = False
        self._saved, self._saves = self._scene, 0
        self._compared: tuple[Scene, Scene, Difference] | None = None
        self.history = QUndoStack(self)
        number = next(_numbers)
        self._commands = _commands.setdefault(number, [])
        self.history.destroyed.connect(partial(_commands.pop, number, None))

    @property
    def scene(self) -> Scene:
        return self._scene

    @property
    def shown(self) -> Scene:
        """The scene, or the preview of what a gesture is about to make of it."""
        return self._preview if self._preview is not None else self._scene

    @property
    def takes(self) -> TakeStore:
        """The motions of its takes."""
        return self._takes

    @property
    def path(self) -> Path | None:
        return self._path

    @property
    def title(self) -> str:
        return self._path.stem if self._path is not None else UNTITLED

    @property
    def dirty(self) -> bool:
        """Is there work that saving would keep? Scenes are values, and undo brings back the very one of before."""
        return self._rescued or self._scene is not self._saved

    def edit(self, label: str, scene: Scene, gesture: str = "") -> bool:
        """One command to the history: the scene becomes `scene`. Edits that follow each other with the same gesture
        become one command, unless a save came between them. Returns False, and does nothing, when the scene stays as
        it is."""
        if scene is self._scene or not self._difference(self._scene, scene):
            self.preview(None)
            return False
        joined = f"{self._saves} {gesture}" if gesture else ""
        self._push(_Edit(label, self._scene, scene, joined, self._show))
        return True

    def _push(self, command: _Edit) -> None:
        self._commands.append(command)
        self.history.push(command)
        if len(self._commands) % LOOK_EVERY == 0:
            self._commands[:] = [kept for kept in self._commands if isValid(kept)]

    def preview(self, scene: Scene | None) -> None:
        """Show a scene without a command; None shows the document's own again."""
        before, self._preview = self.shown, scene
        if self.shown is not before:
            self.changed.emit(difference(before, self.shown))

    def new(self, scene: Scene | None = None) -> None:
        """Start over, with an empty scene or a copy of an example."""
        self._replace(scene if scene is not None else Scene(), None, rescued=False)

    def show_project(self, scene: Scene, path: str | PathLike[str]) -> None:
        """Open what was read from a file (reading.py)."""
        self._replace(scene, Path(fspath(path)), rescued=False)

    def recover(self, scene: Scene, path: Path | None) -> None:
        """Show rescued work; it counts as unsaved."""
        takes = TakeStore(self._scratch, path)
        if scene.takes:
            reclaim(self._scratch, scene.takes, takes.folder)
        self._replace(scene, path, rescued=True, takes=takes)

    def begin_save(self, target: Path) -> Saving:
        """What is to be written now; takes in the old file come along. Edits may come until `end_save`: they stay
        unsaved."""
        self._saves += 1
        return Saving(self._scene, target, self._path if self._path is not None else target, self._takes)

    def end_save(self, saving: Saving) -> None:
        """It is written. Nothing happens when another document is shown by now."""
        if saving.takes is self._takes:
            self._takes.moved(saving.target)
            self._path, self._rescued, self._saved = saving.target, False, saving.scene
            self.named.emit()

    def _replace(self, scene: Scene, path: Path | None, rescued: bool, takes: TakeStore | None = None) -> None:
        self.history.clear()
        before, self._scene, self._path, self._rescued = self.shown, scene, path, rescued
        self._saved, self._takes = scene, takes if takes is not None else TakeStore(self._scratch, path)
        self._preview = None
        self.replaced.emit()
        self.changed.emit(difference(before, scene))
        self.named.emit()

    def _show(self, scene: Scene) -> None:
        before, self._scene, self._preview = self.shown, scene, None
        found, self._compared = self._difference(before, scene), None
        self.changed.emit(found)
        self.named.emit()

    def _difference(self, before: Scene, after: Scene) -> Difference:
        """Kept until it is shown: an edit asks whether there is any, then shows it."""
        known = self._compared
        if known is None or known[0] is not before or known[1] is not after:
            known = self._compared = (before, after, difference(before, after))
        return known[2]


class _Edit(QUndoCommand):
    """From one scene to another and back. It knows its document only weakly, as it outlives it (see _commands)."""

    def __init__(self, label: str, before: Scene, after: Scene, gesture: str, show: Callable[[Scene], None]) -> None:
        super().__init__(label)
        self.before, self.after, self.gesture, self._show = before, after, gesture, WeakMethod(show)

    def redo(self) -> None:
        self._put(self.after)

    def undo(self) -> None:
        self._put(self.before)

    def _put(self, scene: Scene) -> None:
        if (show := self._show()) is not None:
            show(scene)

    def id(self) -> int:
        return 1 if self.gesture else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or other.gesture != self.gesture:
            return False
        self.after = other.after
        if not difference(self.before, self.after):
            self.setObsolete(True)
            self._put(self.before)  # equal is not enough: the dirty mark asks for the very scene
        return True
