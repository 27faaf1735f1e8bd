"""A worker process, as whoever gives it errands sees it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO, Any

from engine.work.pipes import CANCEL, DO, KEEP, Frame, Shelf, naming_parcels, receive, send

ONE_THREAD = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMBA_NUM_THREADS",
    )
}  # fmt: skip
"""Cores are used by processes; threads of linear algebra would only get in their way."""

COMMAND = (sys.executable, "-m", "engine.work.child")
BEHIND = "--behind"  # of the command: a window goes first
LAST_WORDS = 1.0  # s that a process has to end by itself when its pipe is closed


class Process:
    def __init__(self, command: Sequence[str] = COMMAND, output: IO[bytes] | None = None) -> None:
        """`output` gets what it prints. Raises OSError when it cannot be started."""
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **ONE_THREAD, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            bufsize=0,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._errands, self._answers = self._process.stdin, self._process.stdout
        self._there: Shelf[None] = Shelf()  # parcels that it has
        self._lock = threading.Lock()  # frames are written whole

    @property
    def id(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, number: int, call: tuple[Any, ...]) -> None:
        """Send an errand, and before it the parcels it names that are not there yet. Raises OSError when the process is
        gone, and whatever pickle raises before anything was sent."""
        body, parcels = naming_parcels(call)
        with self._lock:
            for parcel in parcels:
                if parcel.key not in self._there:
                    send(self._errands, KEEP, number, parcel.data)
                    self._there.put(parcel.key, None)
            send(self._errands, DO, number, body)

    def cancel(self, number: int) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):  # it is gone already
            send(self._errands, CANCEL, number, b"")

    def answer(self) -> Frame:
        """The next one; raises EOFError, OSError or ProtocolError."""
        return receive(self._answers)

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> None:
        """Until it has ended, but not for ever."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_WORDS)

    def leave(self) -> None:
        """Nobody works here any more: it ends by itself, after a moment to tidy up."""
        with self._lock, contextlib.suppress(OSError):
            self._errands.close()

    def end(self) -> int:
        """Wait until it has ended, and insist if it does not; its exit code."""
        self.leave()
        self.wait()
        self._process.kill()  # which does nothing to one that has ended
        with contextlib.suppress(OSError):
            self._answers.close()
        return self._process.wait()
