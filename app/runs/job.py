"""Job: one errand under way, as signals in the window's thread. Processes are waited for by threads of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from engine.errors import ForegoneError
from engine.work import records
from engine.work.errand import Named
from engine.work.workers import Died, Workers

DOING = {
    records.SETTLE: "Settling",
    records.CHECK: "Checking",
    records.STACKING: "Looking at the stack",
    records.INSPECT: "Looking at the body",
    records.SURVEY: "Looking at the bodies",
    records.TAKE: "The take",
    records.CONTACT_STATES: "Measuring contacts",
    records.EXPORT: "The export",
    records.LOADS: "Trying forces",
    records.REACH: "Throwing",
    records.SNAP: "Looking for an ending",
}


class Job(QObject):
    """Exactly one of finished, failed and cancelled comes, then nothing more.

    Signals:
        began()                   a process begins with it
        progressed(share, text)   share from 0 to 1
        posed(poses)              {id: (position, orientation)} on the way, for a preview
        finished(result)          as engine.work.records says; what `read` makes of it
        failed(message)           in the artist's words
        cancelled()
        died()                    after `failed`: its process is gone
        over_with(job)            before the other ends: it is no longer under way
    """

    began = Signal()
    progressed = Signal(float, str)
    posed = Signal(object)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()
    died = Signal()
    over_with = Signal(object)
    _heard = Signal(object)

    def __init__(
        self, workers: Workers, errand: Named, *args: Any, read: Callable[[Any], Any] = lambda result: result
    ) -> None:
        super().__init__()  # kept by the errand while it runs, and by whoever asked
        self.over = False
        self._doing, self._read = DOING[errand], read
        self._heard.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._errand = workers.ask(self._heard.emit, errand, *args)
        self._errand.add_done_callback(lambda done: self._heard.emit(("done", done)))

    def cancel(self) -> None:
        """Nothing of it comes any more; the worker stops as soon as it hears of it."""
        if not self.over:
            self._errand.let_go()
            self._end()
            self.cancelled.emit()

    def lose(self) -> None:
        """The process that was to do it is gone."""
        if not self.over:
            self._errand.let_go()
            self._end()
            self.failed.emit(f"{self._doing} stopped unexpectedly. Your scene is safe.")

    def _take(self, told: tuple[Any, ...]) -> None:
        kind, *values = told
        if self.over:
            return
        if kind == "done":
            self._finish(*values)
        else:
            {"began": self.began, "progress": self.progressed, "posed": self.posed}[kind].emit(*values)

    def _finish(self, done: Future[Any]) -> None:
        error = done.exception() if not done.cancelled() else None
        if isinstance(error, Died):
            self.lose()
            self.died.emit()
            return
        self._end()
        if done.cancelled():
            self.cancelled.emit()
        elif error is None:
            self.finished.emit(self._read(done.result()))
        else:
            told = isinstance(error, ForegoneError)
            self.failed.emit(str(error) if told else f"{self._doing} did not work. Your scene is safe.")

    def _end(self) -> None:
        self.over = True
        self.over_with.emit(self)
