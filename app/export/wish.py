"""What the dialog hands on: a wish, the hands that fulfil it, and the run that this is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import SignalInstance

from app.camera import Camera
from app.export.subject import Subject
from engine.export.settings import Settings


@dataclass(frozen=True)
class Wish:
    """What the artist asked for: enough to do it again."""

    target: str
    settings: Settings
    path: Path


class Run(Protocol):
    """An export under way: a job of the worker, or a film."""

    @property
    def progressed(self) -> SignalInstance: ...
    @property
    def finished(self) -> SignalInstance: ...
    @property
    def failed(self) -> SignalInstance: ...
    @property
    def cancelled(self) -> SignalInstance: ...
    def cancel(self) -> None: ...


@dataclass(frozen=True)
class Hands:
    """What the dialog cannot do by itself."""

    start: Callable[[Subject, Wish], Any]  # gives a Run
    ask_place: Callable[[Path, str], Path | None]  # from a suggestion and the words of the format
    camera: Callable[[], Camera]
    why_not: Callable[[], str]  # why nothing can be exported now; "" when it can
