"""Releases: when physics takes over, body by body.

Before its release a body is no part of the physics. It is not there at all (carried by a hand, or unseen), or it is
*held*: still at its ending, for others to rest on. The tape keeps a state for everybody in every step all the same;
what it says of a body before its release means nothing, and whoever shows a take asks the hand instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from engine.scene.record import Quaternion, Vector
from engine.tape.hand import Hand

How = Literal["drop", "toss", "roll", "slide", "carried", "placed", "flight", ""]
HOWS: tuple[str, ...] = get_args(How)
"""How a body was let go: "placed" at rest, "flight": under way from the first frame; "" of one that never moves."""


KNOTS = ("x", "v", "turn", "spin")  # what a hand knows of each knot


@dataclass(frozen=True)
class Release:
    """Where physics takes over one body, for whoever looks at a take."""

    time: float  # s on take.times
    position: Vector  # m, of the authored origin
    orientation: Quaternion
    velocity: Vector  # m/s
    angular_velocity: Vector  # rad/s, world axes
    how: str  # one of HOWS
    held: bool  # it stood at its ending, held, until then
    seen: float  # s on take.times: when it is first shown; before the first of these: always


@dataclass(frozen=True, eq=False)
class Releases:
    """Of all n bodies of a model, in its rows. Steps count states of the tape in forward time."""

    step: np.ndarray  # (n,) int64  first state of physics; 0 for static bodies and those under way from the start
    there: np.ndarray  # (n,) int64  from this state on it is there, held; = step where it is not held
    shown: np.ndarray  # (n,) int64  first state in which it is seen
    how: tuple[str, ...]  # (n,)
    hands: Mapping[int, Hand] = field(default_factory=dict)  # by row; whoever has none waits where it is let go

    def __post_init__(self) -> None:
        for name in ("step", "there", "shown"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), np.int64))

    @property
    def held(self) -> np.ndarray:
        """(n,) bool"""
        return self.there < self.step


def from_the_start(bodies: int) -> Releases:
    """Everybody is under way, or rests, from the first state on."""
    nothing = np.zeros(bodies, np.int64)
    return Releases(nothing, nothing, nothing, ("",) * bodies)


def packed(releases: Releases) -> dict[str, np.ndarray]:
    """Plain arrays, for a file and for a fingerprint. Hands follow each other, knot after knot."""
    rows = sorted(releases.hands)
    hands = [releases.hands[row] for row in rows]
    arrays = {
        "release_step": releases.step,
        "release_there": releases.there,
        "release_shown": releases.shown,
        "release_how": np.array([HOWS.index(how) for how in releases.how], np.int64),
        "hand_body": np.array(rows, np.int64),
        "hand_knots": np.array([len(hand.step) for hand in hands], np.int64),
        "hand_q": np.array([hand.q for hand in hands], float).reshape(-1, 4),
        "hand_step": np.concatenate([*(hand.step for hand in hands), np.zeros(0)]),
    }
    for name in KNOTS:
        arrays[f"hand_{name}"] = np.concatenate([*(getattr(hand, name) for hand in hands), np.zeros((0, 3))])
    return arrays


def unpacked(arrays: Mapping[str, np.ndarray], bodies: int) -> Releases | None:
    """What `packed` made; None where there is none. Raises ValueError for arrays that do not fit each other."""
    if "release_step" not in arrays:
        return None
    columns = [np.asarray(arrays[f"release_{name}"]) for name in ("step", "there", "shown", "how")]
    if any(column.shape != (bodies,) or column.dtype.kind != "i" for column in columns):
        raise ValueError("the releases are not of these bodies")
    step, there, shown, how = columns
    in_time = (shown >= 0) & (shown <= there) & (there <= step)  # nobody is there unseen
    if not in_time.all() or (how < 0).any() or (how >= len(HOWS)).any():
        raise ValueError("the releases cannot be read")
    ends = np.cumsum(arrays["hand_knots"])
    hands = {}
    for row, end, knots, q in zip(arrays["hand_body"], ends, arrays["hand_knots"], arrays["hand_q"], strict=True):
        own = slice(int(end - knots), int(end))
        hand = Hand(arrays["hand_step"][own], q=q, **{name: arrays[f"hand_{name}"][own] for name in KNOTS})
        if not 0 <= row < bodies or knots < 2 or len(hand.x) != knots or not (np.diff(hand.step) > 0.0).all():
            raise ValueError("a hand cannot be read")
        hands[int(row)] = hand
    return Releases(step, there, shown, tuple(HOWS[i] for i in how), hands)
