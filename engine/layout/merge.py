"""Put what was imported into a scene: bodies with a known name are moved to where the layout has them, the others are
added. What did not change keeps every bit, so that takes of an unchanged ending stay good."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.layout.bodies import BESIDE, shape_notes
from engine.layout.reach import agree, shape_reaches
from engine.layout.tidy import tidy
from engine.layout.words import listed
from engine.scene.free_names import free_name
from engine.scene.spec import Body, Quaternion, Scene, TriangleMesh, Vector
from engine.shapes.ask import ask
from engine.shapes.joint_places import following
from engine.shapes.turns import IDENTITY, product, rotate, rotation_matrix

LOST_IN_FILES = 1e-6  # of the size and of the distance from the origin; for turns of 1: what files lose on the way
NUMBER = re.compile(r"^b(\d+)$")


@dataclass(frozen=True)
class Merged:
    scene: Scene
    ids: tuple[str, ...]  # of all bodies that came, in the order of the file
    added: int
    replaced: int
    notes: tuple[str, ...] = ()


def merged(scene: Scene, bodies: Sequence[Body], replace_same: bool = True) -> Merged:
    """`replace_same`: bodies of the scene with the name of one that comes take its place and shape, and keep their id,
    material, hints and all else. Locked ones stay as they are."""
    arrivals, sunk = _without_ground_copies(scene, bodies, replace_same)
    partners = _partners(scene, arrivals) if replace_same else {}
    locked = [body.name for body in partners.values() if body.locked]
    after = {old.id: _updated(old, arrivals[k]) for k, old in partners.items() if not old.locked}
    kept = [after.get(body.id, body) for body in scene.bodies]
    fresh = _named(scene, [body for k, body in enumerate(arrivals) if k not in partners])
    numbers = [int(match[1]) for body in fresh if (match := NUMBER.match(body.id))]
    grown = replace(
        scene,
        bodies=[*kept, *fresh],
        joints=following(scene, kept),
        next_id=max([scene.next_id, *(number + 1 for number in numbers)]),
    )
    new = iter(fresh)
    ids = [partners[k].id if k in partners else next(new).id for k in range(len(arrivals))]
    reshaped = [new for k, new in enumerate(arrivals) if k not in partners or _took_shape(partners[k], after, new)]
    notes = shape_notes(reshaped)
    if sunk:
        notes.append(f"{listed(sunk)} {'lies' if len(sunk) == 1 else 'lie'} in the ground, which takes the place.")
    if locked:
        notes.append(f"{listed(locked)} {'is' if len(locked) == 1 else 'are'} locked and left alone.")
    return Merged(grown, tuple(ids), len(fresh), len(after), tuple(notes))


def _took_shape(old: Body, after: Mapping[str, Body], new: Body) -> bool:
    return old.id in after and after[old.id].shape is new.shape


def _without_ground_copies(scene: Scene, bodies: Sequence[Body], replace_same: bool) -> tuple[list[Body], list[str]]:
    """A flat floor at height zero is the ground of the scene once more: contacts with both would be double. Where the
    scene has a body of that name, it stays matched."""
    matched = {body.name for body in scene.bodies} if replace_same else set()
    kept, sunk = [], []
    for body in bodies:
        if scene.ground and body.name not in matched and _is_level_zero(body):
            sunk.append(body.name)
        else:
            kept.append(body)
    return kept, sunk


def _is_level_zero(body: Body) -> bool:
    if not isinstance(body.shape, TriangleMesh):
        return False
    vertices = body.shape.vertices
    height = vertices @ rotation_matrix(body.orientation)[2] + body.position[2]
    return bool(np.abs(height).max() <= LOST_IN_FILES * float(np.abs(vertices).max()))


def _partners(scene: Scene, bodies: Sequence[Body]) -> dict[int, Body]:
    """For arrivals by number the body of the scene with the same name; of several the one with the same id, else the
    first that is free."""
    named: dict[str, list[Body]] = {}
    for body in scene.bodies:
        named.setdefault(body.name, []).append(body)
    found: dict[int, Body] = {}
    for by_id in (True, False):
        for k, body in enumerate(bodies):
            if k in found:
                continue
            free = named.get(body.name, [])
            chosen = next((old for old in free if old.id == body.id or not by_id), None)
            if chosen is not None:
                found[k] = chosen
                free.remove(chosen)
    return found


def _updated(old: Body, new: Body) -> Body:
    """The old body with the shape and pose of the new one, as far as they differ."""
    same = _with_old_shape(old, new)
    shape, position, orientation = (old.shape, *same) if same else (new.shape, new.position, new.orientation)
    extra = old.extra if same else {**old.extra, **_kept(new)}
    if _same_pose(old, position, orientation):
        if same:
            return old
        position, orientation = old.position, old.orientation
    static = old.static or not ask(shape).massive
    return replace(old, shape=shape, position=position, orientation=orientation, static=static, extra=extra)


def _with_old_shape(old: Body, new: Body) -> tuple[Vector, Quaternion] | None:
    """Where the old body is now, if it has the shape that comes.

    Rich shapes come back as the hull of their mesh. Where the whole mesh, in the frame of its object, reaches as far as
    the old shape does in every direction, the old shape is what was meant, and that frame is the body's."""
    beside = new.extra.get(BESIDE, {})
    theirs = shape_reaches(old.shape)
    if theirs is None:
        return None
    if "reach" in beside:
        place, turn = beside["pivot"]
        position = np.array(new.position) + np.array(rotate(new.orientation, place))
        x, y, z = tidy(position).tolist() if any(place) else new.position
        return ((x, y, z), product(new.orientation, turn)) if agree(np.array(beside["reach"]), theirs) else None
    ours = shape_reaches(new.shape) if type(old.shape) is type(new.shape) else None
    return (new.position, new.orientation) if ours is not None and agree(ours, theirs) else None


def _same_pose(old: Body, position: Vector, orientation: Quaternion) -> bool:
    room = LOST_IN_FILES * max(0.5 * ask(old.shape).scale().large, float(np.abs(old.position).max()))
    apart = np.abs(np.array(old.position) - np.array(position)).max()
    return bool(apart <= room) and _turn_apart(old.orientation, orientation) <= LOST_IN_FILES


def _turn_apart(a: Quaternion, b: Quaternion) -> float:
    p, q = np.array(a), np.array(b)
    return float(min(np.abs(p - q).max(), np.abs(p + q).max()))


def _kept(body: Body) -> dict[str, Any]:
    """What stays of what the import knows: where the object's own frame is, unless it is the body's."""
    pivot = body.extra.get(BESIDE, {}).get("pivot")
    own = pivot is None or (tuple(pivot[0]) == (0.0, 0.0, 0.0) and tuple(pivot[1]) == IDENTITY)
    return {} if own else {"pivot": pivot}


def _named(scene: Scene, bodies: Sequence[Body]) -> list[Body]:
    """New bodies with free names, and with their ids where those are free; others are given by the scene."""
    names, ids = {body.name for body in scene.bodies}, {body.id for body in scene.bodies}
    counted: dict[str, int] = {}
    number, fresh = scene.next_id, []
    wanted = {body.id for body in bodies}
    for body in bodies:
        name = free_name(body.name, names, counted)
        key = body.id
        if not key or key in ids:
            while f"b{number}" in ids or f"b{number}" in wanted:
                number += 1
            key = f"b{number}"
        names.add(name)
        ids.add(key)
        extra = {name: value for name, value in body.extra.items() if name != BESIDE} | _kept(body)
        fresh.append(replace(body, name=name, id=key, extra=extra))
    return fresh
