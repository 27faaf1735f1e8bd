"""A worker: `python -m engine.work.child`, with errands on stdin and answers on stdout (pipes.py). Whoever prints in it
writes to stderr.

A thread reads, the main thread does one errand after another. When stdin closes, nobody is left to work for: an errand
under way has a moment to take back what is half written, then the process ends wherever it is.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from typing import IO, Any

from engine.errors import ForegoneError
from engine.work.errand import Desk, NotWanted
from engine.work.parcel import Parcel
from engine.work.pipes import (
    CANCEL,
    COMPILING,
    DONE,
    FAILED,
    KEEP,
    TOLD,
    Frame,
    ProtocolError,
    Shelf,
    packed,
    receive,
    send,
    with_parcels,
)  # fmt: skip
from engine.work.process import BEHIND

NICENESS = 5
COMPILE_LOOK = 0.25  # s between two looks at the compiler
TIDYING = 0.3  # s to tidy up when nobody is there any more


class Inbox:
    """Frames as the reading thread gets them."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._frames: queue.Queue[Frame] = queue.Queue()
        self._unwanted: set[int] = set()
        self._gone = False  # nobody asks any more
        self._idle = threading.Event()
        self._idle.set()

    def start(self) -> None:
        threading.Thread(target=self._read, name="inbox", daemon=True).start()

    def next(self) -> Frame:
        return self._frames.get()

    def wanted(self, number: int) -> bool:
        return not self._gone and number not in self._unwanted

    @contextlib.contextmanager
    def at_work(self, number: int) -> Iterator[None]:
        self._idle.clear()
        try:
            yield
        finally:
            self._unwanted.discard(number)
            self._idle.set()

    def _read(self) -> None:
        try:
            while True:
                frame = receive(self._stream)
                if frame.kind == CANCEL:
                    self._unwanted.add(frame.number)
                else:
                    self._frames.put(frame)
        except (EOFError, OSError, ProtocolError):
            self._gone = True
            self._idle.wait(TIDYING)
            os._exit(0)  # whatever the main thread is doing


class Outbox:
    """Answers; the errand and the watcher of the compiler both write."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._lock = stream, threading.Lock()

    def send(self, kind: bytes, number: int, what: Any) -> None:
        """Raises what pickle raises for something that cannot travel."""
        body = packed(what)
        with self._lock:
            try:
                send(self._stream, kind, number, body)
            except OSError:
                os._exit(0)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asked, who then ends this process
    if BEHIND in sys.argv[1:] and hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICENESS)
    errands, answers = _own_streams()
    inbox, outbox = Inbox(errands), Outbox(answers)
    inbox.start()
    _prepare(outbox)
    shelf: Shelf[Parcel[Any]] = Shelf()
    while True:
        frame = inbox.next()
        if frame.kind == KEEP:
            parcel = Parcel.packed(frame.body)
            shelf.put(parcel.key, parcel)
        else:
            with inbox.at_work(frame.number):
                _do(frame, shelf, inbox, outbox)


def _own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """stdin and stdout for frames only."""
    answers, errands = os.fdopen(os.dup(1), "wb", 0), os.fdopen(os.dup(0), "rb", 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return errands, answers


def _prepare(outbox: Outbox) -> None:
    """Have the kernels in the cache. The first time ever they are compiled, which takes minutes: tell how far it is."""
    from engine.work.compiling import OF_THE_STUDIO, Compiling
    from engine.work.prepare import prepare

    finished, compiling = threading.Event(), Compiling(OF_THE_STUDIO)

    def watch() -> None:
        while not finished.wait(COMPILE_LOOK):
            standing = compiling.look()
            if standing is not None:
                outbox.send(COMPILING, 0, tuple(standing))

    watcher = threading.Thread(target=watch, name="compiler watch", daemon=True)
    watcher.start()
    try:
        prepare()
    finally:
        finished.set()
        watcher.join()


def _do(frame: Frame, shelf: Shelf[Parcel[Any]], inbox: Inbox, outbox: Outbox) -> None:
    number, heard = frame.number, False
    try:
        function, args, kwargs, heard = with_parcels(frame.body, shelf)
        if heard:
            desk = Desk(lambda what: outbox.send(TOLD, number, what), lambda: inbox.wanted(number))
            desk.check()
            args = (*args, desk)
        made = function(*args, **kwargs)
    except BaseException as error:  # told where the errand came from
        if heard and not isinstance(error, (ForegoneError, NotWanted)):
            traceback.print_exc()  # a fault of ours: whoever hears it has words of its own for it
        _answer(outbox, FAILED, number, error)
    else:
        _answer(outbox, DONE, number, made)


def _answer(outbox: Outbox, kind: bytes, number: int, what: Any) -> None:
    try:
        outbox.send(kind, number, what)
    except Exception as error:  # it cannot travel
        outbox.send(FAILED, number, RuntimeError(f"{type(what).__name__} cannot be sent: {error}"))


if __name__ == "__main__":
    main()
