"""Does a take follow its hints? Read from the motion alone: contacts and velocities, not the director's intentions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.hints import chain_of
from engine.functions import arc_cosine
from engine.rest import REST_OF_HINTED_BODY
from engine.scene.spec import Body, Hint
from engine.scene.vectors import up_of
from engine.tape.take import Take

ANGLE = 15.0  # degrees
SHARE = 0.25  # of heights and lengths
SHORTEST_FLIGHT = 3  # steps without contact: less is no hop
STEEP = 0.05  # share of the speed: what is less level comes from above, not from a side


@dataclass(frozen=True)
class HintReport:
    """How far a take is from one hint. None where the hint does not say, or the motion has nothing like it."""

    hint: str  # id
    body: str  # id
    kind: str
    angle: float | None = None  # degrees between the level directions it came from
    speed: float | None = None  # relative errors: of the landing speed, of the speed at the start of the line
    height: float | None = None  # of the top of the hop over the landing
    distance: float | None = None  # of the way in contact, where that is shorter than the line
    aim: float | None = None  # degrees between the whole velocities, where the hint gives one: steepness included
    found: bool = False  # the motion has a hop or a slide there at all

    @property
    def followed(self) -> bool:
        near = (abs(error) <= SHARE for error in (self.height, self.distance) if error is not None)
        return self.found and all(near) and (self.angle is None or self.angle <= ANGLE)


def miss_words(report: HintReport, name: str) -> str:
    """What is not as drawn, in the artist's words; "" when the hint is followed."""
    if report.followed:
        return ""
    if not report.found:
        return f'"{name}" does not {"slide" if report.kind in ("slide", "roll") else "bounce"} in as drawn'
    if report.angle is not None and report.angle > ANGLE:
        return f'"{name}" comes {report.angle:.0f} degrees aside of where its hint was drawn'
    error = report.height if report.height is not None and abs(report.height) > SHARE else report.distance
    if error is None:
        return f'"{name}" does not follow its hint'
    what = ("lower" if error < 0 else "higher") if error is report.height else ("shorter" if error < 0 else "longer")
    return f'"{name}" comes in {100 * abs(error):.0f} % {what} than drawn'


def met_words(report: HintReport) -> str:
    """How closely a hint is met, in a few words: "3° aside, 2 % faster"."""
    if not report.found:
        return "not met"
    told = [] if report.angle is None else [f"{report.angle:.0f}° aside"]
    for error, less, more in (
        (report.speed, "slower", "faster"),
        (report.height, "lower", "higher"),
        (report.distance, "shorter", "longer"),
    ):
        if error is not None and round(100 * abs(error)) > 0:
            told.append(f"{100 * abs(error):.0f} % {less if error < 0 else more}")
    return ", ".join(told) if told else "met"


def follows(take: Take) -> tuple[HintReport, ...]:
    """A report for every hint of a backward take's scene whose body moves, in the order of the scene's hints."""
    reports: dict[str, HintReport] = {}
    for body in take.scene.bodies:
        hints = chain_of(take.scene, body)
        if hints and not body.static:
            reports |= {report.hint: report for report in _reports(take, body, hints)}
    return tuple(reports[hint.id] for hint in take.scene.hints if hint.id in reports)


def _reports(take: Take, body: Body, hints: list[Hint]) -> list[HintReport]:
    row = take.model.index(body)
    x, v, touching = take.tape.x[:, row], take.tape.v[:, row], _touching(take, row)
    up = up_of(take.scene.gravity)
    strength = math.hypot(*take.scene.gravity)
    moving = np.flatnonzero(norms(v) > REST_OF_HINTED_BODY)
    last = int(moving[-1]) if len(moving) else -1  # the state that the last unread motion ends in
    reports = []
    for hint in hints:
        report = HintReport(hint.id, body.id, hint.kind)
        if hint.kind in ("slide", "roll"):
            first = _run_start(touching, last, True)
            if 0 <= last and first < last:
                report = _of_slide(report, hint, x[first : last + 1], v[first : last + 1], up)
        else:
            last = _landing(touching, last)
            first = _run_start(touching, last - 1, False)
            if last > 0:
                report = _of_hop(report, hint, x[first : last + 1], v[last], up, strength)
        last = first if report.found else -1
        reports.append(report)
    return reports


def _touching(take: Take, row: int) -> np.ndarray:
    """(k,) bool: who kicks the body as it leaves each state; the last state touches."""
    tape = take.tape
    mine = (tape.contact_column("a") == row) | (tape.contact_column("b") == row)
    step = np.repeat(np.arange(tape.steps), np.diff(tape.start))
    found = np.bincount(step[mine], minlength=tape.steps) > 0
    return np.append(found | tape.asleep[:, row], True)


def _run_start(touching: np.ndarray, last: int, value: bool) -> int:
    """First state of the run of equal `touching` that ends in state `last`."""
    first = last
    while first > 0 and touching[first - 1] == value:
        first -= 1
    return first


def _landing(touching: np.ndarray, last: int) -> int:
    """The state in which the last hop before state `last` lands, -1 without one."""
    landing = last
    while landing > 0:
        if not touching[landing - 1]:
            first = _run_start(touching, landing - 1, False)
            if landing - first >= SHORTEST_FLIGHT:
                return landing
            landing = first
        landing -= 1
    return -1


def _of_slide(report: HintReport, hint: Hint, x: np.ndarray, v: np.ndarray, up: np.ndarray) -> HintReport:
    ways = norms(np.diff(x, axis=0))[::-1].cumsum()[::-1]
    asked = hint.distance
    begins = 0 if asked is None else int(np.flatnonzero(ways >= min(0.98 * asked, ways[0]))[-1])
    speed = None if hint.speed is None else norm(v[begins]) / max(hint.speed, 1e-9) - 1.0
    return HintReport(
        report.hint,
        report.body,
        report.kind,
        angle=_angle(x[-1] - x[begins], hint.direction if hint.velocity is None else hint.velocity, up),
        speed=speed,
        distance=None if not asked else min(float(ways[0]) / asked - 1.0, 0.0),
        found=True,
    )


def _of_hop(report: HintReport, hint: Hint, x: np.ndarray, v: np.ndarray, up: np.ndarray, g: float) -> HintReport:
    asked = hint.velocity
    if asked is None and hint.direction is not None and hint.speed is not None:
        asked = tuple(hint.speed * c / math.hypot(*hint.direction) for c in hint.direction)  # type: ignore[assignment]
    high = hint.height
    if high is None and asked is not None and g > 0.0:
        high = np.square(max(-float(times(np.array(asked), up)), 0.0)) / (2.0 * g)
    top = float(times(x, up).max() - times(x[-1], up))
    return HintReport(
        report.hint,
        report.body,
        report.kind,
        angle=_angle(v, asked, up),
        speed=None if asked is None else norm(v) / max(math.hypot(*asked), 1e-9) - 1.0,
        height=None if not high else top / high - 1.0,
        found=True,
        aim=None if asked is None else _between(v, np.array(asked, float)),
    )


def _angle(travel: np.ndarray, asked: tuple[float, float, float] | None, up: np.ndarray) -> float | None:
    """Degrees between the level parts; None when nothing level was asked for."""
    if asked is None:
        return None
    wanted = np.array(asked, float)
    level, other = wanted - times(wanted, up) * up, travel - times(travel, up) * up
    if norm(level) < STEEP * norm(wanted):
        return None
    return _between(level, other)


def _between(one: np.ndarray, other: np.ndarray) -> float:
    """Degrees."""
    cosine = float(times(one, other)) / max(norm(one) * norm(other), 1e-300)
    return math.degrees(arc_cosine(min(1.0, max(-1.0, cosine))))
