"""What would keep a body from tipping over an edge: a move back from it, tried before it is offered."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.patch_inspect import inspect_contact
from engine.scene.inspection import Fix, Inspection, Point
from engine.scene.spec import Scene

SAFE = 0.25  # of the way from the edge to the middle of what it stands on: where the pressure is to be
WHOLE = 0.01  # m: moves are rounded up to this


def with_fix(scene: Scene, found: Inspection, look_up: LookUp = go_on) -> Inspection:
    """The same answer, with the way out that one click goes, where there is one: the moved body is asked again, and
    must not be in another's way."""
    edge = next((line for line in found.drawing.lines if line.role == "tipping edge"), None)
    values = {number.label: number.value for number in found.numbers}
    margin, share = values.get("Pressure to nearest edge"), values.get("Margin before tipping")
    if found.level != "warning" or edge is None or edge.outward is None or not margin or not share:
        return found
    far = WHOLE * math.ceil((SAFE * 100.0 / share - 1.0) * margin / WHOLE)
    words = f"{found.sentence} The weight presses {1000.0 * margin:.0f} mm from it."
    x, y, z = (-far * np.array(edge.outward) / np.linalg.norm(edge.outward)).tolist()
    moved = _moved(scene, found.ids[0], (x, y, z))
    look_up()
    if moved.problems() or inspect_contact(moved, found.ids[0]).level != "fine":
        return replace(found, sentence=words)
    length = f"{100.0 * far:.0f} cm"
    fix = Fix(f"Move it {length}", found.ids[0], (x, y, z))
    return replace(found, sentence=f"{words} Moved {length} away from the edge it stands safely.", fix=fix)


def _moved(scene: Scene, body: str, by: Point) -> Scene:
    place = next(each.position for each in scene.bodies if each.id == body)
    there = (place[0] + by[0], place[1] + by[1], place[2] + by[2])
    return replace(scene, bodies=[replace(b, position=there) if b.id == body else b for b in scene.bodies])
