"""Verdicts of the inspectors on random small scenes, against the engine's own forward run."""

from __future__ import annotations

import time
from collections.abc import Sequence

from tests.bench.measure import Row, Tell
from tests.bench.verdict_checks import contradictions
from tests.bench.verdict_scenes import FAMILIES, drawn


def verdicts(tell: Tell, count: int = 300, only: Sequence[str] = ()) -> list[Row]:
    """One row per family, and what was contradicted, scene by scene."""
    rows = []
    families = [each for each in FAMILIES if each in only or not only][:count]
    for place, family in enumerate(families):
        numbers = range(count // len(families) + (place < count % len(families)))
        wrong, brink, words, begun = 0, 0, [], time.process_time()
        for number in numbers:
            tell(f"{family} {number}", place * len(numbers) + number, count)
            found = contradictions(drawn(family, number))
            clear = [each for each in found if not each.on_the_brink]
            wrong, brink = wrong + bool(clear), brink + bool(found and not clear)
            words += [f"{number}: {each.inspector} says {each.words} {each.motion}" for each in clear]
        spent = (time.process_time() - begun) / max(len(numbers), 1)
        rows.append({"family": family, "scenes": len(numbers), "brink": brink, "wrong": wrong, "cpu_s": spent,
                     "words": "; ".join(words)})  # fmt: skip
    return rows
