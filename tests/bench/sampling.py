"""Many takes of a wall, made in several ways: how fast, whether they are the same, and how soon they stop."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from engine.analysis.spread import spread
from engine.arrivals.options import Options
from engine.params import PREVIEW_DT
from engine.tape.take import Take
from engine.work.errand import Tell as TellShare
from engine.work.farm import Farm
from engine.work.sample import Tally, takes_as_made
from engine.work.takes import Order, make_take
from engine.work.workers import Workers, cores
from tests.bench.loopback import Cluster, cluster
from tests.bench.measure import Row, Tell
from tests.bench.scenes_director import bonded_wall

QUICKLY = Options(manner="preview")


@dataclass(frozen=True)
class Timed:
    take: Take
    process: int
    cpu_s: float


def timed_take(order: Order, seed: int, tell: TellShare) -> Timed:
    began = time.process_time()
    take = make_take(order, seed, tell)
    return Timed(take, os.getpid(), time.process_time() - began)


def sampling(
    tell: Tell,
    takes: int = 64,
    courses: int = 3,
    width: int = 3,
    seconds: float = 3.0,
    killed: int = 8,
    ways: Sequence[str] = ("this process", "1 process", "2 processes", "farm of 2"),
) -> list[Row]:
    """One row per way; `killed` of the takes are made once more while a worker is killed."""
    scene = bonded_wall(courses, width)
    make = functools.partial(takes_as_made, scene, seconds=seconds, dt=PREVIEW_DT, options=QUICKLY)
    rows: list[Row] = []
    known: dict[int, str] = {}
    for number, way in enumerate(ways):
        tell(way, number, len(ways))
        processes, hands = WAYS[way]
        with hands() as (executor, kill):
            list(make(max(processes, 1), executor=executor))  # loads the kernels
            row = _speed(make, executor, takes, processes, known)
            row |= (
                _after_a_death(make, executor, kill, killed, known) if kill else {"redone": None, "redone_same": None}
            )
            row |= _cancel(make, executor)
        rows.append({"way": way, "processes": processes, "takes": takes, **row})
    one = next((row for row in rows if row["way"] == "1 process"), rows[0])
    for row in rows:
        row["speedup"] = one["wall_s"] / row["wall_s"]
        row["cpu_speedup"] = one["fair_s"] / row["fair_s"]
    return rows


Made = tuple[Executor | None, Callable[[], None] | None]
"""Who makes takes, and how one of them is killed."""


@contextlib.contextmanager
def _here() -> Iterator[Made]:
    yield None, None


@contextlib.contextmanager
def _pool(count: int) -> Iterator[Made]:
    with Workers(count) as workers:

        def kill() -> None:
            for process in workers.process_ids[:1]:
                os.kill(process, signal.SIGKILL)

        yield workers, kill if count > 1 else None


@contextlib.contextmanager
def _farm(count: int) -> Iterator[Made]:
    with cluster(count) as there, Farm(there.address) as farm:
        _all_here(farm, there)
        yield farm, there.workers[0].kill


def _all_here(farm: Farm, there: Cluster) -> None:
    while farm.count < len(there.workers):
        time.sleep(0.05)


WAYS: dict[str, tuple[int, Callable[[], Any]]] = {
    "this process": (1, _here),
    "1 process": (1, functools.partial(_pool, 1)),
    "2 processes": (2, functools.partial(_pool, 2)),
    "farm of 2": (2, functools.partial(_farm, 2)),
}


def _speed(
    make: Callable[..., Iterator[Any]], executor: Executor | None, count: int, processes: int, known: dict[int, str]
) -> Row:
    own, began = time.process_time(), time.perf_counter()
    timed: list[Timed] = list(make(count, executor=executor, work=timed_take))
    wall, own = time.perf_counter() - began, time.process_time() - own
    spent: dict[int, float] = {}
    for each in timed:
        spent[each.process] = spent.get(each.process, 0.0) + each.cpu_s
    takes = sum(spent.values())
    every = takes + (own if executor is not None else 0.0)
    hashes = {each.take.seed: each.take.hash() for each in timed}
    same = all(known.setdefault(seed, value) == value for seed, value in hashes.items()) and len(hashes) == count
    differ = spread([each.take for each in timed])
    return {
        "wall_s": wall,
        "cpu_per_take_s": takes / count,
        "own_cpu_s": own,
        # What the same work takes on idle cores: no less than the busiest process, nor than its share of all.
        "fair_s": max(max(spent.values()), every / min(processes, cores())),
        "same": same,
        "starts_m": differ.starts,
        "directions": differ.directions,
    }


def _after_a_death(
    make: Callable[..., Iterator[Any]],
    executor: Executor | None,
    kill: Callable[[], None],
    count: int,
    known: dict[int, str],
) -> Row:
    """A worker is killed when the first take is there."""
    hashes: dict[int, str] = {}
    for take in make(count, executor=executor):
        if not hashes:
            kill()
        hashes[take.seed] = take.hash()
    same = len(hashes) == count and all(known[seed] == value for seed, value in hashes.items())
    return {"redone": getattr(executor, "redone", None), "redone_same": same}


def _cancel(make: Callable[..., Iterator[Any]], executor: Executor | None) -> Row:
    """Asked to stop in the middle of the first takes: until the caller goes on, and until the workers are free."""
    asked = 0.0
    first = time.perf_counter()

    def watch(standing: Tally) -> bool:
        nonlocal asked
        if time.perf_counter() - first > 0.3:
            asked = time.perf_counter()
        return asked == 0.0

    list(make(16, seed=1000, executor=executor, watch=watch, options=Options(manner="natural")))
    row: Row = {"cancel_s": time.perf_counter() - asked, "free_s": None}
    if executor is not None:
        executor.submit(os.getpid).result()
        row["free_s"] = time.perf_counter() - asked
    return row
