"""Who holds whom at the ending."""

from __future__ import annotations

from engine.analysis.stacking import free_bodies
from engine.arrivals.ending import ending_of, holders_of, is_constrained
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Scene
from engine.scene.vectors import up_of
from tests.bench import scenes


def holders(scene: Scene) -> dict[str, list[str]]:
    """Ids of moving bodies that cannot leave, each with the ids of the bodies that hold it, mostly from above.

    The ground is no body of the scene; where it holds (a body under an upside-down plane) it is left out."""
    model = compile_scene(scene)
    ending, up = ending_of(model), up_of(scene.gravity)
    bodies = {model.index(body): body for body in scene.bodies}
    held = {}
    for row, body in bodies.items():
        if not body.static and is_constrained(ending, row):
            held[body.id] = [bodies[other].id for other in holders_of(ending, row, up) if other in bodies]
    return held


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
