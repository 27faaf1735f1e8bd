"""Edits of joints, and what edits of bodies mean for them: they go with the body they are measured against, and leave
with either. Functions from a scene to a new scene; joints are found by their ids, unknown ids are ignored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from engine.scene.spec import Body, Joint, Scene, Vector
from engine.shapes.joint_places import followed, moved_to


def find_joint(scene: Scene, joint_id: str) -> Joint | None:
    return next((joint for joint in scene.joints if joint.id == joint_id), None) if joint_id else None


def bodies_of(scene: Scene, joint: Joint) -> list[Body]:
    """The bodies that a joint holds, the one it is measured against first."""
    return [body for key in (joint.a, joint.b) if key and (body := scene.find(key)) is not None]


def joints_of(scene: Scene, ids: Collection[str]) -> list[Joint]:
    """The joints that hold any of these bodies, in the order they were made."""
    if not scene.joints or not ids:
        return []
    chosen = set(ids)
    return [joint for joint in scene.joints if any(body.id in chosen for body in bodies_of(scene, joint))]


def add_joint(scene: Scene, joint: Joint) -> tuple[Scene, str]:
    """One more joint, with a new id; returns the scene and the id."""
    grown = replace(scene, joints=[*scene.joints, replace(joint, id="")])
    return grown, grown.joints[-1].id


def change_joint(scene: Scene, joint_id: str, change: Callable[[Joint], Joint]) -> Scene:
    """A joint replaced by what `change` makes of it; the scene itself when that is the same."""
    old = find_joint(scene, joint_id)
    if old is None or (fresh := change(old)) == old:
        return scene
    return replace(scene, joints=[fresh if joint is old else joint for joint in scene.joints])


def remove_joints(scene: Scene, ids: Collection[str]) -> Scene:
    kept = [joint for joint in scene.joints if joint.id not in ids]
    return replace(scene, joints=kept) if len(kept) < len(scene.joints) else scene


def placed(scene: Scene, ids: Collection[str], place: Callable[[Vector], Sequence[float]]) -> list[Joint]:
    """The joints of a scene in which `place` says where points go that belong to these bodies: scaling does more to an
    anchor than to carry it along."""
    if not scene.joints:
        return scene.joints
    chosen = set(ids)

    def goes(joint: Joint) -> bool:
        first = scene.find(joint.a)
        return first is not None and first.id in chosen

    return [moved_to(joint, place(joint.anchor)) if goes(joint) else joint for joint in scene.joints]


def without(scene: Scene, gone: Collection[str]) -> list[Joint]:
    """The joints left when the bodies of these ids are gone."""
    lost = {joint.id for joint in joints_of(scene, gone)}
    return [joint for joint in scene.joints if joint.id not in lost] if lost else scene.joints


def renamed(scene: Scene, old: str, new: str) -> list[Joint]:
    """Joints that call a body by its old name follow."""
    if not any(old in (joint.a, joint.b) for joint in scene.joints):
        return scene.joints
    return [
        replace(joint, a=new if joint.a == old else joint.a, b=new if joint.b == old else joint.b)
        for joint in scene.joints
    ]


def with_copied_joints(scene: Scene, before: Scene, copies: Mapping[str, str]) -> Scene:
    """The joints of `before` again between copies of its bodies: id of a body -> id of its copy. A joint whose other
    body was not copied is not copied either; one to the world is."""
    fresh = []
    for joint in before.joints:
        first, second = before.find(joint.a), before.find(joint.b) if joint.b else None
        if first is None or first.id not in copies or (joint.b and (second is None or second.id not in copies)):
            continue
        twin = next(body for body in scene.bodies if body.id == copies[first.id])
        other = copies[second.id] if second is not None else ""
        moved = followed(replace(joint, a=first.id), first, {first.id: twin})
        fresh.append(replace(moved, a=twin.id, b=other, id="", name=""))
    return replace(scene, joints=[*scene.joints, *fresh]) if fresh else scene
