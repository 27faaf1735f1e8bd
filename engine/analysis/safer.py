"""What would keep a body from tipping over an edge: a move back from it, with what it carries where it has to be,
tried on the whole scene before it is offered."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.patch_inspect import inspect_contact, levels_of
from engine.arrivals.structure import Structure, structure_of
from engine.model.compile import compile_scene
from engine.scene.inspection import Fix, Inspection, Level, Point
from engine.scene.spec import Scene

SAFE = 0.25  # of the way from the edge to the middle of what it stands on: where the pressure is to be
WHOLE = 0.01  # m: moves are rounded up to this
WORSE: dict[Level, int] = {"fine": 0, "unknown": 1, "warning": 1, "bad": 2}


def with_fixes(scene: Scene, found: Sequence[Inspection], look_up: LookUp = go_on) -> list[Inspection]:
    """The same answers of one scene, each with the way out that one click goes, where there is one: the moved body is
    asked again, must not be in another's way, and nobody in the whole scene may stand worse for it."""
    if not any(_steps_back(each) for each in found):
        return list(found)
    before = levels_of(scene, look_up)
    return [_with_fix(scene, each, before, look_up) for each in found]


def _with_fix(scene: Scene, found: Inspection, before: Mapping[str, Level], look_up: LookUp) -> Inspection:
    back = _steps_back(found)
    if back is None:
        return found
    margin, by = back
    words = f"{found.sentence} The weight presses {1000.0 * margin:.0f} mm from it."
    length = f"{100.0 * math.hypot(*by):.0f} cm"
    for bodies in _together(scene, found.ids[0]):
        look_up()
        moved = _moved(scene, bodies, by)
        if not moved.problems() and _is_safe(moved, bodies[0], before, look_up):
            more = "" if len(bodies) == 1 else " and what it carries"
            fix = Fix(f"Move it{more} {length}", bodies, by)
            return replace(found, sentence=f"{words} Moved {length} away from the edge it stands safely.", fix=fix)
    return replace(found, sentence=words)


def _steps_back(found: Inspection) -> tuple[float, Point] | None:
    """m from the edge of what is about to tip over one, and the way back from it; None of everybody else."""
    edge = next((line for line in found.drawing.lines if line.role == "tipping edge"), None)
    values = {number.label: number.value for number in found.numbers}
    margin, share = values.get("Pressure to nearest edge"), values.get("Margin before tipping")
    if found.level != "warning" or edge is None or edge.outward is None or not margin or not share:
        return None
    far = WHOLE * math.ceil((SAFE * 100.0 / share - 1.0) * margin / WHOLE)
    x, y, z = (-far * np.array(edge.outward) / np.linalg.norm(edge.outward)).tolist()
    return margin, (x, y, z)


def _together(scene: Scene, body: str) -> Iterator[tuple[str, ...]]:
    """A body alone, then with all that stands on it."""
    yield (body,)
    structure = structure_of(compile_scene(scene))
    carried = _carried(structure, structure.model.ids.index(body))
    if carried:
        yield body, *(structure.model.ids[row] for row in sorted(carried))


def _carried(structure: Structure, body: int) -> set[int]:
    found, pending = {body}, [body]
    while pending:
        more = structure.carried[pending.pop()] - found
        found |= more
        pending += more
    return found - {body}


def _is_safe(moved: Scene, body: str, before: Mapping[str, Level], look_up: LookUp) -> bool:
    if inspect_contact(moved, body).level != "fine":
        return False
    return all(WORSE[level] <= WORSE[before[id]] for id, level in levels_of(moved, look_up).items())


def _moved(scene: Scene, bodies: Sequence[str], by: Point) -> Scene:
    def there(place: Point) -> Point:
        return place[0] + by[0], place[1] + by[1], place[2] + by[2]

    return replace(
        scene, bodies=[replace(b, position=there(b.position)) if b.id in bodies else b for b in scene.bodies]
    )
