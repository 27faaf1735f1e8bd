"""Writing aside: a file is made beside its place and moved there when it is complete. What was there stays until then,
and for good when anything goes wrong."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from engine.errors import ExportError


@contextlib.contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A place to write to, with the name of `path` (writers go by suffixes), that becomes `path`. Raises ExportError
    in words when the folder or the disk does not let it."""
    path = Path(path)
    check_place(path)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent))
    except OSError as error:
        raise ExportError(f"Could not write to {path.parent}: {reason(error)}. {unharmed(path.exists())}") from error
    try:
        yield folder / path.name
        os.replace(folder / path.name, path)
    except OSError as error:
        raise ExportError(f"Could not write {path}: {reason(error)}. {unharmed(path.exists())}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_place(path: Path) -> None:
    """Raises ExportError for a place at which no file can be."""
    if path.is_dir():
        raise ExportError(f"{path} is a folder. Give the file a name.")
    if not path.parent.is_dir():
        raise ExportError(f"There is no folder {path.parent}. Make it first, or choose another place.")


def reason(error: OSError) -> str:
    """What the system says, and not how it says it to programs."""
    return (error.strerror or str(error)).rstrip(".").lower()


def unharmed(existed: bool) -> str:
    """What a failed export leaves."""
    return "The old file is untouched." if existed else "Nothing was written."
