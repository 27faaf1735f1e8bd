"""The first director: who is free, launches as asked, coefficients in range, notes when something cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from engine.analysis.stacking import free_bodies
from engine.arrivals.options import ArrivalsName, Options
from engine.certificate.audit import certify
from engine.decide.chance import draws
from engine.run import backward
from engine.scene.spec import Body, Box, Hint, Material, Scene, Sphere
from tests.bench import scenes


def test_only_the_top_of_a_stack_is_free() -> None:
    free = free_bodies(scenes.brick_stack(4))
    assert free == {"brick0": False, "brick1": False, "brick2": False, "brick3": True}


def test_bodies_side_by_side_on_the_ground_are_free() -> None:
    assert all(free_bodies(scenes.scattered_boxes(0, 5)).values())


@pytest.mark.parametrize("arrivals", ["ahead", "natural"])
def test_a_body_at_a_wall_is_free_and_does_not_come_through_it(arrivals: ArrivalsName) -> None:
    """Neither by itself nor in a hand."""
    wall = Body("wall", Box((0.1, 1, 0.5)), (-0.1, 0, 0.5), static=True)
    for seed in range(4):
        scene = Scene([wall, Body("a", Box((0.1, 0.1, 0.1)), (0.1, 0, 0.1))])
        take = backward(scene, 1.0, 1 / 480, seed, Options(arrivals=arrivals))
        assert take.notes == ()
        assert np.abs(take.positions[0, 1] - take.positions[-1, 1]).max() > 0.05
        assert certify(take).tiers.max() <= 2
        assert take.positions[:, 1, 0].min() > 0.0


@pytest.mark.parametrize(
    "hint, word",
    [
        (Hint("roll", "ball", direction=(1, 0, 0)), "rolling friction"),
        (Hint("bounce", "ball", direction=(0, 0, 1), speed=2.0), "come out of"),
        (Hint("slide", "ball", direction=(1, 0, 0), time=50.0), "50 s before the end"),
    ],
    ids=["roll", "upward", "late"],
)
def test_a_hint_that_moves_nothing_is_told(hint: Hint, word: str) -> None:
    take = backward(Scene([Body("ball", Sphere(0.1), (0, 0, 0.1))], hints=[hint]), 0.5, 1 / 240)
    assert np.array_equal(take.positions[0], take.positions[-1])
    assert any(word in note for note in take.notes)


def test_a_launch_may_be_given_as_direction_and_speed() -> None:
    hint = Hint("launch", "ball", direction=(0, 0, -1), speed=1.5, time=0.1)
    take = backward(Scene([Body("ball", Sphere(0.1), (0, 0, 0.1))], hints=[hint]), 0.3, 1 / 480)
    assert np.abs(take.velocities[:, 0, 2] + 1.5).min() < 1e-9


def test_a_slide_keeps_to_its_speed() -> None:
    body = Body("box", Box((0.2, 0.2, 0.1)), (0, 0, 0.1), material=Material(friction=0.5))
    hint = Hint("slide", "box", direction=(1, 0, 0), speed=1.0, time=0.1)
    take = backward(Scene([body], hints=[hint]), 1.0, 1 / 480)
    fastest = np.abs(take.velocities[:, 0, 0]).max()
    assert 1.0 <= fastest < 1.0 + 0.5 * 9.81 / 480 + 1e-9
    assert certify(take).tiers.max() == 1


def test_a_held_body_stays_and_the_take_says_so() -> None:
    scene = scenes.brick_stack(2)
    scene.bodies[0].arrival = 0.05
    scene.hints.append(Hint("launch", "brick1", velocity=(0, 0, 0), time=10.0))
    take = backward(scene, 0.3, 1 / 240, 0, Options(arrivals="ahead"))
    assert np.array_equal(take.tape.x[0], take.tape.x[-1])
    assert any("brick0" in note and "holds it" in note for note in take.notes)


@pytest.mark.parametrize("velocity", [(0.2, 0.0, -2.0), (0.0, 0.5, -1.5)])
def test_a_launch_arrives_with_the_velocity_asked_for(velocity: tuple[float, float, float]) -> None:
    body = Body("box", Box((0.2, 0.2, 0.1)), (0, 0, 0.1), material=Material(friction=0.5, restitution=0.4))
    scene = Scene([body], hints=[Hint("launch", "box", velocity=velocity, time=0.1)])
    take = backward(scene, 0.2, 1 / 480)
    moving = np.flatnonzero(np.abs(take.velocities[:, 0]).max(axis=1) > 0)
    assert take.velocities[moving[-1], 0] == pytest.approx(velocity, abs=1e-9)
    assert certify(take).tiers.max() == 2, "a dead landing is PLASTIC and says so"


def test_a_slide_keeps_contact_and_runs_along_the_hint() -> None:
    direction = np.array([0.6, 0.8, 0.0])
    body = Body("box", Box((0.2, 0.2, 0.1)), (0, 0, 0.1), material=Material(friction=0.5))
    take = backward(Scene([body], hints=[Hint("slide", "box", direction=tuple(direction), time=0.1)]), 0.5, 1 / 480)
    velocity = take.velocities[0, 0]
    assert velocity @ direction == pytest.approx(np.linalg.norm(velocity))
    assert np.linalg.norm(velocity) == pytest.approx(0.5 * 9.81 * 0.4, rel=0.02)
    assert np.abs(take.positions[:, 0, 2] - 0.1).max() < 1e-12
    assert certify(take).exact_fraction == 1.0


def test_the_budget_stays_inside_narrow_ranges() -> None:
    material = Material(friction=0.4, restitution=0.5, friction_range=(0.2, 0.4), restitution_range=(0.5, 0.8))
    scene = Scene([Body("ball", Sphere(0.1), (0, 0, 0.1), material=material)])
    take = backward(scene, 3.0, 1 / 480, 2, Options(arrivals="ahead"))
    column = take.tape.contact_column
    tuned = column("tier") == 1
    assert tuned.any()
    bounced = tuned & (column("after") > 1e-6)
    assert (column("restitution")[bounced] >= 0.5 - 1e-9).all()
    assert (column("restitution")[bounced] <= 0.8 + 1e-9).all()


def test_constant_coefficients_grow_and_the_budget_does_not() -> None:
    scene = Scene([Body("ball", Sphere(0.1), (0, 0, 0.1), material=Material(restitution=0.5))])
    grown = backward(scene, 4.0, 1 / 480, 1, Options(policy="constant"))
    kept = backward(scene, 4.0, 1 / 480, 1, Options(arrivals="ahead"))
    assert grown.energy[0] > 3 * kept.energy[0]
    assert kept.energy[0] <= 10 * kept.energy[-1]


def test_draws_depend_on_seed_and_purpose_only() -> None:
    first = draws(3, "launch", "die").uniform(size=4)
    draws(3, "launch", "other").uniform(size=9)
    assert np.array_equal(first, draws(3, "launch", "die").uniform(size=4))
    assert not np.array_equal(first, draws(4, "launch", "die").uniform(size=4))
