"""Random edits of saved takes: what becomes of each.

`foregone bench forgeries` tries 10,000 and prints how many were refused when the file was opened, named by the
certificate, or change no bit of what is seen. It is done twice: with the file as the edit leaves it, and by a forger
who seals it again. (Forged by less than the tolerances of the law a take is still lawful: what is seen of it is then
within a millionth.) Nobody can tell from the laws of motion what a forger says in words (notes, who asked), nor where a
hand was on its way: these are edited only with the seal as it was."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Mapping
from unittest.mock import patch

import numpy as np

from engine import Path, Take, certify
from engine.contact.tiers import RANK
from engine.errors import ForegoneError
from engine.tape.store import SEAL, read_take, write_take
from tests.engine.forging import flights, held, stack
from tests.engine.golden.golden_takes import CASES

FREE = (
    *("notes", "stopped", "seed", "seconds", "release_how", "release_shown"),
    *("hand_x", "hand_v", "hand_turn", "hand_spin", "hand_q", "hand_step", "hand_body", "hand_knots"),
    *("made_with", "made_bodies", "made_of", "hash", SEAL),
)
"""Members that say nothing of the motion that a law could contradict."""

TAKES: tuple[Callable[[], Take], ...] = (
    stack, flights, held, CASES["sphere bounces in"], CASES["chain"], CASES["hinge at its limits"],
    CASES["all shapes forward"], CASES["let go die"], CASES["boxes together"], CASES["two spheres"],
)  # fmt: skip
REFUSED, NAMED, UNSEEN, SLIGHT, LOST = "refused", "named", "unseen", "lawful within a millionth", "LOST"
MILLIONTH = 1e-6


class Saved:
    """A take in a file, and what is seen of it."""

    def __init__(self, take: Take) -> None:
        stream = io.BytesIO()
        write_take(stream, take)
        stream.seek(0)
        with np.load(stream) as archive:
            self.arrays = {name: archive[name] for name in archive}
        self.scene = take.scene
        kept = self.opened(self.arrays)
        self.seen, self.tiers = Seen(kept), certify(kept).tiers
        self.members: dict[str, list[str]] = {}
        for name in self.arrays:
            self.members.setdefault(name.rpartition("/")[2], []).append(name)

    def opened(self, arrays: Mapping[str, np.ndarray]) -> Take:
        stream = io.BytesIO()
        np.savez(stream, **arrays)  # type: ignore[arg-type]
        stream.seek(0)
        return read_take(stream, self.scene, "take")

    def forged(self, arrays: Mapping[str, np.ndarray]) -> Take:
        """Opened as if it had been sealed again."""
        whole = {name: array for name, array in arrays.items() if name != SEAL} | {"hash": np.array("right")}
        with patch.object(Take, "hash", lambda take: "right"):
            return self.opened(whole)


class Seen:
    """All that anybody is shown of a take."""

    def __init__(self, take: Take) -> None:
        path = Path(take)
        times = take.times[0] + (take.times[-1] - take.times[0]) * np.linspace(0.0, 1.0, 23)
        columns = [take.times, take.positions, take.orientations, take.velocities, take.angular_velocities]
        columns += [take.energy, *path.at(times), take.tape.start, take.seen_from]
        columns.append(take.tape.asleep[:, take.model.bodies.inverse_mass > 0.0])  # what is fixed never moves anyway
        columns += [
            take.tape.contact_column(name)
            for name in ("a", "b", "point", "normal", "tier", "impulse", "torque", "friction", "restitution")
        ]
        columns += [take.tape.contact_column(name) for name in ("before", "after")]
        if len(take.model.joints.kind):
            columns += [take.tape.joint_column(name) for name in ("joint_impulse", "limit_impulse", "limit_tier")]
        self.columns = [np.ascontiguousarray(column) for column in columns]
        self.words = repr((take.notes, take.stopped, take.seconds, take.seed, sorted(take.releases)))

    def same(self, other: Seen) -> bool:
        """To the last bit."""
        pairs = zip(self.columns, other.columns, strict=True)
        return self.words == other.words and all(a.tobytes() == b.tobytes() for a, b in pairs)

    def close(self, other: Seen) -> bool:
        """By numbers that differ by less than a millionth of the largest of their kind."""
        pairs = zip(self.columns, other.columns, strict=True)
        return self.words == other.words and all(
            a.shape == b.shape
            and np.abs(a - b.astype(float)).max(initial=0.0) <= MILLIONTH * np.abs(a).max(initial=1e-9)
            for a, b in pairs
        )


def edited(array: np.ndarray, chance: np.random.Generator) -> np.ndarray | None:
    """Another array; None: taken out."""
    other, kind = array.copy(), int(chance.integers(8))
    if kind == 0 or array.size == 0:
        return None
    flat = other.reshape(-1)
    at = int(chance.integers(flat.size))
    if kind == 1 and array.ndim:
        return other[:-1]
    if kind == 2:
        bits = flat[at : at + 1].view(np.uint8)
        bits[int(chance.integers(len(bits)))] ^= 1 << int(chance.integers(8))
    elif array.dtype.kind == "f":
        flat[at] = (flat[at] * 2.0, flat[at] + 10.0 ** chance.uniform(-6.0, 1.0), -flat[at], 0.0, np.nan)[kind - 3]
    elif array.dtype.kind in "iub":
        flat[at] = flat[at] ^ 1 if kind < 5 else 0
    else:
        flat[at] = "other"[: max(flat.dtype.itemsize // 4, 1)]
    return other


def outcome(saved: Saved, chance: np.random.Generator, sealed_again: bool) -> tuple[str, str]:
    """What became of one edit, and of which member it was."""
    member = sorted(name for name in saved.members if not (sealed_again and name in FREE))[
        int(chance.integers(sum(not (sealed_again and name in FREE) for name in saved.members)))
    ]
    name = saved.members[member][int(chance.integers(len(saved.members[member])))]
    other = edited(saved.arrays[name], chance)
    arrays = {key: array for key, array in saved.arrays.items() if key != name}
    if other is not None:
        arrays[name] = other
    try:
        take = saved.forged(arrays) if sealed_again else saved.opened(arrays)
        report = certify(take)
        if not report.ok or _worse(report.tiers, saved.tiers):
            return NAMED, member
        now = Seen(take)
        return (UNSEEN if saved.seen.same(now) else SLIGHT if saved.seen.close(now) else LOST), member
    except ForegoneError:
        return REFUSED, member


def _worse(tiers: np.ndarray, before: np.ndarray) -> bool:
    rank = np.array(RANK)
    return len(tiers) != len(before) or bool((rank[tiers] > rank[before]).any())


def outcomes(count: int, seed: int, sealed_again: bool) -> Counter[tuple[str, str]]:
    saved = [Saved(make()) for make in TAKES]
    found: Counter[tuple[str, str]] = Counter()
    for i in range(count):
        found[outcome(saved[i % len(saved)], random_of(seed, i, sealed_again), sealed_again)] += 1
    return found


def random_of(seed: int, number: int, sealed_again: bool) -> np.random.Generator:
    """Each edit has its own, whoever else is tried."""
    return np.random.default_rng((seed, number, sealed_again))
