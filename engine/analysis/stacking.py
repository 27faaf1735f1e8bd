"""Stacking: which bodies of an ending are free to have arrived last, and what holds the others?"""

from __future__ import annotations

from engine.direct.ending import ending_of, holders_of, is_constrained
from engine.geometry.lift import up_of
from engine.model.compile import compile_scene
from engine.scene.spec import Scene


def free_bodies(scene: Scene) -> dict[str, bool]:
    """Moving bodies by name: True when nothing holds the body from the other side (see engine/direct/support.py).

    A body that touches nothing is free."""
    model = compile_scene(scene)
    ending = ending_of(model)
    return {body.name: not is_constrained(ending, model.index(body)) for body in scene.bodies if not body.static}


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
