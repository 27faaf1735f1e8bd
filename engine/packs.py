"""Packs: machine code that comes with the program, so that a new machine need not compile.

A pack is one file, assets/kernels/NAME.pack, for one processor model. It holds the cache folders of modules (jit.py),
each named by the hash of all source it was made from: of a module that has changed since, a pack has nothing. What is
needed is unpacked into the user's cache, folder by folder, after its hash was compared; what a pack has not, or has
damaged, is compiled. `tools/make-kernels` makes packs.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import logging
import os
import shutil
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

HOME = Path(__file__).resolve().parents[1] / "assets" / "kernels"
SUFFIX = ".pack"
CONTENTS = "contents.json"
DAMAGED = (zipfile.BadZipFile, OSError, EOFError, ValueError, KeyError, TypeError)

log = logging.getLogger("foregone")


@dataclass
class Pack:
    path: Path
    facts: dict[str, str]  # what it was made of and for: processor, python, numba, source
    hashes: dict[str, str]  # of every folder in it
    faults: list[str] = field(default_factory=list)  # what was found damaged

    def give(self, folder: str, root: Path) -> bool:
        """Unpack a folder into `root`, whole or not at all; False when it is not to be had."""
        if folder not in self.hashes or self.faults:
            return False
        try:
            packed = self._read(folder)
        except DAMAGED as error:
            self._blame(error)
            return False
        try:
            _unpack(packed, root / folder)
        except OSError as error:  # not the pack's fault: the cache cannot be written to
            log.warning("foregone: machine code cannot be kept in %s: %s", root, error)
            return False
        return True

    def read_all(self) -> None:
        """Find out whether all of it is there: `faults`."""
        for folder in () if self.faults else self.hashes:
            try:
                self._read(folder)
            except DAMAGED as error:
                self._blame(error)
                return

    def _read(self, folder: str) -> bytes:
        with zipfile.ZipFile(self.path) as archive:
            packed = archive.read(folder)
        if hashlib.sha256(packed).hexdigest() != self.hashes[folder]:
            raise ValueError(f"{folder} is not what was packed")
        return packed

    def _blame(self, error: BaseException) -> None:
        self.faults.append(str(error))
        log.warning("foregone: %s is damaged (%s): its kernels are compiled instead", self.path.name, error)


def _unpack(packed: bytes, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix="unpacking-", dir=folder.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:xz") as files:
            files.extractall(beside, filter="data")
        beside.chmod(0o755)
        os.rename(beside, folder)
    except OSError:
        if not folder.is_dir():  # else another process was quicker
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def unpack(folder: str, root: Path) -> None:
    """Have a cache folder in `root`, if it is not there and some pack has it."""
    if not (root / folder).is_dir():
        any(pack.give(folder, root) for pack in packs())


@functools.cache
def packs() -> list[Pack]:
    """All that lie beside the engine, damaged ones too."""
    return [_opened(path) for path in sorted(HOME.glob(f"*{SUFFIX}"))]


def _opened(path: Path) -> Pack:
    try:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(archive.read(CONTENTS))
        return Pack(path, dict(told["facts"]), dict(told["folders"]))
    except DAMAGED as error:
        pack = Pack(path, {}, {})
        pack._blame(error)
        return pack
