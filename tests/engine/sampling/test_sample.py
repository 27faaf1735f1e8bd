"""Samples: the same takes whoever makes them, as they are made, and no longer than somebody waits for them."""

from __future__ import annotations

import functools
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.run import backward
from engine.scene.spec import Scene
from engine.tape.reel import BLOCK_STEPS
from engine.tape.take import Take
from engine.work import clock
from engine.work.errand import Tell
from engine.work.sample import Counting, Tally, ranked, sample, takes_as_made
from engine.work.takes import Order, make_take
from engine.work.workers import Workers
from tests.bench import scenes
from tests.engine.sampling import errands

DT = 1 / 240


@functools.cache
def boxes() -> Scene:
    return scenes.scattered_boxes(3, 2)


@functools.cache
def here() -> tuple[Take, ...]:
    return tuple(sample(boxes(), 3, 0.3, seed=7, dt=DT))


def hashes(takes: Any) -> list[str]:
    return [take.hash() for take in takes]


def test_samples_are_ranked_and_the_executor_does_not_matter() -> None:
    assert sorted(take.seed for take in here()) == [7, 8, 9]
    energies = [float(take.energy[0]) for take in here()]
    assert energies == sorted(energies)
    assert len(set(hashes(here()))) == 3
    again = backward(boxes(), 0.3, DT, 9)
    assert again.hash() == next(take.hash() for take in here() if take.seed == 9), "a take by its seed alone"
    with ThreadPoolExecutor(2) as pool:
        assert hashes(sample(boxes(), 3, 0.3, 7, pool, dt=DT)) == hashes(here())
    with Workers(2) as workers:
        assert hashes(sample(boxes(), 3, 0.3, 7, workers, dt=DT)) == hashes(here())
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        (other,) = sample(boxes(), 1, 0.3, 8, processes, dt=DT)
    assert other.hash() == next(take.hash() for take in here() if take.seed == 8)


class Lazy(Executor):
    """Runs a job when it is submitted."""

    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[Take] = Future()
        future.set_result(function(*args, **kwargs))
        return future


@pytest.mark.parametrize("executor", [None, Lazy()], ids=["here", "there"])
def test_progress_counts_takes(executor: Executor | None) -> None:
    told: list[tuple[int, int]] = []
    sample(boxes(), 3, 0.1, dt=DT, executor=executor, progress=lambda done, total: told.append((done, total)))
    assert list(dict.fromkeys(told))[-3:] == [(1, 3), (2, 3), (3, 3)]
    assert told == sorted(told)


def test_sampling_stops_on_request_and_keeps_what_is_done() -> None:
    for executor in (None, Lazy()):
        takes = sample(boxes(), 4, 0.05, executor=executor, dt=DT, progress=lambda done, total: done < 2)
        assert len(takes) == 2
    with pytest.raises(ValueError, match="count"):
        sample(boxes(), 0)


def test_a_take_is_stopped_in_its_middle_wherever_it_runs() -> None:
    """Takes without end: whoever does not hear the request hangs here."""

    def not_yet_begun(standing: Tally) -> bool:
        return standing.share == 0.0

    stop = functools.partial(takes_as_made, boxes(), 5, watch=not_yet_begun, work=errands.endless)
    assert list(stop()) == []
    with ThreadPoolExecutor(2) as pool:
        assert list(stop(executor=pool)) == []
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert list(stop(executor=processes)) == []
    with Workers(2) as workers:
        assert list(stop(executor=workers)) == []
        assert len(sample(boxes(), 2, 0.05, executor=workers, dt=DT)) == 2, "and they are there for the next"


def test_takes_come_as_they_are_made() -> None:
    """The second take is made only when the first has come."""
    came = threading.Event()

    def one_after_another(order: Order, seed: int, tell: Tell) -> int:
        assert seed == 0 or came.wait(60.0)
        return seed

    with ThreadPoolExecutor(2) as pool:
        takes = takes_as_made(boxes(), 2, executor=pool, work=one_after_another)
        assert next(takes) == 0
        came.set()
        assert list(takes) == [1]


def test_closing_the_iterator_stops_the_rest() -> None:
    def first_or_endless(order: Order, seed: int, tell: Tell) -> int:
        return seed if seed == 0 else errands.endless(order, seed, tell)  # type: ignore[func-returns-value]

    with ThreadPoolExecutor(2) as pool:  # leaving it waits for what runs
        takes = takes_as_made(boxes(), 4, executor=pool, work=first_or_endless)
        assert next(takes) == 0
        takes.close()  # type: ignore[attr-defined]


def test_what_goes_wrong_in_a_take_ends_the_sample() -> None:
    def wrong(order: Order, seed: int, tell: Tell) -> None:
        if seed == 1:
            raise ZeroDivisionError
        errands.endless(order, seed, tell)

    with ThreadPoolExecutor(2) as pool, pytest.raises(ZeroDivisionError):
        list(takes_as_made(boxes(), 2, executor=pool, work=wrong))


def test_explosions_are_given_up_early_and_told() -> None:
    constant = Options(policy="constant")
    scene = scenes.scattered_boxes(1, 2)
    run = functools.partial(backward, scene, 2.0, DT, 0, constant)
    whole, cut = run(), run(explodes_at=4.0)
    assert whole.stopped is None and cut.stopped is not None and cut.stopped.startswith("given up: its energy")
    steps = cut.tape.steps
    assert steps % BLOCK_STEPS == 0 and steps < whole.tape.steps, "where it ends does not depend on the machine"
    assert (cut.energy[:-1][::-1] == whole.energy[:-1][::-1][:steps]).all(), "its part is that of the whole"
    assert cut.hash() == run(explodes_at=4.0, progress=lambda done, all_: None).hash()
    takes = sample(scene, 1, 2.0, dt=DT, options=constant)
    assert takes[0].hash() == cut.hash() and takes[0].stopped == cut.stopped, "reported, not hidden"
    (calm,) = sample(scene, 1, 2.0, dt=DT, options=Options(arrivals="together"))
    assert calm.stopped is None


def take_like(energy: float, tier: int, seed: int, stopped: str | None = None, damping: float = 0.0) -> Any:
    tape = SimpleNamespace(damping=damping, linear_damping=0.0, contact_column=lambda name: np.array([0, tier]))
    return SimpleNamespace(energy=np.array([energy, 1.0]), tape=tape, seed=seed, stopped=stopped)


def test_ranks_by_energy_then_tier_then_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.work.sample.release_energy", lambda take: (take.energy[0], take.energy[-1]))
    takes = [
        take_like(1.0, 0, 0, "given up"),
        take_like(3.0, 0, 1),
        take_like(2.0, 3, 2),
        take_like(2.0, 5, 6),
        take_like(2.0, 0, 3, damping=0.1),
        take_like(2.0, 1, 5),
        take_like(2.0, 1, 4),
    ]
    assert [take.seed for take in ranked(takes)] == [4, 5, 6, 2, 3, 1, 0], "held before ghosted"


def test_the_time_left_is_guessed_from_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(clock.time, "monotonic", lambda: now)
    told: list[Tally] = []
    pace = Counting(4, told.append)  # type: ignore[arg-type]
    assert pace.goes_on()
    now = 110.0
    pace.goes_on(0.04)  # the clock starts here: before that the engine was loaded
    now = 120.0
    pace.goes_on(1.0)
    pace.done = 2
    now = 130.0
    pace.goes_on(1.0)
    assert [each.seconds_left for each in told] == [None, None, pytest.approx(30.0), pytest.approx(20.0 / 3.0)]
    assert told[-1].done == 2 and told[-1].share == 0.75


def test_a_take_tells_how_far_it_is() -> None:
    shares: list[float] = []
    make_take(Order(boxes(), 0.2, DT), 0, shares.append)
    assert shares and 0.0 <= min(shares) and max(shares) <= 1.0
