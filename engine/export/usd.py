"""A clip as USD: an Xform per body with its mesh and material, one sample per key; or one PointInstancer for all.

    /Name                       Xform, the default prim
    /Name/Brick_31              Xform: xformOp:translate (double3), then orient (quatd) or rotateXYZ (double3);
                                visibility, sampled where it appears after the first frame
    /Name/Brick_31/Brick_31     Mesh. Its parent's name: Blender names objects after the mesh when it merges the two
    /Name/Die/Die/Spots         GeomSubset, and Sides beside it, of dice
    /Name/Materials/Color_...   UsdPreviewSurface, one per colour

Rotations are doubles: readers take the angle from the first number by an arc cosine, which in single precision is off
by up to 3e-4 for small turns. Time codes are frame numbers. Specs are written straight into the layer, inside one
change block: through the stage the same takes twice as long (3000 bodies, 250 frames).
"""

from __future__ import annotations

import errno
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Tf, UsdGeom, Vt

from engine.export.clip import Actor, Clip, Progress
from engine.export.names import legal_names
from engine.export.settings import UNITS
from engine.scene.colors import linear
from engine.scene.dice import SPOT_COLOR
from engine.shapes.surface import Surface

OTHER_SHARE = 0.1  # share of the time that everything but bodies takes
TELL_EVERY = 16  # bodies
INSTANCE_LOSS = (
    "A PointInstancer keeps rotations in half precision (off by up to 0.1 degrees) and bodies lose their names; "
    "Blender reads it as instances without keys."
)


def write(clip: Clip, path: Path, progress: Progress) -> None:
    layer = Sdf.Layer.CreateAnonymous(path.suffix)
    with Sdf.ChangeBlock():
        root = _header(layer, clip)
        looks = _Looks(root, _colors(clip), {actor.name for actor in clip.actors})
        if clip.settings.instances:
            _write_instances(clip, root, looks)
        else:
            names = legal_names([actor.name for actor in clip.actors], "identifier", {looks.scope.name})
            for i, (actor, name) in enumerate(zip(clip.actors, names, strict=True)):
                _write_body(clip, actor, name, root, looks)
                if i % TELL_EVERY == 0:
                    progress((1.0 - OTHER_SHARE) * i / len(clip.actors))
    progress(1.0 - OTHER_SHARE)
    try:
        whole = layer.Export(str(path))
    except Tf.ErrorException:  # pages of its own words, none of which an artist could use
        whole = False
    if not whole:
        raise OSError(errno.EIO, "the file could not be written whole; is the disk full?")
    progress(1.0)


def _header(layer: Any, clip: Clip) -> Any:
    """What readers need before any prim: rate, range, axes, unit; and the default prim."""
    pseudo, settings = layer.pseudoRoot, clip.settings
    name = legal_names([clip.name], "identifier")[0]
    pseudo.SetInfo("upAxis", settings.up.upper())
    pseudo.SetInfo("metersPerUnit", UNITS[settings.unit])
    layer.timeCodesPerSecond = layer.framesPerSecond = clip.fps
    layer.startTimeCode, layer.endTimeCode = float(clip.first), float(clip.last)
    layer.defaultPrim = name
    layer.comment = "Foregone: ending-first animation"
    if clip.facts:
        facts = _plain({**clip.facts, "ending_frame": clip.ending if clip.ending is not None else clip.last})
        layer.customLayerData = {"foregone": facts}
    root = Sdf.PrimSpec(layer, name, Sdf.SpecifierDef, "Xform")
    root.SetInfo("kind", "component")
    return root


def _write_body(clip: Clip, actor: Actor, name: str, root: Any, looks: _Looks) -> None:
    body = Sdf.PrimSpec(root, name, Sdf.SpecifierDef, "Xform")
    if actor.name != actor.body.name or name != actor.name:
        body.SetInfo("displayName", actor.body.name)
    if actor.facts:
        body.SetInfo("customData", {"foregone": _plain(actor.facts)})
    _write_pose(clip, actor, body)
    _write_mesh(actor.surface, actor.color, Sdf.PrimSpec(body, name, Sdf.SpecifierDef, "Mesh"), looks)


def _write_pose(clip: Clip, actor: Actor, body: Any) -> None:
    """Positions and rotations, sampled at every key; without keys as plain values."""
    track = actor.track
    places = [Gf.Vec3d(*row) for row in track.positions.tolist()]
    if clip.settings.rotation == "euler":
        turn, turns = "xformOp:rotateXYZ", [Gf.Vec3d(*row) for row in track.angles.tolist()]
        kind = Sdf.ValueTypeNames.Double3
    else:
        turn, kind = "xformOp:orient", Sdf.ValueTypeNames.Quatd
        turns = [Gf.Quatd(w, x, y, z) for w, x, y, z in track.orientations.tolist()]
    frames = track.frames.tolist()
    for op, type_name, values in (
        ("xformOp:translate", Sdf.ValueTypeNames.Double3, places),
        (turn, kind, turns),
    ):
        attribute = Sdf.AttributeSpec(body, op, type_name)
        if actor.keyed:
            _sample(attribute, frames, values)
        else:
            attribute.default = values[0]
    order = Sdf.AttributeSpec(body, "xformOpOrder", Sdf.ValueTypeNames.TokenArray, Sdf.VariabilityUniform)
    order.default = Vt.TokenArray(["xformOp:translate", turn])
    if actor.switches:  # without a default: readers that do not look at time show it
        frames = [float(frame) for frame, _ in actor.switches]
        seen = [UsdGeom.Tokens.inherited if on else UsdGeom.Tokens.invisible for _, on in actor.switches]
        _sample(Sdf.AttributeSpec(body, "visibility", Sdf.ValueTypeNames.Token), frames, seen)


def _write_mesh(surface: Surface, color: str, mesh: Any, looks: _Looks) -> None:
    types = Sdf.ValueTypeNames
    values = looks.mesh(surface)
    for name, kind in (("points", types.Point3fArray), ("faceVertexCounts", types.IntArray),
                       ("faceVertexIndices", types.IntArray), ("extent", types.Float3Array)):  # fmt: skip
        Sdf.AttributeSpec(mesh, name, kind).default = values[name]
    normals = Sdf.AttributeSpec(mesh, "normals", types.Normal3fArray)
    normals.default = values["normals"]
    normals.SetInfo("interpolation", UsdGeom.Tokens.faceVarying)
    _token(mesh, "subdivisionScheme", UsdGeom.Tokens.none)
    if not surface.solid:
        Sdf.AttributeSpec(mesh, "doubleSided", types.Bool, Sdf.VariabilityUniform).default = True
    shown = Sdf.AttributeSpec(mesh, "primvars:displayColor", types.Color3fArray)
    shown.default = Vt.Vec3fArray([Gf.Vec3f(*linear(color))])
    looks.bind(mesh, color)
    parts = surface.parts
    for name, faces in parts.items():
        subset = Sdf.PrimSpec(mesh, name, Sdf.SpecifierDef, "GeomSubset")
        _token(subset, "elementType", UsdGeom.Tokens.face)
        _token(subset, "familyName", "materialBind")
        indices = Sdf.AttributeSpec(subset, "indices", types.IntArray)
        indices.default = Vt.IntArray.FromNumpy(faces.astype(np.int32))
        looks.bind(subset, SPOT_COLOR if name == "Spots" else color)
    if parts:
        _token(mesh, "subsetFamily:materialBind:familyType", UsdGeom.Tokens.partition)


def _colors(clip: Clip) -> list[str]:
    spotted = any(actor.surface.spots is not None for actor in clip.actors)
    return [actor.color for actor in clip.actors] + [SPOT_COLOR] * spotted


class _Looks:
    """Materials, one per colour, and the arrays of meshes, one set per surface: a crate keeps equal arrays once."""

    def __init__(self, root: Any, colors: list[str], taken: set[str]) -> None:
        scope = legal_names(["Materials"], "identifier", taken)[0]
        self.scope = Sdf.PrimSpec(root, scope, Sdf.SpecifierDef, "Scope")
        self._paths = {color: self._material(color) for color in dict.fromkeys(colors)}
        self.mesh = cache(_mesh_arrays)

    def bind(self, prim: Any, color: str) -> None:
        prim.SetInfo("apiSchemas", Sdf.TokenListOp.CreateExplicit(["MaterialBindingAPI"]))
        relation = Sdf.RelationshipSpec(prim, "material:binding", False)
        relation.targetPathList.explicitItems = [self._paths[color]]

    def _material(self, color: str) -> Any:
        types = Sdf.ValueTypeNames
        material = Sdf.PrimSpec(self.scope, f"Color_{color[1:].lower()}", Sdf.SpecifierDef, "Material")
        shader = Sdf.PrimSpec(material, "Surface", Sdf.SpecifierDef, "Shader")
        _token(shader, "info:id", "UsdPreviewSurface")
        for name, kind, value in (
            ("inputs:diffuseColor", types.Color3f, Gf.Vec3f(*linear(color))),
            ("inputs:roughness", types.Float, 0.6),
        ):
            Sdf.AttributeSpec(shader, name, kind).default = value
        surface = Sdf.AttributeSpec(shader, "outputs:surface", types.Token)
        output = Sdf.AttributeSpec(material, "outputs:surface", types.Token)
        output.connectionPathList.explicitItems = [surface.path]
        return material.path


def _mesh_arrays(surface: Surface) -> dict[str, Any]:
    points = surface.points.astype(np.float32)
    ends = [points.min(axis=0), points.max(axis=0)] if len(points) else [np.zeros(3), np.zeros(3)]
    return {
        "points": Vt.Vec3fArray.FromNumpy(points),
        "faceVertexCounts": Vt.IntArray.FromNumpy(surface.counts.astype(np.int32)),
        "faceVertexIndices": Vt.IntArray.FromNumpy(surface.corners.astype(np.int32)),
        "normals": Vt.Vec3fArray.FromNumpy(surface.normals.astype(np.float32)),
        "extent": Vt.Vec3fArray.FromNumpy(np.array(ends, np.float32)),
    }


def _write_instances(clip: Clip, root: Any, looks: _Looks) -> None:
    """All bodies as instances of the meshes they share: small and quick, and it says what it loses."""
    types = Sdf.ValueTypeNames
    instancer = Sdf.PrimSpec(root, "Bodies", Sdf.SpecifierDef, "PointInstancer")
    instancer.SetInfo("comment", INSTANCE_LOSS)
    instancer.SetInfo("customData", {"foregone": {"names": Vt.StringArray([a.body.name for a in clip.actors])}})
    prototypes: dict[tuple[int, str], int] = {}
    relation = Sdf.RelationshipSpec(instancer, "prototypes", False)
    kinds = []
    for actor in clip.actors:
        key = id(actor.surface), actor.color
        if key not in prototypes:
            prototypes[key] = len(prototypes)
            mesh = Sdf.PrimSpec(instancer, f"Shape_{len(prototypes)}", Sdf.SpecifierDef, "Mesh")
            _write_mesh(actor.surface, actor.color, mesh, looks)
            relation.targetPathList.explicitItems.append(mesh.path)
        kinds.append(prototypes[key])
    Sdf.AttributeSpec(instancer, "protoIndices", types.IntArray).default = Vt.IntArray(kinds)
    ids = np.arange(1, len(kinds) + 1)
    Sdf.AttributeSpec(instancer, "ids", types.Int64Array).default = Vt.Int64Array(ids.tolist())
    if not clip.all_shown:
        _hide_instances(clip, instancer, ids)
    places = clip.positions.astype(np.float32)
    turns = np.roll(clip.orientations, -1, axis=-1).astype(np.float16)  # x y z w, as arrays of quaternions lie
    extents = _extents(clip)
    for name, kind, values in (
        ("positions", types.Point3fArray, [Vt.Vec3fArray.FromNumpy(each) for each in places]),
        ("orientations", types.QuathArray, [Vt.QuathArray.FromNumpy(np.ascontiguousarray(each)) for each in turns]),
        ("extent", types.Float3Array, [Vt.Vec3fArray.FromNumpy(each) for each in extents]),
    ):
        _sample(Sdf.AttributeSpec(instancer, name, kind), clip.frames.numbers.tolist(), values)


def _hide_instances(clip: Clip, instancer: Any, ids: np.ndarray) -> None:
    """Who is not to be seen, told again whenever that changes."""
    changes = np.flatnonzero(np.diff(clip.shown, axis=0, prepend=~clip.shown[:1]).any(axis=1))
    hidden = [Vt.Int64Array(ids[~clip.shown[k]].tolist()) for k in changes]
    attribute = Sdf.AttributeSpec(instancer, "invisibleIds", Sdf.ValueTypeNames.Int64Array)
    _sample(attribute, clip.frames.numbers[changes].tolist(), hidden)


def _extents(clip: Clip) -> np.ndarray:
    """(F, 2, 3) box round all bodies at every frame."""
    reach = np.array([actor.surface.reach for actor in clip.actors])[:, None]
    low, high = (clip.positions - reach).min(axis=1), (clip.positions + reach).max(axis=1)
    return np.stack([low, high], axis=1).astype(np.float32)


def _sample(attribute: Any, frames: list[float], values: list[Any]) -> None:
    put, path = attribute.layer.SetTimeSample, attribute.path
    for frame, value in zip(frames, values, strict=True):
        put(path, frame, value)


def _token(prim: Any, name: str, value: str) -> None:
    Sdf.AttributeSpec(prim, name, Sdf.ValueTypeNames.Token, Sdf.VariabilityUniform).default = value


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    """Values that a USD dictionary can hold."""
    return {key: Vt.DoubleArray(value) if isinstance(value, list) else value for key, value in facts.items()}
