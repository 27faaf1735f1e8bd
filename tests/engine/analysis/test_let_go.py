"""Forces that could hold a body do not always act: what is let go and goes is called so by every inspector."""

from __future__ import annotations

import numpy as np

from engine.analysis.inspect import inspect, problems
from engine.analysis.let_go import let_go
from engine.analysis.stacking import report
from engine.model.compile import compile_scene
from engine.run import backward, forward
from engine.scene.spec import Body, Box, Material, Scene


def between_walls(carried: bool = False) -> Scene:
    """A block between two walls that touch it, without a floor or with one."""
    wood = Material(friction=0.5)
    walls = [
        Body(name, Box((0.1, 1.0, 1.0)), (x, 0.0, 1.0), material=wood, static=True)
        for name, x in (("left", -0.55), ("right", 0.55))
    ]
    block = Body("block", Box((0.45, 0.2, 0.2)), (0.0, 0.0, 0.2 if carried else 1.0), material=wood, id="block")
    return Scene(bodies=[*walls, block], ground=carried)


def test_a_block_between_walls_is_said_to_fall_by_every_tab_and_does() -> None:
    scene = between_walls()
    assert forward(scene, 0.5).tape.x[-1, :, 2].min() < 0.0  # m: it has fallen by more than one
    answers = {topic: inspect(scene, topic, "block") for topic in ("stability", "contact", "wedged")}
    assert answers["stability"].level == answers["contact"].level == "bad"
    assert "would not stay" in answers["wedged"].sentence
    (trouble,) = report(scene).troubles
    assert trouble.ids == ("block",)
    assert [each.ids for each in problems(scene)] == [("block",)]


def test_with_a_floor_nothing_is_wrong_with_it() -> None:
    scene = between_walls(carried=True)
    assert {inspect(scene, topic, "block").level for topic in ("stability", "contact")} == {"fine"}
    assert not problems(scene) and not report(scene).troubles


def test_what_nothing_carries_is_laid_by_a_hand() -> None:
    take = backward(between_walls(), 1.0)
    assert take.notes == ('"block" is laid by a hand: nothing under it carries it',)


def test_what_rests_does_not_move_when_it_is_let_go_and_what_hangs_in_the_air_does() -> None:
    standing = Body("standing", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1))
    hanging = Body("hanging", Box((0.1, 0.1, 0.1)), (1.0, 0.0, 1.0))
    model = compile_scene(Scene(bodies=[standing, hanging]))
    rows = {name: model.names.index(name) for name in ("standing", "hanging")}
    found = let_go(model, np.array(sorted(rows.values())))
    assert found.moved == (rows["hanging"],) and found.way[rows["hanging"], 2] < 0.0
    assert let_go(model, np.array([rows["standing"]])).moved == ()
