"""What edits of bodies mean for joints: they go with the body they are measured against, and leave with either."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from engine.geometry.turns import inverse, product, rotate
from engine.scene.spec import Body, Joint, Scene, Vector


def following(scene: Scene, bodies: Sequence[Body]) -> list[Joint]:
    """The joints of a scene whose bodies become `bodies`: where the first body of a joint moved or turned, the joint
    moves and turns with it."""
    if not scene.joints:
        return scene.joints
    after = {body.id: body for body in bodies}
    return [_followed(joint, scene.find(joint.a), after) for joint in scene.joints]


def _followed(joint: Joint, was: Body | None, after: Mapping[str, Body]) -> Joint:
    now = after.get(was.id) if was is not None else None
    if was is None or now is None or (now.position == was.position and now.orientation == was.orientation):
        return joint
    turn = product(now.orientation, inverse(was.orientation))
    arm = rotate(turn, [a - b for a, b in zip(joint.anchor, was.position, strict=True)])
    x, y, z = (p + r for p, r in zip(now.position, arm, strict=True))
    anchor: Vector = (x, y, z)
    return replace(joint, anchor=anchor, axis=rotate(turn, joint.axis))


def without(scene: Scene, gone: Collection[str]) -> list[Joint]:
    """The joints left when the bodies of these ids are gone."""
    if not scene.joints:
        return scene.joints
    return [
        joint
        for joint in scene.joints
        if not any((body := scene.find(key)) is not None and body.id in gone for key in (joint.a, joint.b) if key)
    ]


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
        moved = _followed(replace(joint, a=first.id), first, {first.id: twin})
        fresh.append(replace(moved, a=twin.id, b=other, id="", name=""))
    return replace(scene, joints=[*scene.joints, *fresh]) if fresh else scene
