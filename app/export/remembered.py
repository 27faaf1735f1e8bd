"""What was chosen the last time, for every program apart. Frames, rate and place belong to the take and are not kept
here; the folder is, by itself."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from pathlib import Path

from app.session import settings as session
from engine.errors import ExportError
from engine.export.settings import FORMATS, TARGETS, Settings, preset

OF_THE_TAKE = ("fps", "first", "last")
KEPT = tuple(each.name for each in fields(Settings) if each.name not in OF_THE_TAKE)


def recall_target(store: session.Settings) -> str:
    target = str(store.get("export/target"))
    return target if target in TARGETS else next(iter(TARGETS))


def recall(store: session.Settings, target: str, fps: float) -> Settings:
    """The settings for a program, or what it usually wants."""
    usual = preset(target, fps=fps)
    try:
        known = json.loads(store.get(f"export/{target}") or "{}")
        asked = {name: known[name] for name in KEPT if name in known}
        found = replace(usual, **asked).settled()
    except (ValueError, TypeError, AttributeError, ExportError):
        return usual
    return found if found.format in TARGETS[target].formats else usual


def remember(store: session.Settings, target: str, settings: Settings, path: Path) -> None:
    kept = {name: value for name, value in asdict(settings).items() if name in KEPT}
    store.set("export/target", target)
    store.set(f"export/{target}", json.dumps(kept))
    store.set("export/folder", str(path.parent))


def folder(store: session.Settings, project: Path | None) -> Path:
    """The last one, or that of the project, or the user's own."""
    for known in (str(store.get("export/folder")), str(project.parent) if project is not None else "",
                  str(store.get("files/folder"))):  # fmt: skip
        if known and Path(known).is_dir():
            return Path(known)
    return Path.home()


def reformatted(settings: Settings, format: str, target: str) -> Settings:
    """The same in another format: what it leaves open is the program's habit again where the old one had fixed it."""
    old, habits = FORMATS[settings.format], preset(target, format)
    freed = {name: getattr(habits, name) for name in old.fixed if name in FORMATS[format].chooses}
    return replace(settings, format=format, **freed).settled()
