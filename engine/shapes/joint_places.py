"""Joints go with the body they are measured against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.scene.spec import Body, Joint, Scene, Vector
from engine.shapes.turns import inverse, product, rotate


def following(scene: Scene, bodies: Sequence[Body]) -> list[Joint]:
    """The joints of a scene whose bodies become `bodies`: where the first body of a joint moved or turned, the joint
    moves and turns with it."""
    if not scene.joints:
        return scene.joints
    after = {body.id: body for body in bodies}
    return [followed(joint, scene.find(joint.a), after) for joint in scene.joints]


def followed(joint: Joint, was: Body | None, after: Mapping[str, Body]) -> Joint:
    now = after.get(was.id) if was is not None else None
    if was is None or now is None or (now.position == was.position and now.orientation == was.orientation):
        return joint
    arm: Vector = tuple(a - b for a, b in zip(joint.anchor, was.position, strict=True))  # type: ignore[assignment]
    if now.orientation != was.orientation:
        turn = product(now.orientation, inverse(was.orientation))
        arm, joint = rotate(turn, arm), replace(joint, axis=rotate(turn, joint.axis))
    return moved_to(joint, [p + r for p, r in zip(now.position, arm, strict=True)])


def moved_to(joint: Joint, anchor: Sequence[float]) -> Joint:
    x, y, z = (float(length) for length in anchor)
    return replace(joint, anchor=(x, y, z))
