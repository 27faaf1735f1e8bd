"""One take of a sample, as whoever makes it sees it: what is asked, and somebody to tell how far it is."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from engine.arrivals.options import Options
from engine.errors import SceneError
from engine.params import DEFAULT_DT
from engine.run import backward
from engine.scene.spec import Scene
from engine.tape.take import Take

EXPLODES_AT = 4.0
"""Energy budgets (of all bodies, above the energy of the ending) at which a take is given up. A run under the default
policy stays below one; the paper's own remedies go beyond a hundred."""

T = TypeVar("T")

copyreg.pickle(SceneError, lambda error: (SceneError, (error.problems,)))  # it travels with its problems


class NotWanted(Exception):
    """Nobody waits for this take any more."""


Tell: TypeAlias = Callable[[float], None]
"""Hears the share of a take that is done, 0 to 1; raises NotWanted."""


@dataclass(frozen=True)
class Order:
    """What all takes of a sample have in common."""

    scene: Scene
    seconds: float
    dt: float = DEFAULT_DT
    options: Options = field(default_factory=Options)
    explodes_at: float | None = EXPLODES_AT  # None: never


Work: TypeAlias = Callable[[Order, int, Tell], T]
"""What is done for a seed. Processes look it up by name, so it is a function of a module."""


class Line(Protocol):
    """From a take to whoever asked for it. It travels with the errand."""

    def tell(self, share: float) -> None: ...


class Lines(Protocol):
    """The other end of all lines of a sample. An executor whose takes do not see this machine's files has its own."""

    def line(self, i: int) -> Line: ...

    def share(self, i: int) -> float: ...

    def close(self) -> None: ...


def make_take(order: Order, seed: int, tell: Tell) -> Take:
    def progress(done: int, steps: int) -> None:
        tell(done / steps)

    return backward(
        order.scene, order.seconds, order.dt, seed, order.options, progress, explodes_at=order.explodes_at
    )  # fmt: skip


def errand(work: Work[T], order: Order, seed: int, line: Line) -> T | None:
    """What an executor runs; None when nobody waits for it any more."""
    try:
        line.tell(0.0)
        return work(order, seed, line.tell)
    except NotWanted:
        return None
