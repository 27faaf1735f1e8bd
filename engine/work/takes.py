"""Takes: what is asked of one, how it is made, and what is to be said of it."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

from engine.arrivals.follows import HintReport, follows
from engine.arrivals.options import MannerName, Options
from engine.both_ways import both_ways
from engine.certificate.audit import Report, certify
from engine.certificate.replay import replay
from engine.contact.tiers import RANK, TIER_NAMES
from engine.params import DEFAULT_DT
from engine.release_energy import release_energy, release_ratio
from engine.run import backward
from engine.scene.request import QUALITIES, Asked
from engine.scene.spec import Scene
from engine.tape.take import Take
from engine.work.errand import Tell

EXPLODES_AT = 4.0
"""Energy budgets (of all bodies, above the energy of the ending) at which a take is given up. A run under the default
policy stays below one; the remedies of Twigg and James 2008 go beyond a hundred."""

RUN, CHECKED = 0.8, 0.9
"""Share of a take's time after which its run, and its certificate, are done."""


@dataclass(frozen=True)
class Order:
    """What all takes of a sample have in common."""

    scene: Scene
    seconds: float
    dt: float = DEFAULT_DT
    options: Options = field(default_factory=Options)
    explodes_at: float | None = EXPLODES_AT  # None: never
    after: float = 0.0  # s to run on after the authored frame

    @classmethod
    def of(cls, scene: Scene, asked: Asked) -> Order:
        """As Generate asks for it: what Options knows by the same name goes there."""
        values = asked.asked()
        known = {entry.name: values[entry.name] for entry in fields(Options) if entry.name in values}
        manner: MannerName = "preview" if asked.quality == "preview" else "natural"
        options = Options.remedied(asked.remedies, **known, manner=manner)
        return cls(scene, asked.seconds, QUALITIES[asked.quality], options, after=asked.after)


def make_take(order: Order, seed: int, tell: Tell) -> Take:
    return make_both(order, seed, tell)[0]


def make_both(order: Order, seed: int, tell: Tell) -> tuple[Take, Take | None]:
    """The take, and the one that goes on from its authored frame when that was asked for."""

    reached = 0.0

    def progress(done: int, steps: int) -> None:
        """A way to arrive may begin again when it finds nothing; what is told never goes back."""
        nonlocal reached
        reached = max(reached, done / steps)
        tell(reached)

    scene, seconds, dt, options, limit = order.scene, order.seconds, order.dt, order.options, order.explodes_at
    if order.after > 0.0:
        return both_ways(scene, seconds, order.after, dt, seed, options, progress, limit)
    return backward(scene, seconds, dt, seed, options, progress, explodes_at=limit), None


@dataclass(frozen=True)
class Judged:
    """A take and what is to be said of it."""

    take: Take
    report: Report
    replay_error: float = float("nan")  # m; nan: nobody asked
    seconds_cpu: float = float("nan")  # s of processor that making it took; nan: nobody looked

    @property
    def rank(self) -> tuple[bool, float, int, int]:
        """Calmest first: energy at the releases (to three digits), then the worst tier, then the seed."""
        worst = max((RANK[i] for i in range(len(TIER_NAMES)) if self.report.fraction(i) > 0.0), default=0)
        energy = float(f"{self.energies[0]:.2e}")
        return self.take.stopped is not None, energy, worst, self.take.seed

    @property
    def tiers(self) -> list[float]:
        """Share of contact steps per tier."""
        return [self.report.fraction(i) for i in range(len(TIER_NAMES))]

    @cached_property
    def energies(self) -> tuple[float, float]:
        """J at the releases and at the ending."""
        return release_energy(self.take)

    @property
    def in_hands(self) -> tuple[int, int]:
        """How many bodies are held at their places until others are there, and how many others are laid there."""
        releases = self.take.releases.values()
        held = sum(release.held for release in releases)
        return held, sum(release.how == "placed" and not release.held for release in releases)

    @cached_property
    def hints(self) -> tuple[HintReport, ...]:
        """How closely each hint was met."""
        return follows(self.take) if self.take.scene.hints else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be done as asked, what the certificate found included."""
        return tuple(dict.fromkeys([*self.take.notes, *self.report.faults]))

    def summary(self) -> dict[str, Any]:
        take, report, (held, placed) = self.take, self.report, self.in_hands
        return {
            "seed": take.seed,
            "seconds": float(take.times[-1] - take.times[0]),
            "energy_start": float(take.energy[0]),
            "energy_end": float(take.energy[-1]),
            "exact_in_motion": report.exact_in_motion,
            "release_energy_ratio": release_ratio(take),
            "placed": placed,
            "held": held,
            "seconds_cpu": self.seconds_cpu,
            "tiers": {name: report.fraction(i) for i, name in enumerate(TIER_NAMES)},
            "contact_steps": report.contact_steps,
            "exact_fraction": report.exact_fraction,
            "max_residual": report.max_residual,
            "assist": report.assist,
            "max_depth": report.max_depth,
            "max_overlap": report.max_overlap,
            "worst": report.summary()["worst"],
            "faults": list(report.faults),
            "replay_error": self.replay_error,
            "hash": take.hash(),
            "stopped": take.stopped,
            "notes": list(self.notes),
            "hints": [asdict(hint) | {"followed": hint.followed} for hint in self.hints],
        }


def judged_take(order: Order, seed: int, tell: Tell) -> Judged:
    """What a worker does for a seed."""
    begun = time.process_time()
    take = make_take(order, seed, lambda share: tell(RUN * share))
    took = time.process_time() - begun
    report = certify(take)
    tell(CHECKED)
    return Judged(take, report, float(replay(take).max()), took)
