"""Wishes: random scenes of which something is asked; how much of it came true as measured, and how much was told. What
is measured here owes nothing to engine/arrivals: it reads poses, velocities and releases of the finished take."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.params import PREVIEW_DT
from engine.run import backward
from engine.scene.spec import Hint, Sphere
from engine.tape.take import Take
from tests.bench.measure import Row, Tell
from tests.bench.wished_scenes import HALF, Case, case

ASIDE, SHARE, ON_TIME = 16.0, 0.26, 0.055  # degrees, share, s: a hair more than what the engine forgives
G = 9.81
KEPT, TOLD, LOST = "kept", "told", "lost"
STILL = ("stays at rest", "from the start", "held until")
MISSED = ("drawn", "as asked", "too late", "too early", "left out", "too short for all", "along its slide")
HINT = (*MISSED, "laid by a hand", "comes to rest", *STILL)
ABOUT = {
    "slide": HINT,
    "bounce": HINT,
    "roll": HINT,
    "launch": HINT,
    "arrival": ("comes to rest", *STILL),
    "order": ("comes to rest after", "cannot come before", *STILL),
    "stays": ("to stay",),
    "leaves": STILL,
    "entrance": ("otherwise than asked", "first frame", "laid by a hand", "carried in", "does not", *STILL),
}
"""Words of a note that says of a body that its wish did not come true."""


@dataclass(frozen=True)
class Wish:
    kind: str
    who: str  # name of a body, "" of all
    came_true: bool


def wishes(tell: Tell, count: int = 500) -> list[Row]:
    found: dict[str, Counter[str]] = {}
    spent: dict[str, float] = defaultdict(float)
    for number in range(count):
        tell(f"scene {number}", number, count)
        begun = time.process_time()
        judged = outcomes(case(number))
        for wish, outcome in judged:
            found.setdefault(wish.kind, Counter())[outcome] += 1
            spent[wish.kind] += time.process_time() - begun
    return [
        {"wish": kind, "asked": each.total(), "kept": each[KEPT], "told": each[TOLD], "lost": each[LOST],
         "ms": 1e3 * spent[kind] / each.total()}
        for kind, each in sorted(found.items())
    ]  # fmt: skip


def outcomes(asked: Case) -> list[tuple[Wish, str]]:
    take = backward(asked.scene, asked.seconds, PREVIEW_DT, asked.seed, asked.options)
    return [(wish, KEPT if wish.came_true else TOLD if _is_told(take, wish) else LOST) for wish in measured(take)]


def _is_told(take: Take, wish: Wish) -> bool:
    if take.stopped is not None:
        return True
    if not wish.who:
        return any("not everybody comes" in note or "after each other" in note or "nothing moves" in note
                   for note in take.notes)  # fmt: skip
    about = (note for note in take.notes if f'"{wish.who}"' in note)
    return any(word in note for note in about for word in ABOUT[wish.kind])


def measured(take: Take) -> Iterator[Wish]:
    """Every wish of the scene, and whether it came true."""
    scene = take.scene
    ways = {body.id: _Way(take, i) for i, body in enumerate(scene.bodies) if not body.static}
    name = {body.id: body.name for body in scene.bodies}
    for hint in scene.hints:
        body = scene.find(hint.body)
        assert body is not None
        if body.leaves != "never":
            yield Wish(hint.kind, body.name, ways[body.id].follows(hint, isinstance(body.shape, Sphere)))
    for body in scene.bodies:
        if body.static:
            continue
        way = ways[body.id]
        if body.arrival is not None:
            yield Wish("arrival", body.name, way.rests_for(body.arrival))
        if body.leaves == "never":
            yield Wish("stays", body.name, way.rest == 0)
        if body.leaves == "free":
            yield Wish("leaves", body.name, way.rest > 0)
    for earlier, later in zip(scene.arrival_order, scene.arrival_order[1:], strict=False):
        yield Wish("order", name[earlier], ways[earlier].rest <= ways[later].rest + 1)
    if scene.stagger is not None:
        yield Wish("stagger", "", _staggered(take, ways))
    for entrance in scene.entrances:
        if scene.find(entrance.who).leaves != "never":  # type: ignore[union-attr]
            yield Wish("entrance", name[entrance.who], ways[entrance.who].enters(entrance.side, entrance.height))


def _staggered(take: Take, ways: dict[str, _Way]) -> bool:
    scene, stagger = take.scene, take.scene.stagger
    assert stagger is not None
    hinted = {scene.find(hint.body).id for hint in scene.hints}  # type: ignore[union-attr]
    free = [body for body in scene.bodies if body.id in ways and body.arrival is None and body.id not in hinted]
    axis = {"left to right": 0, "bottom up": 2, "at once": 1}[stagger.order]  # along y all are alike
    came = sorted((round(body.position[axis], 6), ways[body.id].rest) for body in free)
    slack = ON_TIME / PREVIEW_DT
    good = all(one[1] <= other[1] + slack for i, one in enumerate(came) for other in came[i:] if one[0] <= other[0])
    good &= all(abs(one[1] - other[1]) <= slack for one in came for other in came if one[0] == other[0])
    if stagger.seconds is None or stagger.order == "at once":
        return good
    first = sorted(dict(reversed(came)).values())
    gaps = np.diff(first) * PREVIEW_DT
    return good and (not len(gaps) or abs(float(np.median(gaps)) - stagger.seconds) <= ON_TIME)


class _Way:
    """How one body came."""

    def __init__(self, take: Take, index: int) -> None:
        body = take.scene.bodies[index]
        release = take.releases.get(body.name)
        self.dt, self.steps = PREVIEW_DT, len(take.times) - 1
        self.let_go = 0 if release is None else round((release.time - take.times[0]) / self.dt)
        self.release = release
        x, q = take.positions[:, index], take.orientations[:, index]
        self.x, self.v, self.w = x, take.velocities[:, index], take.angular_velocities[:, index]
        moved = np.flatnonzero((np.abs(x - x[-1]) > 1e-9).any(axis=1) | (np.abs(q - q[-1]) > 1e-9).any(axis=1))
        self.rest = int(moved[-1]) + 1 if len(moved) else 0

    def rests_for(self, seconds: float) -> bool:
        return self.rest > 0 and abs((self.steps - self.rest) * self.dt - seconds) <= ON_TIME

    def follows(self, hint: Hint, round_one: bool) -> bool:
        if self.rest - self.let_go < 2:
            return False
        x, v, w = (part[self.let_go : self.rest] for part in (self.x, self.v, self.w))
        landed = int(np.flatnonzero(np.append(True, np.abs(v[:, 2]) > 1.5 * G * self.dt))[-1]) - 1  # -1: never flew
        on_time = hint.time is None or self.rests_for(hint.time)
        if hint.kind in ("slide", "roll"):
            return on_time and self._slid(hint, x[landed + 1 :], v[landed + 1 :], w[landed + 1 :])
        if hint.time is not None and not on_time:  # a landing may go on as a slide
            on_time = abs((self.steps - self.let_go - landed) * self.dt - hint.time) <= ON_TIME
        return landed >= 0 and on_time and self._landed(hint, v[landed])

    def _slid(self, hint: Hint, x: np.ndarray, v: np.ndarray, w: np.ndarray) -> bool:
        if len(x) < 2:
            return False
        fast = np.linalg.norm(v, axis=1)
        ways = np.cumsum((fast * self.dt)[::-1])[::-1]
        begins = 0 if hint.distance is None else int(np.flatnonzero(ways >= min(0.98 * hint.distance, ways[0]))[-1])
        assert hint.direction is not None
        good = _aside(self.x[-1] - x[begins], hint.direction) <= ASIDE
        good &= hint.speed is None or abs(float(fast[begins]) / hint.speed - 1.0) <= SHARE
        good &= hint.distance is None or float(ways[0]) >= (1.0 - SHARE) * hint.distance
        if hint.kind == "roll":
            good &= float(np.linalg.norm(w, axis=1).sum()) * self.dt * HALF >= 0.5 * float(ways[0])
        return bool(good)

    def _landed(self, hint: Hint, v: np.ndarray) -> bool:
        down, level = -float(v[2]), float(np.hypot(v[0], v[1]))
        if hint.height is not None and hint.distance is not None:
            falling = math.sqrt(2.0 * G * hint.height)
            asked = np.array([*(np.array(hint.direction[:2]) * hint.distance * G / (2.0 * falling)), -falling])  # type: ignore[index]
        elif hint.velocity is not None:
            asked = np.array(hint.velocity, float)
        else:
            asked = float(hint.speed or 1.0) * np.array(hint.direction, float)
        slack = 2.0 * G * self.dt
        good = (
            abs(math.hypot(down, level) - float(np.linalg.norm(asked))) <= SHARE * float(np.linalg.norm(asked)) + slack
        )
        if hint.kind != "launch":
            good &= abs(down * down - asked[2] ** 2) <= (SHARE * asked[2] ** 2) + slack * (down - asked[2])
        if float(np.hypot(asked[0], asked[1])) > 0.06 * float(np.linalg.norm(asked)):
            good &= _aside(v, tuple(asked)) <= ASIDE
        return bool(good)

    def enters(self, side: object, height: tuple[float, float] | None) -> bool:
        if self.release is None or self.let_go <= 0:
            return False
        way = np.array(self.release.position) - self.x[-1]
        good = height is None or (1 - SHARE) * height[0] <= way[2] <= (1 + SHARE) * height[1]
        if isinstance(side, tuple) and float(np.hypot(way[0], way[1])) > 1e-6:
            away = math.degrees(math.atan2(way[1], way[0])) - side[0]
            good &= abs((away + 180.0) % 360.0 - 180.0) <= 0.5 * side[1] + ASIDE
        return bool(good)


def _aside(way: np.ndarray, asked: tuple[float, ...]) -> float:
    """Degrees between the level parts."""
    one, other = np.array(way[:2], float), np.array(asked[:2], float)
    long = float(np.linalg.norm(one) * np.linalg.norm(other))
    return math.degrees(math.acos(max(-1.0, min(1.0, float(one @ other) / long)))) if long > 0.0 else 180.0
