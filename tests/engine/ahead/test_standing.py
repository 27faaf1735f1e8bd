"""What is left of a structure: what its contacts bear, and who falls when a weight is gone."""

from __future__ import annotations

import numpy as np

from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.structure import Structure, structure_of
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Scene
from tests.bench import scenes_director as scenes


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
        free = [i for i in np.flatnonzero(resting) if not any(resting[j] for j in structure.carried[i])]
        resting[rng.choice(free)] = False


def test_who_needs_a_weight_is_named() -> None:
    structure, remainders = remainders_of(scenes.heavy_topped_wall())
    resting = structure.moves.copy()
    assert remainders.standing(resting).falls == ()
    names = structure.model.names
    resting[names.index("brick3.0")] = False
    assert [names[i] for i in remainders.standing(resting).falls] == ["brick2.0"]


def test_bricks_that_touch_sideways_stand_without_squeezing_each_other() -> None:
    """Each brick is in balance with what it rests on alone, in every remainder."""
    structure, remainders = remainders_of(scenes.snug_wall(4, 3))
    contacts, model = structure.contacts, structure.model
    sides = np.abs(contacts.normal @ structure.up) < 0.5
    assert sides.sum() > 20
    resting = structure.moves.copy()
    for body in sorted(np.flatnonzero(resting), key=lambda i: -model.start.x[i, 2]):
        standing = remainders.standing(resting)
        assert standing.falls == () and not standing.impulse[sides].any()
        force = np.zeros((len(resting), 3))
        turn = np.zeros((len(resting), 3))
        for c, p in enumerate(standing.impulse):
            normal = float(p @ contacts.normal[c])
            assert np.linalg.norm(p - normal * contacts.normal[c]) <= structure.material.friction[c] * normal + 1e-15
            for one, sign in ((contacts.a[c], 1.0), (contacts.b[c], -1.0)):
                force[one] += sign * p
                turn[one] += np.cross(contacts.point[c] - model.start.x[one], sign * p)
        weight = model.bodies.mass[resting, None] * np.array([0.0, 0.0, 9.81 / 480])
        assert np.abs(force[resting] - weight).max() < 1e-12 and np.abs(turn[resting]).max() < 1e-12
        resting[body] = False


def test_cards_that_lean_on_each_other_still_stand() -> None:
    structure, remainders = remainders_of(scenes.house_of_cards(1))
    standing = remainders.standing(structure.moves)
    assert standing.falls == () and np.abs(standing.impulse).sum(axis=1).min() >= 0.0
    leaning = np.abs(structure.contacts.normal @ structure.up) < 0.5
    assert np.abs(standing.impulse[leaning]).max() > 0.0, "without their push both would fall"
