"""A worker of engine.Workers: `python -m engine.work.worker`, with errands on stdin and answers on stdout.

A thread reads, the main thread works. When stdin closes, nobody is left to work for: the process ends at once, in the
middle of an errand too.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
from typing import IO, Any

from engine.work.pipes import receive, send


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asked, who then ends this process
    errands, answers = _own_streams()
    waiting: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(errands, waiting), daemon=True).start()
    from engine.work.warm import prepare

    prepare()
    while True:
        _answer(answers, *_done(waiting.get()))


def _own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """stdin and stdout for errands only: whoever prints in this process writes to stderr."""
    answers, errands = os.fdopen(os.dup(1), "wb", 0), os.fdopen(os.dup(0), "rb", 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return errands, answers


def _read(errands: IO[bytes], waiting: queue.Queue[bytes]) -> None:
    try:
        while True:
            waiting.put(receive(errands))
    except (EOFError, OSError):
        os._exit(0)


def _done(parcel: bytes) -> tuple[bool, Any]:
    """Whether it went well, and what came of it."""
    try:
        function, args, kwargs = pickle.loads(parcel)
        return True, function(*args, **kwargs)
    except BaseException as error:  # told where the errand came from
        return False, error


def _answer(answers: IO[bytes], good: bool, what: Any) -> None:
    try:
        send(answers, (good, what))
    except OSError:
        os._exit(0)
    except Exception as error:  # what came of it cannot travel
        send(answers, (False, RuntimeError(f"{type(what).__name__} cannot be sent: {error}")))


if __name__ == "__main__":
    main()
