"""What is left of a structure: what its contacts bear, and who falls when a weight is gone."""

from __future__ import annotations

import numpy as np

from engine.ahead.standing import Remainders
from engine.ahead.structure import Structure, structure_of
from engine.bench import scenes_director as scenes
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Scene


def remainders_of(scene: Scene) -> tuple[Structure, Remainders]:
    structure = structure_of(compile_scene(scene))
    return structure, Remainders(structure, make_params(1 / 480, scene.gravity))


def test_a_tower_bears_what_stands_above_it() -> None:
    structure, remainders = remainders_of(scenes.tower(5))
    model = structure.model
    for left in range(5, 0, -1):
        resting = structure.moves & (np.cumsum(structure.moves) <= left)
        standing = remainders.standing(resting)
        assert standing.falls == ()
        contacts = structure.contacts
        for i in range(left):
            rows = structure.rows_of[i]
            under = rows[contacts.point[rows, 2] < model.start.x[i, 2]]
            carried = abs(float(standing.impulse[under, 2].sum()))
            weight = float(model.bodies.mass[i:left].sum()) * 9.81 / 480
            assert abs(carried - weight) < 1e-9 * weight + 1e-12, (left, i)


def test_every_remainder_of_a_wall_with_half_bricks_stands() -> None:
    structure, remainders = remainders_of(scenes.bonded_wall(3, 3))
    rng = np.random.default_rng(3)
    resting = structure.moves.copy()
    while resting.any():
        assert remainders.standing(resting).falls == ()
        free = [i for i in np.flatnonzero(resting) if not any(resting[j] for j in structure.above[i])]
        resting[rng.choice(free)] = False


def test_who_needs_a_weight_is_named() -> None:
    structure, remainders = remainders_of(scenes.heavy_topped_wall())
    resting = structure.moves.copy()
    assert remainders.standing(resting).falls == ()
    names = structure.model.names
    resting[names.index("brick3.0")] = False
    assert [names[i] for i in remainders.standing(resting).falls] == ["brick2.0"]
