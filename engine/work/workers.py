"""Workers: an executor of warm processes. A running errand can be cancelled, and a process that dies costs one errand,
which is done again.

One thread looks after each process: it hands over an errand and waits for the answer. It waits on a pipe that the death
of the process closes, so whoever ends the process frees the thread: nothing here waits for something that cannot come.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from types import TracebackType
from typing import Any

from engine.errors import ForegoneError
from engine.work.interrupts import uninterrupted
from engine.work.pipes import receive, send

ONE_THREAD = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMBA_NUM_THREADS",
    )
}  # fmt: skip
"""Cores are used by processes; threads of linear algebra would only get in their way."""

MOST_DEATHS = 3  # of processes over one errand, before it is given up
LAST_WORDS = 1.0  # s that a process has to end by itself when its pipe is closed


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Errand(Future[Any]):
    """A future that can be cancelled while it runs, too: its process ends."""

    def __init__(self, parcel: tuple[Any, ...]) -> None:
        super().__init__()
        self.parcel = parcel
        self.deaths = 0
        self.process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def cancel(self) -> bool:
        cancelled = super().cancel()
        with self._lock:
            if cancelled and self.process is not None:
                self.process.kill()
        return cancelled

    def running(self) -> bool:
        return self.process is not None and not self.done()

    def begin(self, process: subprocess.Popen[bytes]) -> bool:
        """False when it was cancelled before."""
        with self._lock:
            if not self.cancelled():
                self.process = process
        return self.process is not None

    def end(self) -> None:
        """The process is no longer ours."""
        with self._lock:
            self.process = None


class Workers(Executor):
    """`with Workers(2) as workers: sample(scene, executor=workers)`. Functions are looked up by name in the processes,
    so they stand in a module that can be imported. Leaving the block by an error (Ctrl-C) ends everything at once."""

    def __init__(self, count: int | None = None) -> None:
        """`count` None: one process per core. They start with the first errands."""
        if count is not None and count < 1:
            raise ValueError(f"count must be at least 1, not {count!r}")
        self.count = count or cores()
        self.redone = 0  # errands whose process had died
        self._waiting: deque[Errand] = deque()
        self._running: set[Errand] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._keepers: list[threading.Thread] = []

    @property
    def process_ids(self) -> list[int]:
        """Of the processes that are at work."""
        with self._changed:
            return sorted(process.pid for errand in self._running if (process := errand.process) is not None)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        errand = Errand((function, args, kwargs))
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
            with self._changed:
                self._closed = True
                unfinished = [*self._waiting, *self._running]
                self._changed.notify_all()
            if cancel_futures:
                for errand in unfinished:
                    errand.cancel()
        if wait:
            for keeper in self._keepers:
                keeper.join(LAST_WORDS if cancel_futures else None)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=True, cancel_futures=kind is not None)

    def _keep(self) -> None:
        """The life of a keeper: errand after errand, on one process until that dies."""
        process: subprocess.Popen[bytes] | None = None
        while (errand := self._next()) is not None:
            lived = again = False
            if errand.cancelled():
                lived = not errand.set_running_or_notify_cancel()
            else:
                try:
                    process = process or _start()
                    lived, again = self._do(errand, process)
                except OSError as error:  # it cannot be started
                    _settle(errand, False, error)
            if process is not None and not lived:
                _end(process)
                process = None
            with self._changed:
                self._running.discard(errand)
                if again:
                    self.redone += 1
                    self._waiting.appendleft(errand)
        if process is not None:
            _end(process)

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

    def _do(self, errand: Errand, process: subprocess.Popen[bytes]) -> tuple[bool, bool]:
        """Whether the process lives on, and whether the errand is to be done again."""
        assert process.stdin is not None and process.stdout is not None
        if not errand.begin(process):
            errand.set_running_or_notify_cancel()
            return True, False
        try:
            send(process.stdin, errand.parcel)
            answer = receive(process.stdout)
        except (OSError, EOFError):
            errand.end()
            return False, _died(errand, process)
        except Exception as error:  # the errand cannot be pickled
            errand.end()
            _settle(errand, False, error)
            return True, False
        errand.end()
        try:
            _settle(errand, *pickle.loads(answer))
        except Exception as error:  # nor what came of it be read
            _settle(errand, False, error)
        return not errand.cancelled(), False


def _died(errand: Errand, process: subprocess.Popen[bytes]) -> bool:
    """Whether an errand over which its process died is to be done again."""
    errand.deaths += 1
    if errand.cancelled():
        errand.set_running_or_notify_cancel()
        return False
    if errand.deaths < MOST_DEATHS:
        return True
    process.kill()
    words = f"{MOST_DEATHS} worker processes died over it, the last with exit code {process.wait()}"
    _settle(errand, False, ForegoneError(words))
    return False


def _settle(errand: Errand, good: bool, what: Any) -> None:
    if errand.set_running_or_notify_cancel():
        if good:
            errand.set_result(what)
        else:
            errand.set_exception(what)


def _start() -> subprocess.Popen[bytes]:
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    return subprocess.Popen(
        [sys.executable, "-m", "engine.work.worker"],
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """Close its pipe, which ends it; insist if it does not."""
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # what was left in the buffer has nobody to go to
            if stream is not None:
                stream.close()
    try:
        process.wait(LAST_WORDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
