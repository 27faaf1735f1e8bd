"""Inspectors of contact on problems whose answer is known: how many are answered wrongly, and at what cost."""

from __future__ import annotations

import time

import numpy as np

from engine.analysis.consistency import answers
from engine.analysis.consistency_inspect import judge, motion_of_scene
from engine.model.compile import compile_scene
from tests.bench.inspect_patches import PATCHES
from tests.bench.inspect_stability import STABILITY
from tests.bench.inspect_tabs import TABS
from tests.bench.inspect_wedged import WEDGED
from tests.bench.inspector_case import Case
from tests.bench.measure import Row, Tell
from tests.bench.scenes_inconsistent import subset_sum_base
from tests.engine.analysis.hard_problems import subset_sum


def inspectors(tell: Tell, quick: bool = False) -> list[Row]:
    """One row per kind of problem."""
    rows = []
    numbers = [case.quick if quick else case.cases for case in CASES]
    for number, case in enumerate(CASES):
        count, wrong, cpu = numbers[number], 0, []
        if not count:
            continue
        rng = np.random.default_rng(case.seed)
        case.right(rng)  # loads what it needs
        for k in range(count):
            tell(f"{case.problem}, {case.size}", sum(numbers[:number]) + k, sum(numbers))
            begun = time.process_time()
            wrong += not case.right(rng)
            cpu.append(time.process_time() - begun)
        rows.append(
            {
                "inspector": case.inspector,
                "problem": case.problem,
                "size": case.size,
                "cases": count,
                "wrong": wrong,
                "cpu_s": float(np.mean(cpu)),
                "cpu_s_worst": max(cpu),
            }
        )
    return rows


def _any_sum(rng: np.random.Generator) -> bool:
    """Up to 14 numbers; half of the targets are sums of some of them."""
    numbers = rng.integers(1, 10 ** int(rng.integers(2, 6)), int(rng.integers(2, 15))).tolist()
    target = sum(x for x in numbers if rng.random() < 0.5) if rng.random() < 0.5 else 0
    target = target or int(rng.integers(1, sum(numbers) + 1))
    sums = {0}
    for x in numbers:
        sums |= {s + x for s in sums}
    return answers(*subset_sum(numbers, target), first_only=True).consistent == (target in sums)


def _no_sum(rng: np.random.Generator) -> bool:
    """20 even numbers and an odd target: every subset has to be ruled out."""
    numbers = (2 * rng.integers(500, 50_000, 20)).tolist()
    return answers(*subset_sum(numbers, sum(numbers) // 4 * 2 + 1)).consistent is False


def _sum_as_a_scene(rng: np.random.Generator) -> bool:
    """Figure 7 with up to 8 rods, asked of the scene."""
    numbers = rng.integers(1, 30, int(rng.integers(2, 9))).tolist()
    target = int(rng.integers(1, sum(numbers) + 1))
    sums = {0}
    for x in numbers:
        sums |= {s + x for s in sums}
    scene = subset_sum_base(numbers, target)
    model = compile_scene(scene)
    verdict = judge(motion_of_scene(model), model.index(scene.bodies[0])).verdict
    return verdict in (("one", "several") if target in sums else ("none",))


CASES: tuple[Case, ...] = (
    Case("consistency", "subset sum as rods", "n <= 14", 300, 10, _any_sum, seed=0),
    Case("consistency", "subset sum without answer", "n = 20", 5, 1, _no_sum, seed=1),
    Case("consistency", "subset sum as scenes", "n <= 8", 100, 3, _sum_as_a_scene, seed=2),
    *PATCHES,
    *STABILITY,
    *WEDGED,
    *TABS,
)
