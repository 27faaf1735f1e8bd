"""Sampling: many takes of one scene, one per seed. Takes are independent, so any executor may make them, and the answer
depends on the seeds only."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

import numpy as np

from engine.arrivals.options import Options
from engine.contact.tiers import ASSISTED, EXACT, RANK
from engine.errors import ForegoneError
from engine.params import DEFAULT_DT
from engine.release_energy import release_energy
from engine.scene.spec import Scene
from engine.tape.take import Take
from engine.work.board import Board
from engine.work.clock import Clock
from engine.work.errand import Lines, NotWanted, T, Tell, one_of_many
from engine.work.interrupts import uninterrupted
from engine.work.parcel import Parcel
from engine.work.takes import EXPLODES_AT, Order, make_take

LOOK = 0.05  # s between two looks at takes made elsewhere


@dataclass(frozen=True)
class Tally:
    """How far a sample is."""

    done: int  # takes
    total: int
    share: float  # of the work, running takes included
    seconds_left: float | None  # a guess; None before there is enough to guess from


Watch: TypeAlias = Callable[[Tally], bool | None]
"""Called many times a second; returning False stops at once and keeps the finished takes."""

SampleProgress: TypeAlias = Callable[[int, int], bool | None]
"""The same with (takes done, takes in all)."""

Work: TypeAlias = Callable[[Order, int, Tell], T]
"""What is done for a seed. Processes look it up by name, so it is a function of a module."""


def sample(
    scene: Scene,
    count: int = 16,
    seconds: float = 2.0,
    seed: int = 0,
    executor: Executor | None = None,
    progress: SampleProgress | None = None,
    dt: float = DEFAULT_DT,
    options: Options | None = None,
    explodes_at: float | None = EXPLODES_AT,
) -> list[Take]:
    """Takes for the seeds seed .. seed + count - 1, the calmest first.

    `executor` is any concurrent.futures executor (engine.Workers, threads, processes, a Dask client's); without one the
    takes are made here, one after another. A take whose energy explodes is given up early and comes last; its `stopped`
    says so."""

    def watch(standing: Tally) -> bool | None:
        return None if progress is None else progress(standing.done, standing.total)

    return ranked(takes_as_made(scene, count, seconds, seed, executor, watch, dt, options, explodes_at))


def takes_as_made(
    scene: Scene,
    count: int = 16,
    seconds: float = 2.0,
    seed: int = 0,
    executor: Executor | None = None,
    watch: Watch | None = None,
    dt: float = DEFAULT_DT,
    options: Options | None = None,
    explodes_at: float | None = EXPLODES_AT,
    work: Work[Any] = make_take,
) -> Iterator[Any]:
    """Takes in the order in which they are finished. Closing the iterator stops the others.

    `work` replaces the making of a take; what it returns comes instead."""
    if count < 1:
        raise ValueError(f"count must be at least 1, not {count!r}")
    order = Order(scene, seconds, dt, options or Options(), explodes_at)
    seeds, pace = range(seed, seed + count), Counting(count, watch)
    return _here(order, seeds, work, pace) if executor is None else _there(order, seeds, work, pace, executor)


def ranked(takes: Iterable[Take]) -> list[Take]:
    """By energy at the releases, then by the worst tier; runs that stopped early come last, equals by seed."""
    return sorted(
        takes,
        key=lambda take: (take.stopped is not None, release_energy(take)[0], RANK[worst_tier(take)], take.seed),
    )


def worst_tier(take: Take) -> int:
    """Of all steps, as recorded."""
    if take.tape.damping > 0.0 or take.tape.linear_damping > 0.0:
        return ASSISTED
    return max(np.unique(take.tape.contact_column("tier")).tolist(), key=RANK.__getitem__, default=EXACT)


class Counting:
    """Counts what is done and tells it, with the time left."""

    def __init__(self, total: int, watch: Watch | None) -> None:
        self._total, self._watch = total, watch
        self.done = 0
        self._clock = Clock()

    def goes_on(self, running: float = 0.0) -> bool:
        """Tell; `running` is the sum of the shares of unfinished takes. False: stop."""
        share = (self.done + running) / self._total
        standing = Tally(self.done, self._total, share, self._clock.left(share))
        return self._watch is None or self._watch(standing) is not False


def _here(order: Order, seeds: range, work: Work[T], pace: Counting) -> Iterator[T]:
    def tell(share: float) -> None:
        if not pace.goes_on(share):
            raise NotWanted

    for seed in seeds:
        try:
            made = work(order, seed, tell)
        except NotWanted:
            return
        pace.done += 1
        goes_on = pace.goes_on()
        yield made
        if not goes_on:
            return


def _there(order: Order, seeds: range, work: Work[T], pace: Counting, executor: Executor) -> Iterator[T]:
    lines: Lines = executor.lines() if hasattr(executor, "lines") else Board(len(seeds))
    common = Parcel(order)
    waiting: dict[Future[T | None], int] = {}
    finished: SimpleQueue[Future[T | None]] = SimpleQueue()
    try:
        with uninterrupted():
            for i, seed in enumerate(seeds):
                future = executor.submit(one_of_many, work, common, seed, lines.line(i))
                waiting[future] = i
                future.add_done_callback(finished.put)
        goes_on = True
        while waiting and goes_on:
            made: list[T | None] = []
            with uninterrupted():
                with contextlib.suppress(Empty):
                    future = finished.get(timeout=LOOK)
                    del waiting[future]
                    made.append(future.result())
                    pace.done += 1
                goes_on = pace.goes_on(sum(lines.share(i) for i in waiting.values()))
            for each in made:
                if each is None:
                    raise ForegoneError("a take was given up although nobody asked for that")
                yield each
    finally:
        with uninterrupted():
            lines.close()
            for future in waiting:
                future.cancel()
