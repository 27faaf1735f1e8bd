"""What Generate is asked for: one record, from the panel to the worker to the card of the take that comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from engine.scene.record import Entry

QUALITIES = {"preview": 1 / 240, "default": 1 / 480, "final": 1 / 1000}
"""Step (s) by quality."""


ARRIVALS = {
    "natural": (
        "As it suits each",
        "Bodies are let go near their places: dropped, tossed or laid by invisible hands, one after another.",
    ),
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


REMEDIES = {
    "constant": (
        "No remedy",
        "Nothing is done: bodies bounce as their materials say, and a take ends early where its energy explodes.",
    ),
    "blend": (
        "Blended bounces",
        "What bounces again within .2 s loses less, which calms rattling: only as far as the ranges of its materials "
        "allow. What is bent counts as tuned.",
    ),
    "angular-damping": (
        "Damped spin",
        "Spin is taken away on the way back, which nothing in the scene does: contacts count as assisted.",
    ),
    "linear-damping": (
        "Damped speed",
        "Speed is taken away on the way back, which nothing in the scene does: contacts count as assisted.",
    ),
    "attraction": (
        "Attraction",
        "What holds a body in a stack may also pull it. Contacts that pull count as assisted.",
    ),
    "unit-links": (
        "Lossless joints",
        "Bodies held together by joints lose nothing where they hit each other or their limits. The certificate says "
        "which contacts that bends.",
    ),
}
"""What Twigg and James 2008 do about a run that gains energy (papers/remedies.py), for comparison: in words, what that
means, and what of it stands in the certificate. With any of them bodies go back all at once."""


@dataclass(eq=False, kw_only=True)
class Asked(Entry):
    """What is asked of one take. The request has these fields, and so has every card (shot.py); the worker is sent the
    card that it is to fill in. An option of Generate is a field here, which puts it into the file, too (schema.py); one
    that engine.Options has as well reaches the engine by its name."""

    seconds: float = 0.0  # before the authored frame
    after: float = 0.0  # s to run on after it: the authored frame stands in the middle
    seed: int = 0  # 0 takes hints exactly as drawn
    quality: str = "default"
    arrivals: str = "natural"  # how bodies are let arrive
    disorder: float = 0.0  # m by which bodies of the ending may be off their places; 0: they end as placed
    remedies: tuple[str, ...] = ()  # of REMEDIES, to compare with; none: as usual

    def asked(self, **other: Any) -> dict[str, Any]:
        """These fields, with `other` values for some. A frame in the middle is kept as it is, without disorder."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(Asked)} | other
        return values | {"disorder": 0.0} if values["after"] > 0.0 else values

    @property
    def overlooked(self) -> tuple[str, ...]:
        """What is asked here and cannot be had together with the rest, for every take that comes of it."""
        if self.after > 0.0 and self.disorder > 0.0:
            return ("it ends exactly as placed: a frame in the middle is kept as it is, without disorder",)
        return ()


@dataclass(eq=False, kw_only=True)
class Request(Asked):
    """What Generate is asked for, and at which rate the shot is shown. The seed is that of the first take, the others
    follow."""

    takes: int = 16
    seconds: float = 4.0
    fps: float = 24.0
    first: float | None = None  # s, range that plays; None: from the start
    last: float | None = None  # s; None: to the end
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
