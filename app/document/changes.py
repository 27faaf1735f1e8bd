"""A change of a scene as a row of JSON, and back: what the journal writes after every command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.document.pieces import decode_bodies, decode_frame, encode_bodies, encode_frame
from engine.errors import ProjectError
from engine.scene.schema import FetchMesh, StoreMesh
from engine.scene.spec import Body, Scene

FRAME = ("name", "ground", "gravity", "ground_material", "next_id", "extra", "groups", "hints", "joints",
         "arrival_order", "takes", "shot", "request")  # fmt: skip
BODIES_PER_ROW = 100


def change(before: Scene, after: Scene, store: StoreMesh) -> dict[str, Any]:
    """What makes `after` of `before`; {} when they are the same. Raises ProjectError for values no file can hold."""
    row: dict[str, Any] = {}
    old, new = {body.id: body for body in before.bodies}, {body.id: body for body in after.bodies}
    if len(old) < len(before.bodies) or len(new) < len(after.bodies):  # ids that are not unique tell nothing
        if before.bodies is not after.bodies and before.bodies != after.bodies:
            row["all"] = encode_bodies(after.bodies, store)
    else:
        changed = [body for body in after.bodies if not _same(old.get(body.id), body)]
        gone = [key for key in old if key not in new]
        if changed:
            row["put"] = encode_bodies(changed, store)
        if gone:
            row["gone"] = gone
        if _order(list(old), gone, [body.id for body in changed]) != list(new):
            row["order"] = list(new)
    if any(not _same(getattr(before, name), getattr(after, name)) for name in FRAME):
        row["frame"] = encode_frame(after)
    return row


def touched(before: Scene, after: Scene) -> int:
    """How many bodies a change would have to write."""
    old = {id(body) for body in before.bodies}
    return sum(id(body) not in old for body in after.bodies)


def changed_scene(scene: Scene, row: dict[str, Any], fetch: FetchMesh) -> Scene:
    """`scene` after the change. Raises ProjectError for a row that does not fit."""
    try:
        if "all" in row:
            bodies = decode_bodies(row["all"], fetch)
        else:
            bodies = _patched(scene.bodies, row, fetch)
        return decode_frame(row["frame"], bodies) if "frame" in row else replace(scene, bodies=bodies)
    except (KeyError, TypeError, AttributeError) as error:
        raise ProjectError(f"a change does not fit the scene before it: {error}") from None


def whole(scene: Scene, store: StoreMesh) -> Iterator[dict[str, Any]]:
    """The rows of a whole scene, a few bodies each."""
    yield {"frame": encode_frame(scene)}
    for first in range(0, len(scene.bodies), BODIES_PER_ROW):
        yield {"bodies": encode_bodies(scene.bodies[first : first + BODIES_PER_ROW], store)}
    yield {"end": True}


def whole_scene(rows: Iterator[dict[str, Any]], fetch: FetchMesh) -> tuple[Scene, bool]:
    """The scene of such rows, and whether they were all there. Raises ProjectError when not even the first is."""
    bodies: list[Body] = []
    frame = next(rows, {}).get("frame")
    if not isinstance(frame, dict):
        raise ProjectError("the copy of the scene cannot be read")
    for row in rows:
        if "end" in row:
            return decode_frame(frame, bodies), True
        bodies += decode_bodies(row.get("bodies", []), fetch)
    return decode_frame(frame, bodies), False


def _patched(bodies: list[Body], row: dict[str, Any], fetch: FetchMesh) -> list[Body]:
    table = {body.id: body for body in bodies}
    gone = row.get("gone", [])
    put = {body.id: body for body in decode_bodies(row.get("put", []), fetch)}
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
