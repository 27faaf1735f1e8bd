"""Libraries: sound drops of one body, all of them or those that come to rest on one side, made once and kept on disk.

Drops are numbered; number i of a seed is always the same drop. A library of a side holds the first ones that rest on it
(found by rejection: nothing else keeps what is natural for a rare side). For the standard bodies the numbers are
shipped, so that only those drops have to be run."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import platformdirs

from engine.arrivals.dropped.drop import Dropper, Setting
from engine.arrivals.dropped.motion import COLUMNS, Motion
from engine.arrivals.dropped.retarget import resting_side
from engine.arrivals.dropped.toss import Toss, Tosser
from engine.arrivals.dropped.tuning import TUNING
from engine.scene.fingerprint import words_of
from engine.shapes.ask import ask
from engine.tape.store import UNREADABLE, replacing

VERSION = 2  # of drops: other starts, another law or other rounding make others of the same numbers
SEED = 1
TOLD_EVERY = 8  # drops between two words of progress

Progress = Callable[[int, int], bool | None]
"""Called with (drops found, drops wanted); returning False stops."""

SHIPPED = Path(__file__).resolve().parents[3] / "assets" / "statistics" / "numbers.npz"


@dataclass(frozen=True)
class Patience:
    """When the search for drops on a rare side ends before as many are found as wanted."""

    tries: int  # drops after which a few will do,
    least: int  # namely these,
    most: int  # and after which any number has to

    def is_over(self, tried: int, found: int) -> bool:
        return tried >= self.most or (tried >= self.tries and found >= self.least)


@dataclass(frozen=True)
class Library:
    motions: tuple[Motion, ...]
    numbers: np.ndarray  # (m,) int64  which drops they are
    tried: int  # drops that were run
    complete: bool = True  # False: building it was stopped


def library(
    setting: Setting,
    side: np.ndarray | None,
    count: int,
    seed: int = SEED,
    progress: Progress | None = None,
    folder: Path | None = None,
    patience: Patience | None = None,
    throw: Toss | None = None,
) -> Library:
    """The first `count` sound drops, of those that rest with direction `side` of the body up (None: of all). Read from
    the cache, or built and put there. `throw`: those that start as it says."""
    name = key_of(setting, side, seed, "" if throw is None else throw.words)
    ends = "" if patience is None else f"-{patience.tries}-{patience.least}-{patience.most}"
    path = (folder or cache_folder()) / f"{name}-{count}{ends}.npz"
    kept = _read(path)
    if kept is not None:
        return kept
    found = build(setting, side, count, seed, progress, patience, throw)
    if found.complete:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as stream:
            np.savez(stream, **pack(found))  # type: ignore[arg-type]
    return found


def cache_folder() -> Path:
    """Where libraries are kept; FOREGONE_CACHE overrides the user's cache folder."""
    chosen = os.environ.get("FOREGONE_CACHE")
    return Path(chosen or platformdirs.user_cache_dir("foregone")) / "drops"


def key_of(setting: Setting, side: np.ndarray | None, seed: int, asked: str = "") -> str:
    """Name of a library by content; asked: what its starts were asked to be."""
    place = None if side is None else tuple(np.round(ask(setting.shape).canonical_side(side), 9) + 0.0)
    numbers = (setting.friction, setting.restitution, setting.rolling, setting.gravity, setting.dt)
    words = f"{VERSION} {words_of(setting.shape)} {tuple(map(float, numbers))!r} {place!r} {seed}"
    words += asked and f" thrown {asked}"
    return hashlib.sha256(words.encode()).hexdigest()[:24]


def build(
    setting: Setting,
    side: np.ndarray | None,
    count: int,
    seed: int = SEED,
    progress: Progress | None = None,
    patience: Patience | None = None,
    throw: Toss | None = None,
) -> Library:
    """Run drops until enough are sound and rest on the side, or patience ends."""
    dropper = Dropper(setting)
    starts = dropper.start if throw is None or side is None else Tosser(dropper, throw, side).start
    motions: list[Motion] = []
    numbers: list[int] = []
    tried = 0
    for number in _numbers(setting, side, seed) if throw is None else range(TUNING.most_tries):
        if tried % TOLD_EVERY == 0 and progress is not None and progress(len(motions), count) is False:
            return Library(tuple(motions), np.array(numbers, np.int64), tried, complete=False)
        if len(motions) == count or (patience is not None and patience.is_over(tried, len(motions))):
            break
        tried += 1
        motion = dropper.sound_motion(
            starts(seed, number), lambda q: side is None or bool(ask(setting.shape).alike(resting_side(q), side))
        )
        if motion is not None:
            motions.append(motion)
            numbers.append(number)
    return Library(tuple(motions), np.array(numbers, np.int64), tried)


def _numbers(setting: Setting, side: np.ndarray | None, seed: int) -> Iterator[int]:
    """Numbers of the drops to run, in order: those known to rest on the side, then all after them."""
    known = shipped_numbers().get(key_of(setting, side, seed)) if side is not None else None
    first = 0
    if known is not None and len(known):
        yield from (int(number) for number in known)
        first = int(known[-1]) + 1
    yield from range(first, first + TUNING.most_tries)


def shipped_numbers() -> Mapping[str, np.ndarray]:
    """By the key of a library: the numbers of its drops."""
    if not SHIPPED.exists():
        return {}
    with np.load(SHIPPED, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def pack(found: Library) -> dict[str, np.ndarray]:
    """Plain arrays, motion after motion; columns that are zero throughout are left out."""
    motions = found.motions
    arrays = {
        "numbers": found.numbers,
        "tried": np.array(found.tried),
        "steps": np.array([motion.steps for motion in motions], np.int32),
        "events": np.array([len(motion.step) for motion in motions], np.int32),
        "rows": np.array([motion.start[-1] for motion in motions], np.int32),
    }
    for name, width in (("x", 3), ("q", 4)):
        arrays[name] = np.array([getattr(motion, name) for motion in motions]).reshape(len(motions), width)
    for name in ("step", "v", "l"):
        arrays[name] = _joined(getattr(motion, name) for motion in motions)
    arrays["each"] = _joined(np.diff(motion.start).astype(np.int16) for motion in motions)
    for name in COLUMNS:
        column = _joined(motion.contacts[name] for motion in motions)
        if column.any():
            arrays[f"contact_{name}"] = column
    return arrays


def unpack(arrays: Mapping[str, np.ndarray]) -> Library:
    count = len(arrays["steps"])
    events = np.concatenate([[0], np.cumsum(arrays["events"])])
    rows = np.concatenate([[0], np.cumsum(arrays["rows"])])
    parts = {name: arrays[name] for name in ("x", "q", "step", "v", "l", "each")}
    columns = {}
    for name, kind in COLUMNS.items():
        wide = name in ("point_a", "dir_a", "impulse", "torque")
        empty = np.zeros((int(rows[-1]), 3) if wide else int(rows[-1]), kind)
        columns[name] = arrays.get(f"contact_{name}", empty)
    motions = []
    for i in range(count):
        e, r = slice(int(events[i]), int(events[i + 1])), slice(int(rows[i]), int(rows[i + 1]))
        start = np.concatenate([[0], np.cumsum(parts["each"][e])]).astype(np.int32)
        contacts = {name: column[r] for name, column in columns.items()}
        motions.append(
            Motion(int(arrays["steps"][i]), parts["x"][i], parts["q"][i], parts["step"][e], parts["v"][e],
                   parts["l"][e], start, contacts)
        )  # fmt: skip
    return Library(tuple(motions), arrays["numbers"], int(arrays["tried"]))


def _joined(pieces: Iterable[np.ndarray]) -> np.ndarray:
    found = list(pieces)
    return np.concatenate(found) if found else np.zeros(0)


def _read(path: Path) -> Library | None:
    """A kept library; None when there is none, or it is damaged."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            return unpack({name: archive[name] for name in archive.files})
    except UNREADABLE:
        return None
