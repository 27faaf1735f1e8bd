"""One take, from its tape to a file of another program. In the worker's process only."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.document.take_store import LARGEST
from engine.arrivals.disorder import disordered
from engine.errors import ExportError
from engine.export.settings import Settings
from engine.export.write import export
from engine.scene.file import read_member
from engine.scene.spec import Scene
from engine.tape.store import read_take
from engine.tape.take import Take


def export_take(scene: Scene, asked: dict[str, Any], tell: Callable[[float], None]) -> dict[str, Any]:
    """`asked` is an ExportOrder as a table, the answer an Exported as one. `tell` hears how far it is and may raise."""
    own = disordered(scene, float(asked["disorder"]), int(asked["seed"]))
    called = str(asked["take"])
    take = opened(own, called, *asked["tape"])
    tell(0.0)
    after = opened(own, called, *asked["after"]) if asked["after"] else None
    path = Path(asked["path"])
    tiers = asked["tiers"] or None
    clip = export(take, path, Settings(**asked["settings"]), after, str(asked["name"]), tell, tiers, called)
    return {
        "path": str(path),
        "size": path.stat().st_size,
        "bodies": len(clip.actors),
        "frames": clip.frames.count,
        "fps": clip.fps,
        "exact": clip.ending is not None and not asked["disorder"],
        "notes": list(clip.notes),
    }


def opened(scene: Scene, called: str, file: str, member: str) -> Take:
    """Raises ProjectError, with the name of the take in it, for one that was made for another scene."""
    if not Path(file).is_file():
        raise ExportError(f"The motion of {called} is gone. Generate it again to export it.")
    source = io.BytesIO(read_member(Path(file), member, LARGEST)) if member else file
    return read_take(source, scene, called)
