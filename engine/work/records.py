"""What errands of the studio are asked and answer: plain records. Whoever asks knows the errands by name only, and need
not load the engine for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.export.settings import Settings
from engine.scene.record import Vector
from engine.scene.shot import TakeCard
from engine.scene.spec import Problem
from engine.scene.take_files import TakeFiles
from engine.work.errand import Named

TAKE = Named("engine.work.errands.take:take")  # (scene, TakeCard, folder) -> TakeCard; its files are in the folder
SETTLE = Named("engine.work.errands.settle:settled")  # (scene, ids or None) -> Settled; tells ("posed", Poses)
CHECK = Named("engine.work.errands.check:checked")  # (scene) -> Checked
STACKING = Named("engine.work.errands.inspect:stacking")  # (scene) -> engine.scene.seat.Stacking
INSPECT = Named("engine.work.errands.inspect:inspections")  # (scene, Question) -> scene.inspection.Inspection, ...
SURVEY = Named("engine.work.errands.inspect:survey")  # (scene) -> Inspection, ...: every body that is not fine
LOADS = Named("engine.work.errands.inspect:loads")  # (scene, body) -> engine.scene.load_map.LoadMap
EXPORT = Named("engine.work.errands.export:exported")  # (scene, ExportOrder) -> Exported
CONTACT_STATES = Named("engine.work.errands.contact_states:measured")  # (scene, body, runs, dt) -> ContactStates
REACH = Named("engine.work.errands.reach:reached")  # (scene, body, throws, seed) -> engine.scene.reach_map.ReachMap
SNAP = Named("engine.work.errands.reach:nearest_reached")  # (scene, ReachMap) -> Settled
"""Behind what is listed here each is given an engine.work.errand.Desk."""
WARM_UP = Named("engine.work.warm:use_kernels")

Called = tuple[str, str]  # id and name of a body


@dataclass(frozen=True)
class PoseFinding:
    """Bodies that overlap or hang in the air."""

    code: Literal["overlap", "floating"]
    severity: str
    bodies: tuple[Called, ...]  # the first is the body concerned; of a floating group the others that hang with it
    other: Called | None  # what it overlaps, or what is nearest below; None: nothing is below
    distance: float  # m, between the two; negative when they overlap
    normal: Vector  # unit, from the other to the first
    up: Vector


@dataclass(frozen=True)
class Checked:
    """Everything wrong with a scene; poses are looked at only where values have no errors."""

    problems: tuple[Problem, ...]
    poses: tuple[PoseFinding, ...] = ()


@dataclass(frozen=True)
class KeptTake:
    """A take of the project, for whoever opens it (engine/kept.py)."""

    card: TakeCard
    files: TakeFiles


@dataclass(frozen=True)
class Question:
    """What is asked about a body: at the ending, or in a take at a moment."""

    body: str
    topics: tuple[str, ...]
    push: tuple[float, float, float] = (0.0, 0.0, 0.0)  # N, at the centre of mass
    take: KeptTake | None = None
    time: float = 0.0  # s, of the take
    after: bool = False  # s after its authored frame


@dataclass(frozen=True)
class ExportOrder:
    path: str
    settings: Settings
    name: str  # of the clip, in the file
    take: KeptTake


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
