"""Generation: many takes at once, on worker processes of their own. A crash costs one take, cancelling takes effect at
once, and takes come as they finish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.runs.hands import Hands
from app.runs.job import Job
from app.runs.worker import Worker, parcel_of
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene
from engine.work import records
from engine.work.clock import Clock, time_words
from engine.work.parcel import Parcel

T = TypeVar("T", TakeCard, "Loss")


@dataclass(frozen=True)
class Loss:
    """A take that did not come."""

    order: TakeCard
    reason: str


class Generation(QObject):
    """One press of Generate. Ends with exactly one `ended`.

    Signals:
        progressed(share, words)  0 to 1, of all takes
        began(TakeCard)           work on a take begins
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

    def __init__(self, pool: Pool, scene: Scene, orders: Sequence[TakeCard], folder: str) -> None:
        """`orders` are cards that say what is asked."""
        super().__init__()
        own = fingerprint(scene)
        self.scene, self.orders = scene, tuple(replace(order, scene=own) for order in orders)
        self.cards: list[TakeCard] = []
        self.losses: list[Loss] = []
        self.cancelled = self.over = False
        self._pool, self._folder = pool, folder
        self._jobs: dict[str, Job] = {}  # by id of the take
        self._shares: dict[str, float] = {}  # of those under way
        self._clock = Clock()

    @property
    def share(self) -> float:
        done = len(self.cards) + len(self.losses) + sum(self._shares.values())
        return done / max(len(self.orders), 1)

    @property
    def words(self) -> str:
        """ "Generating · 11 of 16 takes · 6 s left"."""
        count, left = len(self.orders), self._clock.left(self.share)
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
        if self.over or self._jobs:
            return
        scene = parcel_of(self.scene)
        for order in self.orders:
            job = self._jobs[order.id] = self._pool.take(scene, order, self._folder)
            job.began.connect(partial(self._start, order))
            job.progressed.connect(partial(self._advance, order))
            job.finished.connect(partial(self._take, order))
            job.failed.connect(partial(self._lose, order))

    def cancel(self) -> None:
        """Finished takes stay; the processes of the others end now."""
        if self.over:
            return
        self.cancelled = True
        self._jobs.clear()
        self._shares.clear()
        self._pool.cancel()
        self._end()

    def _start(self, order: TakeCard) -> None:
        if order.id in self._jobs:
            self._shares[order.id] = 0.0
            self.began.emit(order)

    def _advance(self, order: TakeCard, share: float, _: str) -> None:
        if order.id in self._jobs:
            self._shares[order.id] = share
            self.advanced.emit(order.id, share)
            self.progressed.emit(self.share, self.words)

    def _take(self, order: TakeCard, card: TakeCard) -> None:
        self._settle(order, card, self.cards, self.came)

    def _lose(self, order: TakeCard, reason: str) -> None:
        self._settle(order, Loss(order, reason), self.losses, self.lost)

    def _settle(self, order: TakeCard, what: T, kept: list[T], tell: SignalInstance) -> None:
        """A take is over, one way or the other."""
        if self._jobs.pop(order.id, None) is None:
            return
        self._shares.pop(order.id, None)
        kept.append(what)
        tell.emit(what)
        self.progressed.emit(self.share, self.words)
        if not self._jobs and not self.over:
            self._end()

    def _end(self) -> None:
        self.over = True
        self.ended.emit()


class Pool(QObject):
    """The worker processes of Generate, one per core. They start with the first request and stay for the next one."""

    def __init__(self, parent: QObject | None = None, size: int | None = None) -> None:
        super().__init__(parent)
        self._hands = Hands(size)
        self._aside: Worker | None = None

    @property
    def process_ids(self) -> list[int]:
        return self._hands.process_ids

    @property
    def details(self) -> str:
        """What the processes printed last."""
        return self._hands.details

    def generate(self, scene: Scene, orders: Sequence[TakeCard], folder: str) -> Generation:
        """A generation to connect to; `start` begins it."""
        return Generation(self, scene, orders, folder)

    def take(self, scene: Parcel[Scene], order: TakeCard, folder: str) -> Job:
        return Job(self._hands.workers, records.TAKE, scene, order, folder)

    def cancel(self) -> None:
        """End what they are doing now."""
        self._hands.workers.cancel_all()

    def aside(self) -> Worker:
        """A process for long questions that are no takes, so that neither these nor the check have to wait for them."""
        if self._aside is None:
            self._aside = Worker(self, lazy=True)
        return self._aside

    def stop(self) -> None:
        self._hands.kill()
        if self._aside is not None:
            self._aside.kill()
