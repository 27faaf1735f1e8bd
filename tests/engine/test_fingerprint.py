"""Two scenes with one fingerprint have the same takes; anything a motion depends on changes it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.scene.fingerprint import fingerprint
from engine.scene.request import Request
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Group, Hint, Hull, Material, Scene, Sphere

CORNERS = np.array([[0, 0, 0.1], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.0]])


def scene(**fields: object) -> Scene:
    bodies = [Body("A", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("B", Hull(CORNERS), (1, 0, 0.0))]
    return Scene(**{"bodies": bodies, "hints": [Hint("bounce", "b1", speed=1.0)], **fields})  # type: ignore[arg-type]


def with_first(**fields: object) -> Scene:
    made = scene()
    return replace(made, bodies=[replace(made.bodies[0], **fields), *made.bodies[1:]])


@pytest.mark.parametrize(
    "other",
    [
        with_first(position=(0, 0, np.nextafter(0.1, 1.0))),
        with_first(orientation=(0, 1, 0, 0)),
        with_first(shape=Sphere(0.1)),
        with_first(shape=Box((0.1, 0.1, 0.2))),
        with_first(material=Material(friction=0.1)),
        with_first(velocity=(1, 0, 0)),
        with_first(arrival=0.5),
        with_first(static=True),
        with_first(leaves="never"),
        scene(arrival_order=["b2", "b1"]),
        with_first(id="b9"),
        scene(gravity=(0, 0, -1.62)),
        scene(ground=False),
        scene(ground_material=Material(friction=0.9)),
        scene(hints=[Hint("slide", "b1", speed=1.0)]),
        scene(hints=[]),
        replace(scene(), bodies=[scene().bodies[0], replace(scene().bodies[1], shape=Hull(1.01 * CORNERS))]),
        replace(scene(), bodies=scene().bodies[:1]),
    ],
)
def test_what_a_motion_depends_on_changes_it(other: Scene) -> None:
    assert fingerprint(other) != fingerprint(scene())


@pytest.mark.parametrize(
    "other",
    [
        scene(),
        with_first(name="Crate"),
        with_first(color="#ff0000"),
        with_first(hidden=True, locked=True, group="g1"),
        replace(scene(), name="Shot 3", groups=[Group("g1", "Wall")], next_id=99),
        scene(takes=[TakeCard("t1", "Take 01")], shot="t1", request=Request(takes=3)),
    ],
)
def test_what_only_the_editor_needs_does_not(other: Scene) -> None:
    assert fingerprint(other) == fingerprint(scene())


def test_scenes_of_older_versions_keep_theirs() -> None:
    """Or the takes of every project would be older than its scene after an update."""
    assert fingerprint(scene()) == "54d319df279dd90f9e11c4283feb79d6"
