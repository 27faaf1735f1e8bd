"""Our remedies for what goes wrong backward beside those of Twigg and James 2008 (sec. 4, "paper"), in one table: boxes
scattered on the ground, where bodies arrive one by one, and a wall, where what arrives strikes what stands."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import GHOSTED, TIER_NAMES
from engine.params import DEFAULT_DT
from engine.run import backward
from engine.scene.spec import Scene
from tests.bench.measure import Row, Tell
from tests.bench.scenes import scattered_boxes
from tests.bench.scenes_director import bonded_wall

CALM = 1.3
"""Energy budget, in heights of a body, of runs with look-ahead whose starts have at most 3.2 times the energy of their
ends. (Who spends all of it starts with 1 + budget times its energy at the end; some overdraw.)"""

POLICIES: dict[str, Options] = {
    "budget (default)": Options(arrivals="ahead"),
    "budget, calm": Options(arrivals="ahead", budget_heights=CALM),
    "budget, together": Options(arrivals="together"),
    "as authored, together": Options(policy="constant"),
    "blend (paper)": Options(policy="blend"),
    "damping 1/s (paper)": Options(policy="constant", angular_damping=1.0),
    "attraction (paper)": Options(policy="constant", attraction=True),
    "blend + damping (paper)": Options(policy="blend", angular_damping=1.0),
    "all three (paper)": Options(policy="blend", angular_damping=1.0, attraction=True),
}
WALL_POLICIES: dict[str, Options] = {
    "budget (default)": Options(arrivals="ahead"),
    "budget, together": Options(arrivals="together"),
    "blend (paper)": Options(policy="blend"),
    "blend + attraction (paper)": Options(policy="blend", attraction=True),
    "all three (paper)": Options(policy="blend", angular_damping=1.0, attraction=True),
}
"""A stack as authored diverges within half a second; it is not worth the time."""


def boxes(
    tell: Tell,
    count: int = 20,
    seeds: int = 20,
    walls: int = 5,
    seconds: float = 3.0,
    dt: float = DEFAULT_DT,
) -> list[Row]:
    """`count` boxes over `seeds` seeds, and a wall of ten bricks over `walls` seeds."""

    def scattered(seed: int) -> Scene:
        return scattered_boxes(seed, count)

    def bricks(seed: int) -> Scene:
        return bonded_wall(3, 3)

    return [
        *_table(tell, f"{count} boxes", scattered, POLICIES, seeds, seconds, dt),
        *_table(tell, "10 bricks", bricks, WALL_POLICIES, walls, seconds, dt),
    ]


def _table(
    tell: Tell,
    name: str,
    scene: Callable[[int], Scene],
    policies: Mapping[str, Options],
    seeds: int,
    seconds: float,
    dt: float,
) -> list[Row]:
    rows = []
    for number, (policy, options) in enumerate(policies.items()):
        tellings = (f"{name}, {policy}", number * seeds, len(policies) * seeds)
        rows.append({"scene": name, "policy": policy, **_row(tell, tellings, scene, options, seeds, seconds, dt)})
    return rows


def _row(
    tell: Tell,
    tellings: tuple[str, int, int],
    scene: Callable[[int], Scene],
    options: Options,
    seeds: int,
    seconds: float,
    dt: float,
) -> Row:
    """Energy and honesty over seeds."""
    what, done, total = tellings
    starts, ends, shares, assists, spent, stopped = [], [], [], [], [], 0
    points, ghosted, awake = np.zeros(len(TIER_NAMES)), 0, 0
    for seed in range(seeds):
        tell(f"{what}, seed {seed}", done + seed, total)
        begun = time.process_time()
        take = backward(scene(seed), seconds, dt, seed, options)
        spent.append(time.process_time() - begun)
        report = certify(take)
        starts.append(float(take.energy[0]))
        ends.append(float(take.energy[-1]))
        shares.append([report.fraction(i) for i in range(len(TIER_NAMES))])
        assists.append(report.assist)
        points += report.tier_counts
        ghosted += int((report.tiers[report.contacts > 0] == GHOSTED).sum())
        awake += int((report.contacts > 0).sum())
        stopped += take.stopped is not None
    ratios = np.array(starts) / np.array(ends)
    return {
        "seeds": seeds,
        "energy_start": float(np.median(starts)),
        "energy_start_worst": max(starts),
        "energy_end": float(np.median(ends)),
        "energy_ratio": float(np.median(ratios)),
        "energy_ratio_worst": float(ratios.max()),
        "ghosted_awake": ghosted / max(awake, 1),
        "tiers": dict(zip(TIER_NAMES, np.mean(shares, axis=0).tolist(), strict=True)),
        "exact_points": float(points[0] / max(points.sum(), 1.0)),
        "ghosted": int(points[GHOSTED]),
        "assist": float(np.median(assists)),
        "stopped": stopped,
        "cpu_s": float(np.median(spent)),
    }
