"""The same bits: in two processes, with a cold and a warm kernel cache, and for any order of the bodies."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.run import backward, forward
from engine.scene.spec import Scene
from tests.bench import scenes
from tests.kernels import Told, one_take, told_when_compiled

ROOT = Path(__file__).resolve().parents[2]


def in_a_new_process(**environment: str) -> Told:
    program = "import json; from tests.kernels import one_take; print(json.dumps(one_take()))"
    command, environment = [sys.executable, "-c", program], {**os.environ, **environment}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    told: Told = json.loads(result.stdout)
    return told


def test_two_processes_agree() -> None:
    here = one_take()["hash"]
    assert in_a_new_process()["hash"] == here
    assert in_a_new_process(NUMBA_NUM_THREADS="1")["hash"] == here


def test_a_cold_cache_agrees_with_a_warm_one(tmp_path: Path) -> None:
    """Cold is the process that compiled the kernels for all tests, if there was one: that takes minutes."""
    one_take()  # now they are in the cache
    warm = in_a_new_process()
    cold = told_when_compiled() or in_a_new_process(FOREGONE_CACHE=str(tmp_path))
    assert cold["compiled"] and not warm["compiled"]
    assert cold["hash"] == warm["hash"]


@pytest.mark.parametrize("direction", [backward, forward])
def test_the_order_of_bodies_does_not_matter(direction: object) -> None:
    scene = scenes.scattered_boxes(2, 6) if direction is backward else scenes.brick_stack(4)
    shuffled = list(scene.bodies)
    random.Random(1).shuffle(shuffled)
    assert [b.name for b in shuffled] != [b.name for b in scene.bodies]
    first = direction(scene, 1.0, 1 / 240)  # type: ignore[operator]
    second = direction(Scene(shuffled), 1.0, 1 / 240)  # type: ignore[operator]
    assert first.hash() == second.hash()
    back = [b.name for b in shuffled]
    order = [back.index(b.name) for b in scene.bodies]
    assert np.array_equal(first.positions, second.positions[:, order])


def test_another_seed_gives_another_take() -> None:
    scene = scenes.scattered_boxes(2, 3)
    assert backward(scene, 0.5, 1 / 240, seed=1).hash() != backward(scene, 0.5, 1 / 240, seed=2).hash()
