"""Generation: many takes at once, on worker processes of their own. A crash costs one take, cancelling takes effect at
once, and takes come as they finish."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.runs.worker import COMMAND, Job, Order, Worker
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene

EARLY = 0.03  # share done before the time left is guessed


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def time_words(seconds: float) -> str:
    """"6 s", "3 min"."""
    return f"{math.ceil(seconds)} s" if seconds <= 90.0 else f"{round(seconds / 60.0)} min"


@dataclass(frozen=True)
class Loss:
    """A take that did not come."""

    order: Order
    reason: str


class Generation(QObject):
    """One press of Generate. Ends with exactly one `ended`.

    Signals:
        progressed(share, words)  0 to 1, of all takes
        began(Order)              work on a take begins
        advanced(key, share)      of one take
        came(TakeCard)            a take is finished, its motion is in the folder
        lost(Loss)                a take failed, the others go on
        ended()                   all came or were lost, or it was cancelled
    """

    progressed = Signal(float, str)
    began = Signal(object)
    advanced = Signal(str, float)
    came = Signal(object)
    lost = Signal(object)
    ended = Signal()

    def __init__(self, workers: Sequence[Worker], scene: Scene, orders: Sequence[Order], folder: str) -> None:
        super().__init__()
        self.scene, self.orders = scene, tuple(orders)
        self.cards: list[TakeCard] = []
        self.losses: list[Loss] = []
        self.cancelled = self.over = False
        self._workers, self._folder = list(workers), folder
        self._fingerprint = fingerprint(scene)
        self._waiting = list(orders)
        self._running: dict[str, tuple[Order, float, Job]] = {}
        self._clock: float | None = None  # when the first progress was heard: loading the engine does not count

    @property
    def running(self) -> list[Order]:
        return [order for order, _, _ in self._running.values()]

    @property
    def share(self) -> float:
        done = len(self.cards) + len(self.losses) + sum(share for _, share, _ in self._running.values())
        return done / max(len(self.orders), 1)

    @property
    def seconds_left(self) -> float | None:
        """A guess from what is done; None before there is enough to guess from."""
        if self._clock is None or self.share < EARLY:
            return None
        return (time.monotonic() - self._clock) * (1.0 - self.share) / self.share

    @property
    def words(self) -> str:
        """"Generating · 11 of 16 takes · 6 s left"."""
        count, left = len(self.orders), self.seconds_left
        counted = f"{len(self.cards)} of {count} take{'' if count == 1 else 's'}"
        return "Generating · " + (counted if left is None else f"{counted} · {time_words(left)} left")

    def start(self, first: Worker | None = None) -> None:
        """Begin, but not before `first` is prepared: on a new machine it compiles the engine, and what it has compiled
        the others need not compile again beside it."""
        if first is not None and first.running and not first.prepared:
            first.ready.connect(self._begin)
            first.lost.connect(self._begin)
            self.progressed.emit(0.0, "Generating · the engine is being prepared")
        else:
            self._begin()

    def _begin(self) -> None:
        if self.over or self._running:
            return
        for worker in self._workers:
            self._next(worker)

    def cancel(self) -> None:
        """Finished takes stay; the processes of the others end now."""
        if self.over:
            return
        self.cancelled, self._waiting = True, []
        self._running.clear()
        for worker in self._workers:
            if worker.busy:
                worker.kill()
        self._end()

    def _next(self, worker: Worker) -> None:
        if not self._waiting:
            if not self._running and not self.over:
                self._end()
            return
        order = self._waiting.pop(0)
        job = worker.take(self.scene, order, self._folder)
        self._running[order.key] = (order, 0.0, job)
        job.progressed.connect(lambda share, _: self._advance(order, share))
        job.finished.connect(lambda card: self._take(worker, order, card))
        job.failed.connect(lambda reason: self._lose(worker, order, reason))
        self.began.emit(order)

    def _advance(self, order: Order, share: float) -> None:
        if self._clock is None:
            self._clock = time.monotonic()
        if order.key in self._running:
            self._running[order.key] = (order, share, self._running[order.key][2])
            self.advanced.emit(order.key, share)
            self.progressed.emit(self.share, self.words)

    def _take(self, worker: Worker, order: Order, card: TakeCard) -> None:
        self._settle(worker, order, lambda: self._keep(replace(card, scene=self._fingerprint)))

    def _keep(self, card: TakeCard) -> None:
        self.cards.append(card)
        self.came.emit(card)

    def _lose(self, worker: Worker, order: Order, reason: str) -> None:
        def note() -> None:
            self.losses.append(Loss(order, reason))
            self.lost.emit(self.losses[-1])

        self._settle(worker, order, note)

    def _settle(self, worker: Worker, order: Order, tell: Callable[[], None]) -> None:
        """A take is over, one way or the other."""
        if self._running.pop(order.key, None) is None:
            return
        tell()
        self.progressed.emit(self.share, self.words)
        if not self.over:
            self._next(worker)

    def _end(self) -> None:
        self.over = True
        self.ended.emit()


class Pool(QObject):
    """The worker processes of Generate, one per core. They start with the first request and stay for the next one."""

    def __init__(self, parent: QObject | None = None, size: int = 0) -> None:
        """`size` 0: one per core."""
        super().__init__(parent)
        self._size = size or cores()
        self._workers: list[Worker] = []
        self._aside: Worker | None = None

    @property
    def process_ids(self) -> list[int]:
        return [worker.process_id for worker in self._workers if worker.running]

    @property
    def details(self) -> str:
        """What the processes printed last."""
        return "\n".join(filter(None, (worker.details for worker in self._workers)))

    def generate(self, scene: Scene, orders: Sequence[Order], folder: str) -> Generation:
        """A generation to connect to; `start` begins it."""
        count = min(self._size, max(len(orders), 1))
        while len(self._workers) < count:
            self._workers.append(Worker(self, [*COMMAND, "--lazy"]))
        return Generation(self._workers[:count], scene, orders, folder)

    def aside(self) -> Worker:
        """A process for long questions that are no takes, so that neither these nor the check have to wait for them."""
        if self._aside is None:
            self._aside = Worker(self, [*COMMAND, "--lazy"])
        return self._aside

    def stop(self) -> None:
        for worker in (*self._workers, *([self._aside] if self._aside is not None else [])):
            worker.kill()
