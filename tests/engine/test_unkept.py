"""No wish is lost in silence: what the motion missed is told, whichever way the bodies came."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from engine.arrivals.options import ArrivalsName, Options
from engine.certificate.audit import certify
from engine.contact.tiers import PLASTIC
from engine.run import backward
from engine.scene.entrance import Stagger
from engine.scene.spec import Body, Box, Hint, Scene

COARSE = 1 / 240


def stack(*hints: Hint) -> Scene:
    bodies = [Body(name, Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1 + 0.2 * i)) for i, name in enumerate("ABC")]
    return Scene(bodies, hints=list(hints))


def row_of_crates(**asked: object) -> Scene:
    bodies = [Body(name, Box((0.1, 0.1, 0.1)), (0.5 * i, 0.0, 0.1)) for i, name in enumerate("ABC")]
    return Scene(bodies, **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("arrivals", get_args(ArrivalsName))
def test_a_hint_under_others_is_followed_or_told_of(arrivals: ArrivalsName) -> None:
    """With bodies on it, nobody comes along the ground at its end without them."""
    take = backward(
        stack(Hint("slide", "A", direction=(1, 0, 0), speed=1.0)), 2.0, COARSE, 0, Options(arrivals=arrivals)
    )
    row, tape = take.model.index(take.scene.bodies[0]), take.tape
    x = tape.x[int(tape.releases.step[row]) :, row]
    slid = float(x[-1, 0] - x[abs(x[:, 2] - x[-1, 2]) < 1e-9, 0].min())
    assert slid > 0.05 or any(note.startswith('"A"') for note in take.notes)


def test_times_that_nobody_can_keep_are_told() -> None:
    scene = row_of_crates()
    scene.bodies[1].arrival = 1.0
    scene.bodies[2].arrival = 9.0
    take = backward(scene, 2.0, COARSE)
    assert not any(note.startswith('"B"') for note in take.notes)
    assert any(note.startswith('"C"') and "from the start" in note for note in take.notes)


def test_a_stagger_without_the_time_for_it_is_told() -> None:
    hurried = row_of_crates(stagger=Stagger("left to right", 2.0))
    assert any("the take is too short" in note for note in backward(hurried, 2.0, COARSE).notes)
    assert backward(row_of_crates(stagger=Stagger("left to right", 0.3)), 5.0, COARSE).notes == ()


def test_a_take_in_which_nothing_moves_says_why() -> None:
    scene = row_of_crates()
    for body in scene.bodies:
        body.leaves = "never"
    (note,) = backward(scene, 1.0, COARSE).notes
    assert note.startswith("nothing moves in this take") and '"A"' in note


def carried_ways() -> list[Hint]:
    return [
        Hint("slide", "A", direction=(1, 0, 0), speed=1.0),
        Hint("slide", "B", direction=(0, 1, 0), speed=0.5),
        Hint("slide", "C", direction=(1, 0, 0), speed=0.5),
        Hint("bounce", "A", direction=(1, 0, 0), height=0.3, distance=0.4),
        Hint("bounce", "A", direction=(1, 0, -1), speed=2.0),
    ]


@pytest.mark.parametrize("hint", carried_ways(), ids=lambda hint: f"{hint.kind} {hint.body}")
def test_a_hint_in_a_stack_is_followed_at_its_turn(hint: Hint) -> None:
    """Whoever carries others came before them, and may have slid or bounced in then. Fastest before its rest, it has
    the level direction and the speed that its hint says."""
    scene = stack(hint)
    take = backward(scene, 3.0)
    body = next(body for body in scene.bodies if body.name == hint.body)
    index, row = scene.bodies.index(body), take.model.index(body)
    v = take.velocities[int(take.tape.releases.step[row]) :, index]
    fastest = v[int(np.linalg.norm(v, axis=1).argmax())]
    level = np.array(hint.direction[:2], float) / np.linalg.norm(hint.direction[:2])
    assert fastest[:2] @ level > 0.99 * np.linalg.norm(fastest[:2]) > 0.0
    if hint.height is not None:
        assert fastest[2] ** 2 == pytest.approx(2.0 * 9.81 * hint.height, rel=0.02), "v^2 = 2 g h"
        flight = 2.0 * np.sqrt(2.0 * hint.height / 9.81)
        assert np.linalg.norm(fastest[:2]) == pytest.approx(hint.distance / flight, rel=0.05)
    else:
        assert np.linalg.norm(fastest) == pytest.approx(hint.speed, rel=0.05)
    assert not any("as drawn" in note or "than drawn" in note for note in take.notes)
    assert certify(take).tiers.max() <= PLASTIC
