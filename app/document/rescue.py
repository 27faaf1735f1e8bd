"""Rescue: work that a crashed program left in its journal.

Reading trusts nothing: damage costs what comes after it, and is told. Work that could not be rescued twice is moved
aside, so that no start of the program fails because of it again and again.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.document.changes import changed_scene, whole_scene
from app.document.document import UNTITLED
from app.document.lines import intact, lines
from app.document.session_lock import is_abandoned
from engine.errors import ProjectError
from engine.scene.spec import Scene

MOST_TRIES = 2
DAMAGED = "damaged"  # folder for what cannot be rescued


@dataclass(frozen=True)
class Orphan:
    """Unsaved work of a program that is gone."""

    folder: Path
    title: str
    path: Path | None  # of its project file; None: never saved
    when: float  # s since 1970, of the last command
    tries: int = 0


@dataclass(frozen=True)
class Rescued:
    scene: Scene
    path: Path | None
    when: float
    title: str
    complaint: str = ""  # what could not be rescued, in the artist's words
    tries: int = 1


class RescueError(Exception):
    """Nothing could be rescued; `folder` is where what there is lies."""

    def __init__(self, folder: Path, message: str) -> None:
        super().__init__(message)
        self.folder = folder


def find_orphans(recovery: Path) -> list[Orphan]:
    """Unsaved work of dead sessions, newest first. Folders without any are removed, hopeless ones moved aside."""
    found = []
    folders = sorted(recovery.iterdir()) if recovery.is_dir() else []
    for folder in folders:
        if not folder.is_dir() or folder.name == DAMAGED or not is_abandoned(folder):
            continue
        tries = _tries(folder)
        if tries >= MOST_TRIES:
            set_aside(folder)
            continue
        orphan = _orphan(folder, tries)
        if orphan is None:
            discard(folder)
        else:
            found.append(orphan)
    return sorted(found, key=lambda orphan: -orphan.when)


def rescue(folder: Path) -> Rescued:
    """The work in a session's folder. Raises RescueError, the second time after moving the folder aside."""
    tries = _tries(folder) + 1
    try:
        (folder / "tries").write_text(str(tries))
        return _rescued(folder, tries)
    except (ProjectError, OSError, ValueError) as error:
        if tries >= MOST_TRIES:
            folder = set_aside(folder)
        raise RescueError(folder, str(error)) from error


def discard(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def set_aside(folder: Path) -> Path:
    """Move a session's folder to where it is not looked for; returns its new place."""
    target = folder.parent / DAMAGED / folder.name
    target.parent.mkdir(exist_ok=True)
    return folder.rename(target)


def _tries(folder: Path) -> int:
    try:
        return int((folder / "tries").read_text())
    except (OSError, ValueError):
        return 0


def _orphan(folder: Path, tries: int) -> Orphan | None:
    """None: saved, or nothing at all was written."""
    title, path, dirty, when = UNTITLED, "", False, 0.0
    for number in _epochs(folder)[:1]:
        file = folder / f"changes-{number}"
        when = file.stat().st_mtime
        for row in lines(file):
            when = float(row.get("time", when))
            if "state" in row:
                title, path, dirty = (row["state"].get(name) for name in ("title", "path", "dirty"))
            else:
                dirty = True
        if not intact(file):
            dirty = True  # who knows what is behind the damage
    return Orphan(folder, str(title), Path(path) if path else None, when, tries) if dirty else None


def _epochs(folder: Path) -> list[int]:
    """Numbers of the epochs with changes, those with a complete base first, the latest of them at the front."""
    numbers = [int(file.name[8:]) for file in folder.glob("changes-*") if file.name[8:].isdigit()]
    return sorted(numbers, key=lambda number: ((folder / f"base-{number}").exists(), number), reverse=True)


def _rescued(folder: Path, tries: int) -> Rescued:
    orphan = _orphan(folder, tries)
    if orphan is None:
        raise ProjectError("there is no unsaved work in it")
    number = _epochs(folder)[0]

    def fetch(name: str, where: str) -> Mapping[str, np.ndarray]:
        return _mesh(folder, name)

    base, complaint = folder / f"base-{number}", ""
    if base.exists():
        scene, complete = whole_scene(lines(base), fetch)
        if not complete:
            complaint = "Part of the scene was damaged and is missing."
    elif orphan.path is not None:  # killed while the copy was being written: what was opened is still on disk
        scene = Scene.load(orphan.path)
    else:
        raise ProjectError("the copy of the scene is not complete")
    file = folder / f"changes-{number}"
    for row in lines(file):
        if "state" in row or complaint:
            continue
        try:
            scene = changed_scene(scene, row, fetch)
        except ProjectError:
            complaint = "The last changes were damaged and are missing."
    if not complaint and not intact(file):
        complaint = "The last changes were damaged and are missing."
    return Rescued(scene, orphan.path, orphan.when, orphan.title, complaint, tries)


def _mesh(folder: Path, name: Any) -> Mapping[str, np.ndarray]:
    if not isinstance(name, str) or not name.isalnum():
        raise ProjectError("a mesh has no proper name")
    try:
        with np.load(folder / "meshes" / f"{name}.npz", allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}
    except Exception as error:  # numpy and zipfile raise many kinds for damaged files
        raise ProjectError(f"the mesh {name} cannot be read: {error}") from None
