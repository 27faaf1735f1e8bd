"""What an export is asked for, and what the formats and the programs they go to are like.

Plain data without the engine: the window shows it, the command line parses it, writers obey it.
"""

from __future__ import annotations

import importlib.util
import math
from dataclasses import dataclass, field, fields, replace
from pathlib import PurePath
from typing import Any

from engine.errors import ExportError

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
"""Metres per unit."""
UNIT_WORDS = {"m": "Metres", "cm": "Centimetres", "mm": "Millimetres", "in": "Inches", "ft": "Feet"}
UPS = {"z": "Z up", "y": "Y up"}
HANDS = {"right": "Right-handed", "left": "Left-handed"}
ROTATIONS = {"quaternion": "Quaternion", "euler": "Unrolled Euler"}
RATES = (24000 / 1001, 24.0, 25.0, 30000 / 1001, 30.0, 48.0, 50.0, 60000 / 1001, 60.0, 120.0)
"""Frames per second that programs know by name."""
MOST_FRAMES = 1_000_000
LARGEST_FPS = 10_000.0
SIZES = (16, 8192)  # px, of a picture
FAST_TURN = math.radians(150.0)  # between two keys; programs go the short way round, so more is not safe


@dataclass(frozen=True)
class Format:
    """A kind of file. `chooses` names what of unit, up, hand and rotation the artist may choose; the rest is fixed."""

    key: str
    name: str
    suffixes: tuple[str, ...]  # the first is the usual one
    words: str  # what arrives
    chooses: tuple[str, ...] = ()
    fixed: dict[str, str] = field(default_factory=dict)
    names: str = "any"  # rule of names (names.py)
    needs: str = ""  # module without which it cannot be written
    program: str = ""  # program that must be on this machine
    keys: bool = True  # holds keyframes: still bodies, thinning and sub-frame keys mean something
    meshes: bool = True
    pictures: bool = False


AXES = ("unit", "up")
RAW = ("unit", "up", "hand", "rotation")
FORMATS = {
    each.key: each
    for each in (
        Format("usd", "USD", (".usdc", ".usda", ".usd"), "Transforms per body, with meshes and materials.",
               (*AXES, "rotation"), {"hand": "right"}, "identifier", needs="pxr"),
        Format("glb", "glTF", (".glb",), "Keyframes, meshes and materials in one file.",
               (), {"unit": "m", "up": "y", "hand": "right", "rotation": "quaternion"}),
        Format("blender", "Python script", (".py",), "Run it in Blender: it builds meshes and keyframes.",
               ("rotation",), {"unit": "m", "up": "z", "hand": "right"}, "blender"),
        Format("blend", "Blender file", (".blend",), "A scene to open or to append from.",
               ("rotation",), {"unit": "m", "up": "z", "hand": "right"}, "blender", program="blender"),
        Format("fbx", "FBX", (".fbx",), "Keyframes and meshes, written by Blender.",
               (), {"unit": "m", "up": "z", "hand": "right", "rotation": "quaternion"}, "blender", program="blender"),
        Format("maya", "Maya ASCII", (".ma",), "A scene with animation curves.",
               AXES, {"hand": "right", "rotation": "euler"}, "identifier"),
        Format("houdini", "Channels", (".clip",), "Channels per body, for a File CHOP.",
               AXES, {"hand": "right", "rotation": "euler"}, "identifier", keys=False, meshes=False),
        Format("alembic", "Alembic", (".abc",), "Transforms per body, with meshes.",
               AXES, {"hand": "right", "rotation": "quaternion"}, "identifier", needs="alembic3d", keys=False),
        Format("csv", "CSV", (".csv",), "One row per frame and body.", RAW, keys=False, meshes=False),
        Format("json", "JSON", (".json",), "Poses and take data as text.", RAW, keys=False, meshes=False),
        Format("npz", "NPZ", (".npz",), "The same as arrays, for NumPy.", RAW, keys=False, meshes=False),
        Format("mp4", "MP4", (".mp4",), "A film of the view.", needs="imageio_ffmpeg", keys=False, meshes=False,
               pictures=True),
        Format("png", "PNG frames", (".png",), "One picture per frame.", keys=False, meshes=False, pictures=True),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """Times are frames of the take as the timeline counts them: the ending falls on one."""

    format: str = "usd"
    fps: float = 24.0
    first: int | None = None  # frame of the take; None: its first
    last: int | None = None  # None: its last
    start: int = 1  # number that the frame `first` gets in the file
    handles: int = 0  # frames before it
    hold: int = 0  # frames that stay at the last pose after it
    unit: str = "m"
    up: str = "z"
    hand: str = "right"
    rotation: str = "quaternion"
    still_keys: bool = False  # keys for bodies that do not move
    extras: bool = True  # hints and data of the take as custom properties
    thin: float | None = None  # m in the world by which a body may be off between kept keys; None: every frame
    subframes: bool = True  # keys between frames where a body spins too fast for one per frame
    instances: bool = False  # USD: one PointInstancer, small and quick, rotations lose precision
    width: int = 1280  # px, of pictures
    height: int = 720

    @property
    def kind(self) -> Format:
        return FORMATS[self.format]

    def settled(self) -> Settings:
        """With what the format fixes put in place; raises ExportError for what makes no sense."""
        if self.format not in FORMATS:
            raise ExportError(f"there is no format {self.format!r}; there are {', '.join(FORMATS)}")
        for name, known in (("unit", UNITS), ("up", UPS), ("hand", HANDS), ("rotation", ROTATIONS)):
            if getattr(self, name) not in known:
                raise ExportError(f"{name} must be one of {', '.join(known)}, not {getattr(self, name)!r}")
        if not (_is_number(self.fps) and 0.0 < self.fps <= LARGEST_FPS):
            raise ExportError(f"frames per second must be positive and at most {LARGEST_FPS:g}, not {self.fps!r}")
        for name in ("start", "handles", "hold"):
            value = getattr(self, name)
            if not _is_whole(value) or abs(value) > MOST_FRAMES:
                raise ExportError(f"{name} must be a whole number of frames, at most {MOST_FRAMES}, not {value!r}")
        if self.handles < 0 or self.hold < 0:
            raise ExportError("handles and hold are numbers of frames and must not be negative")
        if self.first is not None and self.last is not None and self.first > self.last:
            raise ExportError(f"the range ends (frame {self.last}) before it begins (frame {self.first})")
        if self.thin is not None and not (_is_number(self.thin) and self.thin > 0.0):
            raise ExportError(f"the error allowed when thinning out keys must be a positive length, not {self.thin!r}")
        for side in (self.width, self.height):
            if not _is_whole(side) or not SIZES[0] <= side <= SIZES[1]:
                raise ExportError(f"a picture must be {SIZES[0]} to {SIZES[1]} px wide and high, not {side!r}")
        return replace(self, **self.kind.fixed)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Target:
    """A program that exports go to: which formats it reads best, and its habits."""

    key: str
    name: str
    words: str
    formats: tuple[str, ...]  # the best one first
    habits: dict[str, Any]


TARGETS = {
    each.key: each
    for each in (
        Target("blender", "Blender", "metres · Z up", ("usd", "glb", "blender", "blend", "fbx", "alembic"), {}),
        Target("maya", "Maya", "centimetres · Y up", ("maya", "usd", "fbx", "alembic"),
               {"unit": "cm", "up": "y", "rotation": "euler"}),
        Target("houdini", "Houdini", "metres · Y up", ("usd", "houdini", "alembic", "fbx"), {"up": "y"}),
        Target("cinema4d", "Cinema 4D", "centimetres · Y up", ("usd", "glb", "fbx", "alembic"),
               {"unit": "cm", "up": "y", "hand": "left", "rotation": "euler"}),
        Target("unreal", "Unreal", "centimetres · Z up", ("usd", "fbx", "glb", "alembic"),
               {"unit": "cm", "hand": "left", "start": 0}),
        Target("web", "Web", "glTF, metres · Y up", ("glb",), {"up": "y", "start": 0}),
        Target("video", "Video", "MP4 or PNG frames", ("mp4", "png"), {}),
        Target("data", "Data", "CSV, JSON or NPZ", ("csv", "json", "npz"), {"start": 0}),
    )
}  # fmt: skip
"""In the order in which they are offered."""


def preset(target: str, format: str = "", **asked: Any) -> Settings:
    """What a program wants; `asked` overrules it where it is not None."""
    if target not in TARGETS:
        raise ExportError(f"there is no preset {target!r}; there are {', '.join(TARGETS)}")
    known = {each.name for each in fields(Settings)}
    given = {name: value for name, value in asked.items() if value is not None and name in known}
    habits = {**TARGETS[target].habits, "format": format or TARGETS[target].formats[0], **given}
    return Settings(**habits).settled()


def target_of(format: str) -> str:
    """The program that a format is mostly for."""
    home = {"houdini": "houdini", "maya": "maya", "glb": "web"}
    return home.get(format) or next(key for key, target in TARGETS.items() if format in target.formats)


def missing(kind: Format) -> str:
    """Why this machine cannot write a format, and what would help; "" when it can. Programs are looked for elsewhere
    (find_blender.py)."""
    if not kind.needs or importlib.util.find_spec(kind.needs) is not None:
        return ""
    package = {"pxr": "usd-core", "alembic3d": "alembic3d", "imageio_ffmpeg": "imageio-ffmpeg"}[kind.needs]
    return f"{kind.name} needs the Python package {package}, which is not installed here."


def format_of(path: str) -> str | None:
    """The format whose suffix a path has."""
    suffix = PurePath(path).suffix.lower()
    return next((key for key, kind in FORMATS.items() if suffix in kind.suffixes), None)


def rate_fraction(fps: float) -> tuple[int, int]:
    """Numerator and denominator: 23.976 is 24000/1001, as every program reads it."""
    for whole in (24, 30, 48, 60, 120):
        if abs(fps - whole * 1000 / 1001) < 1e-3:
            return whole * 1000, 1001
    if abs(fps - round(fps)) < 1e-9:
        return round(fps), 1
    return round(fps * 1000), 1000


def exact_rate(fps: float) -> float:
    """23.976 as 24000/1001."""
    numerator, denominator = rate_fraction(fps)
    return numerator / denominator


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
