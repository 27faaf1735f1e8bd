"""Cuts: which drop, which image of it and from which state on, by what an artist asked for.

Where nothing is asked every drop and every image is as likely as any other, so that takes are to drops as drops are to
each other. Where something is asked, all that fit are as likely; when they are too few there are more to choose from:
the same drops let go later on their way to the ground, then drops thrown as asked (toss.py). When none fits, the
nearest comes first, and it says how far off it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.pages import THROWN, UPRIGHT, Pages
from engine.arrivals.dropped.retarget import Image, image_by, images, symmetries
from engine.arrivals.dropped.starts import Starts
from engine.arrivals.dropped.toss import Range, Toss
from engine.functions import arc_tangent, sine_cosine
from engine.scene.spec import Shape

ENOUGH = 8  # that fit, to choose from
DEGREES, SHARE = 15.0, 0.15  # as far off as this is one unit, by which the nearest is chosen
FORBIDDEN = 10.0  # units: where nobody is to be let go
EXACT = 0.01  # of a number: what is asked to be one value is met within this
FASTER = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # sqrt(g r), of pages of throws for a wish that says where not
LOOKS = 16  # states of a way that are looked at for their place
ANGLES = 12  # turns to try of what is round, and may come from anywhere


@dataclass(frozen=True)
class Wish:
    """How a body is to be let go; None: in any way."""

    side: tuple[float, float] | None = (
        None  # degrees on the ground, x toward y, as seen from its place; and how far off
    )
    height: Range | None = None  # m of the centre of mass over where it rests
    speed: Range | None = None  # m/s
    spin: Range | None = None  # rad/s
    region: tuple[tuple[float, float, float], tuple[float, float, float]] | None = None  # m, centre and half of a box
    allowed: Callable[[np.ndarray], bool] | None = None  # whether the centre of mass may be let go there

    @property
    def is_empty(self) -> bool:
        return self == Wish()

    @property
    def is_about_place(self) -> bool:
        return self.side is not None or self.region is not None or self.allowed is not None

    def throw(self, place: Spot, page: int, size: float, gravity: float) -> Toss:
        """What throws for this wish start with. A region asks for its heights, and for speeds that lead from there to
        the place; where it is only said where not, each page throws faster."""
        height, speed = self.height, self.speed
        unit = math.sqrt(gravity * size)
        if self.region is not None:
            centre, half = (np.array(part, float) for part in self.region)
            low, high = (centre - place.x)[2] + np.array([-half[2], half[2]])
            height = height or (max(float(low), 0.0), max(float(high), 0.1 * size))
            time = math.sqrt(2.0 * max(0.5 * sum(height), size) / gravity)
            far = float(norm((centre - place.x)[:2])) / time
            speed = speed or (0.3 * far, 1.1 * far + 0.1 * unit)
        elif self.allowed is not None:
            speed = speed or (unit * FASTER[page], 2.0 * unit * FASTER[page])
        return Toss(height, speed, self.spin, place.rest)


class Cut(NamedTuple):
    """off: units by which it misses the wish, 0 when it fits; missed: by how much, in degrees, m, m/s, rad/s."""

    motion: Motion
    image: Image
    cut: int  # state of the motion in which it is let go
    off: float = 0.0
    missed: Mapping[str, float] = {}

    @property
    def steps(self) -> int:
        """From the release to rest."""
        return self.motion.steps - self.cut


class Spot(NamedTuple):
    """Where a body is to rest."""

    shape: Shape
    x: np.ndarray  # (3,) m
    q: np.ndarray  # (4,)
    rest: float  # m of its centre of mass over the ground


def candidates(pages: Pages, place: Spot, wish: Wish | None, rng: np.random.Generator) -> Iterator[Cut]:
    """In the order in which to try them; without a wish there is no end of them."""
    if wish is None or wish.is_empty:
        yield from at_random(pages, place, rng)
        return
    fits, others = _split(_judged(pages, pages.motions, place, wish, False, rng))
    if len(fits) < ENOUGH:
        more, rest = _split(_judged(pages, pages.motions, place, wish, True, rng))
        known = {(id(each.motion), each.image.world.tobytes()) for each in fits}
        fits += [each for each in more if (id(each.motion), each.image.world.tobytes()) not in known]
        others = rest
    page = 0
    while len(fits) < ENOUGH and page < THROWN:
        throw = wish.throw(place, page, pages.size, pages.gravity)
        thrown = pages.thrown(replace(throw, tilt=UPRIGHT) if pages.is_rare else throw, page)
        more, rest = _split(_judged(pages, thrown, place, wish, wish.is_about_place, rng))
        fits, others, page = fits + more, others + rest, page + 1
    for i in rng.permutation(len(fits)):
        yield fits[int(i)]
    yield from sorted(others, key=lambda each: each.off)


def at_random(pages: Pages, place: Spot, rng: np.random.Generator) -> Iterator[Cut]:
    """Whole drops, all alike."""
    motions = pages.motions
    while motions:
        motion = motions[int(rng.integers(len(motions)))]
        found = symmetries(place.shape, motion, place.q, float(rng.uniform(0.0, 2.0 * np.pi)))
        if not found:
            return
        yield Cut(motion, image_by(found[int(rng.integers(len(found)))], motion, place.q), 0)


def later(pages: Pages, candidate: Cut) -> list[Cut]:
    """The same drop let go later: at the top of every flight between two touches. It is lower then, and needs less
    room."""
    return [candidate._replace(cut=int(cut)) for cut in pages.starts(candidate.motion).apexes if cut > candidate.cut]


def low(pages: Pages, place: Spot, wish: Wish | None, rng: np.random.Generator) -> Iterator[Cut]:
    """Drops from near the ground, in any order: for a place that nothing else finds a way to."""
    thrown = pages.thrown(pages.near_ground, 0)
    for i in rng.permutation(len(thrown)):
        found = _judged(pages, (thrown[int(i)],), place, wish or Wish(), False, rng)
        for k in rng.permutation(len(found)):
            yield found[int(k)]


def _split(judged: list[Cut]) -> tuple[list[Cut], list[Cut]]:
    return [each for each in judged if each.off <= 0.0], [each for each in judged if each.off > 0.0]


def _judged(
    pages: Pages, motions: tuple[Motion, ...], place: Spot, wish: Wish, on_the_way: bool, rng: np.random.Generator
) -> list[Cut]:
    """Every image of every motion, from its start or from the state on its way that suits the wish best."""
    found = []
    for motion in motions:
        starts = pages.starts(motion)
        count = len(starts.height) if on_the_way else 1
        for image in _images(place, motion, wish, rng):
            judge = _Judge(starts, count, image, place, wish, pages.size)
            cut, off = judge.best()
            found.append(Cut(motion, image, cut, off, judge.missed(cut) if off > 0.0 else {}))
    return found


def _images(place: Spot, motion: Motion, wish: Wish, rng: np.random.Generator) -> list[Image]:
    turns = [float(rng.uniform(0.0, 2.0 * np.pi)) for _ in range(ANGLES)]
    found = images(place.shape, motion, place.q, turns[0])
    again = images(place.shape, motion, place.q, turns[1])
    is_free = any(not np.array_equal(a.world, b.world) for a, b in zip(found, again, strict=True))
    if is_free and wish.is_about_place:
        found += again + [image for turn in turns[2:] for image in images(place.shape, motion, place.q, turn)]
    return found


class _Judge:
    """How far the first `count` states of a start, seen through an image, are from a wish."""

    def __init__(self, starts: Starts, count: int, image: Image, place: Spot, wish: Wish, size: float) -> None:
        self.wish, self.place, self.size = wish, place, size
        self._values = {"height": starts.height[:count], "speed": starts.speed[:count], "spin": starts.spin[:count]}
        self._image, self._starts, self._count = image, starts, count

    def best(self) -> tuple[int, float]:
        """The first state that fits, or the nearest; and by how many units it is off."""
        off = np.zeros(self._count)
        for name, values in self._values.items():
            asked = getattr(self.wish, name)
            if asked is not None:
                off = np.maximum(off, _beyond(values, asked) / (SHARE * max(abs(asked[0]), abs(asked[1]), 1e-12)))
        at = np.flatnonzero(off <= off.min())
        at = at[:: max(1, len(at) // LOOKS)]
        off = off[at]
        if self.wish.side is not None:
            off = np.maximum(off, np.maximum(0.0, self._degrees(at) - self.wish.side[1]) / DEGREES)
        if self.wish.region is not None:
            off = np.maximum(off, self._outside(at) / self.size)
        if self.wish.allowed is not None:
            off = off + np.array([0.0 if self.wish.allowed(x) else FORBIDDEN for x in self._at(at)])
        best = int(np.argmin(off))
        return int(at[best]), float(off[best])

    def missed(self, cut: int) -> dict[str, float]:
        """By how much, of everything that is not as asked."""
        one = np.array([cut])
        found = {}
        for name, values in self._values.items():
            asked = getattr(self.wish, name)
            if asked is not None:
                found[name] = float(_beyond(values[one], asked)[0])
        if self.wish.side is not None:
            found["side"] = max(0.0, float(self._degrees(one)[0]) - self.wish.side[1])
        if self.wish.region is not None:
            found["region"] = float(self._outside(one)[0])
        if self.wish.allowed is not None:
            found["allowed"] = 0.0 if self.wish.allowed(self._at(one)[0]) else 1.0
        return {name: value for name, value in found.items() if value > 0.0}

    def _at(self, which: np.ndarray) -> np.ndarray:
        """(k, 3) m, centres of mass in the world."""
        return self.place.x + times(self._starts.away[which], self._image.world.T)

    def _degrees(self, which: np.ndarray) -> np.ndarray:
        """(k,) between where it comes from and where it is to; half a turn of what comes straight from above."""
        assert self.wish.side is not None
        s, c = sine_cosine(math.radians(self.wish.side[0]))
        came = times(self._starts.side[which], self._image.world[:2, :2].T)
        across, along = came[:, 0] * s - came[:, 1] * c, came[:, 0] * c + came[:, 1] * s
        angle = [arc_tangent(abs(a), b) for a, b in zip(across.tolist(), along.tolist(), strict=True)]
        straight = ~came.any(1)
        return np.where(straight, 180.0, np.degrees(np.array(angle)))

    def _outside(self, which: np.ndarray) -> np.ndarray:
        """(k,) m from the region."""
        assert self.wish.region is not None
        centre, half = (np.array(part, float) for part in self.wish.region)
        return norms(np.maximum(0.0, np.abs(self._at(which) - centre) - half))


def _beyond(values: np.ndarray, asked: Range) -> np.ndarray:
    """How far numbers are from a range; one of no width is met nearly."""
    low, high = asked
    room = max(0.0, EXACT * abs(high) - (high - low))
    return np.maximum(0.0, np.maximum(low - room - values, values - high - room))
