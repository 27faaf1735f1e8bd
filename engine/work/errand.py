"""An errand as whoever does it sees it: somebody to tell how far it is, and to hear from that nobody waits any more.

An errand is a function of a module that other processes can import. Those of the studio stand in engine.work.errands;
a process that compiles nothing asks for them by name (Named)."""

from __future__ import annotations

import copyreg
import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from engine.errors import SceneError
from engine.work.parcel import Parcel

MOST_LOOKS = 20.0  # times per second that an errand tells how far it is

T = TypeVar("T")

copyreg.pickle(SceneError, lambda error: (SceneError, (error.problems,)))  # it travels with its problems


class NotWanted(Exception):
    """Nobody waits for this errand any more."""


Tell: TypeAlias = Callable[[float], None]
"""Hears the share of an errand that is done, 0 to 1; raises NotWanted."""


class TakeLine(Protocol):
    """From a take of a sample to whoever asked for it. It travels with the errand."""

    def tell(self, share: float) -> None: ...


class Lines(Protocol):
    """The other end of all lines of a sample. An executor whose takes do not see this machine's files has its own."""

    def line(self, i: int) -> TakeLine: ...

    def share(self, i: int) -> float: ...

    def close(self) -> None: ...


def one_of_many(work: Callable[[Any, int, Tell], T], order: Parcel[Any], seed: int, line: TakeLine) -> T | None:
    """What an executor runs for a seed of a sample; None when nobody waits for it any more."""
    try:
        line.tell(0.0)
        return work(order.content, seed, line.tell)
    except NotWanted:
        return None


@dataclass(frozen=True)
class Named:
    """A function by its name, "module:function": only whoever calls it loads the module."""

    name: str

    def __call__(self, *args: Any) -> Any:
        module, _, function = self.name.partition(":")
        return getattr(importlib.import_module(module), function)(*args)


class Desk:
    """Where an errand of the studio is done: tells whoever waits for it, and hears when nobody does any more."""

    def __init__(self, send: Callable[[tuple[Any, ...]], None], wanted: Callable[[], bool]) -> None:
        self._send, self._wanted = send, wanted
        self._told = 0.0

    def check(self) -> None:
        """Raises NotWanted."""
        if not self._wanted():
            raise NotWanted

    def progress(self, share: float, words: str = "") -> None:
        """Cheap enough to be called every step: not everything is told."""
        self.check()
        if time.monotonic() - self._told >= 1.0 / MOST_LOOKS:
            self._told = time.monotonic()
            self.tell("progress", share, words)

    def tell(self, kind: str, *values: Any) -> None:
        self._send((kind, *values))
