"""How structures arrive: honesty, energy, look and cost of takes made with look-ahead."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.arrivals.options import MannerName, Options
from engine.certificate.audit import Report, certify
from engine.certificate.replay import replay
from engine.contact.tiers import ASSISTED, EXACT, GHOSTED
from engine.params import DEFAULT_DT
from engine.run import backward
from engine.scene.spec import Scene
from engine.tape.take import Take
from tests.bench import scenes_director as scenes
from tests.bench.measure import Row, Tell

TILT_SECONDS = 0.1  # before rest
EVENT_SECONDS = 0.5
HONEST, CALM = 0.95, 20.0  # share of EXACT contact steps, start energy over end energy


@dataclass(frozen=True)
class Case:
    name: str
    scene: Callable[[], Scene]
    seconds: float
    manner: MannerName = "preview"
    seeds: int = 10


CASES = (
    Case("10 bricks", lambda: scenes.bonded_wall(3, 3), 3.0),
    Case("10 bricks", lambda: scenes.bonded_wall(3, 3), 3.0, "natural"),
    Case("10 flat bricks", lambda: scenes.bonded_wall(3, 3, (0.12, 0.06, 0.03)), 3.0),
    Case("10 flat bricks", lambda: scenes.bonded_wall(3, 3, (0.12, 0.06, 0.03)), 3.0, "natural"),
    Case("10 cubes", lambda: scenes.bonded_wall(3, 3, (0.06, 0.06, 0.06)), 3.0),
    Case("10 yawed bricks", scenes.yawed_wall, 3.0),
    Case("10 yawed bricks", scenes.yawed_wall, 3.0, "natural"),
    Case("32 bricks", lambda: scenes.bonded_wall(5, 6), 4.5, seeds=8),
    Case("45 touching bricks", lambda: scenes.snug_wall(6, 7), 3.0),
    Case("45 touching bricks", lambda: scenes.snug_wall(6, 7), 3.0, "natural"),
    Case("tower of 8", scenes.tower, 3.0),
    Case("6 dominoes", scenes.dominoes, 3.0),
    Case("14 balls in a tray", scenes.balls_in_a_tray, 3.0),
    Case("6 leaning cards", scenes.house_of_cards, 3.0),
)
SMALL = (Case("3 bricks", lambda: scenes.bonded_wall(2, 1), 0.5, seeds=1),)


def arrivals(tell: Tell, cases: Sequence[Case] = CASES, dt: float = DEFAULT_DT) -> list[Row]:
    rows = []
    for case in cases[:1]:  # loads compiled kernels
        backward(case.scene(), case.seconds, dt, case.seeds, Options(arrivals="ahead", manner=case.manner))
    for number, case in enumerate(cases):
        takes, reports, spent = [], [], []
        for seed in range(case.seeds):
            tell(f"{case.name}, {case.manner}, seed {seed}", number * case.seeds + seed, len(cases) * case.seeds)
            begun = time.process_time()
            takes.append(backward(case.scene(), case.seconds, dt, seed, Options(arrivals="ahead", manner=case.manner)))
            spent.append(time.process_time() - begun)
            reports.append(certify(takes[-1]))
        rows.append(_row(case, takes, reports, spent))
    return rows


def _row(case: Case, takes: list[Take], reports: list[Report], spent: list[float]) -> Row:
    exact = [report.exact_fraction for report in reports]
    ratio = [float(take.energy[0] / take.energy[-1]) for take in takes]
    clean = [_everybody_came(take, report) for take, report in zip(takes, reports, strict=True)]
    looks = [look for take in takes for look in landings(take)]
    bent = [int((report.tiers[report.contacts > 0] > EXACT).sum()) for report in reports]
    moving = sum(not body.static for body in takes[0].scene.bodies)
    return {
        "scene": case.name,
        "manner": case.manner,
        "takes": len(takes),
        "certified": sum(clean),
        "cpu_s": float(np.median(spent)),
        "cpu_s_worst": max(spent),
        "exact_median": float(np.median(exact)),
        "exact_worst": min(exact),
        "honest_and_calm": sum(e >= HONEST and r <= CALM for e, r in zip(exact, ratio, strict=True)),
        "energy_ratio": float(np.median(ratio)),
        "energy_ratio_worst": max(ratio),
        "bent_steps_per_body": float(np.mean(bent)) / max(moving, 1),
        "ghosted": sum(int((report.tiers == GHOSTED).sum()) for report in reports),
        "assisted": sum(int((report.tiers == ASSISTED).sum()) for report in reports),
        "left_at_rest": sum(_at_rest(take) for take in takes),
        "tilt_median": float(np.median([tilt for tilt, _ in looks])) if looks else None,
        "tilt_p90": float(np.percentile([tilt for tilt, _ in looks], 90)) if looks else None,
        "events_median": float(np.median([events for _, events in looks])) if looks else None,
        "replay_error": float(replay(takes[0]).max()),
    }


def _everybody_came(take: Take, report: Report) -> bool:
    """Certified, whole, and nobody was there from the start."""
    return bool(report.tiers.max() < GHOSTED and take.stopped is None and _at_rest(take) == 0)


def _at_rest(take: Take) -> int:
    """Bodies that never move."""
    moves = (take.positions[0] != take.positions[-1]).any(axis=1)
    return sum(not body.static and not moved for body, moved in zip(take.scene.bodies, moves, strict=True))


def landings(take: Take) -> list[tuple[float, int]]:
    """For every body that arrives: degrees it turned in the last 0.1 s before rest, and contact events (stretches of
    steps in contact) in the last 0.5 s."""
    tape, dt = take.tape, take.tape.params.dt
    part_body, start = take.model.geometry.part_body, tape.start
    pairs = np.stack([part_body[tape.contact_column(name)] for name in ("part_a", "part_b")])
    step = np.repeat(np.arange(tape.steps), np.diff(start))
    found = []
    for body in np.flatnonzero(take.model.bodies.inverse_mass > 0.0):
        x, q = tape.x[:, body], tape.q[:, body]
        moving = np.flatnonzero((x != x[-1]).any(axis=1) | (q != q[-1]).any(axis=1))
        if not len(moving):
            continue
        rest = int(moving[-1]) + 1
        k = max(rest - round(TILT_SECONDS / dt), 0)
        tilt = math.degrees(2.0 * math.acos(min(abs(float(q[k] @ q[rest])), 1.0)))
        met = np.unique(step[(pairs == body).any(axis=0)])
        met = met[(met <= rest) & (met >= rest - round(EVENT_SECONDS / dt))]
        found.append((tilt, 1 + int((np.diff(met) > 1).sum()) if len(met) else 0))
    return found
