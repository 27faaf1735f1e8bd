"""FileWork: files are read and written beside the window, one at a time, so that it never waits for a disk.

Scenes are values: a thread can write one while the artist goes on with the next. Only the answer touches the document,
and it comes on the window's own thread.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

T = TypeVar("T")


class FileWork(QObject):
    """Signals:
    changed()      work has begun or ended: `words` tell which
    """

    changed = Signal()
    _ended = Signal()  # from the thread

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work: _Work | None = None
        self._waiting: dict[str, Callable[[], object]] = {}
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def words(self) -> str:
        """What is under way, for the artist: "Saving…"; "" when nothing is that anybody waits for."""
        return self._work.words if self._work is not None and not self._work.dropped else ""

    @property
    def busy(self) -> bool:
        return self._work is not None

    @property
    def writing(self) -> bool:
        return self._work is not None and not self._work.reading

    def read(self, words: str, work: Callable[[], T], done: Callable[[Future[T]], None]) -> None:
        """Do `work` on a thread, then `done` on this one; the future holds what it returned or raised. Reading that
        is still under way is dropped: who opens a second file wants that one."""
        self.drop_reading()
        self.when_free("read", lambda: self._start(_Work(words, True, work, done)))

    def write(self, words: str, work: Callable[[], T], done: Callable[[Future[T]], None]) -> None:
        """Like `read`, never dropped. Only while nothing is under way: wait with `when_free`."""
        self._start(_Work(words, False, work, done))

    def drop_reading(self) -> None:
        """Whatever is being read, nobody hears of it."""
        self._waiting.pop("read", None)
        if self._work is not None and self._work.reading:
            self._work.dropped = True
            self.changed.emit()

    def when_free(self, name: str, act: Callable[[], object]) -> None:
        """Do something at once, or when what is under way has ended. A later act of the same name takes its place."""
        self._waiting[name] = act
        self._go_on()

    def finish(self) -> None:
        """Wait until nothing is under way any more."""
        while self._work is not None:
            self._work.thread.join()
            self._deliver()

    def _start(self, work: _Work) -> None:
        assert self._work is None, "one piece of work at a time"
        self._work = work
        work.thread = Thread(target=self._run, args=(work,), name=work.words)
        work.thread.start()
        self.changed.emit()

    def _run(self, work: _Work) -> None:
        """On the thread."""
        try:
            work.answer.set_result(work.act())
        except BaseException as error:  # told where the answer is asked for
            work.answer.set_exception(error)
        self._ended.emit()

    def _deliver(self) -> None:
        """The answer of the thread. `finish` may have been faster than the signal, which then finds nothing to do."""
        work = self._work
        if work is None or not work.answer.done():
            return
        work.thread.join()
        self._work = None
        self.changed.emit()
        try:
            if not work.dropped:
                work.done(work.answer)
        finally:
            self._go_on()

    def _go_on(self) -> None:
        while self._work is None and self._waiting:
            self._waiting.pop(next(iter(self._waiting)))()


class _Work:
    thread: Thread

    def __init__(self, words: str, reading: bool, act: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self.words, self.reading, self.act, self.done, self.dropped = words, reading, act, done, False
        self.answer: Future[Any] = Future()
