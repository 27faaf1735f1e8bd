"""Where machine code is kept, and when it is made anew.

Numba's disk cache notices an edit of the file a kernel stands in, but not of the files it calls into, and then runs
stale code. So every module gets a cache folder of its own, named by a hash of its source and of every engine module it
imports, transitively: an edit recompiles exactly what depends on it. What came with the program in a pack need not be
compiled at all (packs.py).
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import llvmlite.binding
import platformdirs

from engine.packs import unpack

ENGINE = Path(__file__).resolve().parent

OLDER = "x86-64-v2"  # processors before about 2013
MODERN = ("x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"))


@functools.cache
def processor() -> str:
    """What machine code is made for: one model per architecture, not the processor that happens to be there. So
    processors share their caches, and nothing is compiled otherwise on one that can do more. FOREGONE_PROCESSOR
    overrides it."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return os.environ.get("FOREGONE_PROCESSOR", "generic")
    here = llvmlite.binding.get_host_cpu_features()
    name, needs = MODERN
    return os.environ.get("FOREGONE_PROCESSOR", name if all(here.get(each, False) for each in needs) else OLDER)


KEEP_UNUSED_DAYS = 30.0  # cache folders nobody opened for this long are removed


def cache_root() -> Path:
    """Folder of all kernel caches; FOREGONE_CACHE overrides the user's cache folder."""
    chosen = os.environ.get("FOREGONE_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("foregone")) / "kernels"


def home_of(function: Callable[..., Any]) -> Path:
    """The file of the module that a kernel belongs to: where it is written, or bound."""
    return Path(cast(str, sys.modules[function.__module__].__file__))


def cache_folder(function: Callable[..., Any]) -> str:
    """Where the machine code of a kernel's module is kept: by what it was made of, and for."""
    return f"{function.__module__}-{module_key(home_of(function))}-{processor()}"


def stocked(function: Callable[..., Any]) -> Path:
    """That folder, with all that a pack has for it."""
    unpack(cache_folder(function), cache_root())
    return cache_root() / cache_folder(function)


@functools.cache
def module_key(path: Path) -> str:
    """Hash of a module's source, of the engine modules it imports (transitively) and of the compiler."""
    digest = hashlib.sha256(f"{importlib.metadata.version('numba')} {sys.version_info[:2]}".encode())
    for member in sorted(_closure(path)):
        digest.update(str(member.relative_to(ENGINE.parent)).encode())
        digest.update(member.read_bytes())
    return digest.hexdigest()[:16]


def _closure(path: Path) -> set[Path]:
    seen: set[Path] = set()
    pending = [path]
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            pending.extend(_imported(current))
    return seen


IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(engine[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)"  # from engine.x import a, b
    rb"|import[ \t]+(engine[\w., \t]*))",  # import engine.x
    re.M,
)


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Engine source files that the module at `path` imports by name (read by pattern: parsing takes too long)."""
    found = []
    for module, names, plain in IMPORT.findall(path.read_bytes()):
        wanted = [name.strip() for name in plain.decode().split(",")] if plain else [module.decode()]
        if module:
            wanted += [f"{module.decode()}.{name}" for name in re.findall(r"\w+", re.sub("#.*", "", names.decode()))]
        for name in wanted:
            base = ENGINE.parent.joinpath(*name.split("."))
            found += [f for f in (base.with_suffix(".py"), base / "__init__.py") if f.is_file()]
    return tuple(found)


def prune_cache() -> int:
    """Remove kernel caches that no run has opened for KEEP_UNUSED_DAYS; returns how many went."""
    root, removed = cache_root(), 0
    if not root.is_dir():
        return 0
    oldest = time.time() - KEEP_UNUSED_DAYS * 86400.0
    for folder in root.iterdir():
        if folder.is_dir() and max((_last_used(file) for file in folder.rglob("*")), default=0.0) < oldest:
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed


def _last_used(file: Path) -> float:
    """Time of the latest access that the file system kept (some keep none but the writing)."""
    times = file.stat()
    return max(times.st_atime, times.st_mtime)
