"""Film: the motion of a take as the window shows it. Plain arrays, read from a file that the worker wrote
(engine/film.py lists them); nothing of the engine is needed."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProjectError

KINDS = {
    "times": (1, "f"),
    "ending": (0, "f"),
    "positions": (3, "f"),
    "orientations": (3, "f"),
    "bodies": (1, "U"),
    "energy": (1, "f"),
    "step_first": (0, "f"),
    "step_dt": (0, "f"),
    "step_tier": (1, "i"),
    "event_time": (1, "f"),
    "event_body": (2, "i"),
    "event_speed": (1, "f"),
    "mark_step": (1, "i"),
    "mark_tier": (1, "i"),
    "mark_body": (2, "i"),
    "mark_value": (2, "f"),
    "begin": (1, "f"),
    "rest": (1, "f"),
}
"""Name -> dimensions, kind of number."""
LATER_KINDS = {"statics": (1, "U"), "lowered": (1, "i")}
"""What films of earlier versions do not have."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, TypeError)


@dataclass(frozen=True, eq=False)
class Film:
    times: np.ndarray
    ending: float
    positions: np.ndarray
    orientations: np.ndarray
    bodies: tuple[str, ...]
    energy: np.ndarray
    step_first: float
    step_dt: float
    step_tier: np.ndarray
    event_time: np.ndarray
    event_body: np.ndarray
    event_speed: np.ndarray
    mark_step: np.ndarray
    mark_tier: np.ndarray
    mark_body: np.ndarray
    mark_value: np.ndarray
    begin: np.ndarray
    rest: np.ndarray
    statics: tuple[str, ...] | None = None
    """Rows from `len(bodies)` on; None: an earlier version wrote the film, and row -1 is anything that is static."""

    lowered: np.ndarray | None = None
    """Steps that have an answer only because friction was lowered; None as above."""

    @property
    def first(self) -> float:
        """s, of the first pose."""
        return float(self.times[0])

    @property
    def last(self) -> float:
        return float(self.times[-1])

    @property
    def size(self) -> int:
        """Bytes, of what counts."""
        return int(self.positions.nbytes + self.orientations.nbytes)

    def at(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions (m, 3) and unit orientations (m, 4) of the bodies at a moment, held at both ends."""
        k = int(np.clip(np.searchsorted(self.times, time, "right") - 1, 0, len(self.times) - 1))
        j = min(k + 1, len(self.times) - 1)
        span = float(self.times[j] - self.times[k])
        s = float(np.clip((time - self.times[k]) / span, 0.0, 1.0)) if span > 0.0 else 0.0
        if s == 0.0:
            return self.positions[k].astype(float), _unit(self.orientations[k].astype(float))
        x = (1.0 - s) * self.positions[k] + s * self.positions[j]
        here, there = self.orientations[k].astype(float), self.orientations[j].astype(float)
        near = np.sign((here * there).sum(1, keepdims=True))
        return x.astype(float), _unit((1.0 - s) * here + s * np.where(near < 0.0, -1.0, 1.0) * there)

    def energy_at(self, time: float) -> float:
        return float(np.interp(time, self.times, self.energy))

    def row_of(self, body: str) -> int | None:
        return self.bodies.index(body) if body in self.bodies else None


def read_film(data: bytes) -> Film:
    """Raises ProjectError for anything that is not a film."""
    arrays: dict[str, np.ndarray] = {}
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            later = {name: kind for name, kind in LATER_KINDS.items() if name in archive}
            for name, (dimensions, kind) in (KINDS | later).items():
                array = archive[name]
                if array.ndim != dimensions or array.dtype.kind != kind:
                    raise ValueError(f"{name} is not as expected")
                arrays[name] = array
    except UNREADABLE as error:
        raise ProjectError(f"the motion of the take cannot be read ({error})") from error
    _check(arrays)
    plain = {name: float(arrays[name]) for name in ("ending", "step_first", "step_dt")}
    names = [name for name in ("bodies", "statics") if name in arrays]
    ids: dict[str, Any] = {name: tuple(str(key) for key in arrays[name]) for name in names}
    values: dict[str, Any] = {**arrays, **plain, **ids}
    return Film(**values)


def _check(arrays: dict[str, np.ndarray]) -> None:
    """Lengths fit each other, numbers are numbers, times rise, rows exist."""
    f, m = len(arrays["times"]), len(arrays["bodies"])
    rows = m + len(arrays.get("statics", ()))
    shapes = {"positions": (f, m, 3), "orientations": (f, m, 4), "energy": (f,), "begin": (m,), "rest": (m,)}
    shapes |= {"event_body": (len(arrays["event_time"]), 2), "event_speed": (len(arrays["event_time"]),)}
    marks = len(arrays["mark_step"])
    shapes |= {"mark_tier": (marks,), "mark_body": (marks, 2), "mark_value": (marks, 4)}
    fits = f > 0 and all(arrays[name].shape == shape for name, shape in shapes.items())
    finite = ("times", "positions", "orientations", "energy", "ending", "step_first", "step_dt", "event_time")
    sound = fits and all(np.isfinite(arrays[name]).all() for name in finite)
    sound = sound and bool((np.diff(arrays["times"]) > 0.0).all()) and float(arrays["step_dt"]) > 0.0
    pairs = [arrays[name] for name in ("event_body", "mark_body")]
    sound = sound and all(pair.size == 0 or (pair.min() >= -1 and pair.max() < rows) for pair in pairs)
    lowered = arrays.get("lowered", np.zeros(0, np.int64))
    sound = sound and bool(((lowered >= 0) & (lowered < len(arrays["step_tier"]))).all())
    if not sound:
        raise ProjectError("the motion of the take cannot be read (its arrays do not fit each other)")


def _unit(q: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(q, axis=1, keepdims=True)
    return np.divide(q, length, out=np.tile([1.0, 0.0, 0.0, 0.0], (len(q), 1)), where=length > 0.0)
