"""Random edits of saved takes: how many are refused when the file is opened, named by the certificate, or change no bit
of what is seen; and how many nobody notices."""

from __future__ import annotations

from collections import Counter

from tests.bench.measure import Row, Tell
from tests.engine.random_edits import LOST, NAMED, REFUSED, SLIGHT, TAKES, UNSEEN, Saved, outcome, random_of

KINDS = {REFUSED: "refused", NAMED: "named", UNSEEN: "unseen", SLIGHT: "slight", LOST: "lost"}  # outcome -> column


def forgeries(tell: Tell, count: int = 10_000, takes: int = len(TAKES), seed: int = 0) -> list[Row]:
    """A file as the edit leaves it, and one that a forger has sealed again; edits go over the takes in turn."""
    saved = [Saved(make()) for make in TAKES[:takes]]
    rows = []
    for number, (file, sealed_again) in enumerate((("as edited", False), ("sealed again", True))):
        found: Counter[str] = Counter()
        lost: Counter[str] = Counter()
        for i in range(count):
            tell(file, number * count + i, 2 * count)
            kind, member = outcome(saved[i % takes], random_of(seed, i, sealed_again), sealed_again)
            found[kind] += 1
            lost[member] += kind == LOST
        unnoticed = ", ".join(f"{member} {times}" for member, times in sorted(lost.items()) if times)
        shares = {column: found[kind] for kind, column in KINDS.items()}
        rows.append({"file": file, "edits": count, **shares, "unnoticed": unnoticed or None})
    return rows
