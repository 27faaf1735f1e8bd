"""Generating takes for a command: each judged where it was made, and handed on as soon as it is finished."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from engine.arrivals.follows import HintReport, follows, miss_words
from engine.certificate.audit import Report, certify
from engine.certificate.replay import replay
from engine.commands.output import complain, table
from engine.commands.progress import Meter
from engine.contact.tiers import TIER_NAMES
from engine.tape.rolling import GIVEN_UP
from engine.tape.take import Take
from engine.work.errand import Order, Tell, make_take
from engine.work.farm import Farm
from engine.work.sample import Standing, takes_as_made
from engine.work.workers import Workers

RUN, CHECKED = 0.8, 0.9
"""Share of a take's time after which its run, and its certificate, are done."""
PARTS = 1000  # of a progress bar


@dataclass(frozen=True)
class Judged:
    """A take and what is to be said of it."""

    take: Take
    report: Report
    replay_error: float  # m

    @property
    def rank(self) -> tuple[bool, float, int, int]:
        """Calmest first: energy at the start (to three digits), then the worst tier, then the seed."""
        worst = max((i for i in range(len(TIER_NAMES)) if self.report.fraction(i) > 0.0), default=0)
        energy = float(f"{float(self.take.energy[0]):.2e}")
        return self.take.stopped is not None, energy, worst, self.take.seed

    @property
    def tiers(self) -> list[float]:
        """Share of contact steps per tier."""
        return [self.report.fraction(i) for i in range(len(TIER_NAMES))]

    @cached_property
    def hints(self) -> tuple[HintReport, ...]:
        """How closely each hint was met."""
        return follows(self.take) if self.take.scene.hints else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be done as asked, hints that are not followed included."""
        names = {body.id: body.name for body in self.take.scene.bodies}
        missed = (miss_words(hint, names[hint.body]) for hint in self.hints)
        return tuple(dict.fromkeys([*self.take.notes, *filter(None, missed)]))

    def summary(self) -> dict[str, Any]:
        take, report = self.take, self.report
        return {
            "seed": take.seed,
            "seconds": float(take.times[-1] - take.times[0]),
            "energy_start": float(take.energy[0]),
            "energy_end": float(take.energy[-1]),
            "tiers": {name: report.fraction(i) for i, name in enumerate(TIER_NAMES)},
            "contact_steps": report.contact_steps,
            "exact_fraction": report.exact_fraction,
            "max_residual": report.max_residual,
            "assist": report.assist,
            "max_depth": report.max_depth,
            "replay_error": self.replay_error,
            "hash": take.hash(),
            "stopped": take.stopped,
            "notes": list(self.notes),
            "hints": [asdict(hint) | {"followed": hint.followed} for hint in self.hints],
        }


def judged_take(order: Order, seed: int, tell: Tell) -> Judged:
    """What a worker does for a seed."""
    take = make_take(order, seed, lambda share: tell(RUN * share))
    report = certify(take)
    tell(CHECKED)
    return Judged(take, report, float(replay(take).max()))


def generate(order: Order, seeds: range, executor: Executor | None, meter: Meter) -> Iterator[Judged]:
    """Takes for the seeds, as they are finished."""

    def watch(standing: Standing) -> None:
        left = "" if standing.seconds_left is None else f", {time_words(standing.seconds_left)} left"
        meter.show(f"{standing.done} of {standing.total} takes{left}", int(PARTS * standing.share), PARTS)

    return takes_as_made(
        order.scene, len(seeds), order.seconds, seeds.start, executor, watch, order.dt, order.options,
        order.explodes_at, judged_take,
    )  # fmt: skip


@contextlib.contextmanager
def hands(jobs: int, farm: str | None) -> Iterator[Executor | None]:
    """Who makes the takes: this process, several, or a farm. Tells when takes had to be made again."""
    if farm is not None:
        with Farm(farm) as workers:
            yield workers
    elif jobs == 1:
        yield None
    else:
        with Workers(jobs) as processes:
            yield processes
            if processes.redone:
                complain(f"{processes.redone} takes were made again: a worker process had died")


def time_words(seconds: float) -> str:
    """6 s, or 3 min."""
    return f"{math.ceil(seconds)} s" if seconds <= 90.0 else f"{round(seconds / 60.0)} min"


def takes_table(judged: list[Judged]) -> str:
    head = ["take", "start J", "end J", *(f"{name.lower()} %" for name in TIER_NAMES), "residual", "assist m/s",
            "depth mm", "replay m"]  # fmt: skip
    rows = []
    for each in judged:
        report = each.report
        shares = [f"{100.0 * report.fraction(i):.1f}" for i in range(len(TIER_NAMES))]
        rows.append(
            [
                f"seed {each.take.seed}" + _ending(each.take),
                f"{each.take.energy[0]:.4g}",
                f"{each.take.energy[-1]:.4g}",
                *shares,
                f"{report.max_residual:.1e}",
                f"{report.assist:.3g}",
                f"{1e3 * report.max_depth:.3g}",
                f"{each.replay_error:.1e}",
            ]
        )
    return table(head, rows)


def _ending(take: Take) -> str:
    if take.stopped is None:
        return ""
    return " (given up)" if take.stopped.startswith(GIVEN_UP) else " (stopped early)"
