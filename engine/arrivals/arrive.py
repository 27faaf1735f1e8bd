"""Arrivals after an arc: one dead landing where friction stops the body at once, else a slide after it, else steeper.

What comes in flatter than friction holds goes on sliding, seen forward. That needs level ground, where it slides
straight; on a slope, and for what would roll aslant, the throw keeps its height and its side and loses some of its way.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.aim import aimed
from engine.arrivals.ending import Ending, contacts_of
from engine.arrivals.footing import Footing, footing
from engine.arrivals.landing import landing
from engine.decide.launch import Launch, vector
from engine.model.arrays import PLANE
from engine.model.compile import Model
from engine.scene.vectors import up_of

MAXIMAL = 1e3
"""m/s (rad/s). A tangential goal out of reach: friction works at its bound, as sliding in means (Twigg and James 2008,
eq. 9)."""

MISSED = 1e-4  # share of the speed: a landing further off is not to be had
LEVEL = 0.999  # cosine: ground this close to level
HALVINGS = 12
WORST_AIM = 15.0  # degrees: what misses by more is not aimed at all
TOSS_SLOPE, SLOWEST_TOSS = 0.5, 0.5  # normal over level speed of the toss before a slide; m/s
LONG_WAY = 100.0  # m
WORTH_TELLING = 0.02  # m
LEAST_GRIP = 0.02  # with less friction a slide takes for ever


def landed(
    launch: Launch, model: Model, ending: Ending, dt: float, reach: float | None = None
) -> tuple[list[Launch], str]:
    """The stages of a landing as asked, latest first; and what the artist should know, without the body's name. reach:
    level m of the flight, where it is to begin as far away even if a slide comes after it."""
    velocity = np.array(launch.velocity)
    found = landing(model, ending, launch.body, velocity, dt)
    if found.missed <= MISSED:
        return [replace(launch, spin=vector(found.spin))], ""
    up = up_of(vector(model.gravity))
    on = footing(model, ending, launch.body, velocity)
    if on is None:
        note = "may not come in as drawn: it touches something on that side"
        return [launch], note if _blocked(launch, ending) else ""
    if float(times(velocity, on.normal)) >= 0.0:
        return [launch], ""
    into = -float(times(velocity, on.normal))
    along = velocity + into * on.normal
    if _slides_straight(on, up, along):
        fast = norm(along)
        grip = min(on.friction, on.sticky)
        strength = norm(model.gravity)
        if reach is not None and reach > 0.0:
            along *= _with_slide(fast, grip * into, grip * strength, reach) / fast
            launch, fast = replace(launch, velocity=vector(along - into * on.normal)), norm(along)
        speed = fast - grip * into
        energy = 0.5 * (on.stirring(along) * fast * fast + into * into)
        slide = Launch(launch.body, launch.time, vector(MAXIMAL / fast * along), slide=True, fastest=speed, grip=grip,
                       energy=energy)  # fmt: skip
        way = 0.5 * speed * speed / (grip * strength)
        note = f"slides {way:.2f} m after it lands: it comes in too flat for its friction to stop it at once"
        return [slide, replace(launch, time=math.inf)], note if way > WORTH_TELLING else ""
    return _steeper(launch, model, ending, dt, up)


def _with_slide(fast: float, stopped: float, slowing: float, reach: float) -> float:
    """m/s, level, at the landing of a flight that lasts as long as one over `reach` m with `fast` m/s does, so that it
    and the slide after it are as long together: with u = what is left of it after the landing took `stopped` m/s,
    u^2 / (2 slowing) + (u + stopped) time = reach."""
    time = reach / fast
    left = max(reach - stopped * time, 0.0)
    return stopped + slowing * (math.sqrt(time * time + 2.0 * left / slowing) - time)


def _blocked(launch: Launch, ending: Ending) -> bool:
    """Whether the body would have come out of something it touches."""
    _, normal = contacts_of(ending, launch.body)
    velocity = np.array(launch.velocity)
    return bool((times(normal, velocity) > MISSED * norm(velocity)).any())


def slid(launch: Launch, model: Model, ending: Ending, dt: float) -> tuple[Launch, str]:
    """A slide begun so that as a whole it comes from the side asked for, with no more friction than keeps the body
    upright; and what the artist should know, without its name."""
    along = np.array(launch.velocity) / MAXIMAL
    on = footing(model, ending, launch.body, along)
    if on is None:
        return launch, ""
    along = along - float(times(along, on.normal)) * on.normal
    fast = launch.fastest if math.isfinite(launch.fastest) else 0.0
    asked = replace(launch, energy=0.5 * on.stirring(along) * fast * fast)
    if on.sticky < on.friction:
        asked = replace(asked, grip=on.sticky)
    if not along.any() or _slides_straight(on, up_of(vector(model.gravity)), along):
        return asked, ""
    along /= norm(along)
    first, missed = aimed(on, model.gravity, dt, along, launch.reach)
    if missed > WORST_AIM:
        return asked, "cannot slide in from the drawn side: friction is too weak for the slope it lies on"
    return replace(asked, velocity=vector(MAXIMAL * first)), ""


def tossed(slide: Launch, model: Model, ending: Ending) -> Launch | None:
    """The landing before a slide on something that ends somewhere, a table say; on open ground a slide just goes on.

    Sliding on over the edge, seen backward, would have no explanation."""
    mine, _ = contacts_of(ending, slide.body)
    others = np.where(ending.a[mine] == slide.body, ending.b[mine], ending.a[mine])
    planes = model.geometry.part_body[model.geometry.part_kind == PLANE]
    on = footing(model, ending, slide.body, np.array(slide.velocity))
    if on is None or np.isin(others, planes).all() or not math.isfinite(min(slide.fastest, slide.reach)):
        return None
    along = np.array(slide.velocity)
    along = (along - float(times(along, on.normal)) * on.normal) / MAXIMAL
    strength = max(-float(times(model.gravity, on.normal)), 0.0)
    fast = min(slide.fastest, math.sqrt(2.0 * on.friction * strength * min(slide.reach, LONG_WAY)))
    into = max(TOSS_SLOPE * fast, SLOWEST_TOSS)
    return Launch(slide.body, math.inf, vector(fast * along - into * on.normal))


def _slides_straight(on: Footing, up: np.ndarray, along: np.ndarray) -> bool:
    level = float(times(on.normal, up)) > LEVEL
    return on.slides_straight(along) and level and min(on.friction, on.sticky) > LEAST_GRIP


def _steeper(launch: Launch, model: Model, ending: Ending, dt: float, up: np.ndarray) -> tuple[list[Launch], str]:
    """The landing with the most of its level speed that friction can stop."""
    velocity = np.array(launch.velocity)
    upright = float(times(velocity, up)) * up

    def slowed(share: float) -> np.ndarray:
        return upright + share * (velocity - upright)

    if landing(model, ending, launch.body, upright, dt).missed > MISSED:
        return [launch], ""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if landing(model, ending, launch.body, slowed(middle), dt).missed <= MISSED:
            low = middle
        else:
            high = middle
    spin = landing(model, ending, launch.body, slowed(low), dt).spin
    note = "comes in steeper than drawn: friction could not stop it where it rests"
    return [replace(launch, velocity=vector(slowed(low)), spin=vector(spin))], note
