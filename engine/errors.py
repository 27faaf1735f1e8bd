"""What can go wrong at the border of the engine: errors with a message a person can act on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class ForegoneError(Exception):
    """Base of every error the engine raises on purpose."""


class SceneError(ForegoneError):
    """The scene cannot be run; `problems` holds the list of engine.scene.spec.Problem that says why."""

    def __init__(self, problems: Sequence[Any]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems) or "the scene has errors")


class GeometryError(ForegoneError):
    """Points that do not span a solid, a shape without a volume, and the like."""


class ProjectError(ForegoneError):
    """A project file that cannot be read or written; the message names the file, the place and the reason."""


class CapacityError(ForegoneError):
    """A scene too large or too dense for the engine's work arrays."""


class ExportError(ForegoneError):
    """A motion that cannot be written as asked; the message says why, and what was there before is still there."""


class LayoutError(ForegoneError):
    """A file from another program that cannot become an ending; the message names the file and says why."""
