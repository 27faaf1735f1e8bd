"""SessionLock: a file that is held while a program lives, and let go by the system when it dies, however it dies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from engine.locks import hold

NAME = "lock"


class SessionLock:
    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._stream: BinaryIO | None = None

    def acquire(self) -> bool:
        """False when another program holds it."""
        stream = self._path.open("a+b")
        if not hold(stream):
            stream.close()
            return False
        stream.truncate(0)
        stream.write(str(os.getpid()).encode())
        stream.flush()
        self._stream = stream
        return True

    def release(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def is_abandoned(folder: Path) -> bool:
    """Does the program that made a folder live no more?"""
    lock = SessionLock(folder)
    try:
        free = lock.acquire()
    except OSError:
        return False
    lock.release()
    return free
