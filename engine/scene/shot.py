"""Takes as the project knows them, and what Generate is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.scene.record import Record, as_number, as_numbers, as_texts

TAPE, AFTER = "takes/{}.npz", "takes/{}.after.npz"
"""Names inside a project, by a take's id: its record, and that of the run after the authored frame."""


@dataclass(eq=False)
class TakeCard(Record):
    """What the project knows of a take without opening it: how it was asked for, how it came out, what the artist
    thinks of it. Its motion is takes/<id>.npz inside the project."""

    id: str
    name: str
    seed: int = 0
    seconds: float = 0.0  # before the authored frame
    after: float = 0.0  # s after the authored frame (middle-frame mode)
    quality: str = "default"
    scene: str = ""  # fingerprint of the scene it was made for
    energy: float = 0.0  # J at the start, kinetic plus potential over that of the ending
    tiers: tuple[float, ...] = ()  # share of contact steps per tier, EXACT first
    bounces: int = 0  # hits from above the bounce speed
    hints: tuple[float, ...] = ()  # how many were followed, of how many
    notes: tuple[str, ...] = ()  # what could not be done as asked
    stopped: str = ""  # why it ended early
    hash: str = ""  # of the motion: the same request gives the same bits
    pinned: bool = False
    rejected: bool = False
    note: str = ""  # the artist's own
    arrivals: str = "ahead"  # how bodies were let arrive
    disorder: float = 0.0  # m by which bodies of its ending may be off their places
    met: tuple[str, ...] = ()  # how closely each hint was met: its id, a space, words
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    coercions = {
        "seconds": as_number,
        "after": as_number,
        "energy": as_number,
        "disorder": as_number,
        "tiers": as_numbers,
        "hints": as_numbers,
        "notes": as_texts,
        "met": as_texts,
    }


QUALITIES = {"preview": 1 / 240, "default": 1 / 480, "final": 1 / 1000}
"""Step (s) by quality."""


ARRIVALS = {
    "ahead": ("One after another", "Every body finds its way by itself, and keeps out of the way of the others."),
    "meeting": ("Meeting on the way", "Bodies collide with each other before they come to rest."),
    "dropped": (
        "Dropped into place",
        "Bodies that stand alone on level ground come in as measured drops do; all others stay at rest. The first take "
        "of a shape may take a minute, for its drops are made then.",
    ),
    "together": (
        "All together",
        "Bodies are run back at once and by chance: quick for very many, but contacts may have to be ignored.",
    ),
}
"""How bodies may arrive: in words, and what that means."""


@dataclass(eq=False)
class Request(Record):
    """What Generate is asked for, and at which rate the shot is shown."""

    takes: int = 16
    seconds: float = 4.0  # before the authored frame
    after: float = 0.0  # s to run on after it: the authored frame stands in the middle
    seed: int = 0  # of the first take, the others follow; 0 takes hints exactly as drawn
    quality: str = "default"
    arrivals: str = "ahead"
    disorder: float = 0.0  # m by which bodies of the ending may be off their places; 0: they end as placed
    fps: float = 24.0
    first: float | None = None  # s, range that plays; None: from the start
    last: float | None = None  # s; None: to the end
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    coercions = {
        "seconds": as_number,
        "after": as_number,
        "disorder": as_number,
        "fps": as_number,
        "first": as_number,
        "last": as_number,
    }
