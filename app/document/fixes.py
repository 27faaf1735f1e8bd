"""Problems of an ending in the artist's words, each with the one-click fix it has.

The worker finds them (it can measure distances); the words and the fixes are here, so that panels need no worker to
show and apply them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from app.document import edits
from engine.scene.free_names import free_name
from engine.scene.inspection import Inspection
from engine.scene.joint_rules import joint_problems
from engine.scene.nearest import holders_of
from engine.scene.spec import Body, Joint, Problem, Scene, Vector
from engine.work.records import Checked, PoseFinding

GROUND = "ground"  # id of the ground in what the worker finds
FLAT = 0.999  # cosine: a gap this upright closes by going straight down


@dataclass(frozen=True)
class Item:
    """One problem. `fix` is the word on its button: "" when there is none, SETTLE when the worker has to do it."""

    severity: str  # "error", "warning"
    code: str
    ids: tuple[str, ...]  # bodies concerned, the first is the one to look at
    message: str
    advice: str = ""  # a sentence on what to do, for problems without a button
    fix: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)  # numbers a fix needs; JSON


SETTLE = "Settle"  # a fix that only the worker can do: settle `item.ids`
PUSH_APART, DROP = "Push apart", "Drop"


def length(value: float) -> str:
    """A length as people say it: 4 mm, 3 cm, 1.2 m."""
    for unit, size in (("m", 1.0), ("cm", 0.01), ("mm", 0.001)):
        if value >= 0.9995 * size:
            return f"{float(f'{value / size:.2g}'):g} {unit}" if value < 10 else f"{value:.0f} m"
    return f"{float(f'{value * 1e3:.1g}'):g} mm" if value >= 1e-6 else "less than 0.001 mm"


def overlap(severity: str, first: tuple[str, str], second: tuple[str, str], depth: float, normal: Vector) -> Item:
    """first, second: (id, name); the first is the one that can move; `normal` points from the second to it."""
    message = f"{first[1]} is {length(depth)} inside {_called(second)}."
    data = {"depth": depth, "normal": list(normal)}
    return Item(severity, "overlap", (first[0], second[0]), message, "Move them apart.", PUSH_APART, data)


def floating(
    members: Sequence[tuple[str, str]], below: tuple[str, str] | None, gap: float, normal: Vector, up: Vector
) -> Item:
    """members: (id, name) of the bodies that hang together; the first is nearest to what is below."""
    ids, name = tuple(key for key, _ in members), members[0][1]
    advice = "Drop it onto the surface, or give it a velocity if it is in flight at the ending."
    if below is None:
        return Item("warning", "floating", ids, f"{name} hangs in the air: there is nothing below it.", advice)
    data = {"gap": gap, "up": list(up), "below": below[0]}
    straight = float(np.dot(normal, up)) >= FLAT
    message = f"{name} hangs {length(gap)} above {_called(below)}."
    return Item("warning", "floating", ids, message, advice, DROP if straight else SETTLE, data)


def items_of(scene: Scene, checked: Checked) -> list[Item]:
    """Everything that the worker found, errors first."""
    items = [about_value(scene, problem) for problem in checked.problems]
    items += [_about_pose(found) for found in checked.poses]
    return sorted(items, key=lambda item: item.severity != "error")


def _about_pose(found: PoseFinding) -> Item:
    if found.code == "overlap":
        assert found.other is not None
        return overlap(found.severity, found.bodies[0], found.other, -found.distance, found.normal)
    return floating(found.bodies, found.other, found.distance, found.normal, found.up)


def about_value(scene: Scene, problem: Problem) -> Item:
    """A problem of values, as Scene.problems() tells them."""
    ids = tuple(body.id for body in scene.bodies if isinstance(body, Body) and body.name == problem.body)
    word = FIXES[problem.code][0] if problem.code in FIXES else ""
    return Item(problem.severity, problem.code, ids, problem.message, problem.fix, word)


def unstable(found: Inspection) -> Item:
    """A body that does not stand, or is about to fall, as an inspector tells it."""
    words, data = (
        ("", {})
        if found.fix is None
        else (found.fix.words, {"by": list(found.fix.by), "bodies": list(found.fix.bodies)})
    )
    first, more, rest = found.sentence.partition(". ")
    return Item("warning", "unstable", found.ids[:1], first + more.strip(), rest, words, data)


def fixed(scene: Scene, item: Item) -> Scene | None:
    """The scene without this problem; None when the item has no fix that can be made here, or it no longer applies.
    The caller makes one command of it, named `item.fix`."""
    if item.code not in FIXES or not item.fix or item.fix == SETTLE:
        return None
    after = FIXES[item.code][1](scene, item)
    return None if after is scene else after


def _called(body: tuple[str, str]) -> str:
    return "the ground" if body[0] == GROUND else body[1]


def _push_apart(scene: Scene, item: Item) -> Scene:
    """Move whichever may move; of two, the upper one."""
    away = float(item.data["depth"]) * np.array(item.data["normal"], float)
    up = -np.array(scene.gravity, float)
    candidates = []
    for key, way in zip(item.ids, (away, -away), strict=False):
        body = next((entry for entry in scene.bodies if entry.id == key), None)
        if body is not None and not body.static and not body.locked:
            candidates.append((float(np.dot(up, body.position)), key, way))
    if not candidates:
        return scene
    _, key, way = max(candidates, key=lambda entry: entry[0])
    return edits.translate(scene, [key], way.tolist())


def _drop(scene: Scene, item: Item) -> Scene:
    down = -float(item.data["gap"]) * np.array(item.data["up"], float)
    return edits.translate(scene, item.ids, down.tolist()) if edits.movable(scene, item.ids) else scene


def _rename(scene: Scene, item: Item) -> Scene:
    """Every body but the first of that name gets a free one."""
    names, bodies = {body.name for body in scene.bodies}, list(scene.bodies)
    meant = next((body.name for body in bodies if body.id in item.ids), "")
    twice = [i for i, body in enumerate(bodies) if body.id in item.ids and body.name == meant]
    for i in twice[1:]:
        fresh = free_name(bodies[i].name, names)
        names.add(fresh)
        bodies[i] = replace(bodies[i], name=fresh)
    return edits.with_bodies(scene, bodies) if len(twice) > 1 else scene


def _new_ids(scene: Scene, item: Item) -> Scene:
    seen: set[str] = set()
    bodies = []
    for body in scene.bodies:
        bodies.append(replace(body, id="") if body.id in seen else body)
        seen.add(body.id)
    return edits.with_bodies(scene, bodies)


def _clear(**fields: Any) -> Callable[[Scene, Item], Scene]:
    """Give static bodies the values that they must have."""

    def clear(scene: Scene, item: Item) -> Scene:
        still = [body.id for body in scene.bodies if body.id in item.ids and body.static]
        return edits.set_fields(scene, still, **fields)

    return clear


def _widen(scene: Scene, item: Item) -> Scene:
    """Ranges that leave out their own value reach to it."""

    def wider(body: Body) -> Body:
        material = body.material
        for what in ("friction", "restitution"):
            span, value = getattr(material, f"{what}_range"), getattr(material, what)
            numbers = (*span, value) if isinstance(span, tuple) and len(span) == 2 else ()
            if numbers and all(isinstance(n, float) and math.isfinite(n) for n in numbers):
                fields: dict[str, Any] = {f"{what}_range": (min(numbers), max(numbers))}
                material = replace(material, **fields)
        return replace(body, material=material)

    return edits.alter(scene, item.ids, wider)


def _delete_lost_hints(scene: Scene, item: Item) -> Scene:
    def serves(key: str) -> bool:
        body = scene.find(key)
        return body is not None and not body.static

    kept = [hint for hint in scene.hints if serves(hint.body)]
    return replace(scene, hints=kept) if len(kept) < len(scene.hints) else scene


def _delete_lost_entrances(scene: Scene, item: Item) -> Scene:
    known = holders_of(scene)
    kept = [entrance for entrance in scene.entrances if entrance.who in known or entrance.who == ""]
    return replace(scene, entrances=kept) if len(kept) < len(scene.entrances) else scene


def _has_fault(scene: Scene, joint: Joint, code: str) -> bool:
    return any(problem.code == code for problem in joint_problems(replace(scene, joints=[joint])))


def _delete_joints(scene: Scene, item: Item) -> Scene:
    kept = [joint for joint in scene.joints if not _has_fault(scene, joint, item.code)]
    return replace(scene, joints=kept) if len(kept) < len(scene.joints) else scene


def _clear_limits(scene: Scene, item: Item) -> Scene:
    wrong = [joint.id for joint in scene.joints if _has_fault(scene, joint, item.code)]
    free = [replace(joint, lo=None, hi=None) if joint.id in wrong else joint for joint in scene.joints]
    return replace(scene, joints=free) if wrong else scene


def _move_back(scene: Scene, item: Item) -> Scene:
    bodies = item.data["bodies"]
    return edits.translate(scene, bodies, item.data["by"]) if edits.movable(scene, bodies) else scene


FIXES: dict[str, tuple[str, Callable[[Scene, Item], Scene]]] = {
    "overlap": (PUSH_APART, _push_apart),
    "floating": (DROP, _drop),
    "unstable": ("Move it", _move_back),
    "duplicate-name": ("Rename", _rename),
    "duplicate-id": ("Give a new id", _new_ids),
    "static-moves": ("Clear velocity", _clear(velocity=(0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 0.0))),
    "static-arrives": ("Clear arrival", _clear(arrival=None)),
    "friction-range": ("Widen range", _widen),
    "restitution-range": ("Widen range", _widen),
    "hint-static": ("Delete hint", _delete_lost_hints),
    "entrance-who": ("Delete entrance", _delete_lost_entrances),
    "joint-static": ("Delete joint", _delete_joints),
    "joint-same": ("Delete joint", _delete_joints),
    "joint-body": ("Delete joint", _delete_joints),
    "joint-limits": ("Clear limits", _clear_limits),
}
"""Code -> word on the button, and what it does."""
