"""Generating takes for a command: one after another, each judged and handed on as soon as it is finished."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from engine.commands.output import table
from engine.commands.progress import Meter
from engine.contact.tiers import TIER_NAMES
from engine.direct.director import Options
from engine.scene.spec import Scene
from engine.take.audit import Report, certify
from engine.take.follows import HintReport, follows, miss_words
from engine.take.replay import replay
from engine.take.run import backward
from engine.take.take import Take


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


def generate(
    scene: Scene, seeds: range, seconds: float, dt: float, meter: Meter, options: Options | None = None
) -> Iterator[Judged]:
    """Takes for the seeds, in their order."""
    for number, seed in enumerate(seeds, start=1):
        label = f"take {number} of {len(seeds)}"

        def progress(done: int, total: int, label: str = label) -> None:
            meter.show(label, done, total)

        take = backward(scene, seconds, dt, seed, options, progress)
        meter.show(f"{label}, checking", 1, 2)
        yield Judged(take, certify(take), float(replay(take).max()))


def takes_table(judged: list[Judged]) -> str:
    head = ["take", "start J", "end J", *(f"{name.lower()} %" for name in TIER_NAMES), "residual", "assist m/s",
            "depth mm", "replay m"]  # fmt: skip
    rows = []
    for each in judged:
        report = each.report
        shares = [f"{100.0 * report.fraction(i):.1f}" for i in range(len(TIER_NAMES))]
        rows.append(
            [
                f"seed {each.take.seed}" + ("" if each.take.stopped is None else " (stopped early)"),
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
