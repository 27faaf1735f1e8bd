"""Round bodies beside each other: how fine their slop is, and how fast they land."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine import certify
from engine.arrivals.ahead.beside import FINEST, across_sides, fine_slop, slowest_landing
from engine.arrivals.structure import Structure, structure_of
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.run import backward
from engine.scene.spec import Body, Box, Capsule, Cylinder, Scene, Sphere
from tests.bench.entrance_figures import BY_PHYSICS, Figures
from tests.bench.scenes import material, turn
from tests.bench.scenes_director import balls_in_a_tray

UPRIGHT, LYING = (1.0, 0.0, 0.0, 0.0), turn("x", 0.5 * math.pi)
PARAMS = make_params(1 / 480, (0.0, 0.0, -9.81))


def beside(shape: object, height: float, orientation: tuple[float, ...], gap: float = 0.0) -> Structure:
    places = ((0.0, 0.0, height), (0.2 + gap, 0.0, height))
    bodies = [Body(f"b{i}", shape, at, orientation, material=material()) for i, at in enumerate(places)]
    return structure_of(compile_scene(Scene(bodies=bodies)))


def balls(radius: float, gap: float = 0.0) -> Structure:
    places = ((0.0, 0.0, radius), (2.0 * radius + gap, 0.0, radius))
    bodies = [Body(f"ball{i}", Sphere(radius), at, material=material()) for i, at in enumerate(places)]
    return structure_of(compile_scene(Scene(bodies=bodies)))


@pytest.mark.parametrize("radius", [0.005, 0.03, 0.1, 0.5])
def test_the_slowest_landing_leaves_the_slop_in_a_step(radius: float) -> None:
    """Two balls of which one goes straight up: their gap grows with the root of D^2 + z^2."""
    structure = balls(radius)
    params = PARAMS._replace(slop=fine_slop(structure, PARAMS))
    across = across_sides(structure)
    speed = slowest_landing(across, params)
    z, apart = speed * params.dt, 2.0 * radius
    assert FINEST <= params.slop <= PARAMS.slop
    assert z * z / (math.sqrt(apart * apart + z * z) + apart) > params.slop  # the gap, without cancellation
    assert speed < 0.5 * params.bounce_speed


def test_straight_sides_keep_the_usual_slop() -> None:
    """Boxes, upright cylinders and capsules, and balls on balls."""
    on_top = [Body(f"ball{i}", Sphere(0.1), (0.0, 0.0, 0.1 + 0.2 * i), material=material()) for i in range(2)]
    for structure in (
        beside(Box((0.1, 0.1, 0.1)), 0.1, UPRIGHT),
        beside(Cylinder(0.1, 0.1), 0.1, UPRIGHT),
        structure_of(compile_scene(Scene(bodies=on_top))),
    ):
        assert structure.count > 0
        assert fine_slop(structure, PARAMS) == PARAMS.slop
        assert slowest_landing(across_sides(structure), PARAMS) == 0.0
    for lying in (beside(Cylinder(0.1, 0.3), 0.1, LYING), beside(Capsule(0.1, 0.3), 0.1, LYING)):
        assert fine_slop(lying, PARAMS) < PARAMS.slop


def test_contacts_of_an_ending_stay_within_the_slop() -> None:
    structure = balls(0.1, gap=3e-7)
    assert np.abs(structure.contacts.gap).max() >= 2.9e-7
    assert fine_slop(structure, PARAMS) > np.abs(structure.contacts.gap).max()


def test_balls_bounce_into_pockets_between_others() -> None:
    """With the usual slop six of fourteen find a way, the others are laid by hands."""
    take = backward(balls_in_a_tray(), 4.0, seed=0)
    report = certify(take)
    assert report.ok
    assert take.tape.params.slop < PARAMS.slop
    assert Figures(take, report).count(BY_PHYSICS) >= 9
