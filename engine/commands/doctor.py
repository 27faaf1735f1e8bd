"""foregone doctor: what this installation is, and whether it can work."""

from __future__ import annotations

import ctypes.util
import importlib.metadata
import importlib.util
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

import platformdirs

from engine.commands.output import answer, complain, say
from engine.export.find_blender import find_blender
from engine.export.settings import FORMATS, missing
from engine.jit import Kernel, registry
from engine.kernel_cache import cache_folder, cache_root
from engine.packs import Pack, packs
from engine.work.workers import cores

PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "clarabel", "pillow")


def doctor(version: str, as_json: bool) -> int:
    """Returns 1 when something will not work."""
    facts = examine(version)
    if as_json:
        answer(facts)
    else:
        for line in _lines(facts):
            say(line)
    for problem in facts["problems"]:
        complain(problem)
    return 1 if facts["problems"] else 0


def examine(version: str) -> dict[str, Any]:
    compiled, kernels = compiled_kernels()
    folders = {
        "kernel cache": cache_root(),
        "settings": Path(platformdirs.user_config_dir("foregone")),
        "data": Path(platformdirs.user_data_dir("foregone")),
        "temporary": Path(tempfile.gettempdir()),
        "current": Path.cwd(),
    }
    packages = {name: _version(name) for name in PACKAGES}
    writable = {name: is_writable(folder) for name, folder in folders.items()}
    problems = [f"the package {name} is missing" for name, found in packages.items() if found is None]
    problems += [f"cannot write to the {name} folder" for name in ("kernel cache", "temporary") if not writable[name]]
    return {
        "version": version,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": packages,
        "cpus": {"present": os.cpu_count(), "usable": cores()},
        "cache": {
            "folder": str(cache_root()),
            "bytes": folder_size(cache_root()),
            "kernels": kernels,
            "compiled": compiled,
        },
        "packs": [_pack(each) for each in packs()],
        "display": _display(),
        "exports": _exports(),
        "folders": {name: {"path": str(folder), "writable": writable[name]} for name, folder in folders.items()},
        "problems": problems,
    }


def compiled_kernels() -> tuple[int, int]:
    """(kernels whose machine code is in the cache, kernels in all) of what a run uses."""
    known = _kernels()
    ready = 0
    for kernel in known:
        folder = cache_root() / cache_folder(kernel.function)
        ready += any(folder.rglob(f"*.{kernel.function.__name__}-*.nbi"))
    return ready, len(known)


def _kernels() -> list[Kernel]:
    """Those that are compiled by themselves, of all that the studio uses."""
    import engine.work.warm  # noqa: F401  (its imports fill the registry)

    return [kernel for kernel in registry.values() if kernel.targetoptions["inline"] == "never"]


def _pack(pack: Pack) -> dict[str, Any]:
    """How much of this program a pack has machine code for, on this processor."""
    pack.read_all()
    wanted = {cache_folder(kernel.function) for kernel in _kernels()}
    has = len(wanted & pack.hashes.keys())
    return {"name": pack.path.name, **pack.facts, "has": has, "of": len(wanted), "damaged": "; ".join(pack.faults)}


def _pack_words(pack: dict[str, Any]) -> str:
    if pack["damaged"]:
        return f"{pack['name']} is damaged: {pack['damaged']}"
    if not pack["has"]:
        return f"{pack['name']} is of another version or processor"
    return f"{pack['name']}, used: {pack['has']} of {pack['of']} modules"


def folder_size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else 0


def is_writable(folder: Path) -> bool:
    """Whether files can be made there; asks the nearest folder that exists, and leaves nothing behind."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _display() -> dict[str, Any]:
    """What can be known without opening a window."""
    if sys.platform.startswith("linux"):
        server = next(
            (f"{key}={os.environ[key]}" for key in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(key)), None
        )
    else:
        server = "native"
    return {
        "server": server,
        "libraries": {name: ctypes.util.find_library(name) is not None for name in ("GL", "EGL", "OSMesa")},
        "studio packages": importlib.util.find_spec("PySide6") is not None,
    }


def _exports() -> dict[str, str]:
    """Format -> "", or why it cannot be written here."""
    blender = "" if find_blender() is not None else "no Blender was found"
    return {key: missing(kind) or (blender if kind.program else "") for key, kind in FORMATS.items()}


def _lines(facts: dict[str, Any]) -> list[str]:
    cache, display = facts["cache"], facts["display"]
    libraries = [name for name, found in display["libraries"].items() if found]
    size = f"{cache['bytes'] / 1e6:.1f} MB in {cache['folder']}"
    lines = [
        f"foregone {facts['version']}, Python {facts['python']}, {facts['platform']}",
        "packages      " + ", ".join(f"{name} {found or 'MISSING'}" for name, found in facts["packages"].items()),
        f"processors    {facts['cpus']['present']}, {facts['cpus']['usable']} usable",
        f"kernels       {cache['compiled']} of {cache['kernels']} compiled, {size}",
        *(f"pack          {_pack_words(each)}" for each in facts["packs"]),
        "exports       " + ", ".join(key if not why else f"no {key}" for key, why in facts["exports"].items()),
        f"display       {display['server'] or 'none'}; OpenGL libraries: {', '.join(libraries) or 'none found'}",
    ]
    for name, folder in facts["folders"].items():
        lines.append(f"{name:13s} {folder['path']} ({'writable' if folder['writable'] else 'NOT writable'})")
    if not facts["problems"]:
        lines.append("No problems found.")
    return lines
