"""What an inspector found out about bodies, as plain records: words first, then numbers, then what to draw.

Every analysis of a scene answers with these, so that any process can show, send and write them in the same way. Lengths
are metres, forces newtons, places and directions those of the scene. Bodies are named by id."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Point = tuple[float, float, float]
Level = Literal["fine", "warning", "bad", "unknown"]
"""unknown: not proven within the work allowed, or not a question of this body."""

ArrowRole = Literal["normal", "friction", "reaction", "load", "motion"]
OutlineRole = Literal["patch", "hull", "cone", "load set"]
LineRole = Literal["tipping edge", "zero velocity", "trail", "axis"]
MarkRole = Literal["pressure", "extended pressure", "unstable", "wedged", "contact", "inconsistent"]


@dataclass(frozen=True)
class Arrow:
    """From `at`, with the size in newtons, or in metres per second for a motion; the view scales it. Reactions balance
    each other, and only how they compare means something: a squeeze may be of any strength."""

    role: ArrowRole
    at: Point
    along: Point
    body: str = ""  # on which it acts


@dataclass(frozen=True)
class Outline:
    """A closed planar polygon: of a cone its rim, with the point in which it ends."""

    role: OutlineRole
    points: tuple[Point, ...]
    apex: Point | None = None


@dataclass(frozen=True)
class Line:
    """An open run of straight pieces. Of a tipping edge, `outward` points away from the patch."""

    role: LineRole
    points: tuple[Point, ...]
    outward: Point | None = None


@dataclass(frozen=True)
class Mark:
    role: MarkRole
    at: Point
    body: str = ""


@dataclass(frozen=True)
class Number:
    """A figure below the sentence. `value` None: there is none, and `note` says why."""

    label: str
    value: float | None
    unit: str = ""
    note: str = ""
    term: str = ""  # what an engineer calls it, for whoever asks


@dataclass(frozen=True)
class Check:
    """A yes or no below the sentence: "Can stand", because forces exist. `holds` None: not known."""

    label: str
    holds: bool | None
    note: str = ""
    term: str = ""  # what an engineer calls it, for whoever asks


@dataclass(frozen=True)
class Fix:
    """What one click can do about it: move a body, or several together."""

    words: str  # on the button: "Move it 8 cm"
    bodies: tuple[str, ...]  # the first is the one that is in danger
    by: Point


@dataclass(frozen=True)
class Curve:
    """Of a plot: (x, y) pairs; closed ones are drawn as an area. A warning is drawn as such: an edge to tip over."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    closed: bool = False
    dots: bool = False
    warning: bool = False


@dataclass(frozen=True)
class Plot:
    title: str
    across: str  # what x is, with its unit
    up: str
    curves: tuple[Curve, ...]
    equal: bool = False  # both axes in the same scale: places in a plane


@dataclass(frozen=True)
class Drawing:
    arrows: tuple[Arrow, ...] = ()
    outlines: tuple[Outline, ...] = ()
    lines: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Inspection:
    """One answer about the bodies `ids`."""

    topic: str  # "stability", "consistency", "wedged", "contact"
    ids: tuple[str, ...]
    level: Level
    title: str  # a few words: "Stands", "Wedged", "About to tip"
    sentence: str  # one that somebody who is no engineer understands
    numbers: tuple[Number, ...] = ()
    drawing: Drawing = Drawing()
    plots: tuple[Plot, ...] = ()
    motion: tuple[Point, Point] | None = None
    """Velocity and angular velocity of the body of which the sentence speaks, to be played in the view: how it would
    fall, or how it was pushed in."""
    checks: tuple[Check, ...] = ()
    state: str = ""
    """Of a contact: "breaking", "tipping", "slide-tipping", "sticking" or "sliding"."""
    fix: Fix | None = None


def as_json(inspection: Inspection) -> dict[str, Any]:
    return asdict(inspection)
