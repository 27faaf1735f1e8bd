"""What the worker is asked to export, and what it answers: plain values on both sides of the pipe."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from engine.export.settings import Settings

Place = tuple[str, str]  # a file and "", or a project and the name inside it (TakeStore.place)


@dataclass(frozen=True)
class ExportOrder:
    path: str
    settings: Settings
    name: str  # of the clip, in the file
    take: str  # name of the take, in what is told
    tape: Place
    after: Place | None = None  # the run after the authored frame
    tiers: tuple[float, ...] = ()  # shares of contact steps; (): not known
    disorder: float = 0.0  # m, of the take's ending
    seed: int = 0

    def values(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Exported:
    """What was written."""

    path: str
    size: int  # bytes
    bodies: int
    frames: int
    fps: float
    exact: bool  # it ends on the authored pose
    notes: tuple[str, ...] = ()  # what the artist should know

    @classmethod
    def of(cls, values: dict[str, Any]) -> Exported:
        return cls(**{**values, "notes": tuple(values["notes"])})
