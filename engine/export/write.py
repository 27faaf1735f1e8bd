"""The one door to all formats: a clip and a place in, a complete file out."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.errors import ExportError
from engine.export.aside import check_place, written_aside
from engine.export.clip import SAMPLED, Clip, Progress, clip_of
from engine.export.settings import FORMATS, Settings, missing
from engine.tape.take import Take

WRITERS = {
    "usd": "engine.export.usd",
    "glb": "engine.export.gltf",
    "blender": "engine.export.blender",
    "blend": "engine.export.blender_files",
    "fbx": "engine.export.blender_files",
    "maya": "engine.export.maya",
    "houdini": "engine.export.houdini",
    "alembic": "engine.export.alembic",
    "csv": "engine.export.csv",
    "json": "engine.export.json",
    "npz": "engine.export.npz",
}
"""Format -> the module whose write(clip, path, progress) makes it. Pictures come from whoever can draw (video.py)."""


def write_clip(clip: Clip, path: Path, progress: Progress | None = None) -> None:
    """Raises ExportError; what was at `path` is then still there."""
    kind = clip.settings.kind
    lacking = missing(kind)
    if lacking:
        raise ExportError(lacking)
    if kind.key not in WRITERS:
        raise ExportError(f"{kind.name} is made from pictures, not from keyframes")
    write: Callable[[Clip, Path, Progress], Any] = importlib.import_module(WRITERS[kind.key]).write
    with written_aside(path) as place:
        write(clip, place, progress or (lambda share: None))


def export(
    take: Take,
    path: Path,
    settings: Settings,
    after: Take | None = None,
    name: str = "",
    progress: Progress | None = None,
    tiers: Sequence[float] | None = None,
    called: str = "",
) -> Clip:
    """Write a take; what was written is told by the clip. The place is looked at before any work is done."""
    if settings.format not in FORMATS:
        raise ExportError(f"there is no format {settings.format!r}; there are {', '.join(FORMATS)}")
    check_place(Path(path))
    tell = progress or (lambda share: None)
    clip = clip_of(take, settings, after, name, progress, tiers, called)
    write_clip(clip, Path(path), lambda share: tell(SAMPLED + (1.0 - SAMPLED) * share))
    return clip
