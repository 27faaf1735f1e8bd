"""Takes as the project knows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.scene.request import Asked


@dataclass(eq=False)
class TakeCard(Asked):
    """What the project knows of a take without opening it: how it was asked for, how it came out, what the artist
    thinks of it. Its motion is takes/<id>.npz inside the project."""

    id: str
    name: str
    scene: str = ""  # fingerprint of the scene it was made for
    energy: float = 0.0  # J of all bodies, each when it is let go, over that of the ending
    tiers: tuple[float, ...] = ()  # share of contact steps per tier, EXACT first
    bounces: int = 0  # hits from above the bounce speed
    hints: tuple[float, ...] = ()  # how many were followed, of how many
    notes: tuple[str, ...] = ()  # what could not be done as asked
    stopped: str = ""  # why it ended early
    hash: str = ""  # of the motion: the same request gives the same bits
    pinned: bool = False
    rejected: bool = False
    note: str = ""  # the artist's own
    met: tuple[str, ...] = ()  # how closely each hint was met: its id, a space, words
    exact_in_motion: float | None = None  # of the contact steps of bodies that move; None: an older take
    worst: str = ""  # who touches whom in the worst contact, and when
    overlap: float = 0.0  # m, the deepest of two bodies in a step; what is shown has none
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
