"""Cones: what is said to be carried is in equilibrium inside every cone; what is refused no solver finds either."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from engine.arrivals.ahead.carry import FACETS, Carrying, Load
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.structure import Structure, structure_of
from engine.model.compile import compile_scene
from engine.params import Params, make_params
from tests.bench import scenes_director as scenes


@pytest.fixture(scope="module")
def wall() -> tuple[Structure, Params, Remainders]:
    scene = scenes.bonded_wall(3, 3)
    structure = structure_of(compile_scene(scene))
    params = make_params(1 / 480, scene.gravity)
    return structure, params, Remainders(structure, params)


def hits(structure: Structure, count: int, seed: int) -> list[list[Load]]:
    """Hits on the wall from above, some at the very edge and aslant."""
    rng = np.random.default_rng(seed)
    model, found = structure.model, []
    for _ in range(count):
        body = int(rng.choice(np.flatnonzero(structure.moves)))
        mass = float(model.bodies.mass[body])
        push = mass * rng.uniform(0.1, 2.0) * np.array([*rng.uniform(-0.5, 0.5, 2), -1.0])
        arm = np.array([*(rng.uniform(-1.0, 1.0, 2) * (0.1, 0.05)), 0.05])
        found.append([Load(body, push, np.cross(arm, push))])
    return found


def unbalanced(structure: Structure, params: Params, impulse: np.ndarray, loads: list[Load]) -> float:
    """m/s that the impulses leave to any body."""
    model, contacts = structure.model, structure.contacts
    linear = np.where(structure.moves, model.bodies.mass, 0.0)[:, None] * params.dt * model.gravity
    angular = np.zeros_like(linear)
    for load in loads:
        linear[load.body] += load.impulse
        angular[load.body] += load.turn
    for c in range(structure.count):
        for body, sign in ((contacts.a[c], 1.0), (contacts.b[c], -1.0)):
            linear[body] += sign * impulse[c]
            angular[body] += sign * np.cross(contacts.point[c] - model.start.x[body], impulse[c])
    mass = model.bodies.mass[structure.moves][:, None]
    return float(np.abs(np.hstack([linear[structure.moves], angular[structure.moves] / 0.1]) / mass).max())


def lp_says(structure: Structure, params: Params, loads: list[Load]) -> bool:
    """Feasibility of the whole wall with the same pyramids, by another method."""
    model, contacts = structure.model, structure.contacts
    carrying = Carrying(structure, params)
    moving = np.flatnonzero(structure.moves)
    place = {int(body): i for i, body in enumerate(moving)}
    columns = np.zeros((6 * len(moving), FACETS * structure.count))
    for c in range(structure.count):
        edges = carrying._edges(c)
        for body, sign in ((int(contacts.a[c]), 1.0), (int(contacts.b[c]), -1.0)):
            if body in place:
                i = 6 * place[body]
                columns[i : i + 3, FACETS * c : FACETS * (c + 1)] = sign * edges.T
                arm = contacts.point[c] - model.start.x[body]
                columns[i + 3 : i + 6, FACETS * c : FACETS * (c + 1)] = sign * np.cross(arm, edges).T / 0.1
    right = np.zeros((len(moving), 6))
    right[:, :3] = -params.dt * model.bodies.mass[moving][:, None] * model.gravity
    for load in loads:
        right[place[load.body], :3] -= load.impulse
        right[place[load.body], 3:] -= load.turn / 0.1
    return bool(linprog(np.zeros(columns.shape[1]), A_eq=columns, b_eq=right.ravel(), method="highs").status == 0)


def test_what_is_carried_is_carried(wall: tuple[Structure, Params, Remainders]) -> None:
    structure, params, remainders = wall
    resting = structure.moves
    standing = remainders.standing(resting)
    carrying = Carrying(structure, params)
    carried = refused = 0
    for loads in hits(structure, 60, seed=5):
        bears = carrying.carry(resting, np.zeros_like(resting), standing, loads)
        if bears is None:
            refused += 1
            continue
        impulse = bears.impulse
        carried += 1
        speed = float(np.linalg.norm(loads[0].impulse)) / float(structure.model.bodies.mass[loads[0].body])
        assert unbalanced(structure, params, impulse, loads) < 1e-11 * (1.0 + speed)
        normal = (impulse * structure.contacts.normal).sum(1)
        sideways = np.linalg.norm(impulse - normal[:, None] * structure.contacts.normal, axis=1)
        assert normal.min() >= -1e-12
        assert (sideways <= structure.material.friction * normal + 1e-9).all()
    assert carried >= 10 and refused >= 10, "the hits ask both ways"
    assert carrying.solved < carrying.asked, "some answers come from earlier ones"


def test_what_is_refused_nothing_else_finds(wall: tuple[Structure, Params, Remainders]) -> None:
    """The pyramid keeps loads from above as they stand, so it may refuse what the whole wall could carry by leaning on
    its weight; never the other way, and hardly ever here."""
    structure, params, remainders = wall
    standing = remainders.standing(structure.moves)
    carrying = Carrying(structure, params)
    stricter = 0
    for loads in hits(structure, 40, seed=6):
        ours = carrying.carry(structure.moves, np.zeros_like(structure.moves), standing, loads) is not None
        theirs = lp_says(structure, params, loads)
        assert theirs or not ours
        stricter += theirs and not ours
    assert stricter <= 12
