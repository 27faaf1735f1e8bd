"""How long the first step of a fresh process takes, with and without compiled kernels in the cache.

Light on imports: `first_step` measures them.
"""

from __future__ import annotations

import statistics
import tempfile
import time

from tests.bench.child import in_child
from tests.bench.measure import Row, Tell

STEP = "tests.bench.start:first_step"


def start(tell: Tell, repeats: int = 5, cold: bool = True) -> list[Row]:
    """Import and the first backward step of one box, in fresh processes: CPU seconds from the process's birth."""
    tell("with kernels in the cache", 0, repeats + cold)
    in_child(STEP)  # compiles what the cache does not have yet
    warm = []
    for repeat in range(repeats):
        tell("with kernels in the cache", repeat, repeats + cold)
        warm.append(in_child(STEP))
    rows = [_row("warm", warm)]
    if cold:
        tell("with an empty cache: compiles everything, takes minutes", repeats, repeats + cold)
        with tempfile.TemporaryDirectory() as empty:
            rows.append(_row("cold", [in_child(STEP, {"FOREGONE_CACHE": empty})]))
    return rows


def _row(name: str, runs: list[Row]) -> Row:
    """Medians."""
    columns = ("process_s", "wall_s", "import_s", "step_s", "second_step_s", "peak_bytes")
    good = [run for run in runs if "failed" not in run]
    row: Row = {
        "start": name,
        **{key: statistics.median(run[key] for run in good) if good else None for key in columns},
    }
    return {**row, "repeats": len(runs), "failed": next((run["failed"] for run in runs if "failed" in run), None)}


def first_step() -> Row:
    """In this process: import, one backward step of one box, and another one."""
    begun = time.process_time()
    from engine import Body, Box, Scene, backward
    from engine.params import DEFAULT_DT

    scene = Scene(bodies=[Body("box", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1))])
    imported = time.process_time()
    backward(scene, DEFAULT_DT)
    stepped = time.process_time()
    backward(scene, DEFAULT_DT)
    again = time.process_time()
    return {"import_s": imported - begun, "step_s": stepped - imported, "second_step_s": again - stepped}
