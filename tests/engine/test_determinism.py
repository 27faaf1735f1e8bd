"""The same bits: in two processes, with a cold and a warm kernel cache, and for any order of the bodies."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.bench import scenes
from engine.scene.spec import Scene
from engine.take.run import backward, forward

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
from engine.bench import scenes
from engine.take.run import backward, forward
print(backward(scenes.scattered_boxes(4, 6), 1.0, 1 / 240, seed=7).hash())
"""


def in_a_new_process(**environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_two_processes_agree() -> None:
    here = backward(scenes.scattered_boxes(4, 6), 1.0, 1 / 240, seed=7).hash()
    assert in_a_new_process() == here
    assert in_a_new_process(NUMBA_NUM_THREADS="1") == here


def test_a_cold_cache_agrees_with_a_warm_one(tmp_path: Path) -> None:
    here = backward(scenes.scattered_boxes(4, 6), 1.0, 1 / 240, seed=7).hash()
    assert in_a_new_process(FOREGONE_CACHE=str(tmp_path)) == here
    assert any(tmp_path.rglob("*.nbi")), "the cold run compiled into its own cache"


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
