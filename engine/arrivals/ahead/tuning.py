"""The numbers by which look-ahead was tuned, and the kinds of arrival it draws. What compiled code reads of them stands
where that code is (flight.py, lookout.py)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Tuning(NamedTuple):
    # What is looked at, and for how long.
    most_bodies: int = 200  # beyond, bodies are run together: who looks at everybody for everybody takes too long
    most_stacked: int = 64  # bodies that rest on others: 45 take half a minute, and the time grows faster
    attempts: int = 3  # orders of arrival to try before a body that finds no way, or no time, stays at rest
    asked_tries: int = 24  # of a hint, more and more freely; after that the body comes as it can
    doubt: float = 6.0  # tries before a kind of arrival that never works is drawn half as often
    outward: int = 120  # times as many tries for who has to find the way out of what encloses it
    enough_tries: int = 32  # after so many,
    mostly: float = 0.7  # a share of them that ends at one flight tells
    most_together: int = 80  # contacts asked at once whether they carry something: more take too long
    same_time: int = 2  # steps by which an arrival may miss its time unsaid: bodies leave one after another

    # When bodies leave, seen backward; s.
    shortest: float = 0.05  # between arrivals
    longest: float = 0.3
    neighbours_apart: float = 0.25  # between arrivals of bodies that touch, as far as the order allows
    last_flight: float = 1.0  # of the take that the first body to arrive has for its way, if there is room
    shortest_flight: float = 0.5  # that it has where many bodies arrive
    least_room: float = 0.3  # share of the take in which bodies leave, at least
    least_share: float = 0.05  # of the time drawn between arrivals of bodies that do not touch
    top_first: float = 2.0  # how strongly bodies high up are preferred, per course
    postponed: float = 0.1  # by which a body without a way waits for the others to be gone
    fewer_again: int = 3  # share of the tries that such a body has when it has waited
    waits: int = 3  # times that a body which is let go waits for the others to be gone
    often: int = 3  # times per body: who finds no way after so many postponements of all was there from the start
    least_flight: float = 0.25  # of the take that a body needs to arrive in it
    lately: float = 0.5  # who left within this is still about,
    gone: float = 0.15  # and went where it is after this
    kept_free: float = 0.03  # m around a body that rests longer than others knew
    apart: float = 2e-3  # m between two bodies under way
    keep_out: float = 0.1  # s in which others keep out of a place that was left,
    keep_out_rise: float = 0.02  # m: and of what is above it, for a body needs room to leave upward

    # How they leave.
    stack_heights: float = 12.0  # energy budget in a structure: m g times this many mean heights over the ground
    close: float = 0.02  # m: neighbours nearer than this bar the way
    sideways: float = 0.5  # cosine: a contact whose normal is closer to upright carries the body
    steady: float = 0.7  # share of the lean at which what carries a landing would tip over
    grip: float = 0.92  # share of the friction that a drawn impulse uses at most: what carries it needs room too
    swing: float = 0.35  # rad/s per m/s of landing speed, between close neighbours
    swings: int = 4  # times a candidate that swings more is calmed
    calmer: tuple[float, ...] = (1.0, 0.5, 0.25, 0.1)  # shares of the level push of a landing not carried otherwise
    calmer_releases: tuple[float, ...] = (1.0, 0.35, 0.0)  # and of its bounces, where bodies are let go
    evenly: float = 1e-3  # how much even weights matter beside no turning
    hurry: float = 0.4  # s: who must be gone sooner does not bounce on the spot,
    unhurried: float = 0.15  # weight of kinds that take their time then,
    surely: float = 1.3  # times the speed that is just enough,
    ways: int = 3  # directions of which it takes the shortest way out
    skip_speed: tuple[float, float] = (0.06, 0.3)  # m/s of the last of several bounces on the spot
    skip_off: tuple[float, float] = (0.4, 1.3)  # m/s at which the first of them bounces off, or faster
    skip_lean: tuple[float, float] = (0.1, 0.6)  # share of the friction that takes its level speed
    slide_lasts: tuple[float, float] = (0.04, 0.2)  # s
    softest: float = 0.08  # m/s onto the support, before a slide
    hardest: float = 3.0
    asked_turn: float = math.radians(12.0)  # by which a hint may be missed at last,
    asked_slower: float = 0.3  # and its level speed,
    loosest: float = 20.0  # after so many tries

    # Which one is kept: the cheapest.
    turn_check: float = 0.1  # s before rest in which a body may not turn by more than Manner.most_turn
    soon: float = 0.5  # s before rest in which contact events count
    enough: int = 5  # contact events; more do not look better
    around: float = 0.3  # m: nearer than this to the structure a body is in the way of others
    landing_cost: float = 0.3  # per m/s of the landing, half as much for what turning adds
    event_gain: float = 0.2  # per contact event
    bent_cost: float = 0.25  # per contact step with other coefficients than authored,
    bent_release_cost: float = 3.0  # and once where they are to be kept
    near_cost: float = 1.5  # of the whole way near the structure
    energy_cost: float = 0.9  # per energy budget
    chance: float = 0.3  # of the cost: the best is not always the same kind


TUNING = Tuning()

LIFT, KERN, OUT, TILT, HOP, SKIP, SLIDE, ASKED = "lift", "kern", "out", "tilt", "hop", "skip", "slide", "asked"
PLACED = "placed"
KERN_SHARE = 1.0 / 3.0


class Recipe(NamedTuple):
    """Ranges of a kind of arrival."""

    speed: tuple[float, float]  # m/s
    friction: tuple[float, float]  # share of the cone
    uneven: float  # 0: all contacts alike; 1: any share on any contact


RECIPES: Mapping[str, Recipe] = {
    LIFT: Recipe((0.8, 3.5), (0.0, 0.3), 0.0),
    KERN: Recipe((0.8, 4.0), (0.0, 0.9), KERN_SHARE),
    OUT: Recipe((1.5, 3.6), (0.6, 0.9), 0.5 * KERN_SHARE),
    TILT: Recipe((0.8, 4.0), (0.2, 0.9), 0.8),
    HOP: Recipe((0.12, 0.7), (0.0, 0.9), KERN_SHARE),
}


class Pace(NamedTuple):
    """How fast arrivals are drawn."""

    recipes: Mapping[str, Recipe]
    top: tuple[float, float] | None = None
    """m over its place from which a body falls; None: as fast as a recipe says."""
    hurries: bool = False  # others need the room soon
    softest: float = math.inf  # m/s: faster landings bounce
    slop: float = 0.0  # m
    soonest: float = 0.0  # s before rest: who is let go later was laid there
    seconds: float = 0.0  # of the longest way


AT_ANY_SPEED = Pace(RECIPES)
"""For flights from the start of the take: landings are dead ones, most of them."""


@dataclass(frozen=True)
class Manner:
    """How a search goes about it: quickly, or until arrivals look like ones."""

    mix: Mapping[str, float]  # kinds of arrival by weight
    tries: int  # candidates of a body; three times as many when none of them works
    choose_from: int  # candidates that work, of which the best is kept
    most_turn: float  # degrees a body may turn in the last 0.1 s
    repairs: int = 12  # times a body without a way may have others give up theirs


MANNERS: Mapping[str, Manner] = {
    "preview": Manner({OUT: 0.25, SLIDE: 0.2, SKIP: 0.2, KERN: 0.15, TILT: 0.1, LIFT: 0.1}, 64, 2, 180.0),
    "natural": Manner({HOP: 0.3, SKIP: 0.3, SLIDE: 0.2, KERN: 0.1, OUT: 0.05, LIFT: 0.05}, 128, 6, 15.0),
}
LET_GO: Mapping[str, Manner] = {
    "preview": Manner({SKIP: 0.8, HOP: 0.1, LIFT: 0.1}, 24, 1, 180.0, 4),
    "natural": Manner({SKIP: 0.7, HOP: 0.2, KERN: 0.1}, 48, 4, 60.0, 8),
}
"""Of bodies that are let go near their places."""
