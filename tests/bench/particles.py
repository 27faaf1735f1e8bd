"""Searches side by side against single ones: what the same CPU time gives, the calmest kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

from engine.analysis.spread import spread
from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import GHOSTED
from engine.params import DEFAULT_DT
from engine.run import backward
from engine.scene.spec import Scene
from engine.tape.take import Take
from tests.bench.measure import Row, Tell
from tests.bench.scenes import brick_stack, scattered_boxes
from tests.bench.scenes_director import letters

SCENES: dict[str, tuple[Callable[[], Scene], float]] = {  # and s
    "5 boxes on each other": (brick_stack, 2.0),
    "20 boxes": (lambda: scattered_boxes(0, 20), 3.0),
    "40 boxes": (lambda: letters(40, 0), 3.0),
}
SMALL = {"20 boxes": (lambda: letters(20, 0), 0.25)}
ONE = Options(arrivals="meeting")
APART = 1000  # between the first seeds of takes that compete for one place


def particles(
    tell: Tell,
    scenes: Mapping[str, tuple[Callable[[], Scene], float]] = SCENES,
    seeds: int = 8,
    count: int = 8,
    dt: float = DEFAULT_DT,
) -> list[Row]:
    rows = []
    for number, (name, (make, seconds)) in enumerate(scenes.items()):
        scene, together, singly, tries = make(), list[Take](), list[Take](), list[int]()
        spent = np.zeros((seeds, 2))  # CPU s
        for seed in range(seeds):
            tell(f"{name}, seed {seed}", number * seeds + seed, len(scenes) * seeds)
            begun = time.process_time()
            together.append(backward(scene, seconds, dt, seed, Options(arrivals="meeting", particles=count)))
            spent[seed, 0] = time.process_time() - begun
            begun, made = time.process_time(), list[Take]()
            while not made or time.process_time() - begun < spent[seed, 0]:
                made.append(backward(scene, seconds, dt, APART * (seed + 1) + len(made), ONE))
            spent[seed, 1] = time.process_time() - begun
            singly.append(min(made, key=lambda take: float(take.energy[0])))
            tries.append(len(made))
        rows.append({"scene": name, "way": f"{count} side by side", "tries": 1.0, **_summary(together, spent[:, 0])})
        rows.append({"scene": name, "way": "best of", "tries": float(np.mean(tries)), **_summary(singly, spent[:, 1])})
    return rows


def _summary(takes: list[Take], spent: np.ndarray) -> Row:
    reports, differ = [certify(take) for take in takes], spread(takes)
    ratios = [float(take.energy[0] / take.energy[-1]) for take in takes]
    return {
        "seeds": len(takes),
        "certified": sum(report.tiers.max(initial=0) < GHOSTED for report in reports),
        "energy_ratio": float(np.median(ratios)),
        "energy_ratio_worst": max(ratios),
        "exact": float(np.median([report.exact_fraction for report in reports])),
        "starts_m": differ.starts,
        "directions": differ.directions,
        "cpu_s": float(spent.mean()),
        "cpu_s_worst": float(spent.max()),
    }
