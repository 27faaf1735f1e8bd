"""One line of progress on stderr, drawn only where somebody watches (a terminal)."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from engine.kernel_cache import prune_cache
from engine.work.compiling import OF_A_TAKE, Compiling, compilations
from engine.work.prepare import call_helpers

WIDTH = 28  # characters of the bar
REDRAW = 0.1  # s between two drawings
LOOK = 0.25  # s between two looks at the compiler
SAY_AGAIN = 10.0  # s, where nobody watches but a file


class Meter:
    """`with Meter() as meter: meter.show("take 1 of 4", 10, 960)`.

    While kernels are being compiled, which happens once, by all cores, the line says so by itself."""

    def __init__(self) -> None:
        self.watched = sys.stderr.isatty()
        self._drawn = 0.0
        self._length = 0
        self._lock = threading.Lock()
        self._finished = threading.Event()
        self._compiling = Compiling(OF_A_TAKE)
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Meter:
        call_helpers()
        self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._finished.set()
        self._watcher.join()
        if compilations():
            prune_cache()  # new kernels came, so others may have gone out of use
        if self.watched:
            self._draw("")

    def show(self, label: str, done: int, total: int) -> None:
        """Draw the bar; cheap enough to be called every step."""
        now = time.monotonic()
        if not self.watched or (now - self._drawn < REDRAW and done < total):
            return
        self._drawn = now
        full = WIDTH * done // max(total, 1)
        self._draw(f"{label}  [{'#' * full}{'.' * (WIDTH - full)}] {100 * done // max(total, 1):3d} %")

    def _draw(self, text: str) -> None:
        with self._lock:
            sys.stderr.write("\r" + text + " " * max(self._length - len(text), 0) + ("\r" if not text else ""))
            sys.stderr.flush()
            self._length = len(text)

    def _watch(self) -> None:
        seen, said = 0, -SAY_AGAIN
        while not self._finished.wait(LOOK):
            standing, now = self._compiling.look(), time.monotonic()
            if standing is None or standing.done == seen:
                continue
            seen, words = standing.done, f"compiling the engine, once on this machine: {standing}"
            if self.watched:
                self._draw(words)
            elif now - said >= SAY_AGAIN:
                said = now
                sys.stderr.write(f"foregone: {words}\n")
