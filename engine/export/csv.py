"""A take as a table: one row per frame and body. Numbers are written so that they read back to the same bits."""

from __future__ import annotations

import csv
import io
from os import PathLike

import numpy as np

from engine.take.path import Path
from engine.take.store import replace_file
from engine.take.take import Take

HEADER = ("time", "body", "x", "y", "z", "qw", "qx", "qy", "qz")  # s, name, m, quaternion


def frame_times(take: Take, fps: float) -> np.ndarray:
    """Times (s) of the frames. They are counted from the authored pose, so that it is a frame itself."""
    if not (np.isfinite(fps) and fps > 0.0):
        raise ValueError(f"fps must be positive, not {fps!r}")
    first, last = float(take.times[0]), float(take.times[-1])
    count = int(np.floor((last - first) * fps * (1.0 + 1e-12) + 1e-9))
    if take.backward:
        return last - np.arange(count, -1, -1) / fps
    return first + np.arange(count + 1) / fps


def csv_text(take: Take, fps: float = 24.0) -> str:
    times = frame_times(take, fps)
    positions, orientations = Path(take).at(times)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADER)
    for k, t in enumerate(times):
        for i, body in enumerate(take.scene.bodies):
            numbers = [*positions[k, i].tolist(), *orientations[k, i].tolist()]
            writer.writerow([repr(float(t)), body.name, *(repr(value) for value in numbers)])
    return stream.getvalue()


def write_csv(path: str | PathLike[str], take: Take, fps: float = 24.0) -> None:
    """Write the shown motion of `take` at `fps` frames per second; raises ProjectError."""
    replace_file(path, csv_text(take, fps).encode())
