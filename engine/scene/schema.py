"""Scene <-> the tree of project.json: which fields there are, what type each has, where it went wrong.

Types are strict, values are not: a negative radius is saved and loaded (Scene.problems() tells), a radius that is
text is refused in both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np

from engine.errors import ProjectError
from engine.scene.entrance import Camera, Entrance, Stage, Stagger
from engine.scene.faults import DEEPEST_COMPOUND
from engine.scene.record import Entry
from engine.scene.request import Request
from engine.scene.shot import TakeCard
from engine.scene.spec import (
    Body,
    Box,
    Capsule,
    Compound,
    Cylinder,
    Group,
    Hint,
    Hull,
    Joint,
    Material,
    Plane,
    Scene,
    Sphere,
    TriangleMesh,
)

FORMAT = 1

Check: TypeAlias = Callable[[Any, str], Any]
StoreMesh: TypeAlias = Callable[[Mapping[str, np.ndarray]], str]  # arrays -> name inside the project
FetchMesh: TypeAlias = Callable[[str, str], Mapping[str, np.ndarray]]  # name, where -> arrays


def wrong(where: str, expected: str, value: Any) -> ProjectError:
    return ProjectError(f"{where} must be {expected}, not {value!r:.60}")


def number(value: Any, where: str) -> float:
    if type(value) is float:  # nearly always
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise wrong(where, "a number", value)
    try:
        return float(value)
    except OverflowError:
        raise wrong(where, "a number a computer can hold", value) from None


def whole(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong(where, "a whole number", value)
    return value


def text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise wrong(where, "text", value)
    return value


def flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise wrong(where, "true or false", value)
    return value


def numbers(length: int) -> Check:
    def check(value: Any, where: str) -> list[float]:
        if not isinstance(value, (list, tuple)) or len(value) != length:
            raise wrong(where, f"a list of {length} numbers", value)
        if set(map(type, value)) == {float}:
            return list(value)
        return [number(entry, f"{where}[{i}]") for i, entry in enumerate(value)]

    return check


def row_of(*checks: Check) -> Check:
    """A list with an entry for each of these."""

    def check(value: Any, where: str) -> list[Any]:
        if not isinstance(value, (list, tuple)) or len(value) != len(checks):
            raise wrong(where, f"a list of {len(checks)} entries", value)
        return [each(entry, f"{where}[{i}]") for i, (each, entry) in enumerate(zip(checks, value, strict=True))]

    return check


def word_or_numbers(length: int) -> Check:
    def check(value: Any, where: str) -> Any:
        if not isinstance(value, (str, list, tuple)):
            raise wrong(where, f"a word or a list of {length} numbers", value)
        return value if isinstance(value, str) else numbers(length)(value, where)

    return check


def several(check: Check) -> Check:
    """A list of any length."""
    return lambda value, where: [check(entry, f"{where}[{i}]") for i, entry in enumerate(_listed(value, where))]


def optional(check: Check) -> Check:
    return lambda value, where: None if value is None else check(value, where)


SHAPE_KINDS: dict[str, type[Entry]] = {
    "sphere": Sphere,
    "box": Box,
    "capsule": Capsule,
    "cylinder": Cylinder,
    "plane": Plane,
    "hull": Hull,
    "mesh": TriangleMesh,
    "compound": Compound,
}
MESH_ARRAYS: dict[type[Entry], dict[str, str]] = {  # field -> kind of number
    Hull: {"points": "f"},
    TriangleMesh: {"vertices": "f", "triangles": "i"},
}
VECTOR, QUATERNION = numbers(3), numbers(4)
PLAIN: dict[Any, Check] = {float: number, int: whole, str: text, bool: flag}


def check_of(kind: Any) -> Check | None:
    """What values of a type must be; None for those that are written in a way of their own."""
    inner = [each for each in get_args(kind) if each is not NoneType]
    if get_origin(kind) in (Union, UnionType):
        if str in inner:  # words of which some are known
            rows = [get_args(each) for each in inner if get_origin(each) is tuple]
            return optional(word_or_numbers(len(rows[0]))) if rows else text
        check = check_of(inner[0]) if len(inner) == 1 else None
        return optional(check) if check is not None else None
    if get_origin(kind) is tuple:
        checks = [check for each in inner if (check := check_of(each)) is not None]
        if inner[-1] is Ellipsis:
            return several(checks[0]) if checks else None
        return numbers(len(inner)) if set(inner) == {float} else row_of(*checks)
    return PLAIN.get(kind)


def _checks(kind: type[Entry]) -> dict[str, Check]:
    """Of the plain fields of a record, in the order of the file: what it is called comes first."""
    found = {name: check for name, hint in get_type_hints(kind).items() if (check := check_of(hint)) is not None}
    called = [name for name in ("id", "name") if name in found and "name" in found]
    return {name: found[name] for name in (*called, *found)}


RECORDS: dict[str, type[Entry]] = {
    "groups": Group,
    "hints": Hint,
    "joints": Joint,
    "takes": TakeCard,
    "entrances": Entrance,
}
"""Lists of a scene whose entries are nothing but plain fields."""
SINGLE: dict[str, type[Entry]] = {"stagger": Stagger, "stage": Stage, "camera": Camera}
"""Records of which a scene has one or none; plain fields as well."""
KINDS = (*SHAPE_KINDS.values(), Material, Body, *RECORDS.values(), *SINGLE.values(), Request, Scene)
FIELDS = {kind: _checks(kind) for kind in KINDS}
FIELDS[Scene] = {name: FIELDS[Scene][name] for name in ("name", "gravity", "ground", "next_id")}
REQUIRED = {
    kind: [
        field.name
        for field in fields(kind)
        if field.name in checks and field.default is MISSING and field.default_factory is MISSING
    ]
    for kind, checks in FIELDS.items()
}


def encode_scene(scene: Scene, store: StoreMesh) -> dict[str, Any]:
    """The tree of project.json; meshes go through `store`. Raises ProjectError for values of the wrong type."""
    scene.assign_ids()
    tree: dict[str, Any] = {"format": FORMAT, **_encode_fields(scene, "the scene")}
    if scene.ground_material is not None:
        tree["ground_material"] = _encode_record(scene.ground_material, Material, "the ground material")
    if scene.groups:
        tree["groups"] = _encode_list(scene, "groups")
    tree["bodies"] = []
    for i, body in enumerate(_listed(scene.bodies, "bodies")):
        where = f"bodies[{i}]"
        row = _encode_record(body, Body, where)
        row["shape"] = _encode_shape(body.shape, store, f"{where}.shape", 0)
        row["material"] = _encode_record(body.material, Material, f"{where}.material")
        tree["bodies"].append(_with_extra(row, body, where))
    tree["hints"] = _encode_asked(scene, "hints")
    if scene.joints:
        tree["joints"] = _encode_list(scene, "joints")
    if scene.arrival_order:
        tree["arrival_order"] = several(text)(scene.arrival_order, "arrival_order")
    tree |= _encode_entrances(scene)
    if scene.takes:
        tree["takes"] = _encode_list(scene, "takes")
    if scene.shot:
        tree["shot"] = text(scene.shot, "shot")
    request = _encode_record(scene.request, Request, "request")
    if request != _encode_record(Request(), Request, "request"):
        tree["request"] = request
    return _with_extra(tree, scene, "the scene")


def _encode_list(scene: Scene, name: str) -> list[dict[str, Any]]:
    entries = enumerate(_listed(getattr(scene, name), name))
    return [_encode_record(entry, RECORDS[name], f"{name}[{i}]") for i, entry in entries]


def _encode_asked(scene: Scene, name: str) -> list[dict[str, Any]]:
    """Of a list of wishes; what is not asked for is not written."""
    rows = zip(_encode_list(scene, name), getattr(scene, name), strict=True)
    return [{k: v for k, v in row.items() if v is not None or k in record.extra} for row, record in rows]


def _encode_entrances(scene: Scene) -> dict[str, Any]:
    """Entrances and what belongs to them; nothing of a scene that has none, whose file is as it was before there were
    any."""
    tree: dict[str, Any] = {"entrances": _encode_asked(scene, "entrances")} if scene.entrances else {}
    for name, kind in SINGLE.items():
        record = getattr(scene, name)
        if record is not None:
            tree[name] = _encode_record(record, kind, name)
    return tree


def _listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise wrong(where, "a list", value)
    return list(value)


def _encode_fields(record: Entry, where: str) -> dict[str, Any]:
    return {name: check(getattr(record, name), f"{where}.{name}") for name, check in FIELDS[type(record)].items()}


def _encode_record(record: Any, kind: type[Entry], where: str) -> dict[str, Any]:
    if not isinstance(record, kind):
        raise wrong(where, f"a {kind.__name__}", record)
    return _with_extra(_encode_fields(record, where), record, where)


def _with_extra(row: dict[str, Any], record: Any, where: str) -> dict[str, Any]:
    """Known fields first; an unknown field never hides a known one."""
    extra = record.extra
    if not isinstance(extra, dict) or not all(isinstance(key, str) for key in extra):
        raise wrong(f"{where}.extra", "a table with text keys", extra)
    return row | {key: value for key, value in extra.items() if key not in row}


def _encode_shape(shape: Any, store: StoreMesh, where: str, depth: int) -> dict[str, Any]:
    kind = next((name for name, cls in SHAPE_KINDS.items() if type(shape) is cls), None)
    if kind is None:
        raise wrong(where, "a shape", shape)
    if depth > DEEPEST_COMPOUND:
        raise ProjectError(f"{where}: compounds are nested too deeply")
    row: dict[str, Any] = {"kind": kind, **_encode_fields(shape, where)}
    if type(shape) in MESH_ARRAYS:
        names = MESH_ARRAYS[type(shape)]
        row["mesh"] = store({name: _mesh_array(getattr(shape, name), code, where) for name, code in names.items()})
    if isinstance(shape, Compound):
        row["parts"] = []
        for i, part in enumerate(_listed(shape.parts, f"{where}.parts")):
            at = f"{where}.parts[{i}]"
            if not isinstance(part, tuple) or len(part) != 3:
                raise wrong(at, "(shape, position, orientation)", part)
            inner = _encode_shape(part[0], store, f"{at}.shape", depth + 1)
            place, turn = VECTOR(part[1], f"{at}.position"), QUATERNION(part[2], f"{at}.orientation")
            row["parts"].append({"shape": inner, "position": place, "orientation": turn})
    return _with_extra(row, shape, where)


def _mesh_array(value: Any, code: str, where: str) -> np.ndarray:
    if not isinstance(value, np.ndarray) or value.dtype.kind != code or value.ndim != 2 or value.shape[1] != 3:
        raise wrong(where, "made of rows of three numbers", value)
    return value


def decode_scene(tree: Any, fetch: FetchMesh) -> Scene:
    """The scene of a project.json tree; raises ProjectError naming the field that is wrong."""
    if not isinstance(tree, dict):
        raise wrong("the top level", "a table", tree)
    version = whole(_required(tree, "format", "the top level"), "format")
    if version > FORMAT:
        raise ProjectError(
            f"the project has format {version}, this version reads up to {FORMAT}: open it with a newer version"
        )
    if version < 1:
        raise wrong("format", "1 or more", version)
    own = {"format", "ground_material", "bodies", *RECORDS, *SINGLE, "arrival_order", "shot", "request"}
    values = _decode_fields(tree, Scene, "the top level", own)
    if tree.get("ground_material") is not None:
        values["ground_material"] = _decode_record(tree["ground_material"], Material, "ground_material")
    bodies = enumerate(_listed(tree.get("bodies", []), "bodies"))
    values["bodies"] = [_decode_body(row, f"bodies[{i}]", fetch) for i, row in bodies]
    for name, kind in RECORDS.items():
        rows = enumerate(_listed(tree.get(name, []), name))
        values[name] = [_decode_record(row, kind, f"{name}[{i}]") for i, row in rows]
    for name, kind in SINGLE.items():
        if tree.get(name) is not None:
            values[name] = _decode_record(tree[name], kind, name)
    values["arrival_order"] = several(text)(tree.get("arrival_order", []), "arrival_order")
    values["shot"] = text(tree.get("shot", ""), "shot")
    if "request" in tree:
        values["request"] = _decode_record(tree["request"], Request, "request")
    return Scene(**values)


def _required(row: dict[str, Any], name: str, where: str) -> Any:
    if name not in row:
        raise ProjectError(f"{where} lacks the field {name!r}")
    return row[name]


def _decode_fields(
    row: Any, kind: type[Entry], where: str, own: frozenset[str] | set[str] = frozenset()
) -> dict[str, Any]:
    """Checked values of the known fields of `kind`, and `extra`; `own` names fields the caller decodes itself."""
    if not isinstance(row, dict):
        raise wrong(where, "a table", row)
    prefix = "" if where == "the top level" else f"{where}."
    checks = FIELDS[kind]
    values = {name: check(row[name], f"{prefix}{name}") for name, check in checks.items() if name in row}
    for name in REQUIRED[kind]:
        if name not in values:
            raise ProjectError(f"{where} lacks the field {name!r}")
    values["extra"] = {key: value for key, value in row.items() if key not in checks and key not in own}
    return values


def _decode_record(row: Any, kind: type[Entry], where: str) -> Any:
    return kind(**_decode_fields(row, kind, where))


def _decode_body(row: Any, where: str, fetch: FetchMesh) -> Body:
    values = _decode_fields(row, Body, where, own={"shape", "material"})
    values["shape"] = _decode_shape(_required(row, "shape", where), fetch, f"{where}.shape", 0)
    if "material" in row:
        values["material"] = _decode_record(row["material"], Material, f"{where}.material")
    return Body(**values)


def _decode_shape(row: Any, fetch: FetchMesh, where: str, depth: int) -> Any:
    if not isinstance(row, dict):
        raise wrong(where, "a table", row)
    if depth > DEEPEST_COMPOUND:
        raise ProjectError(f"{where}: compounds are nested too deeply")
    kind = text(_required(row, "kind", where), f"{where}.kind")
    if kind not in SHAPE_KINDS:
        raise ProjectError(f"{where}: unknown kind of shape {kind!r:.40}")
    cls = SHAPE_KINDS[kind]
    values = _decode_fields(row, cls, where, own={"kind", "mesh", "parts"})
    if cls in MESH_ARRAYS:
        name = text(_required(row, "mesh", where), f"{where}.mesh")
        arrays = fetch(name, where)
        for field, code in MESH_ARRAYS[cls].items():
            if field not in arrays:
                raise ProjectError(f"{name} lacks the array {field!r} (used by {where})")
            values[field] = _mesh_array(arrays[field], code, f"array {field!r} of {name}")
    if cls is Compound:
        values["parts"] = []
        for i, part in enumerate(_listed(_required(row, "parts", where), f"{where}.parts")):
            at = f"{where}.parts[{i}]"
            if not isinstance(part, dict):
                raise wrong(at, "a table", part)
            inner = _decode_shape(_required(part, "shape", at), fetch, f"{at}.shape", depth + 1)
            place = VECTOR(part.get("position", [0.0, 0.0, 0.0]), f"{at}.position")
            turn = QUATERNION(part.get("orientation", [1.0, 0.0, 0.0, 0.0]), f"{at}.orientation")
            values["parts"].append((inner, place, turn))
    return cls(**values)
