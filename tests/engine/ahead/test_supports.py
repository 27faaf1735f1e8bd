"""Handing down: what it says is carried is in equilibrium inside every cone, and nothing else could refuse it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arrivals.ahead.carry import Carrying, Load
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.ahead.supports import clear_burden, hand_down, make_burden, press, settle, supports_of
from engine.arrivals.structure import structure_of
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Scene
from tests.bench import scenes_director as scenes
from tests.bench.scenes_endings import BRICK, CLAY


@pytest.mark.parametrize(
    ("scene", "alike"),
    [(scenes.bonded_wall(3, 3), 0.9), (scenes.tower(8), 0.99), (scenes.balls_in_a_tray(), 0.02)],
    ids=["wall", "tower", "balls"],
)
def test_what_is_handed_down_is_carried(scene: Scene, alike: float) -> None:
    """`alike`: share of what all bodies together can carry that is found body by body; balls lean on each other."""
    structure, params = structure_of(compile_scene(scene)), make_params(1 / 480, scene.gravity)
    model, contacts = structure.model, structure.contacts
    supports = supports_of(structure, params)
    burden, carrying = make_burden(supports), Carrying(structure, params)
    standing = Remainders(structure, params).standing(structure.moves)
    rng = np.random.default_rng(3)
    handed = together = 0
    nobody = np.zeros_like(structure.moves)
    for _ in range(120):
        body = int(rng.choice(np.flatnonzero(structure.moves)))
        mass, size = float(model.bodies.mass[body]), float(model.bodies.size[body])
        push = mass * np.array([*rng.normal(0.0, 0.4, 2), -rng.uniform(0.5, 3.0)])
        turn = 0.03 * mass * size * rng.normal(size=3)
        clear_burden(burden)
        press(burden, body, tuple(push), tuple(turn))
        ours = hand_down(supports, 0, standing.impulse, standing.torque, burden)
        theirs = carrying.carry(structure.moves, nobody, standing, [Load(body, push, turn)]) is not None
        assert theirs or not ours
        handed, together = handed + ours, together + theirs
        if not ours:
            continue
        impulse, borne = np.empty((structure.count, 3)), np.empty((structure.count, 3))
        settle(burden, standing.impulse, standing.torque, impulse, borne)
        force = np.where(structure.moves, model.bodies.mass, 0.0)[:, None] * params.dt * model.gravity
        torque = np.zeros_like(force)
        force[body] += push
        torque[body] += turn
        for c in range(structure.count):
            for each, sign in ((contacts.a[c], 1.0), (contacts.b[c], -1.0)):
                force[each] += sign * impulse[c]
                torque[each] += sign * (np.cross(contacts.point[c] - model.start.x[each], impulse[c]) + borne[c])
        scale = float(np.linalg.norm(push))
        assert np.abs(force[structure.moves]).max() < 1e-11 * scale
        assert np.abs(torque[structure.moves]).max() < 1e-11 * scale
        normal = (impulse * contacts.normal).sum(1)
        sideways = np.linalg.norm(impulse - normal[:, None] * contacts.normal, axis=1)
        assert normal.min() >= -1e-13 * scale
        assert (sideways <= structure.material.friction * normal + 1e-12 * scale).all()
    assert handed >= alike * together > 0


def test_bodies_that_carry_each_other_are_not_handed_down() -> None:
    scene = scenes.house_of_cards(1)
    structure, params = structure_of(compile_scene(scene)), make_params(1 / 480, scene.gravity)
    ring = any(structure.carriers[i] & structure.carried[i] for i in np.flatnonzero(structure.moves))
    supports = supports_of(structure, params)
    assert (len(supports.order) == 0) == ring


def test_a_tall_wall_carries_what_lands_near_its_end() -> None:
    """A brick that lands across two others, straight down. Half bricks at the ends are narrow: what leans toward them
    from above would tip them over."""
    scene = scenes.bonded_wall(16, 12, BRICK, 0.0, CLAY)
    structure, params = structure_of(compile_scene(scene)), make_params(1 / 480, scene.gravity)
    model = structure.model
    supports, standing = supports_of(structure, params), Remainders(structure, params, True).standing(structure.moves)
    burden = make_burden(supports)
    top = np.flatnonzero(structure.moves & (model.start.x[:, 2] > model.start.x[:, 2].max() - 0.01))
    top = top[np.argsort(model.start.x[top, 0])][1:-1]  # between half bricks
    carried = []
    for left, right in zip(top[:-1], top[1:], strict=True):
        clear_burden(burden)
        for body, aside in ((int(left), 0.5 * BRICK[0]), (int(right), -0.5 * BRICK[0])):
            push = 0.5 * float(model.bodies.mass[body])
            press(burden, body, (0.0, 0.0, -push), (0.0, push * aside, 0.0))
        carried.append(bool(hand_down(supports, 0, standing.impulse, standing.torque, burden)))
    assert len(carried) >= 8
    assert all(carried)
