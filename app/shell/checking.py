"""Checking: after every edit the worker looks for problems, and whoever shows them is told."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.document.fixes import SETTLE, Item, fixed, unstable
from app.panels.inspector import Inspector
from app.panels.outliner_panel import OutlinerPanel
from app.panels.problem_item import ProblemItem
from app.shell.asking import Asking
from app.shell.settle_commands import settle_bodies
from app.shell.studio import Studio
from engine.scene.inspection import Inspection
from engine.scene.spec import Scene

PAUSE = 300  # ms without an edit before the scene is checked


class Checking(Asking):
    """Waits for a pause in editing, then asks the worker; an answer about a scene of before is dropped."""

    def __init__(self, studio: Studio, inspector: Inspector, outliner: OutlinerPanel, parent: QObject) -> None:
        super().__init__(PAUSE, parent)
        self._studio, self._inspector, self._outliner = studio, inspector, outliner
        self._checked: Scene = studio.document.scene
        self._items: Sequence[Item] = ()
        studio.refreshed.connect(self._follow)

    def _follow(self) -> None:
        """Check what is new, once nothing else runs."""
        if self._studio.job is None and self._studio.document.scene is not self._checked:
            self._drop_job()
            self._pause.start()

    def _ask(self) -> None:
        if self._studio.job is not None:
            return  # its end is followed by another look
        scene = self._checked = self._studio.document.scene
        if not scene.bodies:
            self._show([])
            return
        self._inspector.problems.set_checking(True)
        self._run(self._studio.worker.check(scene), self._take, self._give_up)

    def _take(self, items: Sequence[Item]) -> None:
        """Whether bodies stand is asked once they are known to touch as they should."""
        self._job, self._items = None, items
        self._show(items)
        if not any(item.severity == "error" for item in items):
            self._run(self._studio.worker.survey(self._checked), self._add, self._give_up)

    def _add(self, found: Sequence[Inspection]) -> None:
        """Bodies that the list already speaks of are left out: what hangs in the air does not stand."""
        self._job = None
        known = {key for item in self._items for key in item.ids}
        self._show([*self._items, *(unstable(each) for each in found if each.ids[0] not in known)])

    def _give_up(self) -> None:
        """Not worth a message: the next edit asks again."""
        self._job = None
        self._inspector.problems.set_checking(False)

    def _show(self, items: Sequence[Item]) -> None:
        self._inspector.set_problems([self._shown(item) for item in items])
        self._outliner.model.set_problems({key: item.message for item in reversed(items) for key in item.ids[:1]})
        self._studio.view.marks.set_problems({key: item.code for item in reversed(items) for key in item.ids[:1]})

    def _shown(self, item: Item) -> ProblemItem:
        fix = (lambda: self._fix(item)) if item.fix else None
        return ProblemItem(item.severity, item.code, item.ids, item.message, item.fix, fix, item.advice)

    def _fix(self, item: Item) -> None:
        if item.fix == SETTLE:
            if self._studio.job is None:
                settle_bodies(self._studio, item.ids)
            return
        scene = fixed(self._studio.document.scene, item)
        if scene is None:
            self._studio.shell.say("This cannot be fixed any more: the scene has changed.")
        else:
            self._studio.document.edit(item.fix, scene)
