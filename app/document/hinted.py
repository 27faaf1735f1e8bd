"""Which bodies the artist has drawn hints for."""

from __future__ import annotations

from engine.scene.spec import Scene


def hinted(scene: Scene) -> set[str]:
    """Ids of the bodies that hints are about (hints name a body by id or by name)."""
    named = {hint.body for hint in scene.hints}
    if not named:
        return set()
    return {body.id for body in scene.bodies if body.id in named or body.name in named}
