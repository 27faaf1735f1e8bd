"""Worker: a process that does one thing after another for the window. When it dies, what it was doing fails, and the
next job starts a new one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from app.document.fixes import items_of
from app.runs.hands import Hands
from app.runs.job import Job
from engine.scene.reach_map import ReachMap
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene
from engine.work import records
from engine.work.errand import Named
from engine.work.parcel import Parcel


def parcel_of(scene: Scene) -> Parcel[Scene]:
    """What workers need of a scene."""
    scene.assign_ids()
    return Parcel(replace(scene, takes=[], shot=""))


class Worker(QObject):
    """Signals:
    ready()                  the engine is loaded; jobs asked for earlier wait for it
    compiling(done, total, seconds_left)   first start ever: kernels so far, of about how many
    lost(details)            the process died by itself
    changed()                `busy` changed
    """

    ready = Signal()
    compiling = Signal(int, int, float)
    lost = Signal(str)
    changed = Signal()
    _compiled = Signal(int, int, float)
    _warm = Signal(object)

    def __init__(self, parent: QObject | None = None, command: Sequence[str] | None = None, lazy: bool = False) -> None:
        """`command` replaces the process of its own; `lazy`: kernels are loaded as they are needed, which another
        process has compiled, and the first job waits less."""
        super().__init__(parent)
        self._lazy = lazy
        self.running = False  # is there a process, or will there be one?
        self.prepared = False  # is the engine loaded, and so compiled?
        self._jobs: set[Job] = set()
        self._sent: tuple[Scene, Parcel[Scene]] | None = None  # the scene of the last job
        later = Qt.ConnectionType.QueuedConnection  # these come from another thread
        self._compiled.connect(self.compiling, later)
        self._warm.connect(self._take_warm, later)
        self._hands = Hands(1, command, self._compiled.emit)

    @property
    def busy(self) -> bool:
        return bool(self._jobs)

    @property
    def process_id(self) -> int:
        """0 when there is none."""
        return next(iter(self._hands.process_ids), 0)

    @property
    def details(self) -> str:
        """What the process printed last."""
        return self._hands.details

    def start(self) -> None:
        """Start the process now, so that the first job need not wait for it."""
        if not self.running:
            self.running = True
            if not self._lazy:
                self._hands.workers.submit(records.WARM_UP).add_done_callback(self._warm.emit)

    def stop(self) -> None:
        """End the process; what it was doing is cancelled. It has a moment to go by itself."""
        self._end(self._hands.leave)

    def kill(self) -> None:
        """End the process at once, whatever it is doing; its jobs are cancelled."""
        self._end(self._hands.kill)

    def settle(self, scene: Scene, ids: Collection[str] | None = None) -> Job:
        """Let bodies come to rest (None: all that can move); the others are held."""
        return self._ask(scene, records.SETTLE, None if ids is None else list(ids))

    def check(self, scene: Scene) -> Job:
        """Everything wrong with a scene, as app.document.fixes.Item."""
        return self._ask(scene, records.CHECK, read=lambda checked: items_of(scene, checked))

    def stacking(self, scene: Scene) -> Job:
        """How the bodies hold each other, as engine.scene.seat.Stacking."""
        return self._ask(scene, records.STACKING)

    def statistics(self, scene: Scene, body: str, count: int, dt: float) -> Job:
        """Contact states of one body's drops before rest, and of as many backward runs, as ContactStates."""
        own = [each for each in scene.bodies if each.id == body]
        alone = replace(scene, bodies=own, hints=[], joints=[], groups=[], entrances=[])
        return self._ask(alone, records.CONTACT_STATES, body, count, dt)

    def inspect(self, scene: Scene, question: records.Question) -> Job:
        """What inspectors find out about a body, as engine.scene.inspection.Inspection; nothing while the scene has
        errors. Without a take everything is as in the scene, at rest."""
        return self._ask(scene, records.INSPECT, question)

    def survey(self, scene: Scene) -> Job:
        """Every body of an ending that does not stand, or is about to fall, as Inspection."""
        return self._ask(scene, records.SURVEY)

    def loads(self, scene: Scene, body: str) -> Job:
        """Which forces at its middle a body of the ending withstands, as engine.scene.load_map.LoadMap."""
        return self._ask(scene, records.LOADS, body)

    def reach(self, scene: Scene, body: str, throws: int, seed: int) -> Job:
        """Where so many throws of a body come to rest, as engine.scene.reach_map.ReachMap."""
        return self._ask(scene, records.REACH, body, throws, seed)

    def snap(self, scene: Scene, found: ReachMap) -> Job:
        """Where the map's body rests, as near as can be to where it is, among what throws reached; as Settled."""
        return self._ask(scene, records.SNAP, found)

    def take(self, scene: Scene, card: TakeCard, folder: str) -> Job:
        """Generate one take as its card asks; its motion is written into `folder`, the card filled in."""
        return self._ask(scene, records.TAKE, card, folder)

    def export(self, scene: Scene, order: records.ExportOrder) -> Job:
        """Write a take for another program; what was written is the result."""
        return self._ask(scene, records.EXPORT, order)

    def _ask(self, scene: Scene, errand: Named, *args: Any, **read: Callable[[Any], Any]) -> Job:
        self.start()
        if self._sent is None or self._sent[0] is not scene:
            self._sent = scene, parcel_of(scene)
        job = Job(self._hands.workers, errand, self._sent[1], *args, **read)
        job.over_with.connect(self._ended)
        job.died.connect(self._died)
        self._jobs.add(job)
        if len(self._jobs) == 1:
            self.changed.emit()
        return job

    def _ended(self, job: Job) -> None:
        self._jobs.discard(job)
        if not self._jobs:
            self.changed.emit()

    def _died(self) -> None:
        self.running = self.prepared = False
        self.lost.emit(self.details)

    def _take_warm(self, done: Any) -> None:
        if done.cancelled():
            return
        if done.exception() is not None:
            for job in list(self._jobs):  # they waited for it
                job.lose()
            self._died()
        else:
            self.prepared = True
            self.ready.emit()

    def _end(self, end: Callable[[], None]) -> None:
        for job in list(self._jobs):
            job.cancel()
        end()
        self.running = self.prepared = False
