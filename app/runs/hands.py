"""Hands: the processes that work for the window, and what they print. They start with the first errand, and again with
the next one after they were ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from tempfile import TemporaryFile
from typing import IO

from engine.work.process import BEHIND, COMMAND
from engine.work.workers import Workers

KEPT_OUTPUT = 8192  # bytes of what they printed, for Details


class Hands:
    def __init__(
        self,
        count: int | None = None,
        command: Sequence[str] | None = None,
        compiling: Callable[[int, int, float], None] = lambda done, total, seconds_left: None,
    ) -> None:
        """`count` None: one per core. `command` replaces the process of its own. `compiling` hears of kernels, in
        another thread."""
        self._count, self._command, self._compiling = count, command or (*COMMAND, BEHIND), compiling
        self._workers: Workers | None = None
        self._output: IO[bytes] | None = None
        self._last_words = ""

    @property
    def workers(self) -> Workers:
        if self._workers is None:
            self._output = TemporaryFile()
            self._workers = Workers(self._count, 1, self._command, self._output, self._compiling)
        return self._workers

    @property
    def process_ids(self) -> list[int]:
        return self._workers.process_ids if self._workers is not None else []

    @property
    def details(self) -> str:
        """What the processes printed last."""
        if self._output is None:
            return self._last_words
        size = self._output.seek(0, 2)
        self._output.seek(max(0, size - KEPT_OUTPUT))
        return self._output.read().decode("utf-8", "replace")

    def leave(self) -> None:
        """End them; what is half written is taken back."""
        self._let_go(lambda workers: workers.leave())

    def kill(self) -> None:
        """End them at once, whatever they are doing."""
        self._let_go(lambda workers: workers.shutdown(cancel_futures=True))

    def _let_go(self, end: Callable[[Workers], None]) -> None:
        workers, self._workers = self._workers, None
        if workers is not None:
            end(workers)
        if self._output is not None:
            self._last_words = self.details
            self._output.close()
            self._output = None
