"""TakeStore: where the motions of a document's takes are. Cards are in the scene and come and go with undo; motions are
files, too large for that: a fresh one lies in a folder of this document, a saved one inside the project."""

from __future__ import annotations

import shutil
import weakref
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp

from app.document.session_lock import SessionLock
from engine.scene.film import Film, read_film
from engine.scene.take_files import FILM, PARTS, TakeFiles

PREFIX = "takes-"  # of the folders in the root
OPEN_BYTES = 256 << 20  # of films kept open; the browser shows a dozen at once


class TakeStore:
    """One per document; its folder goes with it."""

    def __init__(self, root: Path, project: Path | None = None) -> None:
        """`root`: a folder in which this store makes one of its own, when it needs it."""
        self._root, self._project = root, project
        self._folder: Path | None = None
        self._films: OrderedDict[str, Film] = OrderedDict()

    @property
    def folder(self) -> Path:
        """Where the worker puts fresh motions: folder / "takes/t7.npz" and so on."""
        if self._folder is None:
            self._root.mkdir(parents=True, exist_ok=True)
            self._folder = Path(mkdtemp(prefix=PREFIX, dir=self._root))
            lock = SessionLock(self._folder)
            lock.acquire()
            weakref.finalize(self, _remove, self._folder, lock)
            for part in PARTS:
                (self._folder / part).parent.mkdir(exist_ok=True)
        return self._folder

    @property
    def files(self) -> TakeFiles:
        """Where they are now, for any process."""
        return TakeFiles(self._project, self._folder)

    def moved(self, project: Path) -> None:
        """The document was saved there, motions included."""
        self._project = project

    def film(self, key: str) -> Film | None:
        """The motion of a take; None when it is nowhere (it can be generated again). Raises ProjectError when it is
        there and damaged."""
        if key in self._films:
            self._films.move_to_end(key)
            return self._films[key]
        data = self.part(key, FILM)
        if data is None:
            return None
        film = self._films[key] = read_film(data)
        size = sum(open_.size for open_ in self._films.values())
        while size > OPEN_BYTES and len(self._films) > 1:
            size -= self._films.popitem(last=False)[1].size
        return film

    def part(self, key: str, part: str) -> bytes | None:
        """One of the files of a take."""
        stream = self.files.open(part.format(key))
        if stream is None:
            return None
        with stream:
            return stream.read()

    def fresh(self, key: str, part: str) -> Path | None:
        """The file, when it lies in the folder."""
        return self.files.fresh(part.format(key))

    def members(self, keys: Iterable[str]) -> dict[str, Path]:
        """What saving must put into the project: name inside -> file."""
        found = {part.format(key): self.fresh(key, part) for key in keys for part in PARTS}
        return {name: path for name, path in found.items() if path is not None}

    def superfluous(self, keys: Iterable[str]) -> list[str]:
        """Files of takes inside the project that are not among `keys`. Undo may bring their cards back, so they are
        copied out first."""
        kept = {part.format(key) for key in keys for part in PARTS}
        folders = tuple(part.partition("/")[0] + "/" for part in PARTS)
        left = [name for name in self.files.saved() if name.startswith(folders) and name not in kept]
        for name in left:
            target = self.folder / name
            stream = None if target.exists() else self.files.open(name)
            if stream is not None:
                with stream:
                    target.write_bytes(stream.read())
        return left


def _remove(folder: Path, lock: SessionLock) -> None:
    lock.release()
    shutil.rmtree(folder, ignore_errors=True)
