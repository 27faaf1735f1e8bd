"""Errands for workers: functions that other processes can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from engine.work.errand import Tell
from engine.work.parcel import Parcel
from engine.work.takes import Order


def add(a: int, b: int) -> int:
    return a + b


def raise_(error: Exception) -> None:
    raise error


def a_function_of_its_own() -> Any:
    return lambda: None


def environment(name: str) -> str | None:
    return os.environ.get(name)


def report_and_wait(mark: str) -> None:
    """Write the process's id, then never end."""
    part = Path(mark).with_suffix(".part")
    part.write_text(str(os.getpid()))
    part.rename(mark)
    time.sleep(3600.0)


def die_unless(mark: str) -> str:
    """Die as if killed, but not a second time."""
    if not Path(mark).exists():
        Path(mark).touch()
        die()
    return "done"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def endless(order: Order, seed: int, tell: Tell) -> None:
    while True:
        tell(0.5)
        time.sleep(0.005)


def length_of(parcel: Parcel[Any]) -> int:
    return len(parcel.content)
