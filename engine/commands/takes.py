"""Generating takes for a command: each judged where it was made, and handed on as soon as it is finished."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor

from engine.commands.output import complain, table
from engine.commands.progress import Meter
from engine.contact.tiers import TIER_NAMES
from engine.tape.drive import GIVEN_UP
from engine.tape.take import Take
from engine.work.clock import time_words
from engine.work.farm import Farm
from engine.work.sample import Tally, takes_as_made
from engine.work.takes import Judged, Order, judged_take
from engine.work.workers import Workers

PARTS = 1000  # of a progress bar


def generate(order: Order, seeds: range, executor: Executor | None, meter: Meter) -> Iterator[Judged]:
    """Takes for the seeds, as they are finished."""

    def watch(standing: Tally) -> None:
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


def takes_table(judged: list[Judged]) -> str:
    """Exact in motion first: that is what is seen; the shares of all contact steps count those at rest, too."""
    head = ["take", "exact in motion %", "release J", "end J", *(f"{name.lower()} %" for name in TIER_NAMES),
            "residual", "assist m/s", "depth mm", "overlap mm", "replay m", "worst contact"]  # fmt: skip
    rows = []
    for each in judged:
        report = each.report
        shares = [f"{100.0 * report.fraction(i):.1f}" for i in range(len(TIER_NAMES))]
        rows.append(
            [
                f"seed {each.take.seed}" + _ending(each.take),
                f"{100.0 * report.exact_in_motion:.1f}",
                *(f"{joules:.4g}" for joules in each.energies),
                *shares,
                f"{report.max_residual:.1e}",
                f"{report.assist:.3g}",
                f"{1e3 * report.max_depth:.3g}",
                f"{1e3 * report.max_overlap:.3g}",
                f"{each.replay_error:.1e}",
                report.worst_words,
            ]
        )
    return table(head, rows)


def _ending(take: Take) -> str:
    if take.stopped is None:
        return ""
    return " (given up)" if take.stopped.startswith(GIVEN_UP) else " (stopped early)"
