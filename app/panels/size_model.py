"""The size fields that bodies have in common, read and written. Lengths in m."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from app.document import edits
from app.panels.body_model import Common, common
from engine.scene.spec import Body, Scene
from engine.shapes.answers import SizeField
from engine.shapes.ask import ask


def size_fields(bodies: Sequence[Body]) -> tuple[SizeField, ...]:
    """The fields that all of these bodies have: none when their kinds differ."""
    kinds = {type(body.shape): body.shape for body in bodies}
    return ask(kinds.popitem()[1]).sizes if len(kinds) == 1 else ()


def common_size(bodies: Sequence[Body], field: SizeField) -> Common[float]:
    return common(bodies, lambda body: field.read(body.shape))


def set_size(scene: Scene, ids: Collection[str], field: SizeField, length: float) -> Scene:
    """One size of many bodies of one kind, about their origins; locked ones keep theirs."""

    def resized(body: Body) -> Body:
        if field.read(body.shape) == length:
            return body
        return replace(body, shape=field.write(body.shape, length))

    return edits.alter(scene, edits.movable(scene, ids), resized)
