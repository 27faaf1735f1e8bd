"""Hints: how closely random slides and bounces that are asked of a resting box are met."""

from __future__ import annotations

import math
import time

import numpy as np

from engine.arrivals.follows import HintReport, follows
from engine.certificate.audit import Report, certify
from engine.contact.tiers import ASSISTED, GHOSTED, TIER_NAMES
from engine.params import DEFAULT_DT
from engine.run import backward
from engine.scene.spec import Body, Box, Hint, Scene
from tests.bench.measure import Row, Tell
from tests.bench.scenes import material, turn

ANGLE, SPEED = 10.0, 0.15  # degrees and share within which a hint counts as met
SLIDE_SPEEDS, BOUNCE_SPEEDS = (0.3, 2.0), (0.5, 3.0)  # m/s
STEEPNESS = (20.0, 85.0)  # degrees under the horizon; what comes in flatter than 68 slides on after it lands
SPINS = (0.5, 3.0)  # rad/s per m/s


def hints(tell: Tell, count: int = 100, seconds: float = 1.5, dt: float = DEFAULT_DT) -> list[Row]:
    rows = []
    for number, kind in enumerate(("slide", "bounce", "spin")):
        reports: list[HintReport] = []
        certificates, turned, spent = [], 0, 0.0
        for i in range(count):
            tell(f"{kind} {i}", number * count + i, 3 * count)
            scene = asked_of_a_box(kind, i)
            begun = time.process_time()
            take = backward(scene, seconds, dt)
            spent += time.process_time() - begun
            reports += follows(take)
            certificates.append(certify(take))
            spin = scene.hints[0].angular_velocity
            if spin is not None:
                turned += bool((spin[2] * take.angular_velocities[:, 0, 2]).max() > 0.0)
        row = {"kind": kind, "count": count, **_summary(reports, certificates), "ms": 1e3 * spent / count}
        rows.append(row | {"turned": turned / count if kind == "spin" else None})
    return rows


def asked_of_a_box(kind: str, number: int) -> Scene:
    """A box turned at random, and a hint of that kind from any side."""
    rng = np.random.default_rng([number, ("slide", "bounce", "spin").index(kind)])
    box = Body("box", Box((0.1, 0.08, 0.05)), (0, 0, 0.05), turn("z", rng.uniform(0, math.tau)), material=material())
    side = rng.uniform(0.0, math.tau)
    level = (math.cos(side), math.sin(side), 0.0)
    if kind == "slide":
        hint = Hint("slide", "box", direction=level, speed=float(rng.uniform(*SLIDE_SPEEDS)))
    elif kind == "bounce":
        steep = math.radians(rng.uniform(*STEEPNESS))
        direction = (math.cos(steep) * level[0], math.cos(steep) * level[1], -math.sin(steep))
        hint = Hint("bounce", "box", direction=direction, speed=float(rng.uniform(*BOUNCE_SPEEDS)))
    else:
        speed = float(rng.uniform(*SLIDE_SPEEDS))
        spin = float(rng.choice([-1.0, 1.0]) * speed * rng.uniform(*SPINS))
        hint = Hint("slide", "box", velocity=(speed * level[0], speed * level[1], 0.0), angular_velocity=(0, 0, spin))
    return Scene(bodies=[box], hints=[hint], name=f"{kind} {number}")


def is_met(report: HintReport) -> bool:
    """Within ANGLE and SPEED of all that the hint says; of bounces the whole velocity counts, steepness included."""
    angle = report.angle if report.aim is None else report.aim
    return (
        report.found
        and (angle is None or angle <= ANGLE)
        and (report.speed is None or abs(report.speed) <= SPEED)
    )  # fmt: skip


def _summary(reports: list[HintReport], certificates: list[Report]) -> Row:
    angles = [angle for r in reports if (angle := r.angle if r.aim is None else r.aim) is not None]
    speeds = [abs(r.speed) for r in reports if r.speed is not None]
    shares = [[each.fraction(i) for i in range(len(TIER_NAMES))] for each in certificates]
    points = np.sum([each.tier_counts for each in certificates], axis=0)
    return {
        "met": sum(map(is_met, reports)) / len(reports),
        "angle_median": float(np.median(angles)),
        "angle_worst": max(angles),
        "speed_median": float(np.median(speeds)) if speeds else None,
        "speed_worst": max(speeds, default=None),
        "certified": sum(not each.tiers.max() >= GHOSTED for each in certificates) / len(certificates),
        "ghosted": int(points[GHOSTED]),
        "assisted": int(points[ASSISTED]),
        "residual": max(each.max_residual for each in certificates),
        "tiers": dict(zip(TIER_NAMES, np.mean(shares, axis=0).tolist(), strict=True)),
    }
