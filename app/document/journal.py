"""Journal: every command on disk as soon as it is made, so that a crash costs at most one.

A session's folder holds, for an epoch k,

    base-k       the whole scene when the epoch began
    changes-k    one line per command since then, and lines that say how the document is called and if it is dirty
    meshes/      arrays of hulls and meshes, by content
    lock         held as long as the program lives: that is how a second window knows not to rescue it
    tries        how often somebody tried to rescue this work (rescue.py)

Scenes are values, so a base can be written in portions while further commands come: until it is complete, changes go to
both epochs, and the old one stays. A command that touches hundreds of bodies begins a new epoch by itself. Nothing is
written before there is something to lose, and a clean exit leaves nothing. A kill loses nothing that was written, and
with `sync` a power cut does not either.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from app.document.changes import change, touched, whole
from app.document.document import Document
from app.document.lines import line
from app.document.session_lock import SessionLock
from engine.errors import ProjectError

MOST_CHANGES = 400  # lines after which a new epoch begins
MOST_BYTES = 16 << 20
AT_ONCE = 200  # bodies that are written without a pause


class Journal:
    """Follows a document. `trouble` says why the last command could not be written ("": it was); the work goes on, and
    the next command writes what is missing."""

    def __init__(self, document: Document, recovery: Path) -> None:
        self._document, self._recovery = document, recovery
        self.folder: Path | None = None
        self.trouble = ""
        self.tries = 0  # of the rescue that this document came from; forgotten with the first command
        self._lock: SessionLock | None = None
        self._epochs: list[_Epoch] = []  # the one in force, and perhaps one whose base is being written
        self._number = 0
        self._meshes: dict[tuple[int, ...], tuple[tuple[np.ndarray, ...], str]] = {}
        self._inherited: Path | None = None
        self._written = document.scene
        self._told: dict[str, Any] = {}
        document.replaced.connect(self._begin)
        document.changed.connect(self._follow)
        document.named.connect(self._follow)

    @property
    def pending(self) -> bool:
        """Is a base only partly written?"""
        return len(self._epochs) > 0 and not self._epochs[-1].complete

    @property
    def changes(self) -> int:
        """Commands since the last full copy."""
        return self._epochs[-1].count if self._epochs else 0

    def work(self) -> bool:
        """Write one more portion of a base; True when there is more to do."""
        if self.pending:
            self._careful(self._write_portion)
        return self.pending

    def copy(self) -> None:
        """Begin a new epoch: a full copy of the scene as it is now. `work` writes it."""
        if self.folder is not None and not self.pending and self.changes:
            self._careful(self._open_epoch)

    def inherit(self, folder: Path) -> None:
        """The document came from the journal in `folder`: that one is deleted as soon as the work is safe in this."""
        self._inherited = folder
        self._bury()

    def sync(self) -> None:
        """Make what is written outlast a power cut."""
        for epoch in self._epochs:
            self._careful(epoch.sync)

    def close(self) -> None:
        """A clean end: nothing is left behind."""
        self._document.replaced.disconnect(self._begin)
        self._document.changed.disconnect(self._follow)
        self._document.named.disconnect(self._follow)
        self._clear()

    def _begin(self) -> None:
        """Another document: what was journaled of the last one is no longer needed."""
        self._clear()
        self._written = self._document.scene
        if self._document.dirty:  # rescued work is unsaved from the start
            self._follow()

    def _follow(self, *_: object) -> None:
        """Write what happened since the last time; a preview is nothing that happened."""
        if self._document.scene is self._written and not (self._document.dirty or self.folder):
            return
        self._careful(self._write_change)

    def _careful(self, write: Any) -> None:
        """The window must not suffer from a full disk or an odd value."""
        try:
            write()
            self.trouble = ""
        except (OSError, ProjectError, ValueError) as error:
            self.trouble = str(error)

    def _write_change(self) -> None:
        if self.folder is None:
            self._open_folder()
        scene, rows = self._document.scene, []
        state = {
            "title": self._document.title,
            "path": str(self._document.path.absolute()) if self._document.path is not None else "",
            "dirty": self._document.dirty,
        }
        if state != self._told:
            rows.append({"time": time.time(), "state": state})
        large = touched(self._written, scene) > AT_ONCE
        row = change(self._written, scene, self._store) if scene is not self._written and not large else {}
        if row:  # after the state, which does not know of it yet
            rows.append({"time": time.time(), **row})
        for epoch in self._epochs:
            epoch.append(rows)
        self._told, self._written = state, scene
        if row:
            self._forget_tries()
        if large:
            for epoch in self._epochs:
                epoch.frozen = True
            self._open_epoch()
        elif self.changes > MOST_CHANGES or (self._epochs and self._epochs[-1].size > MOST_BYTES):
            self.copy()

    def _open_folder(self) -> None:
        folder = self._recovery / f"{time.strftime('%Y%m%d-%H%M%S')}-{uuid.uuid4().hex[:8]}"
        (folder / "meshes").mkdir(parents=True)
        self._lock = SessionLock(folder)
        self._lock.acquire()
        self.folder = folder
        if self.tries:
            (folder / "tries").write_text(str(self.tries))
        self._open_epoch()

    def _open_epoch(self) -> None:
        assert self.folder is not None
        self._number += 1
        self._epochs.append(_Epoch(self.folder, self._number, whole(self._written, self._store)))
        if self._told:
            self._epochs[-1].append([{"time": time.time(), "state": self._told}])
        if len(self._written.bodies) <= AT_ONCE:
            while self.pending:
                self._write_portion()

    def _write_portion(self) -> None:
        self._epochs[-1].write_portion()
        if self._epochs[-1].complete:
            for old in self._epochs[:-1]:
                old.remove()
            del self._epochs[:-1]
            self._bury()

    def _bury(self) -> None:
        if self._inherited is not None and self._epochs and not self.pending and not self.trouble:
            shutil.rmtree(self._inherited, ignore_errors=True)
            self._inherited = None

    def _forget_tries(self) -> None:
        if self.tries and self.folder is not None:
            (self.folder / "tries").unlink(missing_ok=True)
            self.tries = 0

    def _store(self, arrays: Mapping[str, np.ndarray]) -> str:
        """Keep a mesh in the folder. Arrays of a scene are read-only, so the same object is the same mesh."""
        assert self.folder is not None
        key = tuple(id(array) for array in arrays.values())
        if key not in self._meshes:
            digest = hashlib.sha256()
            for name, array in sorted(arrays.items()):
                digest.update(f"{name}{array.shape}{array.dtype}".encode() + np.ascontiguousarray(array).tobytes())
            name = digest.hexdigest()[:32]
            target = self.folder / "meshes" / f"{name}.npz"
            if not target.exists():
                with target.with_suffix(".part").open("wb") as stream:
                    np.savez(stream, **dict(arrays))  # type: ignore[arg-type]
                target.with_suffix(".part").rename(target)
            self._meshes[key] = (tuple(arrays.values()), name)
        return self._meshes[key][1]

    def _clear(self) -> None:
        for epoch in self._epochs:
            epoch.close()
        if self._lock is not None:
            self._lock.release()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder, self._lock, self.trouble, self._inherited = None, None, "", None
        self._epochs, self._meshes, self._told = [], {}, {}


class _Epoch:
    """Two files: a base that is being written or complete, and the changes since."""

    def __init__(self, folder: Path, number: int, rows: Iterator[dict[str, Any]]) -> None:
        self._base, self._part = folder / f"base-{number}", folder / f"base-{number}.part"
        self._changes = folder / f"changes-{number}"
        self._rows = rows
        self._writing: BinaryIO | None = self._part.open("wb", buffering=0)
        self._appending = self._changes.open("ab", buffering=0)
        self.count = self.size = 0
        self.frozen = False

    @property
    def complete(self) -> bool:
        return self._writing is None

    def write_portion(self) -> None:
        assert self._writing is not None
        row = next(self._rows)
        self._writing.write(line(row))
        if "end" in row:
            self._writing.close()
            self._writing = None
            self._part.rename(self._base)

    def append(self, rows: list[dict[str, Any]]) -> None:
        """All of it or nothing. A frozen epoch stays as it is: it misses a change that only the next one has."""
        if self.frozen:
            return
        data = b"".join(map(line, rows))
        try:
            if self._appending.write(data) != len(data):
                raise OSError("the disk is full")
        except OSError:
            self._appending.truncate(self.size)
            raise
        self.size += len(data)
        self.count += sum("state" not in row for row in rows)

    def sync(self) -> None:
        os.fsync(self._appending.fileno())

    def remove(self) -> None:
        self.close()
        self._base.unlink(missing_ok=True)
        self._changes.unlink(missing_ok=True)

    def close(self) -> None:
        self._appending.close()
        if self._writing is not None:
            self._writing.close()
