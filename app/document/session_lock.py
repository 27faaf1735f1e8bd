"""SessionLock: a file that is held while a program lives, and let go by the system when it dies, however it dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO

NAME = "lock"


class SessionLock:
    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._stream: BinaryIO | None = None

    def acquire(self) -> bool:
        """False when another program holds it."""
        stream = self._path.open("a+b")
        if not _hold(stream):
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


if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30  # the byte that is locked lies beyond what is written

    def _hold(stream: BinaryIO) -> bool:
        stream.seek(FAR)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _hold(stream: BinaryIO) -> bool:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
