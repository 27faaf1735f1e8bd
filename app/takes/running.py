"""RunningTakes: the takes that are under way, as the browser shows them before they are there."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.runs.generation import Generation
from engine.scene.shot import TakeCard

PATIENCE = 0.4  # s: a take that comes sooner is not announced
EARLY = 0.05  # share before the time to go is guessed


@dataclass
class Running:
    order: TakeCard
    began: float  # monotonic, s
    share: float = 0.0  # 0 to 1

    @property
    def words(self) -> str:
        """ "running backward, 1.3 s to go"."""
        if self.share < EARLY:
            return "running backward"
        left = (time.monotonic() - self.began) * (1.0 - self.share) / self.share
        return f"running backward, {left:.1f} s to go" if left < 10.0 else f"running backward, {left:.0f} s to go"


class RunningTakes(QObject):
    """Signals:
    changed()       another take runs, or one no longer does
    advanced(str)   one got on
    """

    changed = Signal()
    advanced = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._takes: dict[str, Running] = {}
        self._generation: Generation | None = None
        self._soon = QTimer(self, singleShot=True, interval=round(1000 * PATIENCE) + 10)
        self._soon.setTimerType(Qt.TimerType.PreciseTimer)
        self._soon.timeout.connect(self.changed)

    def follow(self, generation: Generation | None) -> None:
        """Listen to a generation from its start on; None: none is under way."""
        if generation is self._generation:
            return
        self._generation = generation
        self._takes.clear()
        self._soon.stop()
        if generation is not None:
            generation.began.connect(self._begin)
            generation.advanced.connect(self._advance)
            generation.came.connect(lambda card: self._end(card.id))
            generation.lost.connect(lambda loss: self._end(loss.order.id))
        self.changed.emit()

    @property
    def active(self) -> bool:
        """Was Generate pressed and has not ended, though no take may have begun yet?"""
        return self._generation is not None

    @property
    def count(self) -> int:
        return len(self._takes)

    @property
    def shown(self) -> list[Running]:
        """Those under way long enough to be worth a card."""
        now = time.monotonic()
        return [running for running in self._takes.values() if now - running.began >= PATIENCE]

    def _begin(self, order: TakeCard) -> None:
        self._takes[order.id] = Running(order, time.monotonic())
        self._soon.start()
        self.changed.emit()

    def _advance(self, key: str, share: float) -> None:
        if key in self._takes:
            self._takes[key].share = share
            self.advanced.emit(key)

    def _end(self, key: str) -> None:
        if self._takes.pop(key, None) is not None:
            if not self._takes:
                self._soon.stop()
            self.changed.emit()
