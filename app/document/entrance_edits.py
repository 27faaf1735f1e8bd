"""What edits of bodies and groups mean for entrances: they leave with whom they are for, follow a new name, and are
copied. Functions of scenes; nothing given is ever changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.scene.entrance import Entrance
from engine.scene.nearest import holders_of
from engine.scene.spec import Scene


def without_lost(before: Scene, after: Scene) -> Scene:
    """`after` without the entrances of those that `before` still had. Who was not there then is not lost now: that
    is for the artist to mend."""
    if not after.entrances:
        return after
    known, left = holders_of(before), holders_of(after)
    kept = [entrance for entrance in after.entrances if entrance.who in left or entrance.who not in known]
    return replace(after, entrances=kept) if len(kept) < len(after.entrances) else after


def following_name(scene: Scene, key: str, name: str) -> list[Entrance]:
    """The entrances of a scene in which a body or group with this id is about to lose its name: those that call it so
    call it by its id, which stays. Where others have the name too, they keep theirs."""
    meant = holders_of(scene).get(name, []) if scene.entrances else []
    others = any(holder.id != key for holder in meant)
    if any(holder.id == name for holder in meant):  # an id, and ids are stronger than names
        return scene.entrances
    found: list[Entrance] = []
    for entrance in scene.entrances:
        if entrance.who != name or others:
            found.append(entrance)
        if entrance.who == name:
            found.append(replace(entrance, who=key))
    return found


def with_copied_entrances(scene: Scene, before: Scene, copies: Mapping[str, str]) -> Scene:
    """The entrances that bodies of `before` have of their own again for their copies: id of a body -> id of its copy.
    Copies are in the groups of their originals, so those of groups count for them already."""
    if not before.entrances:
        return scene
    holders = holders_of(before)
    fresh = [
        replace(entrance, who=copies[holder.id])
        for entrance in before.entrances
        for holder in holders.get(entrance.who, ())
        if holder.id in copies
    ]
    return replace(scene, entrances=[*scene.entrances, *fresh]) if fresh else scene
