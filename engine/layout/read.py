"""Read a layout, whatever kind of file it is, without trusting it."""

from __future__ import annotations

from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from types import ModuleType

from engine.errors import LayoutError
from engine.export.settings import FORMATS, missing
from engine.layout.layout import Layout, check_size

USD_SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")
GLTF_SUFFIXES = (".gltf", ".glb")
SUFFIXES = (*USD_SUFFIXES, *GLTF_SUFFIXES, ".obj")


def read_layout(path: str | PathLike[str]) -> Layout:
    """Raises LayoutError with a sentence that names the file. Nothing outside the file's folder is opened."""
    file = Path(fspath(path))
    _check_file(file)
    try:
        layout: Layout = _module(file).read(file)
    except MemoryError as error:
        raise LayoutError(f"{file.name} is too large for this computer's memory.") from error
    except PermissionError as error:
        raise LayoutError(f"{file.name} cannot be opened. Check its permissions.") from error
    if not layout.objects:
        why = f" {' '.join(layout.notes)}" if layout.notes else " Export it again with its meshes."
        raise LayoutError(f"{file.name} holds no meshes.{why}")
    return layout


def why_not(suffix: str) -> str:
    """Why files with this suffix cannot be read here; "" when they can."""
    if suffix.lower() in USD_SUFFIXES:
        return missing(FORMATS["usd"])
    return "" if suffix.lower() in SUFFIXES else "Use USD, glTF or OBJ."


def is_layout(path: Path) -> bool:
    """Does a file hold several objects, so that it is a layout rather than a mesh? A quick look."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES or suffix in USD_SUFFIXES:
        return suffix in USD_SUFFIXES
    try:
        return bool(_module(path).several_objects(path))
    except (OSError, LayoutError):
        return False  # whoever reads it tells what is wrong


def _module(file: Path) -> ModuleType:
    """Who reads such files. Loaded only then: the library for USD takes a while."""
    suffix = file.suffix.lower()
    kind = "usd" if suffix in USD_SUFFIXES else "gltf" if suffix in GLTF_SUFFIXES else "obj"
    return import_module(f"engine.layout.{kind}")


def _check_file(file: Path) -> None:
    why = why_not(file.suffix)
    if why:
        raise LayoutError(f"{file.name} cannot be read. {why}")
    if not file.is_file():
        raise LayoutError(f"{file.name} is not there.")
    try:
        size = file.stat().st_size
        with file.open("rb"):
            pass
    except OSError as error:
        raise LayoutError(f"{file.name} cannot be opened. Check its permissions.") from error
    if size == 0:
        raise LayoutError(f"{file.name} is empty.")
    check_size(file.name, size)
