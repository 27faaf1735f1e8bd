"""Takes in which a body is not there to be seen at first: as a run with releases would make them."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from engine.arrivals.options import Options
from engine.run import backward
from engine.scene.spec import Body, Box, Scene
from engine.tape.hand import Hand
from engine.tape.release import Releases
from engine.tape.take import Take

SECONDS, DT = 0.8, 1 / 240
APPEARS, LET_GO = 96, 120  # states of the tape: 0.4 s and 0.5 s after the first


def two_boxes() -> Scene:
    bodies = [
        Body("first", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1)),
        Body("second", Box((0.1, 0.1, 0.1)), (1.0, 0.0, 0.1), (0.9238795325112867, 0, 0, 0.3826834323650898)),
        Body("shelf", Box((0.1, 0.1, 0.1)), (3.0, 0.0, 0.1), static=True),
    ]
    return Scene(bodies=bodies, ground=True, name="Two boxes")


@functools.cache
def everybody_seen() -> Take:
    return backward(two_boxes(), SECONDS, DT, seed=4, options=Options(arrivals="ahead"))


@functools.cache
def appearing(shown: int = APPEARS, carried: bool = True) -> Take:
    """The second box is let go LET_GO states after the first one, and seen from the state `shown` on; a hand brings it
    from 0.5 m higher up."""
    take = everybody_seen()
    row = int(take.model.row_of[1])
    step, there, seen = (np.zeros(len(take.model.names), np.int64) for _ in range(3))
    step[row] = there[row] = LET_GO
    seen[row] = shown
    state, none = take.tape.state(LET_GO), np.zeros((2, 3))
    way = np.array([state.x[row] + (0.0, 0.0, 0.5), state.x[row]])
    hand = Hand(np.array([0.0, LET_GO]), way, np.array([np.zeros(3), state.v[row]]), none, none, state.q[row])
    how = tuple("carried" if k == row else "flight" for k in range(len(step)))
    released = Releases(step, there, seen, how, {row: hand} if carried else {})
    return replace(take, tape=replace(take.tape, released=released))
