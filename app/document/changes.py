"""A change of a scene as a row of JSON, and back: what the journal writes after every command. Bodies
and the rest of the scene are encoded as in the project file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.errors import ProjectError
from engine.scene.schema import FORMAT, FetchMesh, StoreMesh, decode_scene, encode_scene
from engine.scene.spec import Body, Scene

FRAME = ("name", "ground", "gravity", "ground_material", "next_id", "extra", "groups", "hints", "joints",
         "arrival_order", "takes", "shot", "request", "entrances", "stagger", "stage", "camera")  # fmt: skip
BODIES_PER_ROW = 100


def change(before: Scene, after: Scene, store: StoreMesh) -> dict[str, Any]:
    """What makes `after` of `before`; {} when they are the same. Raises ProjectError for values no file can hold."""
    row: dict[str, Any] = {}
    old, new = {body.id: body for body in before.bodies}, {body.id: body for body in after.bodies}
    if len(old) < len(before.bodies) or len(new) < len(after.bodies):  # ids that are not unique tell nothing
        if before.bodies is not after.bodies and before.bodies != after.bodies:
            row["all"] = _encode_bodies(after.bodies, store)
    else:
        changed = [body for body in after.bodies if not _same(old.get(body.id), body)]
        gone = [key for key in old if key not in new]
        if changed:
            row["put"] = _encode_bodies(changed, store)
        if gone:
            row["gone"] = gone
        if _order(list(old), gone, [body.id for body in changed]) != list(new):
            row["order"] = list(new)
    if any(not _same(getattr(before, name), getattr(after, name)) for name in FRAME):
        row["frame"] = _encode_frame(after)
    return row


def touched(before: Scene, after: Scene) -> int:
    """How many bodies a change would have to write."""
    old = {id(body) for body in before.bodies}
    return sum(id(body) not in old for body in after.bodies)


def changed_scene(scene: Scene, row: dict[str, Any], fetch: FetchMesh) -> Scene:
    """`scene` after the change. Raises ProjectError for a row that does not fit."""
    try:
        if "all" in row:
            bodies = _decode_bodies(row["all"], fetch)
        else:
            bodies = _patched(scene.bodies, row, fetch)
        return _decode_frame(row["frame"], bodies) if "frame" in row else replace(scene, bodies=bodies)
    except (KeyError, TypeError, AttributeError) as error:
        raise ProjectError(f"a change does not fit the scene before it: {error}") from None


def whole(scene: Scene, store: StoreMesh) -> Iterator[dict[str, Any]]:
    """The rows of a whole scene, a few bodies each."""
    yield {"frame": _encode_frame(scene)}
    for first in range(0, len(scene.bodies), BODIES_PER_ROW):
        yield {"bodies": _encode_bodies(scene.bodies[first : first + BODIES_PER_ROW], store)}
    yield {"end": True}


def whole_scene(rows: Iterator[dict[str, Any]], fetch: FetchMesh) -> tuple[Scene, bool]:
    """The scene of such rows, and whether they were all there. Raises ProjectError when not even the first is."""
    bodies: list[Body] = []
    frame = next(rows, {}).get("frame")
    if not isinstance(frame, dict):
        raise ProjectError("the copy of the scene cannot be read")
    for row in rows:
        if "end" in row:
            return _decode_frame(frame, bodies), True
        bodies += _decode_bodies(row.get("bodies", []), fetch)
    return _decode_frame(frame, bodies), False


def _patched(bodies: list[Body], row: dict[str, Any], fetch: FetchMesh) -> list[Body]:
    table = {body.id: body for body in bodies}
    gone = row.get("gone", [])
    put = {body.id: body for body in _decode_bodies(row.get("put", []), fetch)}
    for key in gone:
        del table[key]
    table.update(put)
    return [table[key] for key in row["order"]] if "order" in row else list(table.values())


def _order(old: list[str], gone: list[str], put: list[str]) -> list[str]:
    """The order that `_patched` gives by itself."""
    left = set(gone)
    kept = [key for key in old if key not in left]
    known = set(kept)
    return kept + [key for key in put if key not in known]


def _same(a: Any, b: Any) -> bool:
    return a is b or (a is not None and b is not None and a == b)


def _encode_bodies(bodies: Sequence[Body], store: StoreMesh) -> list[dict[str, Any]]:
    """Rows as in project.json; meshes go through `store`. Raises ProjectError."""
    rows: list[dict[str, Any]] = encode_scene(Scene(bodies=list(bodies)), store)["bodies"]
    return rows


def _decode_bodies(rows: list[dict[str, Any]], fetch: FetchMesh) -> list[Body]:
    """Raises ProjectError for rows that are not as _encode_bodies made them."""
    return decode_scene({"format": FORMAT, "bodies": rows}, fetch).bodies


def _encode_frame(scene: Scene) -> dict[str, Any]:
    """Everything but the bodies: settings, groups, hints."""
    return encode_scene(replace(scene, bodies=[]), _no_meshes)


def _decode_frame(tree: dict[str, Any], bodies: list[Body]) -> Scene:
    """The scene of a frame and its bodies. Raises ProjectError."""
    return replace(decode_scene({**tree, "bodies": []}, _no_meshes), bodies=bodies)


def _no_meshes(*_: object) -> Any:
    raise AssertionError("only bodies have meshes")
