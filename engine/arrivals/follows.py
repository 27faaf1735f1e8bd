"""Does a take follow its hints? Read from the motion alone: contacts and velocities, not the director's intentions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.hints import chain_of
from engine.functions import arc_cosine
from engine.rest import REST_OF_HINTED_BODY
from engine.scene.spec import Body, Hint
from engine.scene.vectors import up_of
from engine.tape.take import Take

ANGLE = 15.0  # degrees
SHARE = 0.25  # of heights, lengths and speeds
SPIN = 0.5  # of a turning that was asked for
PUNCTUAL, STEPS = 0.02, 3  # s, and no less than so many steps: who comes nearer to a time came then
EARLIER = 0.05  # s: the same of what lies before another hint
ROLLS = 0.5  # of a way: what turns over less of it slides
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
    found: bool = False  # the motion has a hop, a slide or a roll there at all
    spin: float | None = None  # share by which it turns otherwise than the hint asks
    late: float | None = None  # s after its time, where the hint gives one; punctual: 0

    @property
    def followed(self) -> bool:
        """In its shape, and in time. (A speed that is missed is told, but what was drawn is a shape.)"""
        near = (abs(error) <= SHARE for error in (self.height, self.distance) if error is not None)
        turned = self.spin is None or self.spin <= SPIN
        return self.found and all(near) and turned and not self.late and (self.angle is None or self.angle <= ANGLE)

    @property
    def only_late(self) -> bool:
        return bool(self.late) and not miss_words(replace(self, late=None), "")


WORDS = {"slide": "slide", "roll": "roll"}
AMOUNTS = (("speed", "slower", "faster"), ("height", "lower", "higher"), ("distance", "shorter", "longer"))


def miss_words(report: HintReport, name: str) -> str:
    """What is not as drawn, in the artist's words; "" when the hint is followed."""
    if not report.found:
        return f'"{name}" does not {WORDS.get(report.kind, "bounce")} in as drawn'
    told = []
    if report.angle is not None and report.angle > ANGLE:
        told.append(f"comes {report.angle:.0f} degrees aside of where its hint was drawn")
    for field, less, more in AMOUNTS:
        error = getattr(report, field)
        if error is not None and abs(error) > SHARE:
            told.append(f"comes in {_percent(error)} {less if error < 0 else more} than drawn")
    told += ["does not turn as asked"] if report.spin is not None and report.spin > SPIN else []
    told += [f"comes {abs(report.late):.2f} s too {'late' if report.late > 0 else 'early'}"] if report.late else []
    return f'"{name}" {", ".join(told)}' if told else ""


def _percent(error: float) -> str:
    return f"{100 * abs(error):.0f} %"


def met_words(report: HintReport) -> str:
    """How closely a hint is met, in a few words: "3° aside, 2 % faster"."""
    if not report.found:
        return "not met"
    told = [] if report.angle is None else [f"{report.angle:.0f}° aside"]
    for field, less, more in AMOUNTS:
        error = getattr(report, field)
        if error is not None and round(100 * abs(error)) > 0:
            told.append(f"{_percent(error)} {less if error < 0 else more}")
    told += ["turns otherwise"] if report.spin is not None and report.spin > SPIN else []
    told += [f"{abs(report.late):.2f} s {'late' if report.late > 0 else 'early'}"] if report.late else []
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
    tape, begun = take.tape, int(take.tape.releases.step[row])  # before its release nothing is known of it
    x, v, touching = tape.x[begun:, row], tape.v[begun:, row], _touching(take, row)[begun:]
    w = take.angular_velocities[begun:, take.scene.bodies.index(body)]
    up, size = up_of(take.scene.gravity), float(take.model.bodies.size[row])
    strength = math.hypot(*take.scene.gravity)
    moving = np.flatnonzero(norms(v) > REST_OF_HINTED_BODY)
    last = int(moving[-1]) if len(moving) else -1  # the state that the last unread motion ends in
    reports: list[HintReport] = []
    for hint in hints:
        report = HintReport(hint.id, body.id, hint.kind)
        if hint.kind in ("slide", "roll"):
            first = _run_start(touching, last, True)
            if 0 <= last and first < last:
                lands = first > 0 and last > first + 1  # that state is still as fast as the body fell
                part = slice(first + lands, last + 1)
                report = _of_slide(report, hint, x[part], v[part], w[part], up, size, tape.params.dt)
        else:
            last = last if hint.kind == "launch" and not reports else _landing(touching, last)
            first = _run_start(touching, last - 1, False)
            if last > 0:
                step = tape.params.dt * norm(v[last])
                report = _of_hop(report, hint, x[first : last + 1], v[last], w[last], up, strength, step)
        if report.found and hint.time is not None:
            ends = (last, int(moving[-1])) if not reports else (last,)  # a landing may go on as a slide
            near = EARLIER if reports else PUNCTUAL
            late = [_late(hint.time, (len(x) - 1 - end) * tape.params.dt, tape.params.dt, near) for end in ends]
            report = replace(report, late=min(late, key=abs))
        last = first if report.found else -1
        reports.append(report)
    return reports


def _late(asked: float, came: float, dt: float, near: float) -> float:
    """s by which something came after its time, both before the end; 0 where it is as near."""
    return asked - came if abs(asked - came) > max(near, STEPS * dt) else 0.0


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


def _of_slide(
    report: HintReport, hint: Hint, x: np.ndarray, v: np.ndarray, w: np.ndarray, up: np.ndarray, size: float, dt: float
) -> HintReport:
    ways = norms(np.diff(x, axis=0))[::-1].cumsum()[::-1]
    asked, wanted = hint.distance, hint.direction if hint.velocity is None else hint.velocity
    begins = 0 if asked is None else int(np.flatnonzero(ways >= min(0.98 * asked, ways[0]))[-1])
    speed = None if hint.speed is None else norm(v[begins]) / max(hint.speed, 1e-9) - 1.0
    spin = None
    if hint.velocity is not None:  # spinning in: it is as fast somewhere on its way, and slows down
        fastest = float(norms(v).max())
        speed = min(fastest / max(math.hypot(*hint.velocity), 1e-9) - 1.0, 0.0)
    if hint.angular_velocity is not None and any(hint.angular_velocity):
        turning = np.array(hint.angular_velocity, float)
        spin = max(1.0 - float(times(w, turning).max()) / float(times(turning, turning)), 0.0)
    angle = _angle(x[-1] - x[begins], wanted, up)
    if angle is not None and report.kind == "slide":  # its direction lies in the plane of contact: it must not sink
        angle = _between(np.array(wanted, float), x[-1] - x[begins])
    return HintReport(
        report.hint,
        report.body,
        report.kind,
        angle=angle,
        speed=speed,
        distance=None if not asked else min(float(ways[0]) / asked - 1.0, 0.0),
        found=report.kind != "roll" or float(norms(w).sum()) * dt * size >= ROLLS * float(ways[0]),
        spin=spin,
    )


def _of_hop(
    report: HintReport, hint: Hint, x: np.ndarray, v: np.ndarray, w: np.ndarray, up: np.ndarray, g: float, step: float
) -> HintReport:
    """step: m on the way of a step, no finer are heights known."""
    asked = hint.velocity
    if asked is None and hint.direction is not None and hint.speed is not None:
        asked = tuple(hint.speed * c / math.hypot(*hint.direction) for c in hint.direction)  # type: ignore[assignment]
    high = hint.height
    if high is None and asked is not None and g > 0.0:
        high = np.square(max(-float(times(np.array(asked), up)), 0.0)) / (2.0 * g)
    top = float(times(x, up).max() - times(x[-1], up))
    spin = None
    if hint.angular_velocity is not None and any(hint.angular_velocity):
        turning = np.array(hint.angular_velocity, float)
        spin = norm(w - turning) / norm(turning)
    return HintReport(
        report.hint,
        report.body,
        report.kind,
        angle=_angle(v, asked, up),
        speed=None if asked is None else norm(v) / max(math.hypot(*asked), 1e-9) - 1.0,
        height=None if not high or hint.kind == "launch" else float(top / high - 1.0) * (abs(top - high) > step),
        found=True,
        aim=None if asked is None else _between(v, np.array(asked, float)),
        spin=spin,
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
