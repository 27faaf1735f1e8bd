"""Spool: a list of blocks that keeps to a limit of memory. Beyond it, blocks wait in a temporary file."""

from __future__ import annotations

import tempfile
import threading
import weakref
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from engine.tape.block import Block

MEMORY_LIMIT = 96 << 20  # bytes of blocks kept in memory


class Spool:
    """Append blocks, read them in any order. Blocks are never changed."""

    def __init__(self, limit: int = MEMORY_LIMIT) -> None:
        self._limit = limit
        self._kept: list[Block | tuple[int, int, int, list[str]]] = []  # a block, or where it is in the file
        self._in_memory = 0
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()
        self.nbytes = 0  # of all blocks

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Block]:
        return (self[i] for i in range(len(self)))

    def append(self, block: Block) -> None:
        self.nbytes += block.nbytes
        if self._in_memory + block.nbytes <= self._limit:
            self._in_memory += block.nbytes
            self._kept.append(block)
            return
        with self._lock:
            stream = self._stream()
            stream.seek(0, 2)
            place = stream.tell()
            for array in block.arrays.values():
                np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
        self._kept.append((place, block.steps, block.bodies, list(block.arrays)))

    def reverse(self) -> None:
        self._kept.reverse()

    def __getitem__(self, i: int) -> Block:
        kept = self._kept[i]
        if isinstance(kept, Block):
            return kept
        place, steps, bodies, names = kept
        with self._lock:
            stream = self._stream()
            stream.seek(place)
            arrays = {name: np.lib.format.read_array(stream, allow_pickle=False) for name in names}
        return Block(steps, bodies, arrays)

    def _stream(self) -> IO[bytes]:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="foregone-")
            weakref.finalize(self, self._file.close)
        return self._file

    def __getstate__(self) -> dict[str, Any]:
        """Between processes blocks travel themselves: a temporary file does not."""
        return {"_limit": self._limit, "blocks": list(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["_limit"])  # type: ignore[misc]
        for block in state["blocks"]:
            self.append(block)
