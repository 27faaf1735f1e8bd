"""What changed between two versions of a scene.

Scenes in the studio are values: an edit makes a new Scene that shares every body it did not touch, so the comparison
is one of identities, and undo is going back to the scene before.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.scene.spec import Body, Scene

SETTINGS = ("name", "ground", "gravity", "ground_material", "next_id", "arrival_order", "extra", "entrances",
            "stagger", "stage", "camera")  # fmt: skip


@dataclass(frozen=True)
class Difference:
    added: tuple[str, ...]  # ids of bodies
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    order: bool  # the bodies both scenes have come in another order
    groups: bool
    hints: bool
    joints: bool
    takes: bool  # the table of takes, or which one is the shot
    request: bool
    settings: bool

    def __bool__(self) -> bool:
        return self.bodies or self.groups or self.hints or self.joints or self.takes or self.request or self.settings

    @property
    def bodies(self) -> bool:
        """Anything about bodies."""
        return bool(self.added or self.removed or self.changed or self.order)


def difference(before: Scene, after: Scene) -> Difference:
    """Bodies, groups and hints that are the same objects count as unchanged without being looked at."""
    old = {body.id: body for body in before.bodies}
    new = {body.id: body for body in after.bodies}
    return Difference(
        added=tuple(key for key in new if key not in old),
        removed=tuple(key for key in old if key not in new),
        changed=tuple(key for key, body in new.items() if key in old and not _same(old[key], body)),
        order=[key for key in old if key in new] != [key for key in new if key in old],
        groups=before.groups is not after.groups and before.groups != after.groups,
        hints=before.hints is not after.hints and before.hints != after.hints,
        joints=before.joints is not after.joints and before.joints != after.joints,
        takes=before.shot != after.shot or (before.takes is not after.takes and before.takes != after.takes),
        request=before.request is not after.request and before.request != after.request,
        settings=any(getattr(before, name) != getattr(after, name) for name in SETTINGS),
    )


def _same(a: Body, b: Body) -> bool:
    """Equal, found out fast for what edits do: most move bodies, and all share the values they leave alone."""
    if a is b:
        return True
    if a.position != b.position:
        return False
    return tuple(vars(a).values()) == tuple(vars(b).values())  # fields come in the same order, and identity is equal
