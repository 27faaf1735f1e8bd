"""What is shown: no overlap, no jumps, the authored pose to the bit."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.collide.gauge import Gauge
from engine.contact.kick import GHOST
from engine.run import backward, forward
from engine.scene.spec import Body, Box, Cylinder, Scene, Sphere
from engine.shapes.turns import rotation_matrix
from engine.tape.path import Path
from engine.tape.take import Take
from tests.bench import scenes

DT = 1 / 240
FINER = 20  # samples per step
ALLOWED = 1.2e-5  # m, overlap that may be shown


def ball_flies_in() -> Scene:
    return Scene(
        bodies=[
            Body("ball", Sphere(0.1), (0, 0, 0.9), velocity=(1.0, 0.3, 3.0), angular_velocity=(3.0, 2.0, 0.0),
                 material=scenes.material(restitution=0.8))
        ]
    )  # fmt: skip


def box_is_thrown() -> Scene:
    return Scene(
        bodies=[
            Body("box", Box((0.2, 0.15, 0.1)), (0, 0, 0.6), scenes.turn("x", 0.4), velocity=(1.0, 0.0, -3.0),
                 angular_velocity=(4.0, 7.0, -2.0), material=scenes.material())
        ]
    )  # fmt: skip


def can_is_thrown() -> Scene:
    return Scene(
        bodies=[
            Body("can", Cylinder(0.1, 0.15), (0, 0, 0.5), scenes.turn("x", 0.7), velocity=(0.5, 0.0, -3.0),
                 angular_velocity=(5.0, 3.0, 1.0), material=scenes.material())
        ]
    )  # fmt: skip


def balls_meet() -> Scene:
    return Scene(
        bodies=[
            Body("left", Sphere(0.1), (0.02, 0, 1), velocity=(3, 0, 0), material=scenes.material(restitution=0.9)),
            Body("right", Sphere(0.15), (0.5, 0.05, 1), velocity=(-2, 0, 0), material=scenes.material()),
        ],
        gravity=(0, 0, 0),
    )


@functools.cache
def take_of(name: str) -> Take:
    if name == "ball backward":
        return backward(ball_flies_in(), 1.5, DT, options=Options(policy="constant", launch=False))
    if name == "table backward":
        options = Options(policy="constant", launch=False)
        return backward(scenes.compound_bounces_in(), 1.0, DT, options=options)
    made = {"box forward": box_is_thrown, "can forward": can_is_thrown, "balls forward": balls_meet}[name]
    return forward(made(), 0.2 if name == "balls forward" else 0.8, DT)


def lowest_points(take: Take, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """Height of the lowest point of every body over the ground, or of the gap between two balls: plain geometry."""
    bodies = take.scene.bodies
    if take.scene.gravity == (0.0, 0.0, 0.0):
        reach = bodies[0].shape.radius + bodies[1].shape.radius
        return np.linalg.norm(positions[:, 0] - positions[:, 1], axis=1) - reach
    low = np.full(len(positions), np.inf)
    for i, body in enumerate(bodies):
        turns = np.array([rotation_matrix(q) for q in orientations[:, i]])
        parts = body.shape.parts if hasattr(body.shape, "parts") else [(body.shape, (0, 0, 0), (1, 0, 0, 0))]
        for shape, place, _ in parts:
            center = positions[:, i, 2] + turns[:, 2] @ np.array(place, float)
            if isinstance(shape, Sphere):
                reach = np.full(len(positions), shape.radius)
            elif isinstance(shape, Box):
                reach = np.abs(turns[:, 2]) @ np.array(shape.half)
            else:
                up = turns[:, 2, 2]
                reach = np.abs(up) * shape.half_height + shape.radius * np.sqrt(np.maximum(1.0 - up * up, 0.0))
            low = np.minimum(low, center - reach)
    return low


NAMES = ["ball backward", "table backward", "box forward", "can forward", "balls forward"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_overlaps_although_the_states_do(name: str) -> None:
    take = take_of(name)
    assert lowest_points(take, take.positions, take.orientations).min() < -1e-3
    times = np.linspace(take.times[0], take.times[-1], FINER * take.tape.steps + 1)
    assert lowest_points(take, *Path(take).at(times)).min() > -ALLOWED


@pytest.mark.parametrize("name", NAMES)
def test_the_path_has_no_jumps(name: str) -> None:
    """A tenth of a step moves nothing farther than the fastest body and the depth of an impact allow."""
    take = take_of(name)
    times = np.linspace(take.times[0], take.times[-1], 10 * FINER * take.tape.steps + 1)[-8000:]
    positions, orientations = Path(take).at(times)
    fastest = float(np.linalg.norm(take.velocities, axis=2).max())
    turning = float(np.linalg.norm(take.angular_velocities, axis=2).max())
    size = float(take.model.bodies.size.max())
    apart = DT / (10 * FINER)
    assert np.linalg.norm(np.diff(positions, axis=0), axis=2).max() < 3.0 * apart * (fastest + size * turning) + 2e-6
    cosines = np.abs((orientations[1:] * orientations[:-1]).sum(2)).clip(0.0, 1.0)
    assert 2.0 * np.arccos(cosines).max() < 1.5 * apart * turning + 1e-7


@pytest.mark.parametrize("name", NAMES)
def test_far_from_contacts_the_path_is_the_drift(name: str) -> None:
    """Where no contact is recorded within two states, the states themselves are shown."""
    take = take_of(name)
    quiet = np.diff(take.tape.start) == 0
    path = Path(take)
    for i in range(2, take.tape.steps - 2):
        if quiet[i - 2 : i + 3].all():
            positions, orientations = path.at(float(take.times[i]))
            np.testing.assert_allclose(positions, take.positions[i], rtol=0, atol=1e-11)
            np.testing.assert_allclose(np.abs((orientations * take.orientations[i]).sum(1)), 1.0, rtol=0, atol=1e-12)
            middle, _ = path.at(float(take.times[i] + 0.25 * DT))
            if not take.model.com_offset.any():
                expected = 0.75 * take.positions[i] + 0.25 * take.positions[i + 1]
                np.testing.assert_allclose(middle, expected, rtol=0, atol=1e-11)


def test_the_authored_pose_is_shown_to_the_bit() -> None:
    for name in NAMES:
        take = take_of(name)
        path = Path(take)
        beyond = (take.times[-1], take.times[-1] + 3.0) if take.backward else (take.times[0], take.times[0] - 3.0)
        for t in beyond:
            positions, orientations = path.at(float(t))
            assert positions.tolist() == [list(body.position) for body in take.scene.bodies]
            assert orientations.tolist() == [list(body.orientation) for body in take.scene.bodies]


def test_arrays_of_times_agree_with_single_ones_and_clamp() -> None:
    take = take_of("box forward")
    path = Path(take)
    times = np.array([[-1.0, 0.1234], [0.3, 99.0]])
    positions, orientations = path.at(times)
    assert positions.shape == (2, 2, 1, 3) and orientations.shape == (2, 2, 1, 4)
    for index in np.ndindex(2, 2):
        x, q = path.at(float(times[index]))
        assert np.array_equal(positions[index], x) and np.array_equal(orientations[index], q)
    np.testing.assert_allclose(positions[1, 1], path.at(float(take.times[-1]))[0], rtol=0, atol=0)


def test_boxes_that_hit_each_other_are_shown_apart() -> None:
    """Edges and corners of two boxes in flight, measured by the signed distance of the boxes."""
    fast = scenes.material(restitution=0.7)
    left = Body("left", Box((0.2, 0.15, 0.1)), (0, 0, 2), scenes.turn("z", 0.5), fast, velocity=(4, 0, 0))
    right = Body("right", Box((0.15, 0.2, 0.2)), (0.7, 0.1, 2.05), scenes.turn("x", 0.6), fast, velocity=(-3, 0, 0))
    left.angular_velocity = (2.0, -3.0, 5.0)
    take = forward(Scene(bodies=[left, right], gravity=(0, 0, 0), ground=False), 0.15, DT)
    gauge = Gauge(take.model.geometry)

    def distance(positions: np.ndarray, orientations: np.ndarray) -> float:
        return gauge.measure(0, 1, np.ascontiguousarray(positions), np.ascontiguousarray(orientations))[0]

    raw = [distance(x, q) for x, q in zip(take.positions, take.orientations, strict=True)]
    shown = [distance(*Path(take).at(t)) for t in np.linspace(0.0, take.times[-1], 20 * take.tape.steps)]
    assert min(raw) < -5e-4 and min(shown) > -ALLOWED
    assert min(shown) < 1e-5  # and they do touch


def test_ghosts_are_not_hidden() -> None:
    """Contacts that were ignored show their overlap."""
    take = take_of("ball backward")
    ghosts = replace(take, tape=take.tape.spread())
    ghosts.tape.blocks[0].arrays["hold"][:] = GHOST
    times = np.linspace(take.times[0], take.times[-1], 4 * take.tape.steps + 1)
    assert lowest_points(ghosts, *Path(ghosts).at(times)).min() < -1e-3


def test_a_body_at_rest_is_not_pushed_aside() -> None:
    """A stack asleep under nothing moves by no bit."""
    take = backward(scenes.brick_stack(3), 0.1, DT, options=Options(policy="constant", launch=False))
    positions, orientations = Path(take).at(np.linspace(take.times[0], take.times[-1], 77))
    assert (positions == take.positions[-1]).all() and (orientations == take.orientations[-1]).all()
    assert math.isclose(float(take.times[-1]), 0.1)
