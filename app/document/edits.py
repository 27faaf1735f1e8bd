"""Edits of the ending: functions from a scene to a new scene. Nothing given is ever changed.

Bodies that an edit does not touch are shared between the two. `ids` are ids of bodies; unknown ones are ignored. What
is locked stays where it is: edits that move, turn, size or delete leave locked bodies alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from app.document.entrance_edits import following_name, with_copied_entrances, without_lost
from app.document.hint_edits import with_copies
from app.document.joint_edits import placed, renamed, with_copied_joints, without
from app.document.sizing import scaled_shape
from engine.scene.free_names import free_name
from engine.scene.spec import Body, Group, Material, Quaternion, Scene, Shape, Vector
from engine.shapes.joint_places import following
from engine.shapes.turns import product, rotation_matrix


def changed(body: Body, **fields: Any) -> Body:
    """A body with other values for some fields; what dataclasses.replace does, but without reading all the others in
    anew, which takes ten times as long and is felt with thousands of bodies."""
    for name, value in fields.items():
        if name in Body.coercions:
            fields[name] = Body.coercions[name](value)
    return _put(body, **fields)


def _put(body: Body, **fields: Any) -> Body:
    """Like `changed`, for values that are known to be as the body keeps them (floats, tuples of floats, shapes)."""
    other = object.__new__(Body)
    vars(other).update(vars(body), **fields)
    return other


def moved(body: Body, by: Sequence[float], **fields: Any) -> Body:
    """A body elsewhere, by an offset (m), and with other values for some fields."""
    (x, y, z), (dx, dy, dz) = body.position, by
    return _put(body, position=(x + float(dx), y + float(dy), z + float(dz)), **fields)


def with_bodies(scene: Scene, bodies: Iterable[Body]) -> Scene:
    """The same bodies with other values; joints go with them."""
    changed_bodies = list(bodies)
    return replace(scene, bodies=changed_bodies, joints=following(scene, changed_bodies))


def alter(scene: Scene, ids: Collection[str], edit: Callable[[Body], Body]) -> Scene:
    """Every body of `ids` replaced by what `edit` makes of it."""
    chosen = set(ids)
    return with_bodies(scene, (edit(body) if body.id in chosen else body for body in scene.bodies))


def set_fields(scene: Scene, ids: Collection[str], **fields: Any) -> Scene:
    """The same value for a field of many bodies."""
    return alter(scene, ids, lambda body: changed(body, **fields))


def set_material(scene: Scene, ids: Collection[str], **fields: Any) -> Scene:
    """Change some fields of the materials of many bodies."""
    return alter(scene, ids, lambda body: changed(body, material=replace(body.material, **fields)))


def assign_material(scene: Scene, ids: Collection[str], material: Material) -> Scene:
    return alter(scene, ids, lambda body: changed(body, material=replace(material)))


def place(scene: Scene, poses: Mapping[str, tuple[Vector, Quaternion]]) -> Scene:
    """Bodies put at given poses, locked ones too (settling moves what must move)."""

    def placed(body: Body) -> Body:
        position, orientation = poses[body.id]
        if position == body.position and orientation == body.orientation:
            return body
        return changed(body, position=position, orientation=orientation)

    return alter(scene, poses.keys(), placed)


def movable(scene: Scene, ids: Collection[str]) -> list[str]:
    """Those of `ids` that are in the scene and not locked, in the scene's order."""
    chosen = set(ids)
    return [body.id for body in scene.bodies if body.id in chosen and not body.locked]


def translate(scene: Scene, ids: Collection[str], offset: Sequence[float]) -> Scene:
    by = [float(length) for length in offset]
    return alter(scene, movable(scene, ids), lambda body: moved(body, by))


def turn(scene: Scene, ids: Collection[str], pivot: Sequence[float], by: Quaternion) -> Scene:
    """Turn bodies about a point (their places too)."""
    row_x, row_y, row_z = rotation_matrix(by).tolist()
    cx, cy, cz = (float(length) for length in pivot)

    def turned(body: Body) -> Body:
        x, y, z = body.position[0] - cx, body.position[1] - cy, body.position[2] - cz
        place = (
            cx + (row_x[0] * x + row_x[1] * y + row_x[2] * z),
            cy + (row_y[0] * x + row_y[1] * y + row_y[2] * z),
            cz + (row_z[0] * x + row_z[1] * y + row_z[2] * z),
        )
        return _put(body, position=place, orientation=product(by, body.orientation))

    return alter(scene, movable(scene, ids), turned)


def scale(scene: Scene, ids: Collection[str], pivot: Sequence[float], factors: Sequence[float]) -> Scene:
    """Scale places about a point along the world's axes, and shapes as far as they can follow (sizing.py)."""
    cx, cy, cz = (float(length) for length in pivot)
    fx, fy, fz = (float(factor) for factor in factors)
    known: dict[tuple[int, Quaternion], Shape] = {}  # bodies that shared a shape share the new one

    def scaled(body: Body) -> Body:
        x, y, z = body.position
        key = (id(body.shape), body.orientation)
        if key not in known:
            known[key] = scaled_shape(body.shape, body.orientation, (fx, fy, fz))
        place = (cx + fx * (x - cx), cy + fy * (y - cy), cz + fz * (z - cz))
        return _put(body, position=place, shape=known[key])

    free = movable(scene, ids)
    joints = placed(scene, free, lambda at: (cx + fx * (at[0] - cx), cy + fy * (at[1] - cy), cz + fz * (at[2] - cz)))
    return replace(alter(scene, free, scaled), joints=joints)


def add(scene: Scene, bodies: Sequence[Body]) -> tuple[Scene, list[str]]:
    """Bodies with new ids and free names at the end of the scene; returns the scene and the ids."""
    names = {body.name for body in scene.bodies}
    counted: dict[str, int] = {}
    fresh = []
    for body in bodies:
        name = free_name(body.name, names, counted)
        names.add(name)
        fresh.append(_put(body, id="", name=name))
    grown = replace(scene, bodies=[*scene.bodies, *fresh])  # which gives ids to those without
    return grown, [body.id for body in fresh]


def remove(scene: Scene, ids: Collection[str]) -> Scene:
    """Without these bodies (locked ones stay), all that was said of them (hints, joints, entrances, turns), and the
    groups that this leaves empty."""
    gone = set(movable(scene, ids))
    names = {body.name for body in scene.bodies if body.id in gone}
    kept = [body for body in scene.bodies if body.id not in gone]
    left = gone | (names - {body.name for body in kept})
    hints = [hint for hint in scene.hints if hint.body not in left]
    order = [key for key in scene.arrival_order if key not in left]
    left_over = replace(scene, bodies=kept, hints=hints, joints=without(scene, gone), arrival_order=order)
    return without_empty_groups(without_lost(scene, left_over))


def duplicate(scene: Scene, ids: Collection[str], offset: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[Scene, list[str]]:
    """Copies (unlocked, in the same groups, with their hints, entrances and the joints between them), moved by an
    offset; returns the scene and the new ids."""
    wanted = set(ids)
    chosen = [body for body in scene.bodies if body.id in wanted]
    grown, fresh = add_copies(scene, chosen, [moved(body, offset, locked=False) for body in chosen])
    made = {old.id: new for old, new in zip(chosen, fresh, strict=True)}
    hinted = with_copies(grown, scene, {old: [new] for old, new in made.items()})
    return with_copied_entrances(hinted, scene, made), fresh


def array(
    scene: Scene, ids: Collection[str], counts: Sequence[int], spacing: Sequence[float]
) -> tuple[Scene, list[str]]:
    """A grid of copies, with the joints between them: counts[k] in all along axis k, `spacing` m apart; returns the
    scene and the new ids."""
    wanted = set(ids)
    chosen = [body for body in scene.bodies if body.id in wanted]
    places = np.ndindex(*reversed(counts))  # the first axis goes fastest
    offsets = (np.array(place[::-1]) * np.asarray(spacing, float) for place in islice(places, 1, None))
    copies = [moved(body, offset, locked=False) for offset in offsets for body in chosen]
    return add_copies(scene, chosen, copies)


def add_copies(scene: Scene, chosen: Sequence[Body], copies: Sequence[Body]) -> tuple[Scene, list[str]]:
    """Copies of all the chosen bodies, round after round, with the joints between those of a round; returns the scene
    and the new ids."""
    grown, fresh = add(scene, copies)
    ids = [body.id for body in chosen]
    for first in range(0, len(fresh) if scene.joints else 0, max(len(ids), 1)):
        grown = with_copied_joints(grown, scene, dict(zip(ids, fresh[first:], strict=False)))
    return grown, fresh


def group(scene: Scene, ids: Collection[str], name: str = "Group") -> tuple[Scene, str]:
    """A new group of these bodies, inside the group they all share; returns the scene and the group's id."""
    wanted = set(ids)
    chosen = [body for body in scene.bodies if body.id in wanted]
    parents = {body.group for body in chosen}
    parent = parents.pop() if len(parents) == 1 else ""
    number = scene.next_id
    taken = {entry.id for entry in scene.groups}
    while f"g{number}" in taken:
        number += 1
    made = Group(f"g{number}", free_name(name, {entry.name for entry in scene.groups}), parent)
    grown = replace(scene, groups=[*scene.groups, made], next_id=number + 1)
    return without_empty_groups(set_fields(grown, ids, group=made.id)), made.id


def ungroup(scene: Scene, ids: Collection[str]) -> Scene:
    """Bodies leave their group for the one around it."""
    parent = {entry.id: entry.parent for entry in scene.groups}
    return without_empty_groups(alter(scene, ids, lambda body: replace(body, group=parent.get(body.group, ""))))


def rename_group(scene: Scene, group_id: str, name: str) -> Scene:
    groups = [replace(entry, name=name) if entry.id == group_id else entry for entry in scene.groups]
    old = next((entry.name for entry in scene.groups if entry.id == group_id), "")
    entrances = following_name(scene, group_id, old) if old and old != name else scene.entrances
    return replace(scene, groups=groups, entrances=entrances)


def members(scene: Scene, group_id: str) -> list[str]:
    """Ids of the bodies in a group and in the groups inside it."""
    inside = {group_id}
    while True:
        more = {entry.id for entry in scene.groups if entry.parent in inside} | inside
        if more == inside:
            return [body.id for body in scene.bodies if body.group in inside]
        inside = more


def without_empty_groups(scene: Scene) -> Scene:
    """Groups without a body, in them or in a group inside them, disappear, and their entrances with them."""
    parent = {entry.id: entry.parent for entry in scene.groups}
    used: set[str] = set()
    for key in {body.group for body in scene.bodies}:
        while key in parent and key not in used:
            used.add(key)
            key = parent[key]
    if len(used) == len(scene.groups):
        return scene
    return without_lost(scene, replace(scene, groups=[entry for entry in scene.groups if entry.id in used]))


def rename(scene: Scene, body_id: str, name: str) -> Scene:
    """A new name, made free; hints, joints, entrances and the order of arrival that call the body by its old name
    follow."""
    body = next((entry for entry in scene.bodies if entry.id == body_id), None)
    if body is None or body.name == name or not name.strip():
        return scene
    fresh = free_name(name.strip(), {entry.name for entry in scene.bodies if entry.id != body_id})
    hints = [replace(hint, body=fresh) if hint.body == body.name else hint for hint in scene.hints]
    joints = renamed(scene, body.name, fresh)
    order = [body_id if key == body.name else key for key in scene.arrival_order]
    entrances = following_name(scene, body_id, body.name)
    moved = set_fields(replace(scene, hints=hints, arrival_order=order, entrances=entrances), [body_id], name=fresh)
    return replace(moved, joints=joints) if joints is not scene.joints else moved


def reorder(scene: Scene, ids: Collection[str], before: str | None) -> Scene:
    """Bodies moved in front of another one (None: to the end), in their order."""
    chosen = set(ids)
    moved = [body for body in scene.bodies if body.id in chosen]
    rest = [body for body in scene.bodies if body.id not in chosen]
    at = next((i for i, body in enumerate(rest) if body.id == before), len(rest))
    return with_bodies(scene, [*rest[:at], *moved, *rest[at:]])
