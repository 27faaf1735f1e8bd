"""Articulations run backward from rest under each policy: how closed joints stay, how honest and how energetic."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.contact.tiers import ASSISTED, GHOSTED, TIER_NAMES
from engine.run import backward
from tests.bench.measure import Row, Tell
from tests.bench.scenes_joints import JOINT_SCENES

POLICIES = {
    "budget": Options(arrivals="ahead"),
    "constant": Options(policy="constant", arrivals="together"),
    "unit links": Options(policy="constant", arrivals="together", unit_links=True),
}
"""Ours, authored coefficients throughout, and the rule of Twigg and James 2008, sec. 4."""


def joints(tell: Tell, scenes: Sequence[str] = tuple(JOINT_SCENES), seeds: int = 10, seconds: float = 2.0) -> list[Row]:
    """One row per scene and policy, over seeds; takes that stop early count as far as they go."""
    rows = []
    cases = [(scene, policy) for scene in scenes for policy in POLICIES]
    for number, (scene, policy) in enumerate(cases):
        takes, reports, cpu = [], [], 0.0
        for seed in range(seeds):
            tell(f"{scene}, {policy}, seed {seed}", number * seeds + seed, len(cases) * seeds)
            begun = time.process_time()
            takes.append(backward(JOINT_SCENES[scene](), seconds, seed=seed, options=POLICIES[policy]))
            cpu += time.process_time() - begun
            reports.append(certify(takes[-1]))
        start = [float(take.energy[0]) for take in takes]
        counts = np.sum([report.tier_counts for report in reports], axis=0)
        shares = [[report.fraction(i) for i in range(len(TIER_NAMES))] for report in reports]
        rows.append(
            {
                "scene": scene,
                "policy": policy,
                "seeds": seeds,
                "complete": sum(take.stopped is None for take in takes),
                "joint_error": max(report.joint_error for report in reports),
                "residual": max(report.max_residual for report in reports),
                "replay_error": max(float(replay(take).max()) for take in takes),
                "tiers": dict(zip(TIER_NAMES, np.mean(shares, axis=0).tolist(), strict=True)),
                "ghosted": int(counts[GHOSTED]),
                "assisted": int(counts[ASSISTED]),
                "assist": float(sum(report.assist for report in reports)),
                "energy_end": float(takes[0].energy[-1]),
                "energy_start": float(np.median(start)),
                "energy_start_worst": max(start),
                "ms_per_take": 1e3 * cpu / seeds,
            }
        )
    return rows
