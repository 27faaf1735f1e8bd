"""Rows of the benchmark of entrances: takes of one case made, judged and summed up; what raises is counted and told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.params import DEFAULT_DT
from engine.run import backward
from engine.scene.spec import Scene
from tests.bench.entrance_figures import WAYS, Figures
from tests.bench.measure import Row

MISSING = (
    *("takes", "raised", "stopped", "bodies", *WAYS, "exact_in_motion", "exact_worst", "unlawful", "energy_ratio"),
    *("energy_worst", "away", "away_p95", "inside", "popped", "cpu_s", "cpu_worst", "replay_error", "growth"),
    *("tv", "tv_drops", "ks_spin", "ks_bounces", "asked", "met", "worst", "hits", "impulses", "joints_turned"),
    *("joint_error", "same", "error"),
)
"""Columns that not every row fills."""


def row(part: str, case: str, **values: object) -> Row:
    unknown = set(values) - set(MISSING)
    assert not unknown, unknown
    return {"part": part, "case": case, **dict.fromkeys(MISSING), **values}


@dataclass
class Made:
    """Takes of one case."""

    figures: list[Figures] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)  # s each
    replays: list[float] = field(default_factory=list)  # m
    errors: list[str] = field(default_factory=list)  # of those that raised

    def summary(self) -> dict[str, object]:
        """Sums and medians over the takes. A case without any take still says what went wrong."""
        values: dict[str, object] = {
            "takes": len(self.figures) + len(self.errors),
            "raised": len(self.errors),
            "error": self.errors[0] if self.errors else None,
            "cpu_s": _median(self.cpu),
            "cpu_worst": max(self.cpu, default=None),
            "replay_error": max(self.replays, default=None),
        }
        if not self.figures:
            return values
        exact = [each.exact_in_motion for each in self.figures if each.exact_in_motion is not None]
        energy = [each.energy_ratio for each in self.figures]
        away = np.concatenate([each.distances for each in self.figures])
        return values | {
            "stopped": sum(each.take.stopped is not None for each in self.figures),
            "bodies": len(self.figures[0].entries),
            **{way: sum(each.count(way) for each in self.figures) for way in WAYS},
            "exact_in_motion": float(np.mean(exact)) if exact else None,
            "exact_worst": min(exact, default=None),
            "unlawful": max(each.unlawful for each in self.figures),
            "energy_ratio": _median(energy),
            "energy_worst": max(energy),
            "away": float(np.median(away)) if len(away) else None,
            "away_p95": float(np.percentile(away, 95)) if len(away) else None,
            "inside": sum(entry.inside for each in self.figures for entry in each.entries),
            "popped": sum(entry.popped for each in self.figures for entry in each.entries),
        }


def make(
    scenes: Iterable[Scene | Callable[[], Scene]],
    seconds: float,
    seeds: Iterable[int],
    options: Options | None = None,
    replayed: bool = True,
    dt: float = DEFAULT_DT,
) -> Made:
    """One take for every scene and its seed. CPU time is that of `backward` alone."""
    made = Made()
    for scene, seed in zip(scenes, seeds, strict=True):
        begun = time.process_time()
        try:
            authored = scene() if callable(scene) else scene
            begun = time.process_time()
            take = backward(authored, seconds, dt, seed, options)
            spent = time.process_time() - begun
            made.figures.append(Figures(take, certify(take)))
            made.cpu.append(spent)
            if replayed:
                made.replays.append(float(replay(take).max()))
        except Exception as error:  # whatever it is: it belongs into the table, and the others are still wanted
            made.errors.append(words_of(error))
    return made


def words_of(error: Exception) -> str:
    """One line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]


def same_scene(scene: Callable[[], Scene], count: int) -> list[Callable[[], Scene]]:
    return [scene] * count


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if len(values) else None
