"""The numbers by which runs together, and what joints hold together, were tuned."""

from __future__ import annotations

from typing import NamedTuple


class Tuning(NamedTuple):
    last_share: float = 0.3  # undirected bodies arrive within this share of the take, counted from its end
    landing_heights: float = 2.0  # energy of a random landing: m g times this many heights over the lowest point

    # Articulations: several draws, until one leads nowhere that cannot be explained.
    draws: int = 6  # launches to try
    calm: float = 1.4  # energy budgets that a take may need
    loose_draws: int = 4  # launches with turning joints to try before a rigid one
    slow_share: tuple[float, float] = (0.15, 0.5)  # of the energy budget that a landing has
    level: tuple[float, float] = (0.5, 1.0)  # level speed of a rigid landing over its speed downward
    slower: tuple[float, ...] = (1.0, 0.7, 0.45, 0.25, 0.1, 0.0)
    """Shares of the level speed of a rigid landing that are tried until friction can stop it."""
    directions: int = 5  # to come from, drawn at random: what rolls can be stopped from some only
    tries: int = 64  # random motions of an anchored articulation
    loose_tries: int = 200  # random impulses that stop a free one, each more even than the last
    uneven: float = 0.5  # spread of the logarithms of the first ones
    slant: tuple[float, float] = (0.2, 0.8)  # of the friction that impulses use
    approach: float = 0.1  # of the mean: how fast every contact must close at least
    inside: float = 0.93  # of a friction cone that is used: a landing at its edge would slip somewhere
    turned: tuple[float, float] = (0.6, 0.95)  # of the way to its other limit that a joint turns


TUNING = Tuning()
