"""The worker: a process of its own that runs the compiled engine for the window (`python -m app.runs.child`).

Requests come on stdin, answers go to stdout (protocol.py); anything that prints goes to stderr instead. A thread reads,
the main thread works on one job at a time. When stdin closes, the window is gone: the process ends at once, in the
middle of a job too. Only one that writes a file of the artist's has a moment to take back what is half written.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import traceback
from collections.abc import Iterator
from typing import BinaryIO

from app.runs.parcels import Collector
from app.runs.protocol import Message, ProtocolError, Unpacker, pack
from engine.errors import ForegoneError
from engine.scene.spec import Scene

LAZY = "--lazy"  # load kernels as they are needed: another process has compiled them, and the first job waits less
NICENESS = 5  # the window goes first
COMPILE_LOOK = 0.25  # s between two looks at the compiler
READ_SIZE = 1 << 16
TIDYING = 0.3  # s that a job may take to tidy up when the window is gone
WRITES = ("export",)  # jobs that leave something where the artist sees it


class Inbox:
    """Requests as the reading thread gets them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._requests: queue.Queue[tuple[Message, Scene | None, str]] = queue.Queue()
        self._unwanted: set[int] = set()
        self._gone = False  # nobody asks any more
        self._tidy = threading.Event()  # nothing is half written
        self._tidy.set()
        self._collectors: dict[int, Collector] = {}

    def start(self) -> None:
        threading.Thread(target=self._read, name="inbox", daemon=True).start()

    def next(self) -> tuple[Message, Scene | None, str]:
        """A request, its scene, and why there is none."""
        return self._requests.get()

    def wanted(self, job: int) -> bool:
        return not self._gone and job not in self._unwanted

    @contextlib.contextmanager
    def writing(self, kind: str) -> Iterator[None]:
        """While a job of this kind is at work."""
        if kind in WRITES:
            self._tidy.clear()
        try:
            yield
        finally:
            self._tidy.set()

    def forget(self, job: int) -> None:
        self._unwanted.discard(job)

    def _read(self) -> None:
        unpacker = Unpacker()
        try:
            while data := os.read(self._stream.fileno(), READ_SIZE):
                for message in unpacker.feed(data):
                    self._take(message)
        except (OSError, ProtocolError, KeyError, TypeError):
            traceback.print_exc()
        finally:
            self._gone = True
            self._tidy.wait(TIDYING)
            os._exit(0)  # nobody is left to work for, whatever the main thread is doing

    def _take(self, message: Message) -> None:
        job = int(message["job"])
        if message.kind == "cancel":
            self._unwanted.add(job)
            self._collectors.pop(job, None)
        elif message.kind in ("bodies", "scene"):
            self._collectors.setdefault(job, Collector()).add(message)
        else:
            collector = self._collectors.pop(job, Collector())
            self._requests.put((message, collector.scene, collector.complaint))


class Outbox:
    """Answers; the job and the watcher of the compiler both write."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._lock = stream, threading.Lock()

    def send(self, message: Message) -> None:
        with self._lock:
            try:
                self._stream.write(pack(message))
                self._stream.flush()
            except OSError:
                os._exit(0)


def own_streams() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout for messages only: whoever prints in this process writes to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def prepare(outbox: Outbox) -> None:
    """Load the engine and use it once. The first time ever it is compiled, which takes minutes: tell how far it is."""
    from engine.commands.progress import compilations
    from engine.jit import prune_cache, registry

    finished = threading.Event()

    def watch() -> None:
        while not finished.wait(COMPILE_LOOK):
            if compilations():
                kernels = list(registry.values())
                done = sum(1 for kernel in kernels if kernel.signatures)
                outbox.send(Message("compiling", {"done": done, "total": len(kernels)}))

    watcher = threading.Thread(target=watch, name="compiler watch", daemon=True)
    watcher.start()
    try:
        from app.runs.jobs import warm_up

        warm_up()
    finally:
        finished.set()
        watcher.join()
    if compilations():
        prune_cache()
    outbox.send(Message("ready"))


def work(inbox: Inbox, outbox: Outbox) -> None:
    from app.runs.jobs import JOBS, Cancelled, Desk

    while True:
        message, scene, complaint = inbox.next()
        job = int(message["job"])
        desk = Desk(job, outbox.send, inbox.wanted)
        try:
            desk.check()
            if scene is None:
                desk.tell("failed", {"reason": complaint})
            else:
                with inbox.writing(message.kind):
                    JOBS[message.kind](scene, dict(message.values), desk)
        except Cancelled:
            desk.tell("cancelled", {})
        except ForegoneError as error:
            desk.tell("failed", {"reason": str(error)})
        except Exception as error:  # a fault of ours: the window tells it, the worker lives on
            traceback.print_exc()
            desk.tell("failed", {"reason": f"{type(error).__name__}: {error}", "fault": True})
        inbox.forget(job)


def main() -> None:
    requests, answers = own_streams()
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    inbox, outbox = Inbox(requests), Outbox(answers)
    inbox.start()
    if LAZY in sys.argv[1:]:
        outbox.send(Message("ready"))
    else:
        prepare(outbox)
    work(inbox, outbox)


if __name__ == "__main__":
    main()
