"""Mishaps: an exception that nobody caught. It is written down and told; the scene stays as it is.

Qt calls slots from C++, so an exception in one ends in sys.excepthook and the window goes on. Telling must not fail
itself, and an error in a paint event comes sixty times a second: the same one is told once and counted in the log.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from datetime import datetime
from types import TracebackType

from app.session.settings import home

LOG = "log.txt"
LARGEST_LOG = 1 << 20  # bytes; a larger one starts anew, the old one is kept beside it
MOST_WRITTEN = 50  # per start

Tell = Callable[[str, str], None]  # message, details


class Mishaps:
    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._seen: set[str] = set()
        self._written = 0
        self._telling = False
        self._before = sys.excepthook

    def install(self) -> None:
        sys.excepthook = self.handle

    def remove(self) -> None:
        if sys.excepthook == self.handle:
            sys.excepthook = self._before

    def handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._before(kind, error, trace)
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        self._write(text)
        if text in self._seen or self._telling:
            return
        self._seen.add(text)
        self._telling = True
        try:
            self._tell("Something went wrong, and the last step may not have been done. Your scene is safe.", text)
        except Exception:
            sys.stderr.write(traceback.format_exc())
        finally:
            self._telling = False

    def _write(self, text: str) -> None:
        if self._written >= MOST_WRITTEN:
            return
        self._written += 1
        path = home() / LOG
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size > LARGEST_LOG:
                path.replace(path.with_suffix(".old.txt"))
            with path.open("a", encoding="utf-8") as log:
                log.write(f"{datetime.now():%Y-%m-%d %H:%M:%S}\n{text}\n")
        except OSError as error:
            sys.stderr.write(f"could not write {path}: {error}\n")
