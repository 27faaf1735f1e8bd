"""How far the compiler is."""

from __future__ import annotations

import functools
import time
from typing import NamedTuple

from engine.jit import registry
from engine.kernel_cache import cache_root

OF_A_TAKE = 360
OF_THE_STUDIO = 480
"""About how many kernels are compiled for the certified take of a box, and for all that warm.py does."""


def compilations() -> int:
    """How many kernels this process had to compile because the cache did not have them."""
    return sum(kernel.compilations for kernel in list(registry.values()))


class Headway(NamedTuple):
    done: int  # kernels
    total: int  # about
    seconds_left: float

    def __str__(self) -> str:
        return f"{self.done} of about {self.total} kernels, {max(1, round(self.seconds_left))} s left"


class Compiling:
    """Watches the cache fill, from this process and from those that help it (prepare.py)."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._had, self._began = _beginning()

    def look(self) -> Headway | None:
        """None as long as nothing was compiled."""
        done = _kept() - self._had if compilations() else 0
        if not done:
            return None
        total = max(self._total, done + 1)
        return Headway(done, total, (time.monotonic() - self._began) * (total - done) / done)


@functools.cache
def _beginning() -> tuple[int, float]:
    """What was in the cache when this process first looked, and when that was."""
    return _kept(), time.monotonic()


def _kept() -> int:
    return sum(1 for _ in cache_root().rglob("*.nbi"))
