"""The numbers by which drops were tuned."""

from __future__ import annotations

import math
from typing import NamedTuple


class Tuning(NamedTuple):
    # Drops. Other starts make others of the same numbers: library.VERSION tells.
    lowest: float = 3.0  # height of the centre of mass at the start, in radii of the body's ball
    highest: float = 14.0
    speed: tuple[float, float, float] = (0.6, 0.6, 0.3)  # standard deviations, two level and upright, in sqrt(g r)
    spin: float = 1.0  # standard deviation, in sqrt(g / r)
    longest: float = 8.0  # s; whatever still moves then is left out,
    longest_large: float = 25.0  # sqrt(r / g), and of large bodies after so much
    most_tries: int = 40_000  # drops until a rare side is given up

    # Which one of them, and how much of it.
    last_share: float = 0.3  # bodies arrive within this share of the take, counted from its end
    drops: int = 100  # of a side to choose from; with so many the eye sees no difference to all there are
    attempts: int = 3  # to place all bodies before one that finds no way stays at rest
    tries: int = 60  # images of drops until a body gives up,
    exact_tries: int = 40  # the first ones with authored coefficients only
    tails: tuple[float, ...] = (math.inf, 0.5, 0.3, 0.2)
    """s: the whole drop, or its end where the ground is not wide enough."""
    earliest: float = 0.7  # of the tail that is wanted: a cut this much later will do

    # What came before, by backward steps.
    rooms: tuple[float, ...] = (1.5, 1.0, 0.7, 0.5)
    """Energy budgets of tuned backward steps over the energy that drops start with, one after another until the steps
    are lawful: with more room collisions keep the authored coefficients and the energy grows, with less they are tuned
    and the motion stays lawful more often. Drops themselves start with 0.3 to 1.6. One budget alone leaves out every
    second motion, above all those that bounce, and what is left rolls too much."""
    most: float = 6.0  # times the energy of drops: what authored coefficients lead to beyond this is no throw


TUNING = Tuning()
