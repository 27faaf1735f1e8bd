"""Ways: how far back flights are looked for, and in which measure.

A flight of a body that is under way from the first frame goes back to the start of the take. One that is let go ends
where a hand may have held it: soon, so that the authored materials are kept, and with room to fall. Speeds, times and
lengths follow the bodies' size and gravity: a stack of houses falls like a stack of dice, only slower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.ahead.draw import LEAST_BOUNCE, MOST_BOUNCE
from engine.arrivals.ahead.flight import Flight
from engine.arrivals.ahead.ladder import ladder
from engine.arrivals.ahead.order import Letting, courses
from engine.arrivals.ahead.tuning import AT_ANY_SPEED, LET_GO, MANNERS, RECIPES, Manner, Pace
from engine.arrivals.brief import Brief
from engine.arrivals.enclosed import WayOut
from engine.arrivals.scale import USUAL_SIZE, Scale, scale_of
from engine.arrivals.stagger import staggered
from engine.functions import arc_tangent
from engine.scene.entrance import Camera, Entrance

Suits: TypeAlias = Callable[[np.ndarray], np.ndarray]
"""At which of the places (k, 3) m a body may be let go."""


@dataclass(frozen=True)
class Ways:
    """What is looked for."""

    manner: Manner
    pace: Pace = AT_ANY_SPEED
    hurried: Pace = AT_ANY_SPEED  # where others need the room soon
    scale: Scale = field(default_factory=Scale)
    longest: Mapping[int, int] = field(default_factory=dict)  # steps of a body's flight, of those who are let go
    letting: Letting | None = None
    wants: Mapping[int, Entrance] = field(default_factory=dict)  # what is asked of each body's way in
    tops: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """m over their places from which bodies are to fall, where that was asked for."""
    out: Mapping[int, WayOut] = field(default_factory=dict)
    """Of those who are enclosed: they are let go in the open only."""
    near: frozenset[int] = frozenset()
    """For whom the take is too short to fall from above the stage: they are let go near their places."""

    def suits(self, body: int, camera: Camera | None) -> Suits | None:
        """Where a body was asked to be let go; None: anywhere."""
        want = self.wants.get(body)
        if want is None or (want.region is None and not (want.off_camera and camera is not None)):
            return None
        region, unseen = want.region, camera if want.off_camera else None

        def found(x: np.ndarray) -> np.ndarray:
            good = np.ones(len(x), bool)
            if region is not None:
                centre, half = (np.array(part, float) for part in region)
                good &= (np.abs(x - centre) <= half).all(axis=1)
            return good if unseen is None else good & ~unseen.sees(x)

        return found

    def pace_of(self, body: int, hurries: bool, near: bool = False) -> Pace:
        """near: of one that is let go near its place, whatever height was wished."""
        pace = self.hurried if hurries else self.pace
        return pace._replace(top=self.tops[body]) if body in self.tops and not near else pace

    @property
    def lets_go(self) -> bool:
        return bool(self.longest)


LONGEST, AT_LEAST = 0.8, 0.45  # s of usual bodies, and of any: how far back a release is looked for
BOUNCES_FROM = 2.0  # sizes: and as long as bounces from there take to die down
DRAWN = 2.5  # s of usual bodies: how long a way may take that a hint asks for
HAND, FIRST_FLIGHT = 0.3, 0.3  # s of usual bodies: in a hand at least, and then in flight, of the first one to arrive
APART = 0.16  # s between a body and what it stands on, where nobody knows better
CLEARED = 0.3  # of the way up: then it is out of the way of what it stood on
FALLS = 0.12  # s that a body falls at least, however small it is
TOP = (1.1, 2.8, 1.5)  # sizes over its place: lowest top of the way of a body, highest, and where others need the room
SOFT = 0.98  # of the bounce speed: landings softer than this stay where they are, as the authored materials say
SOONEST = 0.18  # s before rest: who is let go later was laid there
NEAREST = 1.04  # sizes away from its place: who is let go nearer was laid there
RISES = (0.7, 2.0)  # times the rise of the shortest way out, and a little: so high bounces who is enclosed
HIGHEST = 60.0  # sizes over its place: nobody falls from higher only to come from outside the picture


def flights(brief: Brief) -> Ways:
    return Ways(MANNERS[brief.options.manner])


def releases(brief: Brief) -> Ways:
    """Everybody is let go near its place, or where it was asked for."""
    rows = [int(row) for row in np.flatnonzero(brief.moves)]
    gravity, dt = norm(brief.model.gravity), brief.params.dt
    scale = scale_of(float(np.median(brief.model.bodies.size[rows])), gravity)
    wants = {row: _toward_region(brief.entrances[row], brief.model.start.x[row], gravity) for row in rows}
    tops = _tops(brief, wants)
    longest = {row: round(_longest(brief, row, tops.get(row), gravity) / dt) for row in rows}
    softest, size = SOFT * brief.params.bounce_speed, USUAL_SIZE * scale.length
    seconds, low = dt * max(longest.values()), 0.5 * gravity * FALLS * FALLS
    slow = Pace(RECIPES, (TOP[0] * size, max(TOP[1] * size, low)), False, softest, brief.params.slop, SOONEST, seconds)
    quick = slow._replace(top=(TOP[0] * size, max(TOP[2] * size, low)), hurries=True)
    usual = quick if not tops else quick._replace(top=sorted(tops.values())[len(tops) // 2])
    stagger, groups = brief.scene.stagger, staggered(brief, rows)
    apart = _apart(brief, rows, usual, gravity)
    hand, flight = HAND * scale.time, FIRST_FLIGHT * scale.time
    near = frozenset[int]()
    if apart * (1 + max(courses(brief.structure))) > Letting(hand, flight, apart).room(brief.seconds):
        near = frozenset(row for row in tops if wants[row].height is None)
        apart = _apart(brief, rows, quick, gravity) if near else apart
    letting = Letting(
        hand,
        flight,
        apart,
        None if stagger is None or stagger.order == "at once" else stagger.seconds,
        {row: i for i, group in enumerate(groups or ()) for row in group},
        dt * max((longest[row] for row in rows if row in brief.launches), default=0),
    )
    return Ways(LET_GO[brief.options.manner], slow, quick, scale, longest, letting, wants, tops, brief.ways_out, near)


def _toward_region(entrance: Entrance, place: np.ndarray, gravity: float) -> Entrance:
    """A region to be let go in asks for its side, its heights, and for speeds that lead from there to the place."""
    if entrance.region is None:
        return entrance
    centre, half = (np.array(part, float) for part in entrance.region)
    way = centre - place
    height = entrance.height or (max(float(way[2] - half[2]), 0.0), max(float(way[2] + half[2]), 0.0))
    far, time = math.hypot(way[0], way[1]), math.sqrt(2.0 * max(0.5 * sum(height), 1e-6) / gravity)
    wide = math.degrees(2.0 * arc_tangent(float(half[:2].min()), max(far, 1e-6)))
    side = entrance.side or (math.degrees(arc_tangent(float(way[1]), float(way[0]))), wide)
    speed = entrance.speed or (0.5 * far / time, far / time)
    return replace(entrance, height=height, side=side, speed=speed)


def _tops(brief: Brief, wants: Mapping[int, Entrance]) -> dict[int, tuple[float, float]]:
    """m over their places from which bodies are to fall: as asked, or from above the stage."""
    found: dict[int, tuple[float, float]] = {}
    up = -brief.model.gravity / norm(brief.model.gravity)
    for row, entrance in wants.items():
        if entrance.height is not None:
            found[row] = entrance.height
        elif entrance.kind in ("drop", "toss") or entrance.off_camera:
            size = float(brief.model.bodies.size[row])
            high = brief.stage.way_out(brief.model.start.x[row], up, size)
            if high <= HIGHEST * size:
                found[row] = (high, 1.25 * high + size)
    for row, way in brief.ways_out.items():
        place, size = brief.model.start.x[row], float(brief.model.bodies.size[row])
        rise = float(times(way.path(place) - place, up).max())
        found[row] = (max(RISES[0] * rise, size), RISES[1] * rise + 2.0 * size)
    return found


def _apart(brief: Brief, rows: list[int], pace: Pace, gravity: float) -> float:
    """s between a body and what it stands on: as quick landings take until they are clear of it."""
    bounce = float(np.median(brief.model.bodies.restitution[rows]))
    if pace.top is None or not LEAST_BOUNCE <= bounce <= MOST_BOUNCE:
        return APART
    known = ladder(bounce, gravity, brief.params.dt, pace.slop, pace.softest, 0.9 * pace.top[0], SOONEST, pace.seconds)
    good = np.flatnonzero((known.top >= pace.top[0]) & (known.top <= pace.top[1]))
    if not len(good):
        return APART
    quick = good[np.argsort(known.time[good], kind="stable")[: max(len(good) // 4, 1)]]
    return float(np.median(known.clear[quick] + CLEARED * (known.time[quick] - known.clear[quick])))


def _longest(brief: Brief, row: int, top: tuple[float, float] | None, gravity: float) -> float:
    """s: as usual for its size, or as long as its bounces take to die down."""
    size, bounce = float(brief.model.bodies.size[row]), min(float(brief.model.bodies.restitution[row]), 0.9)
    high = BOUNCES_FROM * size if top is None else max(BOUNCES_FROM * size, top[1])
    dies_down = 2.0 * math.sqrt(2.0 * high / gravity) / (1.0 - bounce)
    asked = DRAWN * scale_of(size, gravity).time if row in brief.launches else 0.0
    return max(LONGEST * scale_of(size, gravity).time, AT_LEAST, dies_down, asked)


def _first_open(is_open: np.ndarray, events: np.ndarray) -> np.ndarray:
    """Of a flight (k,) bool: from when it is in the open for the first time until it touches something there."""
    found = np.zeros(len(is_open), bool)
    if is_open.any():
        begin = int(is_open.argmax())
        later = [*np.flatnonzero(~is_open[begin:]), *(events[events >= begin] - begin)]
        found[begin : begin + min(later, default=len(is_open))] = True
    return found


def release_of(
    flown: Flight,
    events: np.ndarray,
    first: int,
    last: int,
    size: float,
    gravity: np.ndarray,
    dt: float,
    suits: Suits | None = None,
    open_at: Suits | None = None,
) -> int | None:
    """The step in which to let go of a body that flew from `first` to `last`: at the top of its way, else where it is
    slowest; not where it touches something, nor too late or too near. None where there is no such step. suits: where it
    was asked to be let go, if it ever is there; open_at: where alone it may be."""
    soonest = round(SOONEST / dt)
    if last - first < soonest:
        return None
    rows = slice(soonest + 1, last - first + 2)
    x, v, step = flown.x[rows], flown.v[rows], np.arange(first + soonest, last + 1)
    good = norms(x - flown.x[0]) >= NEAREST * size
    good &= ~np.isin(step, events)
    if open_at is not None:
        good &= _first_open(open_at(flown.x[: last - first + 2]), events - first + 1)[rows]
    if not good.any():
        return None
    asked = good & suits(x) if suits is not None else good
    good = asked if asked.any() else good
    rises = np.abs(times(v, gravity))
    return int(step[int(np.where(good, rises, np.inf).argmin())])
