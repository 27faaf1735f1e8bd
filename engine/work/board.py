"""Board: a small file that every process of this machine sees. Takes write on it how far they are, and read whether
they are still wanted; so a running take can be stopped whatever executor runs it."""

from __future__ import annotations

import contextlib
import os
import platform
import tempfile
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.work.errand import NotWanted


class Board:
    """Cell 0: whether to stop; cell i + 1: the share of take i that is done."""

    def __init__(self, count: int) -> None:
        handle, self._path = tempfile.mkstemp(prefix="foregone-board-")
        os.truncate(handle, 8 * (count + 1))
        os.close(handle)
        self._cells = np.memmap(self._path, np.float64, "r+")

    def line(self, i: int) -> BoardLine:
        return BoardLine(self._path, i + 1, platform.node())

    def share(self, i: int) -> float:
        return float(self._cells[i + 1])

    def close(self) -> None:
        """Stop the takes that still run."""
        self._cells[0] = 1.0
        with contextlib.suppress(OSError):  # a system that keeps files somebody looks at
            os.unlink(self._path)


@dataclass(frozen=True)
class BoardLine:
    path: str
    cell: int
    host: str  # on another machine there is no board, and nobody is told

    @cached_property
    def _cells(self) -> np.ndarray | None:
        if platform.node() != self.host:
            return None
        try:
            return np.memmap(self.path, np.float64, "r+")
        except OSError:
            raise NotWanted from None

    def tell(self, share: float) -> None:
        cells = self._cells
        if cells is None:
            return
        if cells[0]:
            raise NotWanted
        cells[self.cell] = share
