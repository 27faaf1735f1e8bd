"""Figures 5 to 7 of Baraff 1990 as scenes: a base at rest is a body, and decides whether there is an answer."""

from __future__ import annotations

import numpy as np
import pytest

from engine.analysis.consistency_inspect import Consistency, inspect_consistency, judge, motion_of_scene
from engine.model.compile import compile_scene
from engine.scene.spec import Scene
from tests.bench.scenes_inconsistent import BASE, GRAVITY, guarded_base, lifted_base, subset_sum_base
from tests.engine.analysis.test_consistency import sums_of

CONSISTENT = {"one": True, "several": True, "none": False}


def judged(scene: Scene) -> Consistency:
    model = compile_scene(scene)
    return judge(motion_of_scene(model), model.index(scene.bodies[0]))


def test_a_base_that_comes_up_to_a_skimming_rod_has_no_answer() -> None:
    """Equation 31. The lever's weight goes with the base: half a turn of it is 0.4 of its radius squared heavier."""
    for lift in (-100.0, -1.0, 0.0, 0.01, 1.0, 100.0):
        found = judged(lifted_base(lift))
        weight = BASE + lift / GRAVITY
        heavy = BASE + weight * (1.0 + 0.4 * 0.2**2)
        assert CONSISTENT[found.verdict] is (lift <= 0.0)
        assert found.question is not None
        assert found.question.A == pytest.approx(np.array([[-1.0 + 1.0 / heavy]]), rel=1e-9)
        assert found.question.b == pytest.approx([-lift / heavy], abs=1e-6)


def test_a_base_between_two_skimming_rods_stands_no_push() -> None:
    for push in (-10.0, -0.01, 0.0, 0.01, 10.0):
        assert CONSISTENT[judged(guarded_base(push)).verdict] is (push == 0.0)


@pytest.mark.parametrize("numbers", [(2, 3, 5), (3, 4, 8), (1, 7, 7)])
def test_rods_on_the_base_answer_subset_sum(numbers: tuple[int, ...]) -> None:
    sums = sums_of(list(numbers))
    for target in range(sum(numbers) + 2):
        found = judged(subset_sum_base(numbers, target))
        assert CONSISTENT[found.verdict] is (target in sums), target
        if target not in sums:
            continue
        assert found.found is not None
        rods = found.found.forces.sum(1)  # the guards bear nothing
        assert rods == pytest.approx(np.full(len(rods), float(target)), abs=1e-4)


def test_two_ways_to_the_same_sum_are_two_ways_to_go_on() -> None:
    assert judged(subset_sum_base((2, 3, 5), 5)).motions == 2
    assert judged(subset_sum_base((2, 3, 5), 7)).motions == 1


def test_the_inspector_says_so() -> None:
    for target, title in ((4, "No answer"), (5, "Several answers"), (7, "One answer")):
        scene = subset_sum_base((2, 3, 5), target)
        told = inspect_consistency(scene, scene.bodies[0].id)
        assert told.title == title and "beyond" not in told.sentence
