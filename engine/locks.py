"""Files that one process holds at a time, and that the system lets go when it dies, however it dies."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

AGAIN = 0.05  # s until one asks again

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30  # the byte that is locked lies beyond what is written

    def hold(stream: BinaryIO) -> bool:
        """False when another process holds this file; else it is held until the stream is closed."""
        stream.seek(FAR)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def hold(stream: BinaryIO) -> bool:
        """False when another process holds this file; else it is held until the stream is closed."""
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process is within such a block for this file. Where nothing can be written, go on."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("a+b")
    except OSError:
        yield
        return
    with stream:
        while not hold(stream):
            time.sleep(AGAIN)
        yield
