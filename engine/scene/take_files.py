"""TakeFiles: where the files of a project's takes are. Fresh ones lie in a folder, saved ones inside the project; names
are the same in both. Any process can be told, and finds them in the same way."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from engine.errors import ProjectError
from engine.scene.file import member_names, read_member

TAPE, AFTER = "takes/{}.npz", "takes/{}.after.npz"
"""Names by a take's id: its record, and that of the run after the authored frame."""
FILM, THUMB = "films/{}.npz", "thumbs/{}.png"
"""What is looked at, and a small picture."""
PARTS = (TAPE, FILM, AFTER, THUMB)
LARGEST_TAPE, LARGEST_OTHER = 32 << 30, 2 << 30  # bytes, unpacked


@dataclass(frozen=True)
class TakeFiles:
    project: Path | None = None
    folder: Path | None = None

    def open(self, name: str) -> IO[bytes] | None:
        """A file to read from its beginning; None when there is none. Raises ProjectError when it cannot be read."""
        fresh = self.fresh(name)
        if fresh is not None:
            return fresh.open("rb")
        if self.project is not None and name in self.saved():
            largest = LARGEST_TAPE if name.startswith("takes/") else LARGEST_OTHER
            return io.BytesIO(read_member(self.project, name, largest))
        return None

    def fresh(self, name: str) -> Path | None:
        """The file, when it lies in the folder."""
        path = self.folder / name if self.folder is not None else None
        return path if path is not None and path.is_file() else None

    def saved(self) -> set[str]:
        """Names inside the project; none in one that cannot be read."""
        if self.project is not None:
            with contextlib.suppress(ProjectError):
                return set(member_names(self.project))
        return set()

    def __contains__(self, name: str) -> bool:
        return self.fresh(name) is not None or name in self.saved()

    def stamp(self, name: str) -> float:
        """When the file was written, to know a new one of the same name (s)."""
        place = self.fresh(name) or self.project
        return place.stat().st_mtime if place is not None else 0.0
