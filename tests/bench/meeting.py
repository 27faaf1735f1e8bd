"""Bodies that meet on the way: how many collisions a certified take has, with and without going back to decisions."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.meeting.director import met
from engine.arrivals.meeting.population import Population
from engine.arrivals.meeting.tuning import TUNING
from engine.arrivals.options import Options
from engine.certificate.audit import Report, certify
from engine.contact.tiers import ASSISTED, EXACT, GHOSTED, TIER_NAMES
from engine.model.compile import compile_scene
from engine.params import DEFAULT_DT, make_params
from engine.tape.take import Take
from tests.bench.measure import Row, Tell
from tests.bench.scenes_director import letters
from tests.bench.states_only import Opinion, States

HARD = 0.02  # m/s that a collision gives the lighter body, at least
ONE_COLLISION = 0.025  # s: what a pair does within it is one collision
OFF_THE_GROUND = 0.06  # m, centre of a box: twice as high as at rest


def meeting(
    tell: Tell, counts: Sequence[int] = (40, 20), seeds: int = 10, seconds: float = 3.0, checked: int = 2
) -> list[Row]:
    """Boxes that write a word, over seeds; `checked` takes of each are also judged from their states alone."""
    rows = []
    ways = (("with", TUNING.most_jumps), ("without", 0))
    for number, (count, (way, jumps)) in enumerate((count, way) for count in counts for way in ways):
        takes = []
        for seed in range(seeds):
            tell(f"{count} boxes, {way} backjumping, seed {seed}", number * seeds + seed, len(counts) * 2 * seeds)
            takes.append(one_take(count, seed, seconds, jumps))
        rows.append({"boxes": count, "backjumping": way, **_summary(takes, checked if jumps else 0)})
    return rows


class Measured:
    """One take and what is to be said of it."""

    def __init__(self, take: Take, report: Report, searches: Population, cpu: float) -> None:
        self.take, self.report, self.searches, self.cpu = take, report, searches, cpu
        self.hits = collisions(take)

    @property
    def certified(self) -> bool:
        """Complete, and nothing ignored or pushed."""
        return self.take.stopped is None and not self.report.tiers.max(initial=0) >= GHOSTED

    @property
    def energy_ratio(self) -> float:
        return float(self.take.energy[0] / self.take.energy[-1])


def one_take(count: int, seed: int, seconds: float, jumps: int, dt: float = DEFAULT_DT) -> Measured:
    scene = letters(count, seed)
    begun = time.process_time()
    model, params = compile_scene(scene), make_params(dt, scene.gravity)
    brief = Brief(scene, model, params, round(seconds / dt), seconds, seed, Options(arrivals="meeting"))
    made, searches = met(brief, jumps)
    cpu = time.process_time() - begun
    take = Take(scene, model, made.tape, seconds, seed, True, made.stopped, made.notes)
    return Measured(take, certify(take), searches, cpu)


def collisions(take: Take) -> list[tuple[int, int, int, int]]:
    """(step, body, body, worst tier) of every collision between two moving bodies, in forward time."""
    apart = ONE_COLLISION / take.tape.params.dt
    last: dict[tuple[int, int], tuple[int, int]] = {}  # pair: its last step, its place in the list
    found: list[tuple[int, int, int, int]] = []
    for k, a, b, tier in impulses(take):
        if (a, b) in last and k - last[a, b][0] <= apart:
            place = last[a, b][1]
            found[place] = (*found[place][:3], max(found[place][3], tier))
        else:
            place = len(found)
            found.append((k, a, b, tier))
        last[a, b] = (k, place)
    return found


def impulses(take: Take) -> list[tuple[int, int, int, int]]:
    """(step, body, body, worst tier) of every step in which two moving bodies strike each other, in forward time."""
    tape, bodies = take.tape, take.model.bodies
    a, b = tape.contact_column("a"), tape.contact_column("b")
    step = np.repeat(np.arange(tape.steps), np.diff(tape.start))
    impulse, friction = tape.contact_column("impulse"), tape.contact_column("friction")
    lighter = np.maximum(bodies.inverse_mass[a], bodies.inverse_mass[b])
    normal = np.linalg.norm(impulse, axis=1) / np.sqrt(1.0 + friction**2)  # at least
    hard = (bodies.inverse_mass[a] > 0.0) & (bodies.inverse_mass[b] > 0.0) & (lighter * normal > HARD)
    tier = tape.contact_column("tier")
    worst: dict[tuple[int, int, int], int] = {}
    for i in np.flatnonzero(hard):
        key = int(step[i]), int(a[i]), int(b[i])
        worst[key] = max(worst.get(key, 0), int(tier[i]))
    return [(*key, tier) for key, tier in worst.items()]


def in_the_air(take: Take, hits: Sequence[tuple[int, int, int, int]]) -> int:
    """Collisions of two bodies that are both off the ground."""
    x = take.tape.x
    return sum(bool(min(x[k, a, 2], x[k, b, 2]) > OFF_THE_GROUND) for k, a, b, _ in hits)


def _summary(takes: Sequence[Measured], checked: int) -> Row:
    good = [each for each in takes if each.certified]
    hits = [len(each.hits) for each in good]
    air = [in_the_air(each.take, each.hits) for each in good]
    involved = [len({body for hit in each.hits for body in hit[1:3]}) for each in good]
    ratio = [each.energy_ratio for each in good]
    opinions = [States(each.take).judge() for each in good[:checked]]
    shares = [[each.report.fraction(i) for i in range(len(TIER_NAMES))] for each in takes]
    points = np.sum([each.report.tier_counts for each in takes], axis=0)
    return {
        "seeds": len(takes),
        "certified": len(good),
        "collisions_least": min(hits, default=None),
        "collisions": _median(hits),
        "in_air_least": min(air, default=None),
        "in_air": _median(air),
        "bodies_least": min(involved, default=None),
        "beyond_tuned": sum(hit[3] > 1 for each in good for hit in each.hits),
        "tiers": dict(zip(TIER_NAMES, np.mean(shares, axis=0).tolist(), strict=True)),
        "exact_points": float(points[EXACT] / max(points.sum(), 1)),
        "ghosted": int(points[GHOSTED]),
        "assisted": int(points[ASSISTED]),
        "energy_ratio": _median(ratio),
        "energy_ratio_worst": max(ratio, default=None),
        "residual": max(each.report.max_residual for each in takes),
        "reached_s": _median([each.take.tape.steps * each.take.tape.params.dt for each in takes]),
        "jumps": _median([each.searches.jumps for each in takes]),
        "attempts_most": max(each.searches.attempts for each in takes),
        "cpu_s": _median([each.cpu for each in takes]),
        "cpu_s_worst": max(each.cpu for each in takes),
        **_second_opinion(opinions),
    }


def _second_opinion(opinions: Sequence[Opinion]) -> Row:
    if not opinions:
        return dict.fromkeys(("states_islands", "states_unlawful", "states_residual"))
    return {
        "states_islands": sum(each.islands for each in opinions),
        "states_unlawful": sum(each.closing + each.out_of_range for each in opinions),
        "states_residual": max(max(each.worst, each.flight, each.drift) for each in opinions),
    }


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if len(values) else None
