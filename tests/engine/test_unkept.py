"""No wish is lost in silence: what the motion missed is told, whichever way the bodies came."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.arrivals.options import ArrivalsName, Options
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
