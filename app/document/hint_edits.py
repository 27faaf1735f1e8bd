"""Edits of hints: functions from a scene to a new scene. Hints are found by their ids; unknown ids are ignored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from engine.scene.spec import Body, Hint, Scene


def find_hint(scene: Scene, hint_id: str) -> Hint | None:
    return next((hint for hint in scene.hints if hint.id == hint_id), None) if hint_id else None


def body_of(scene: Scene, hint: Hint) -> Body | None:
    """The body that a hint is about: hints name it by id, those written by hand also by name."""
    return scene.find(hint.body)


def with_bodies(scene: Scene, ids: Collection[str] | None = None) -> list[tuple[Hint, Body]]:
    """Hints and the bodies they are about, in the order they were given; `ids`: of these bodies only."""
    if not scene.hints:
        return []
    owners = _owners(scene)
    wanted = None if ids is None else set(ids)
    found = ((hint, owners.get(hint.body)) for hint in scene.hints)
    return [(hint, body) for hint, body in found if body is not None and (wanted is None or body.id in wanted)]


def hints_of(scene: Scene, body_id: str) -> list[Hint]:
    """The hints of a body in the order they were given."""
    return [hint for hint, _ in with_bodies(scene, [body_id])]


def hinted(scene: Scene) -> set[str]:
    """Ids of the bodies that hints are about (hints name a body by id or by name)."""
    named = {hint.body for hint in scene.hints}
    return {body.id for body in scene.bodies if body.id in named or body.name in named} if named else set()


def add_hint(scene: Scene, hint: Hint) -> tuple[Scene, str]:
    """One more hint, with a new id; returns the scene and the id."""
    (fresh,) = _with_ids(scene, [hint])
    return replace(scene, hints=[*scene.hints, fresh]), fresh.id


def put_hint(scene: Scene, hint: Hint) -> tuple[Scene, str]:
    """A hint in the place of the one of its kind that its body has already (it keeps its id and its arrival), else one
    more: a body bounces in from one side, and may slide on after that."""
    old = next((other for other in hints_of(scene, hint.body) if other.kind == hint.kind), None)
    if old is None:
        return add_hint(scene, hint)
    return change_hint(scene, old.id, lambda was: replace(hint, id=was.id, time=was.time)), old.id


def change_hint(scene: Scene, hint_id: str, change: Callable[[Hint], Hint]) -> Scene:
    """A hint replaced by what `change` makes of it; the scene itself when that is the same."""
    old = find_hint(scene, hint_id)
    if old is None or (fresh := change(old)) == old:
        return scene
    return replace(scene, hints=[fresh if hint is old else hint for hint in scene.hints])


def remove_hints(scene: Scene, ids: Collection[str]) -> Scene:
    kept = [hint for hint in scene.hints if hint.id not in ids]
    return replace(scene, hints=kept) if len(kept) < len(scene.hints) else scene


def move_hint(scene: Scene, hint_id: str, body_id: str) -> Scene:
    """A hint to another body, in place of what that has of its kind; a static body takes none."""
    hint, body = find_hint(scene, hint_id), scene.find(body_id)
    if hint is None or body is None or body.static:
        return scene
    replaced = [own.id for own in hints_of(scene, body.id) if own.kind == hint.kind and own.id != hint_id]
    return change_hint(remove_hints(scene, replaced), hint_id, lambda was: replace(was, body=body.id))


def copy_hint(scene: Scene, hint: Hint, body_ids: Iterable[str]) -> tuple[Scene, list[str]]:
    """A hint for other bodies too, in place of what they have of its kind; static bodies are left out. Returns the
    scene and the ids of the hints."""
    ids: list[str] = []
    for key in body_ids:
        body = scene.find(key)
        if body is not None and not body.static:
            scene, made = put_hint(scene, replace(hint, body=body.id))
            ids.append(made)
    return scene, ids


def with_copies(scene: Scene, before: Scene, copies: Mapping[str, Sequence[str]]) -> Scene:
    """The hints of `before` again for copies of its bodies: id of a body -> ids of its copies."""
    more = [replace(hint, body=key) for hint, body in with_bodies(before) for key in copies.get(body.id, ())]
    return replace(scene, hints=[*scene.hints, *_with_ids(scene, more)]) if more else scene


def _owners(scene: Scene) -> dict[str, Body]:
    """Id or name that a hint may use -> the body meant: `body_of` for all hints at once."""
    named: dict[str, Body] = {}
    for body in scene.bodies:
        named.setdefault(body.name, body)
    return named | {body.id: body for body in scene.bodies}


def _with_ids(scene: Scene, hints: Iterable[Hint]) -> list[Hint]:
    """Hints with ids that the scene does not have yet."""
    taken = {hint.id for hint in scene.hints}
    number = len(taken) + 1
    fresh = []
    for hint in hints:
        while f"h{number}" in taken:
            number += 1
        fresh.append(replace(hint, id=f"h{number}"))
        number += 1
    return fresh
