"""Who holds whom at the ending."""

from __future__ import annotations

from engine.analysis.stacking import free_bodies, holders
from engine.scene.spec import Body, Box, Scene
from tests.bench import scenes


def test_a_stack_is_held_by_what_stands_on_it() -> None:
    scene = scenes.brick_stack(3)
    bottom, middle, top = (body.id for body in scene.bodies)
    assert holders(scene) == {bottom: [middle], middle: [top]}


def test_a_body_between_walls_is_held_by_both() -> None:
    walls = [Body(f"wall{x}", Box((0.1, 1, 0.5)), (x, 0, 0.5), static=True) for x in (-0.2, 0.2)]
    scene = Scene([*walls, Body("a", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("b", Box((0.1, 0.1, 0.1)), (2, 0, 0.1))])
    left, right, jammed, _ = (body.id for body in scene.bodies)
    assert holders(scene) == {jammed: [left, right]}
    assert free_bodies(scene) == {"a": False, "b": True}


def test_nothing_holds_what_touches_nothing() -> None:
    assert holders(Scene([Body("a", Box((0.1, 0.1, 0.1)), (0, 0, 1.0))])) == {}
