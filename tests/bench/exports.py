"""Writing a large take: time, size, how often progress is told, how fast it stops, whether it ends on the pose."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.arrivals.options import Options
from engine.export.clip import Clip
from engine.export.settings import FORMATS, preset
from engine.export.write import export
from engine.run import backward
from engine.tape.take import Take
from tests.bench.measure import Row, Tell
from tests.bench.scenes_forward import filled_bins

WAYS = (
    *(("blender", "usd", False), ("blender", "usd", True), ("web", "glb", False), ("blender", "blender", False)),
    *(("maya", "maya", False), ("houdini", "houdini", False), ("data", "csv", False), ("data", "npz", False)),
)
"""Program, format, as instances."""


class _Stopped(Exception):
    """Enough."""


def exports(
    tell: Tell, bodies: int = 3037, frames: int = 240, fps: float = 60.0, ways: Sequence[tuple[str, str, bool]] = WAYS
) -> list[Row]:
    seconds = (frames - 1) / fps
    tell(f"{bodies} balls run backward", 0, len(ways))
    take = backward(filled_bins(bodies), seconds, 1 / 240, options=Options(arrivals="ahead"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (target, format_, instances) in enumerate(ways):
            tell(f"{FORMATS[format_].name}{' instances' if instances else ''}", number, len(ways))
            path = Path(folder) / f"take{FORMATS[format_].suffixes[0]}"
            rows.append(_row(take, path, target, format_, fps, instances))
            path.unlink()
    return rows


def _row(take: Take, path: Path, target: str, format_: str, fps: float, instances: bool) -> Row:
    settings = preset(target, format_, fps=fps, instances=instances)
    told = [time.perf_counter()]
    cpu = time.process_time()
    clip = export(take, path, settings, progress=lambda share: told.append(time.perf_counter()), tiers=[1, 0, 0, 0, 0])
    told.append(time.perf_counter())
    return {
        "format": FORMATS[format_].name + (" instances" if instances else ""),
        "bodies": len(clip.actors),
        "frames": clip.frames.count,
        "wall_s": told[-1] - told[0],
        "cpu_s": time.process_time() - cpu,
        "bytes": path.stat().st_size,
        "longest_silence_s": float(np.diff(told).max()),
        "stop_s": _time_to_stop(take, path.with_name("stopped" + path.suffix), settings, told[-1] - told[0]),
        "ending_off_m": _off(take, clip),
    }


def _time_to_stop(take: Take, path: Path, settings: object, whole: float) -> float:
    """s from asking to the end, in the middle of writing; nothing is left behind."""
    asked = [0.0]
    begun = time.perf_counter()

    def tell(share: float) -> None:
        if time.perf_counter() - begun > 0.6 * whole:
            asked[0] = asked[0] or time.perf_counter()
            raise _Stopped

    try:
        export(take, path, settings, progress=tell, tiers=[1, 0, 0, 0, 0])  # type: ignore[arg-type]
    except _Stopped:
        pass
    assert not any(path.parent.glob(f".{path.name}*")) and (path.exists() != bool(asked[0]))
    path.unlink(missing_ok=True)
    return time.perf_counter() - asked[0] if asked[0] else 0.0


def _off(take: Take, clip: Clip) -> float:
    """m between the authored pose and the clip's, in the clip's unit."""
    place = clip.frames.ending
    assert place is not None
    return float(np.abs(clip.positions[place] - clip.axes.points(take.authored_pose()[0])).max())
