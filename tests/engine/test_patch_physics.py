"""Planar contacts as one wrench (step/patches.py): the motion of points, with three normal unknowns a patch."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine import Body, Box, Hull, Joint, Material, Scene, Sphere, Take, certify, forward
from engine.contact.kick import APART, FREE
from engine.contact.tiers import EXACT
from tests.bench.scenes_director import bonded_wall

STUFF = Material(friction=0.4, restitution=0.3)
SAME = 1e-9  # m, and of quaternions


def alone(shape: Box | Hull, height: float, **motion: tuple[float, float, float]) -> Scene:
    return Scene(bodies=[Body(name="body", shape=shape, position=(0, 0, height), material=STUFF, **motion)])


def prism(corners: int) -> Hull:
    angle = np.arange(corners) * 2.0 * math.pi / corners
    rim = np.column_stack([0.1 * np.cos(angle), 0.1 * np.sin(angle)])
    return Hull(points=np.concatenate([np.column_stack([rim, np.full(corners, z)]) for z in (-0.04, 0.04)]))


BRICK = Box(half=(0.1, 0.06, 0.04))


def both_ways(scene: Scene, seconds: float) -> tuple[Take, Take]:
    points, patches = (
        forward(scene, seconds, sleep=False, contacts="points"),
        forward(scene, seconds, sleep=False, contacts="patches"),
    )
    for take in (points, patches):
        assert (certify(take).tiers == EXACT).all()
    return points, patches


def assert_same_motion(points: Take, patches: Take) -> None:
    np.testing.assert_allclose(patches.positions, points.positions, atol=SAME, rtol=0)
    np.testing.assert_allclose(patches.orientations, points.orientations, atol=SAME, rtol=0)


def rows_of(take: Take) -> tuple[int, int]:
    """(contacts, contacts with unknowns) of all steps."""
    hold = take.tape.contact_column("hold")
    return len(hold), int((hold == FREE).sum())


@pytest.mark.parametrize(
    "scene",
    [
        alone(BRICK, 0.04),
        alone(BRICK, 0.04, velocity=(1.5, 0.4, 0.0)),
        alone(BRICK, 0.3),
        alone(prism(24), 0.04, velocity=(1.5, 0.4, 0.0)),
        alone(prism(7), 0.2),
        bonded_wall(3, 3),
    ],
    ids=["rests", "slides", "lands flat", "prism slides", "prism lands", "wall"],
)
def test_patches_move_like_points_with_three_unknowns_each(scene: Scene) -> None:
    points, patches = both_ways(scene, 0.5)
    assert_same_motion(points, patches)
    contacts, with_rows = rows_of(patches)
    assert rows_of(points) == (contacts, contacts)
    assert with_rows <= 0.75 * contacts


@pytest.mark.parametrize("turn", range(8))
def test_a_box_tips_over_whichever_edge_it_is_turned_about(turn: int) -> None:
    """Other corners carry than those it rested on: they must be found."""
    angle = turn * math.pi / 4.0 + 0.1
    scene = alone(BRICK, 0.04, angular_velocity=(3.0 * math.cos(angle), 3.0 * math.sin(angle), 0.0))
    assert_same_motion(*both_ways(scene, 0.4))


def test_a_pushed_box_shifts_its_load_to_the_leading_edge() -> None:
    """A tall box that slides without falling: the centre of pressure moves ahead by friction times the height of the
    centre, into another simplex of the cone than at rest."""
    tall = Box(half=(0.06, 0.06, 0.08))
    points, patches = both_ways(alone(tall, 0.08, velocity=(1.0, 0.0, 0.0)), 0.1)
    assert_same_motion(points, patches)
    tape = patches.tape
    rows = slice(int(tape.start[3]), int(tape.start[4]))
    push = tape.contact_column("impulse")[rows][:, 2]
    place = (patches.positions[3] + tape.contact_column("point_a")[rows])[:, 0] - patches.positions[3, 0, 0]
    assert push @ place / push.sum() == pytest.approx(0.4 * 0.08, rel=1e-6)


def test_corners_without_unknowns_bear_nothing_and_are_certified() -> None:
    take = forward(alone(prism(24), 0.04), 0.1, sleep=False, contacts="patches")
    hold, impulse = take.tape.contact_column("hold"), take.tape.contact_column("impulse")
    assert set(hold.tolist()) == {FREE, APART}
    assert not impulse[hold == APART].any()
    assert (np.add.reduceat(hold == FREE, take.tape.start[:-1]) == 3).all()
    assert certify(take).max_residual < 1e-10


def test_patches_are_refused_where_they_mean_nothing() -> None:
    with pytest.raises(ValueError, match='"points" or "patches"'):
        forward(alone(BRICK, 0.04), 0.1, contacts="planes")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="exact runs"):
        forward(alone(BRICK, 0.04), 0.1, accuracy="fast", contacts="patches")
    hung = Scene(
        bodies=[Body(name="bob", shape=Sphere(radius=0.1), position=(0, 0, 1))],
        joints=[Joint("ball", "bob", anchor=(0, 0, 2))],
    )
    with pytest.raises(ValueError, match="without joints"):
        forward(hung, 0.1, contacts="patches")
