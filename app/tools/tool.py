"""Tool: what the mouse and the keys do in the view. One is active at a time.

A tool gets positions in logical pixels of the view. It shows what it is about to do with `document.preview`, and ends
in one `document.edit` or none. Navigation (orbit, pan, zoom) never reaches it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Qt

from app.tools.stage import Stage


class Expect(NamedTuple):
    """One entry of the status bar: a key cap and what it does now."""

    key: str
    words: str


@dataclass(frozen=True)
class Pointer:
    """A mouse event, in logical pixels of the view."""

    x: float
    y: float
    buttons: Qt.MouseButton = Qt.MouseButton.NoButton
    shift: bool = False
    control: bool = False
    alt: bool = False


@dataclass(frozen=True)
class Stroke:
    """A line drawn over everything: points in the world (n, 3), or in pixels (n, 2)."""

    points: np.ndarray
    color: str  # "#rrggbb"
    width: float = 1.5  # px
    opacity: float = 1.0
    closed: bool = False
    filled: bool = False  # a flat convex area instead of a line
    dash: tuple[float, float] | None = None  # px on, px off
    arrow: float | None = None  # share of the way along at which an arrow head stands, pointing onward


@dataclass(frozen=True)
class Dot:
    """A ring or disc at a place in the world (3,)."""

    point: np.ndarray
    color: str  # "#rrggbb"
    radius: float = 3.0  # px
    fill: str = ""  # "#rrggbb" inside; "": as the edge
    dashed: bool = False  # only a dashed edge


@dataclass(frozen=True)
class Label:
    """A pill with text near a pixel, or near a place in the world."""

    x: float  # px; from the picture of `anchor` where that is given
    y: float
    text: str
    anchor: np.ndarray | None = None  # (3,) m
    aside: str = ""  # quieter words after the text
    icon: str = ""  # name of an icon before the text
    icon_role: str = "text2"
    edge: str = "line2"  # role of the edge's colour
    centered: bool = False  # x is its middle, not its left end


@dataclass
class Marks:
    """What a tool draws over the picture."""

    strokes: list[Stroke] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.strokes or self.labels or self.dots)

    def __add__(self, other: Marks) -> Marks:
        return Marks(self.strokes + other.strokes, self.labels + other.labels, self.dots + other.dots)


class Tool:
    """Base of all tools; every method may be left as it is. Those that return bool say whether they used the event."""

    name = ""
    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def deactivate(self) -> None:
        """Another tool takes over: end what is under way without a command."""

    def press(self, pointer: Pointer) -> bool:
        return False

    def move(self, pointer: Pointer) -> bool:
        """The mouse moved, with or without a button."""
        return False

    def release(self, pointer: Pointer) -> bool:
        return False

    def double_click(self, pointer: Pointer) -> bool:
        return False

    def key(self, key: int, text: str, modifiers: Qt.KeyboardModifier) -> bool:
        return False

    def busy(self) -> bool:
        """Is a gesture under way? Then Escape and the right button cancel it, and shortcuts of the window wait."""
        return False

    def cancel(self) -> None:
        """End the gesture without a command."""

    def expects(self) -> list[Expect]:
        """For the status bar; asked again after every event and `stage.refresh`."""
        return []

    def marks(self) -> Marks:
        return Marks()
