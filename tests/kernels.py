"""The engine, compiled once for all test processes.

Of two processes that need a kernel one compiles it and the other waits. So the first that needs any compiles all that
the studio uses, in a process of its own, while others run what needs none: files of tests are in such an order that
there is something to wait for only when everything else has been tested.

`python -m tests.kernels` is that process.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("tests/engine", "tests/bench", "tests/app/runs", "tests/app/export", "tests/app/e2e")
"""Whose tests run kernels."""


def are_needed(test: Path) -> bool:
    return any(test.is_relative_to(ROOT / folder) for folder in FOLDERS)


@functools.cache
def prepare() -> None:
    """Return when the kernels are in the cache."""
    record = _record()
    record.parent.mkdir(parents=True, exist_ok=True)
    with (record.parent / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not record.exists():
            made = subprocess.run([sys.executable, "-m", "tests.kernels"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
            record.write_bytes(made.stdout)


def told_when_compiled() -> Told | None:
    """`one_take` as the process saw it that compiled the kernels, if that was `prepare`."""
    record = _record()
    told: Told | None = json.loads(record.read_text()) if record.exists() else None
    return told if told is not None and told["compiled"] else None


class Told(TypedDict):
    hash: str
    compiled: bool  # were its kernels not in the cache?


def one_take() -> Told:
    """Run six boxes backward."""
    from engine.jit import registry
    from engine.run import backward
    from tests.bench import scenes

    take = backward(scenes.scattered_boxes(4, 6), 1.0, 1 / 240, seed=7)
    return {"hash": take.hash(), "compiled": any(kernel.compilations for kernel in registry.values())}


def _record() -> Path:
    """What `prepare` found for these sources. By time, too: numba compiles a file again that was written again."""
    from engine.kernel_cache import cache_root

    digest = hashlib.sha256(sys.version.encode())
    for file in sorted((ROOT / "engine").rglob("*.py")):
        digest.update(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}".encode())
    return cache_root() / f"tests-{digest.hexdigest()[:16]}.json"


def main() -> None:
    from engine.work.warm import use_kernels

    told = one_take()
    use_kernels()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
