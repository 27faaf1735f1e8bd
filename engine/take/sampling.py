"""Sampling: many takes of one scene, one per seed, ranked. Takes are independent, so any executor may run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, as_completed

from engine.params import DEFAULT_DT
from engine.scene.spec import Scene
from engine.take.run import backward
from engine.take.take import Take

SampleProgress = Callable[[int, int], bool | None]
"""Called with (takes done, takes in all); returning False stops and keeps the finished ones."""


def sample(
    scene: Scene,
    count: int = 16,
    seconds: float = 2.0,
    seed: int = 0,
    executor: Executor | None = None,
    progress: SampleProgress | None = None,
    dt: float = DEFAULT_DT,
) -> list[Take]:
    """Takes for the seeds seed .. seed + count - 1, the calmest start first.

    `executor` is any concurrent.futures executor (threads, processes, a Dask client's); without one the takes run here,
    one after another. The answer does not depend on it."""
    if count < 1:
        raise ValueError(f"count must be at least 1, not {count!r}")
    seeds = range(seed, seed + count)
    if executor is None:
        return ranked(_here(scene, seconds, dt, seeds, progress))
    return ranked(_there(scene, seconds, dt, seeds, executor, progress))


def ranked(takes: Iterable[Take]) -> list[Take]:
    """By energy at the start; runs that stopped early come last, equals by seed."""
    return sorted(takes, key=lambda take: (take.stopped is not None, float(take.energy[0]), take.seed))


def one_take(scene: Scene, seconds: float, dt: float, seed: int) -> Take:
    """What a worker runs (a name processes can import)."""
    return backward(scene, seconds, dt, seed)


def _here(scene: Scene, seconds: float, dt: float, seeds: range, progress: SampleProgress | None) -> list[Take]:
    takes: list[Take] = []
    for each in seeds:
        takes.append(one_take(scene, seconds, dt, each))
        if progress is not None and progress(len(takes), len(seeds)) is False:
            break
    return takes


def _there(
    scene: Scene, seconds: float, dt: float, seeds: range, executor: Executor, progress: SampleProgress | None
) -> list[Take]:
    futures = [executor.submit(one_take, scene, seconds, dt, each) for each in seeds]
    takes: list[Take] = []
    try:
        for future in as_completed(futures):
            takes.append(future.result())
            if progress is not None and progress(len(takes), len(seeds)) is False:
                break
    finally:
        for future in futures:
            future.cancel()
    return takes
