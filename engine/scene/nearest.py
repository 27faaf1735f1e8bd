"""The nearest entrance: of those that a body's own, its groups' and everybody's wishes make, the one that counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.scene.entrance import Entrance
from engine.scene.spec import Body, Group, Scene

NONE = -1


def holders_of(scene: Scene) -> dict[str, list[Body | Group]]:
    """All that an entrance can be for: ids and names, each with the bodies and groups that have it."""
    found: dict[str, list[Body | Group]] = {}
    for record in (*_records(scene.bodies, Body), *_records(scene.groups, Group)):
        for key in {key for key in (record.id, record.name) if isinstance(key, str) and key}:
            found.setdefault(key, []).append(record)
    return found


def entrances_of(scene: Scene, bodies: Iterable[Body]) -> list[Entrance]:
    """For each of these bodies its own entrance, else that of its group, of the group around that and so on, else the
    one for everything, else one that asks for nothing. Of several that are equally near the last one counts. An id
    is stronger than a name: who is called as another one's id is not meant by it."""
    last = {
        each.who: number
        for number, each in enumerate(scene.entrances if isinstance(scene.entrances, list) else [])
        if isinstance(each, Entrance) and isinstance(each.who, str)
    }
    everybody = last.pop("", NONE)
    groups = {group.id: group for group in _records(scene.groups, Group) if isinstance(group.id, str)}
    ids = {body.id for body in _records(scene.bodies, Body) if isinstance(body.id, str)} | set(groups)

    def own(record: Body | Group) -> int:
        keys = [key for key in (record.id, record.name) if isinstance(key, str)]
        return max((last.get(key, NONE) for key in keys if key == record.id or key not in ids), default=NONE)

    known: dict[str, int] = {}

    def of_group(key: Any) -> int:
        if not isinstance(key, str):
            return NONE
        if key not in known:
            group = groups.get(key)
            known[key] = NONE  # groups in a circle end here
            if group is not None:
                found = own(group)
                known[key] = found if found != NONE else of_group(group.parent)
        return known[key]

    nothing, found = Entrance(), []
    for body in bodies:
        number = own(body)
        number = number if number != NONE else of_group(body.group)
        number = number if number != NONE else everybody
        found.append(scene.entrances[number] if number != NONE else nothing)
    return found


def _records(value: Any, kind: type) -> list[Any]:
    return [entry for entry in value if isinstance(entry, kind)] if isinstance(value, list) else []
