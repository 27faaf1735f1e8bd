"""Put what was imported into a scene: bodies with a known name are moved to where the layout has them, the others are
added. What did not change keeps every bit, so that takes of an unchanged ending stay good."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.geometry.joint_places import following
from engine.geometry.turns import IDENTITY, rotation_matrix
from engine.layout.bodies import BESIDE
from engine.layout.reach import agree, shape_reaches
from engine.layout.words import listed
from engine.scene.free_names import free_name
from engine.scene.shape_rules import reach
from engine.scene.spec import Body, Hull, Plane, Quaternion, Scene, TriangleMesh

STILL = 1e-6  # of the size and of the distance from the origin; for turns of 1: what files lose on the way
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
    notes = []
    if sunk:
        notes.append(f"{listed(sunk)} {'lies' if len(sunk) == 1 else 'lie'} in the ground, which takes the place.")
    if locked:
        notes.append(f"{listed(locked)} {'is' if len(locked) == 1 else 'are'} locked and left alone.")
    return Merged(grown, tuple(ids), len(fresh), len(after), tuple(notes))


def _without_ground_copies(
    scene: Scene, bodies: Sequence[Body], replace_same: bool
) -> tuple[list[Body], list[str]]:
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
    return bool(np.abs(height).max() <= STILL * float(np.abs(vertices).max()))


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
    extra = {**old.extra, **_kept(new)}
    if old.extra == extra and _same_shape(old, new) and _same_pose(old, new):
        return old
    shape = old.shape if _same_shape(old, new) else new.shape
    surface = isinstance(shape, (TriangleMesh, Plane))
    if _same_pose(old, new):
        return replace(old, shape=shape, static=old.static or surface, extra=extra)
    position, orientation = new.position, new.orientation
    return replace(
        old, shape=shape, position=position, orientation=orientation, static=old.static or surface, extra=extra
    )


def _same_shape(old: Body, new: Body) -> bool:
    """Rich shapes come back as the hull of their mesh: where the whole mesh reaches as far as the old shape does, in
    every direction, the old shape is what was meant."""
    theirs = shape_reaches(old.shape)
    told = new.extra.get(BESIDE, {}).get("reach")
    if theirs is None or (type(old.shape) is not type(new.shape) and not isinstance(new.shape, (Hull, TriangleMesh))):
        return False
    ours = np.array(told) if told is not None else shape_reaches(new.shape)
    return ours is not None and agree(ours, theirs)


def _same_pose(old: Body, new: Body) -> bool:
    room = STILL * max(reach(old.shape), float(np.abs(old.position).max()))
    apart = np.abs(np.array(old.position) - np.array(new.position)).max()
    return bool(apart <= room) and _turn_apart(old.orientation, new.orientation) <= STILL


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
