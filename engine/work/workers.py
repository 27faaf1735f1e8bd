"""Workers: an executor of warm processes. A running errand can be cancelled, and a process that dies costs one errand,
which is done again.

One thread looks after each process: it hands over an errand and waits for the answer. It waits on a pipe that the death
of the process closes, so whoever ends the process frees the thread: nothing here waits for something that cannot come.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from types import TracebackType
from typing import IO, Any

from engine.errors import ForegoneError
from engine.work.interrupts import uninterrupted
from engine.work.pipes import COMPILING, DONE, TOLD, Frame, ProtocolError
from engine.work.process import COMMAND, LAST_WORDS, Process

MOST_DEATHS = 3  # of processes over one errand, before it is given up

Told = Callable[[tuple[Any, ...]], None]
"""Hears what an errand says on its way, as (kind, ...), first of all ("began",). Called in another thread."""


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Died(ForegoneError):
    """Processes died over an errand, or could not be started."""


class Errand(Future[Any]):
    """A future that can be cancelled while it runs, too: its process ends."""

    numbers = itertools.count(1)

    def __init__(self, call: tuple[Any, ...], told: Told | None = None) -> None:
        super().__init__()
        self.number = next(Errand.numbers)
        self.call = (*call, told is not None)
        self.tell: Told = told or (lambda what: None)
        self.deaths = 0
        self.killed = False
        self.process: Process | None = None
        self._lock = threading.Lock()

    def cancel(self) -> bool:
        cancelled = super().cancel()
        with self._lock:
            if cancelled and self.process is not None:
                self.killed = True
                self.process.kill()
        return cancelled

    def let_go(self) -> bool:
        """Cancel it, but leave it to the process to stop when it hears of it: it stays for the next errand."""
        cancelled = super().cancel()
        with self._lock:
            if cancelled and self.process is not None:
                self.process.cancel(self.number)
        return cancelled

    def running(self) -> bool:
        return self.process is not None and not self.done()

    def begin(self, process: Process) -> bool:
        """False when it was cancelled before."""
        with self._lock:
            if not self.cancelled():
                self.process = process
        return self.process is not None

    def end(self) -> None:
        """The process is no longer ours."""
        with self._lock:
            self.process = None

    def answer(self, good: bool, what: Any) -> None:
        if self.set_running_or_notify_cancel():
            if good:
                self.set_result(what)
            else:
                self.set_exception(what)


class Workers(Executor):
    """`with Workers(2) as workers: sample(scene, executor=workers)`. Functions are looked up by name in the processes,
    so they stand in a module that can be imported; what is common to many errands is sent once (parcel.py). Leaving the
    block by an error (Ctrl-C) ends everything at once."""

    def __init__(
        self,
        count: int | None = None,
        deaths: int = MOST_DEATHS,
        command: Sequence[str] = COMMAND,
        output: IO[bytes] | None = None,
        compiling: Callable[[int, int, float], None] = lambda done, total, seconds_left: None,
    ) -> None:
        """`count` None: one process per core. They start with the first errands. `deaths`: over one errand, before it
        is given up. `output` gets what they print, `compiling` hears of kernels."""
        if count is not None and count < 1:
            raise ValueError(f"count must be at least 1, not {count!r}")
        self.count = count or cores()
        self.redone = 0  # errands whose process had died
        self._deaths, self._command, self._output, self._compiling = deaths, command, output, compiling
        self._waiting: deque[Errand] = deque()
        self._running: set[Errand] = set()
        self._processes: set[Process] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._keepers: list[threading.Thread] = []

    @property
    def process_ids(self) -> list[int]:
        """Of the processes that are there."""
        with self._changed:
            return sorted(process.id for process in self._processes if process.alive)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._send(Errand((function, args, kwargs)))

    def ask(self, told: Told, function: Callable[..., Any], /, *args: Any) -> Errand:
        """The same for an errand that says how far it is: it gets an engine.work.errand.Desk behind `args`."""
        return self._send(Errand((function, args, {}), told))

    def _send(self, errand: Errand) -> Errand:
        with uninterrupted(), self._changed:
            if self._closed:
                raise RuntimeError("these workers have gone home")
            self._waiting.append(errand)
            self._changed.notify()
            if len(self._keepers) < min(self.count, len(self._waiting) + len(self._running)):
                keeper = threading.Thread(target=self._keep, name="foregone worker", daemon=True)
                self._keepers.append(keeper)
                keeper.start()
        return errand

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """`cancel_futures` ends those that run, too."""
        with uninterrupted():
            unfinished = self._close()
            if cancel_futures:
                for errand in unfinished:
                    errand.cancel()
        if wait:
            for keeper in self._keepers:
                keeper.join(LAST_WORDS if cancel_futures else None)

    def leave(self) -> None:
        """Cancel everything; what runs has a moment to take back what is half written."""
        for errand in self._close():
            errand.let_go()
        with self._changed:
            processes = list(self._processes)
        for process in processes:
            process.leave()
        for keeper in self._keepers:
            keeper.join(LAST_WORDS)
        for process in processes:
            process.kill()  # what is not gone by now
        for keeper in self._keepers:
            keeper.join(LAST_WORDS)

    def _close(self) -> list[Errand]:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            return [*self._waiting, *self._running]

    def cancel_all(self) -> None:
        """End all processes and forget what waits, now; new errands start new ones."""
        with self._changed:
            processes, unfinished = list(self._processes), [*self._waiting, *self._running]
            for errand in unfinished:
                errand.cancel()
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting and not self._running, LAST_WORDS)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=True, cancel_futures=kind is not None)

    def _keep(self) -> None:
        """The life of a keeper: errand after errand, on one process until that dies."""
        process: Process | None = None
        while (errand := self._next()) is not None:
            if process is not None and not process.alive:
                self._end(process)
                process = None
            lived, again = True, False
            if errand.cancelled():
                errand.set_running_or_notify_cancel()
            else:
                try:
                    process = process or self._start()
                    lived, again = self._do(errand, process)
                except OSError as error:
                    errand.answer(False, Died(f"a worker process cannot be started: {error}"))
            if process is not None and not lived:
                self._end(process)
                process = None
            with self._changed:
                self._running.discard(errand)
                if again:
                    self.redone += 1
                    self._waiting.appendleft(errand)
                self._changed.notify_all()
        if process is not None:
            self._end(process)

    def _start(self) -> Process:
        process = Process(self._command, self._output)
        with self._changed:
            self._processes.add(process)
        return process

    def _end(self, process: Process) -> None:
        process.end()
        with self._changed:
            self._processes.discard(process)

    def _next(self) -> Errand | None:
        """None when all is done and no more will come."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            if not self._waiting:
                return None
            errand = self._waiting.popleft()
            self._running.add(errand)
            return errand

    def _do(self, errand: Errand, process: Process) -> tuple[bool, bool]:
        """Whether the process lives on, and whether the errand is to be done again."""
        if not errand.begin(process):
            errand.set_running_or_notify_cancel()
            return True, False
        try:
            errand.tell(("began",))
            process.ask(errand.number, errand.call)
            answer = self._heard(errand, process)
        except (OSError, EOFError, ProtocolError):
            errand.end()
            return False, self._died(errand, process)
        except Exception as error:  # the errand cannot be pickled
            errand.end()
            errand.answer(False, error)
            return True, False
        errand.end()
        try:
            errand.answer(answer.kind == DONE, answer.content())
        except Exception as error:  # nor what came of it be read
            errand.answer(False, error)
        return not errand.killed, False

    def _heard(self, errand: Errand, process: Process) -> Frame:
        """Its answer, after all that it says on its way."""
        while True:
            frame = process.answer()
            if frame.kind == COMPILING:
                self._compiling(*frame.content())
            elif frame.number != errand.number:
                continue  # of one that nobody heard to its end
            elif frame.kind == TOLD:
                errand.tell(frame.content())
            else:
                return frame

    def _died(self, errand: Errand, process: Process) -> bool:
        """Whether an errand over which its process died is to be done again."""
        errand.deaths += 1
        if errand.cancelled():
            errand.set_running_or_notify_cancel()
            return False
        if errand.deaths < self._deaths:
            return True
        process.kill()
        died = f"{errand.deaths} worker processes died over it, the last with exit code {process.end()}"
        errand.answer(False, Died(died))
        return False
