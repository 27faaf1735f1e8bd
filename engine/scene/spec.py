"""The document: what the artist edits. Plain records in SI units, z up, quaternions as (w, x, y, z).

Building or changing a record never raises for a bad value: what cannot be understood is kept as it came and
`Scene.problems()` tells. Every record has `extra`: fields of a project file this version does not know,
kept so that saving does not lose them.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Literal, TypeAlias

import numpy as np

from engine.scene.entrance import Camera, Entrance, Stage, Stagger
from engine.scene.record import Entry, Quaternion, Vector, as_indices, as_parts, as_points
from engine.scene.request import Request
from engine.scene.shot import TakeCard

RULES = "engine.rules"
"""The module that knows what can be wrong with a scene. A name instead of an import: rules ask shapes, and shapes are
asked about these records."""


@dataclass(eq=False)
class Sphere(Entry):
    radius: float  # m
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(eq=False)
class Box(Entry):
    half: Vector  # m, half edge lengths
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(eq=False)
class Capsule(Entry):
    """All points within `radius` of a segment of length 2 half_length along z."""

    radius: float  # m
    half_length: float  # m
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(eq=False)
class Cylinder(Entry):
    """Axis z."""

    radius: float  # m
    half_height: float  # m
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(eq=False)
class Hull(Entry):
    """Convex hull of points."""

    points: np.ndarray  # (n, 3) m
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    coercions = {"points": as_points}


@dataclass(eq=False)
class Compound(Entry):
    """Solid parts fixed to each other; where parts overlap the volume counts twice."""

    parts: list[tuple[Any, ...]]  # (shape, position, orientation); the last two may be left out
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    coercions = {"parts": as_parts}


@dataclass(eq=False)
class Plane(Entry):
    """The half-space below a plane; static bodies only."""

    normal: Vector = (0.0, 0.0, 1.0)  # out of the solid
    point: Vector = (0.0, 0.0, 0.0)  # m
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(eq=False)
class TriangleMesh(Entry):
    """A surface, solid on the side away from its counter-clockwise normals; static bodies only."""

    vertices: np.ndarray  # (n, 3) m
    triangles: np.ndarray  # (m, 3) vertex indices
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    coercions = {"vertices": as_points, "triangles": as_indices}


Shape: TypeAlias = Sphere | Box | Capsule | Cylinder | Hull | Compound | Plane | TriangleMesh
SHAPES: tuple[type[Entry], ...] = (Sphere, Box, Capsule, Cylinder, Hull, Compound, Plane, TriangleMesh)


@dataclass(eq=False)
class Material(Entry):
    """How a surface behaves, and how far the director may bend that to explain a collision (tier TUNED)."""

    density: float = 1000.0  # kg/m^3
    friction: float = 0.5
    restitution: float = 0.4
    rolling_friction: float = 0.0  # m, largest rolling torque per normal force
    friction_range: tuple[float, float] | None = None  # None: from 0 to friction
    restitution_range: tuple[float, float] | None = None  # None: from restitution to 1
    name: str = ""
    extra: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def friction_limits(self) -> tuple[float, float]:
        return self.friction_range if self.friction_range is not None else (0.0, self.friction)

    @property
    def restitution_limits(self) -> tuple[float, float]:
        return self.restitution_range if self.restitution_range is not None else (self.restitution, 1.0)


LEAVES = ("auto", "free", "never")


@dataclass(eq=False)
class Body(Entry):
    name: str
    shape: Shape
    position: Vector = (0.0, 0.0, 0.0)  # m, of the shape's origin, at the ending
    orientation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    material: Material = field(default_factory=Material)
    static: bool = False
    velocity: Vector = (0.0, 0.0, 0.0)  # m/s, of the centre of mass, at the ending
    angular_velocity: Vector = (0.0, 0.0, 0.0)  # rad/s, world axes
    arrival: float | None = None  # s before the end at which the body comes to rest; None: the director decides
    locked: bool = False  # the editor does not move it
    id: str = ""  # stable through renaming and saving; given by the scene when empty
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    hidden: bool = False  # the editor does not show it; it still collides
    color: str = ""  # "#rrggbb" in pictures; "": chosen by its place in the list
    group: str = ""  # id of a Group; "": none
    leaves: Literal["auto", "free", "never"] | str = "auto"
    """Seen backward: when nothing stands on it any more; although something does (the remainder must stand); never."""


@dataclass(eq=False)
class Group(Entry):
    """A folder of bodies, for the editor only."""

    id: str
    name: str
    parent: str = ""  # id of the group it is in
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


HINT_KINDS = ("bounce", "slide", "roll", "launch")


@dataclass(eq=False)
class Hint(Entry):
    """What the artist asked of one body. Fields that a kind does not use stay None."""

    kind: Literal["bounce", "slide", "roll", "launch"] | str
    body: str  # id or name
    direction: Vector | None = None  # of travel as time runs forward, toward the resting place
    speed: float | None = None  # m/s
    velocity: Vector | None = None  # m/s, a full launch: velocity just before coming to rest
    angular_velocity: Vector | None = None  # rad/s
    time: float | None = None  # s before the end
    coefficient: float | None = None  # quadratic coefficient of its stroke (engine/hints/stroke.py)
    extra: dict[str, Any] = field(default_factory=dict)
    id: str = ""  # stable through saving; given by the scene when empty
    height: float | None = None  # m, of the top of a bounce over the resting place
    distance: float | None = None  # m: level way of a bounce, length of a slide
    # (A bounce without any speed comes in the arc that its height and distance mean: engine/hints/sketch.py, thrown.)
    stroke: tuple[Vector, ...] | None = None  # m, as drawn, lifted into the scene, relative to the resting place


JOINT_KINDS = ("ball", "hinge", "fixed", "slider")


def _as_partner(value: Any) -> Any:
    return "" if value is None else value


@dataclass(eq=False)
class Joint(Entry):
    """Two bodies held together, or one held to the world. Its place is given once, in the world, as it is at the
    ending; where it sits in each body follows from their final poses. Angle and distance are zero at the ending."""

    kind: Literal["ball", "hinge", "fixed", "slider"] | str
    a: str  # id or name of a body
    b: str = ""  # id or name of another; "" is the world
    anchor: Vector = (0.0, 0.0, 0.0)  # m
    axis: Vector = (0.0, 0.0, 1.0)  # of a hinge, or the way of a slider; of any length
    lo: float | None = None
    """rad or m, how far b may turn or slide relative to a (a, relative to the world); None: free."""
    hi: float | None = None
    restitution: float = 0.4  # at the limits; the director may raise it to 1 (tier TUNED)
    name: str = ""
    id: str = ""  # stable through saving; given by the scene when empty
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    coercions = {"b": _as_partner}


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a scene, in the artist's words."""

    severity: Literal["error", "warning"]
    code: str  # stable short name of the rule
    body: str | None  # name of the body concerned
    message: str
    fix: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.message} {self.fix}".rstrip()


@dataclass(eq=False)
class Scene(Entry):
    bodies: list[Body] = field(default_factory=list)
    ground: bool = True  # the plane z = 0
    gravity: Vector = (0.0, 0.0, -9.81)  # m/s^2
    hints: list[Hint] = field(default_factory=list)
    name: str = ""
    ground_material: Material | None = None  # None: the ground takes on the material of whatever touches it
    next_id: int = 1  # numbers already given are not given again, even after their body was deleted
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    groups: list[Group] = field(default_factory=list)
    takes: list[TakeCard] = field(default_factory=list)
    shot: str = ""  # id of the take that is the shot
    request: Request = field(default_factory=Request)
    joints: list[Joint] = field(default_factory=list)
    arrival_order: list[str] = field(default_factory=list)
    """Ids or names of bodies as they come to rest, the first one first; whoever is not in it comes at any time."""
    entrances: list[Entrance] = field(default_factory=list)
    stagger: Stagger | None = None  # None: as it fits
    stage: Stage | None = None  # None: what the camera sees, or a space around the ending
    camera: Camera | None = None

    def __post_init__(self) -> None:
        self.assign_ids()

    def assign_ids(self) -> None:
        """Give every body, every hint and every joint without an id the next free one. Hints and joints have numbers of
        their own: nothing but the record itself keeps its id."""
        self._number(self.hints, Hint, "h", 1)
        self._number(self.joints, Joint, "j", 1)
        if isinstance(self.next_id, int):
            self.next_id = self._number(self.bodies, Body, "b", self.next_id)

    @staticmethod
    def _number(records: Any, kind: type[Body] | type[Hint] | type[Joint], letter: str, number: int) -> int:
        """From a number on; the one after the last that was given."""
        known = [record for record in records if isinstance(record, kind)] if isinstance(records, list) else []
        taken = {record.id for record in known if isinstance(record.id, str)}
        for record in known:
            if record.id == "":
                while f"{letter}{number}" in taken:
                    number += 1
                record.id = f"{letter}{number}"
                number += 1
        return number

    def find(self, key: str) -> Body | None:
        """The body with this id, else the first with this name."""
        bodies = [body for body in self.bodies if isinstance(body, Body)]
        for body in bodies:
            if body.id == key:
                return body
        return next((body for body in bodies if body.name == key), None)

    def entrance_of(self, body: Body) -> Entrance:
        """The entrance that counts for a body: the nearest (engine/scene/nearest.py, for many bodies at once too)."""
        from engine.scene.nearest import entrances_of

        return entrances_of(self, [body])[0]

    def problems(self) -> list[Problem]:
        """Everything wrong with the scene, errors first; empty when it is fine."""
        found: list[Problem] = importlib.import_module(RULES).all_problems(self)
        return found

    def save(self, path: str | PathLike[str]) -> None:
        """Write a project file (atomically; takes and thumbnails already in it are kept)."""
        from engine.scene.file import save_scene

        save_scene(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Scene:
        """Read a project file; raises engine.errors.ProjectError."""
        from engine.scene.file import load_scene

        return load_scene(path)
