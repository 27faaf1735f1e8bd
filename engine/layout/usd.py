"""Layouts from USD: every mesh and simple solid that is shown, at the ending.

The ending is where our own exports say it is, else the last frame. An object's name is that of the Xform that holds its
one mesh, or what our exports wrote beside it. Instances are objects like all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pxr import Usd, UsdGeom, UsdShade

from engine.errors import LayoutError
from engine.layout.colors import from_linear
from engine.layout.layout import Layout, Placed, check_counts, placed
from engine.layout.usd_layers import open_stage
from engine.layout.words import listed
from engine.scene.spec import Box, Capsule, Cylinder, Shape, Sphere
from engine.shapes.ask import ask

SHOWN = (UsdGeom.Tokens.default_, UsdGeom.Tokens.render)  # purposes
TO_X, TO_Y = np.eye(3)[[2, 0, 1]], np.eye(3)[[1, 2, 0]]  # turns that take z to x, to y

HALF = 4e-3  # how far from 1 half precision may leave a length


class Mesh(NamedTuple):
    vertices: np.ndarray
    triangles: np.ndarray


def read(path: Path) -> Layout:
    stage, missing = open_stage(path)
    reader = _Reader(path, stage)
    try:
        objects = reader.objects()
    except LayoutError:
        raise
    except Exception as error:  # a damaged file can make the library fail in any way
        raise LayoutError(f"{path.name} is damaged: its objects cannot be read.") from error
    notes = [*reader.notes]
    if missing:
        notes.append(f"Files it refers to are not there: {listed(sorted(set(missing)))}.")
    return Layout(
        path.name,
        tuple(objects),
        float(UsdGeom.GetStageMetersPerUnit(stage)),
        str(UsdGeom.GetStageUpAxis(stage)).lower(),
        unit_known=bool(UsdGeom.StageHasAuthoredMetersPerUnit(stage)),
        up_known=stage.HasAuthoredMetadata(UsdGeom.Tokens.upAxis),
        notes=tuple(notes),
    )


def ending(stage: Any) -> Any:
    """The time code of the ending."""
    data = stage.GetRootLayer().customLayerData.get("foregone")
    told = data.get("ending_frame") if isinstance(data, dict) else None
    if isinstance(told, (int, float)) and not isinstance(told, bool):
        return Usd.TimeCode(float(told))
    if stage.HasAuthoredTimeCodeRange():
        return Usd.TimeCode(stage.GetEndTimeCode())
    samples = [
        time
        for prim in stage.Traverse()
        if (form := UsdGeom.Xformable(prim))
        for op in form.GetOrderedXformOps()
        for time in op.GetTimeSamples()[-1:]
    ]
    return Usd.TimeCode(max(samples)) if samples else Usd.TimeCode.Default()


class _Reader:
    def __init__(self, path: Path, stage: Any) -> None:
        self._path, self._stage = path, stage
        self._time = ending(stage)
        self._poses = UsdGeom.XformCache(self._time)
        self._unread: dict[str, None] = {}
        self._hidden = 0

    @property
    def notes(self) -> Iterator[str]:
        if self._hidden:
            yield f"{self._hidden} hidden {'object was' if self._hidden == 1 else 'objects were'} left out."
        if self._unread:
            yield f"Only meshes and simple solids are read; left out: {listed(list(self._unread))}."

    def objects(self) -> list[Placed]:
        found: list[Placed] = []
        count = 0
        for each in self._all():
            found.append(each)
            count += len(each.triangles)
            check_counts(self._path.name, len(found), count)
        return found

    def _all(self) -> Iterator[Placed]:
        proxies = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
        prims = iter(Usd.PrimRange(self._stage.GetPseudoRoot(), proxies))
        for prim in prims:
            if prim.IsA(UsdGeom.PointInstancer):
                prims.PruneChildren()
                if self._is_shown(prim):
                    yield from self._instances(UsdGeom.PointInstancer(prim))
            elif prim.IsA(UsdGeom.Gprim):
                if not self._is_shown(prim):
                    self._hidden += 1
                elif (mesh := self._mesh(prim)) is not None:
                    yield self._object(prim, mesh)

    def _is_shown(self, prim: Any) -> bool:
        image = UsdGeom.Imageable(prim)
        return image.ComputeVisibility(self._time) != "invisible" and image.ComputePurpose() in SHOWN

    def _object(self, prim: Any, mesh: Mesh) -> Placed:
        holder = _holder(prim)
        world = _columns(self._poses.GetLocalToWorldTransform(holder))
        if holder != prim:
            mesh = _moved(mesh, _columns(self._poses.GetLocalTransformation(prim)[0]))
        facts = _facts(holder) or _facts(prim)
        return placed(_name(holder), world, mesh.vertices, mesh.triangles, facts, self._color(prim))

    def _instances(self, instancer: Any) -> Iterator[Placed]:
        """Each instance of every mesh of its prototype."""
        world = _columns(self._poses.GetLocalToWorldTransform(instancer.GetPrim()))
        kinds = instancer.GetProtoIndicesAttr().Get(self._time) or []
        matrices = instancer.ComputeInstanceTransformsAtTime(
            self._time, self._time, instancer.IncludeProtoXform, instancer.IgnoreMask
        )
        mask = instancer.ComputeMaskAtTime(self._time) or [True] * len(matrices)
        targets = instancer.GetPrototypesRel().GetTargets()
        known = {k: list(self._prototype(self._stage.GetPrimAtPath(targets[k]))) for k in set(kinds)}
        names = _facts(instancer.GetPrim()).get("names") or []
        scaled = instancer.GetScalesAttr().HasAuthoredValue()
        for i, (kind, matrix, shown) in enumerate(zip(kinds, matrices, mask, strict=True)):
            name = str(names[i]) if i < len(names) else f"{instancer.GetPrim().GetName()} {i + 1}"
            for mesh, color in known[kind] if shown else ():
                own = _columns(matrix) if scaled else _rigid(_columns(matrix))
                yield placed(name, world @ own, mesh.vertices, mesh.triangles, {}, color)

    def _prototype(self, root: Any) -> Iterator[tuple[Mesh, str]]:
        """Its meshes, in its own frame."""
        proxies = Usd.TraverseInstanceProxies(Usd.PrimAllPrimsPredicate)
        base = np.linalg.inv(_columns(self._poses.GetLocalToWorldTransform(root)))
        for prim in Usd.PrimRange(root, proxies):
            if prim.IsA(UsdGeom.Gprim) and (mesh := self._mesh(prim)) is not None:
                own = base @ _columns(self._poses.GetLocalToWorldTransform(prim))
                yield _moved(mesh, own), self._color(prim)

    def _mesh(self, prim: Any) -> Mesh | None:
        if prim.IsA(UsdGeom.Mesh):
            return self._polygons(UsdGeom.Mesh(prim))
        shape, turn = self._solid(prim)
        if shape is None:
            self._unread.setdefault(str(prim.GetName()))
            return None
        surface = ask(shape).surface()
        return Mesh(surface.points @ turn.T, surface.corners[surface.triangles])

    def _polygons(self, mesh: Any) -> Mesh:
        points = np.array(mesh.GetPointsAttr().Get(self._time) or [], float).reshape(-1, 3)
        counts = np.array(mesh.GetFaceVertexCountsAttr().Get(self._time) or [], np.int64)
        corners = np.array(mesh.GetFaceVertexIndicesAttr().Get(self._time) or [], np.int64)
        if counts.sum() != len(corners) or (len(corners) and not 0 <= corners.min() <= corners.max() < len(points)):
            raise LayoutError(
                f"{self._path.name} is damaged: faces of {mesh.GetPrim().GetName()} use points that do not exist."
            )
        triangles = _fans(counts, corners)
        if mesh.GetOrientationAttr().Get(self._time) == UsdGeom.Tokens.leftHanded:
            triangles = triangles[:, ::-1]
        return Mesh(points, triangles)

    def _solid(self, prim: Any) -> tuple[Shape | None, np.ndarray]:
        """A simple solid and the turn of its axis away from z."""

        def value(name: str) -> float:
            return float(prim.GetAttribute(name).Get(self._time))

        if prim.IsA(UsdGeom.Cube):
            half = 0.5 * value("size")
            return Box((half, half, half)), np.eye(3)
        if prim.IsA(UsdGeom.Sphere):
            return Sphere(value("radius")), np.eye(3)
        if prim.IsA(UsdGeom.Cylinder) or prim.IsA(UsdGeom.Capsule):
            kind = Cylinder if prim.IsA(UsdGeom.Cylinder) else Capsule
            turn = {"X": TO_X, "Y": TO_Y}.get(str(prim.GetAttribute("axis").Get(self._time)), np.eye(3))
            return kind(value("radius"), 0.5 * value("height")), turn
        return None, np.eye(3)

    def _color(self, prim: Any) -> str:
        shown = UsdGeom.Gprim(prim).GetDisplayColorAttr()
        if shown.HasAuthoredValue() and len(values := shown.Get(self._time) or []) == 1:
            return from_linear(values[0])
        material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        source = material.ComputeSurfaceSource()[0] if material else None
        diffuse = source.GetInput("diffuseColor") if source else None
        if diffuse and not diffuse.HasConnectedSource() and (value := diffuse.Get(self._time)) is not None:
            return from_linear(value)
        return ""


def _holder(prim: Any) -> Any:
    """What an artist would call the object: the Xform above that is there for this one mesh, else the mesh itself."""
    parent = prim.GetParent()
    if _facts(prim) or not parent or parent.IsPseudoRoot() or parent.IsA(UsdGeom.Gprim):
        return prim
    if _facts(parent):
        return parent
    if not parent.IsA(UsdGeom.Xform):
        return prim
    proxies = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    beside = sum(child.IsA(UsdGeom.Gprim) for child in parent.GetFilteredChildren(proxies))
    top = parent.GetParent().IsPseudoRoot()  # holds the layout, not an object
    return parent if beside == 1 and not top else prim


def _name(prim: Any) -> str:
    """As the artist knows it: Blender notes the name of an object beside the one that USD allows."""
    noted = prim.GetAttribute("userProperties:blender:object_name")
    return str((noted.Get() if noted else None) or prim.GetDisplayName() or prim.GetName())


def _facts(prim: Any) -> dict[str, Any]:
    facts = prim.GetCustomDataByKey("foregone")
    return dict(facts) if isinstance(facts, dict) else {}


def _columns(matrix: Any) -> np.ndarray:
    """USD multiplies rows from the left; here points are columns."""
    return np.array(matrix, float).T


def _rigid(matrix: np.ndarray) -> np.ndarray:
    """Without the stretch that quaternions in half precision leave, which are not quite of unit length."""
    u, sizes, vt = np.linalg.svd(matrix[:3, :3])
    if np.abs(sizes - 1.0).max() > HALF:
        return matrix
    rigid = matrix.copy()
    rigid[:3, :3] = u @ vt
    return rigid


def _moved(mesh: Mesh, matrix: np.ndarray) -> Mesh:
    if np.abs(matrix - np.eye(4)).max() == 0.0:
        return mesh
    turned = mesh.triangles[:, ::-1] if np.linalg.det(matrix[:3, :3]) < 0.0 else mesh.triangles
    return Mesh(mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3], turned)


def _fans(counts: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(m, 3) triangles of polygons with `counts` corners each."""
    starts = np.repeat(np.cumsum(counts) - counts, np.maximum(counts - 2, 0))
    each = np.maximum(counts - 2, 0)
    step = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each) + 1
    return np.stack([corners[starts], corners[starts + step], corners[starts + step + 1]], axis=1)
