"""A Dask cluster of this machine, for benchmarks and tests: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = "127.0.0.1"
PATIENCE = 60.0  # s for the scheduler to start, on a busy machine


@dataclass(frozen=True)
class Cluster:
    address: str
    workers: list[subprocess.Popen[bytes]]


@contextlib.contextmanager
def cluster(workers: int = 2) -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as processes:
        told = Path(folder) / "scheduler.json"
        log = processes.enter_context((Path(folder) / "log").open("wb"))

        def start(*command: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *command, "--host", HERE, "--no-dashboard", "--scheduler-file", told],
                cwd=Path(__file__).resolve().parents[2],
                stdout=log,
                stderr=log,
            )
            processes.callback(process.wait)
            processes.callback(process.kill)
            return process

        scheduler = start("scheduler", "--port", "0")
        hands = [start("worker", "--nthreads", "1", "--no-nanny") for _ in range(workers)]
        until = time.monotonic() + PATIENCE
        while not told.exists():
            if scheduler.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the scheduler did not start: " + (Path(folder) / "log").read_text()[-2000:])
            time.sleep(0.02)
        yield Cluster(_address(told), hands)


def _address(told: Path) -> str:
    """The file is there before it is whole."""
    while True:
        try:
            return str(json.loads(told.read_text())["address"])
        except ValueError:
            time.sleep(0.02)
