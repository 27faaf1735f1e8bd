"""Film: a take as it is looked at - poses at a steady rate, energy, certificate and events - in a few plain arrays that
can be read without the engine. The tape stays the record; a film is made from it (engine/film.py) and can be made
again."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, field, fields
from typing import IO, Any, NamedTuple

import numpy as np

from engine.errors import ProjectError

SAME_MOMENT = 1e-9  # s: times of frames are sums, and rounded
HIT_SPEED = 0.05  # m/s: slower contacts count when they begin, not when they go on
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, TypeError)


class Kind(NamedTuple):
    """What an array of a film holds: a kind of number (as numpy calls it), and its shape; a letter is a length that is
    the same in all arrays that name it."""

    number: str
    shape: tuple[str | int, ...]
    finite: bool


def array(number: str, *shape: str | int, finite: bool = False, later: bool = False) -> Any:
    """`later`: films of earlier versions do not have it."""
    metadata = {"kind": Kind(number, shape, finite)}
    return field(default=None, metadata=metadata) if later else field(metadata=metadata)


@dataclass(frozen=True, eq=False)
class Film:
    times: np.ndarray = array("f", "F", finite=True)  # s, first sample .. last; the authored frame is one of them
    ending: float = array("f", finite=True)  # s, of the authored frame
    positions: np.ndarray = array("f", "F", "m", 3, finite=True)  # float32; moving bodies only, as engine.Path has them
    orientations: np.ndarray = array("f", "F", "m", 4, finite=True)  # float32
    bodies: tuple[str, ...] = array("U", "m")  # ids
    energy: np.ndarray = array("f", "F", finite=True)  # J, kinetic plus potential, over the lowest of the take
    step_first: float = array("f", finite=True)  # s: step i of the certificate covers first + i dt .. + dt
    step_dt: float = array("f", finite=True)  # s
    step_tier: np.ndarray = array("i", "K")  # int8, worst tier of a step; -1 without contacts
    event_time: np.ndarray = array("f", "E", finite=True)  # s: contacts begin, or hit
    event_body: np.ndarray = array("i", "E", 2)  # rows of `bodies`; m + j: statics[j]; -1: the ground
    event_speed: np.ndarray = array("f", "E")  # m/s of approach
    mark_step: np.ndarray = array("i", "M")  # the worst contact of every step that is not EXACT
    mark_tier: np.ndarray = array("i", "M")  # int8
    mark_body: np.ndarray = array("i", "M", 2)  # as event_body; both -1: not of one contact
    mark_value: np.ndarray = array("f", "M", 4)
    """Restitution, friction, approach m/s, and depth m (GHOSTED) or assist m/s (ASSISTED)."""

    begin: np.ndarray = array("f", "m")  # s, when a body starts to move; nan: it never moves
    rest: np.ndarray = array("f", "m")  # s, and when it comes to rest
    statics: tuple[str, ...] | None = array("U", "s", later=True)
    """Ids of the bodies that never move, rows from `len(bodies)` on; None: row -1 is anything that is static."""

    lowered: np.ndarray | None = array("i", "L", later=True)
    """Steps that have an answer only because friction was lowered (analysis/consistency_inspect.py)."""

    seen: np.ndarray | None = array("f", "m", finite=True, later=True)
    """s, when a body is first shown; None, and before the first of `times`: always."""

    release: np.ndarray | None = array("f", "m", finite=True, later=True)
    """s, when physics takes over; before it a hand has the body. None: from the first moment on."""

    how: tuple[str, ...] | None = array("U", "m", later=True)
    """How each was let go, one of engine.tape.release.HOWS; None where `release` is."""

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

    @property
    def bounces(self) -> int:
        return int((self.event_speed > HIT_SPEED).sum())

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

    def shown_at(self, time: float) -> np.ndarray:
        """(m,) bool: which of the bodies are there to be seen at a moment. Before the film begins its first moment
        counts, as for poses."""
        if self.seen is None:
            return np.ones(len(self.bodies), bool)
        return np.asarray(self.seen <= max(time, self.first) + SAME_MOMENT)

    def energy_at(self, time: float) -> float:
        return float(np.interp(time, self.times, self.energy))

    def row_of(self, body: str) -> int | None:
        return self.bodies.index(body) if body in self.bodies else None


KINDS: dict[str, Kind] = {entry.name: entry.metadata["kind"] for entry in fields(Film)}
LATER = frozenset(entry.name for entry in fields(Film) if entry.default is None)


def write_film(stream: IO[bytes], film: Film) -> None:
    arrays = {name: getattr(film, name) for name in KINDS if getattr(film, name) is not None}
    texts = {name: np.array(arrays[name], np.str_) for name in arrays if KINDS[name].number == "U"}
    np.savez_compressed(stream, **(arrays | texts))


def read_film(data: bytes) -> Film:
    """Raises ProjectError for anything that is not a film."""
    arrays: dict[str, np.ndarray] = {}
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            for name, kind in KINDS.items():
                if name in LATER and name not in archive:
                    continue
                arrays[name] = archive[name]
                if arrays[name].ndim != len(kind.shape) or arrays[name].dtype.kind != kind.number:
                    raise ValueError(f"{name} is not as expected")
    except UNREADABLE as error:
        raise ProjectError(f"the motion of the take cannot be read ({error})") from error
    if not _fit(arrays):
        raise ProjectError("the motion of the take cannot be read (its arrays do not fit each other)")
    return Film(**{name: _plain(KINDS[name], values) for name, values in arrays.items()})


def _plain(kind: Kind, values: np.ndarray) -> Any:
    if kind.number == "U":
        return tuple(str(entry) for entry in values)
    return values if kind.shape else float(values)


def _fit(arrays: dict[str, np.ndarray]) -> bool:
    """Lengths fit each other, numbers are numbers, times rise, rows and steps exist."""
    lengths: dict[str | int, int] = {}
    for name, values in arrays.items():
        for called, length in zip(KINDS[name].shape, values.shape, strict=True):
            if lengths.setdefault(called, called if isinstance(called, int) else length) != length:
                return False
        if KINDS[name].finite and not np.isfinite(values).all():
            return False
    rises = len(arrays["times"]) > 0 and bool((np.diff(arrays["times"]) > 0.0).all())
    rows = lengths["m"] + lengths.get("s", 0)
    pairs = [arrays[name] for name in ("event_body", "mark_body")]
    known = all(pair.size == 0 or (pair.min() >= -1 and pair.max() < rows) for pair in pairs)
    lowered = arrays.get("lowered", np.zeros(0, np.int64))
    known = known and bool(((lowered >= 0) & (lowered < lengths["K"])).all())
    return rises and known and float(arrays["step_dt"]) > 0.0


def _unit(q: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(q, axis=1, keepdims=True)
    return np.divide(q, length, out=np.tile([1.0, 0.0, 0.0, 0.0], (len(q), 1)), where=length > 0.0)
