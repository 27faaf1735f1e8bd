"""Stage: what a tool may ask of the view it works in."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from PySide6.QtCore import QRectF

from app.camera import Camera
from app.document.document import Document
from app.look.look import Look
from app.session.selection import Selection
from app.session.settings import Settings


class Surface(NamedTuple):
    """A place on what is seen."""

    point: np.ndarray  # (3,) m
    normal: np.ndarray  # (3,) unit, toward the viewer
    body: str | None  # id; None: the ground


class Stage(Protocol):
    """The view, as tools see it. Positions are logical pixels."""

    document: Document
    selection: Selection
    settings: Settings
    look: Look

    @property
    def camera(self) -> Camera: ...

    @property
    def extent(self) -> tuple[int, int]:
        """Width and height in logical pixels."""

    def pick(self, x: float, y: float) -> str | None:
        """The visible body under a pixel."""

    def pick_inside(self, area: QRectF) -> list[str]:
        """Visible bodies whose picture touches an area."""

    def surface_at(self, x: float, y: float, without: frozenset[str] = frozenset()) -> Surface | None:
        """The nearest surface under a pixel, the ground included, looking through some bodies."""

    def refresh(self) -> None:
        """Draw again soon; marks or what the tool expects may have changed."""

    def say(self, message: str) -> None:
        """A short message for the status bar."""

    def show_ending(self) -> None:
        """Bodies are about to be edited: show them where that is, at their ending."""
