"""One measurement in a process of its own: fresh memory, fresh imports.

`python -m tests.bench.child MODULE:FUNCTION ARGUMENTS` calls the function with the keyword arguments of a JSON object
and writes one JSON object. Nothing heavy is imported here: the start of the process is measured too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def in_child(task: str, environment: Mapping[str, str] | None = None, **arguments: Any) -> dict[str, Any]:
    """What "module:function" returned, a dict, in a fresh process, with `process_s` (CPU), `wall_s` and `peak_bytes`
    of that process; {"failed": why} when it did not survive."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "tests.bench.child", task, json.dumps(arguments)]
    begun = time.perf_counter()
    process = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path, **(environment or {})}, capture_output=True, text=True
    )
    if process.returncode != 0:
        said = process.stderr.strip().splitlines()
        return {"failed": said[-1] if said else f"ended with code {process.returncode}"}
    return {**json.loads(process.stdout), "wall_s": time.perf_counter() - begun}


def peak_memory() -> int:
    """Bytes of resident memory this process had at most.

    Not ru_maxrss where there is a choice: on Linux that starts with the size of the process that started this one."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
    except (OSError, StopIteration):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(task: str, arguments: str) -> None:
    module, _, function = task.partition(":")
    result = getattr(import_module(module), function)(**json.loads(arguments))
    sys.stdout.write(json.dumps({**result, "process_s": time.process_time(), "peak_bytes": peak_memory()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
