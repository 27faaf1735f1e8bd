"""A clip as an Alembic cache: a transform per body with a sample per frame, and its mesh below it.

Alembic knows neither unit nor up axis: what the clip says is what is written. Its faces run clockwise seen from
outside. Transforms are a place and angles about x, then y, then z without jumps, as Maya takes them for channels.
Bodies that are not shown in all frames have a visibility, a sample per frame.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import ExportError
from engine.export.clip import Clip, Progress
from engine.export.rotations import euler, unrolled
from engine.shapes.surface import Surface


def write(clip: Clip, path: Path, progress: Progress) -> None:
    import imath
    from alembic3d import Abc, AbcCoreAbstract, AbcGeom  # not installed everywhere

    try:
        archive = Abc.CreateArchiveWithInfo(str(path), clip.fps, "Foregone", clip.name)
    except RuntimeError as error:
        raise ExportError(f"The Alembic library could not write {path.name}.") from error
    sampling = archive.addTimeSampling(AbcCoreAbstract.TimeSampling(1.0 / clip.fps, clip.first / clip.fps))
    top = archive.getTop()
    angles = np.degrees(unrolled(euler(clip.orientations)))
    mesh_of = cache(_mesh)  # bodies that look alike share a surface
    for i, actor in enumerate(clip.actors):
        body = AbcGeom.OXform(top, actor.name)
        schema = body.getSchema()
        if actor.moves:
            schema.setTimeSampling(sampling)
        rows = slice(None) if actor.moves else slice(0, 1)  # one says it all
        for sample in _poses(clip.positions[rows, i], angles[rows, i]):
            schema.set(sample)
        if actor.switches:
            visible = AbcGeom.CreateVisibilityProperty(body, sampling)
            for shown in clip.shown[:, i]:
                kinds = AbcGeom.ObjectVisibility
                visible.setValue(int(kinds.kVisibilityVisible if shown else kinds.kVisibilityHidden))
        _tell(schema.getUserProperties(), actor.facts)
        mesh = AbcGeom.OPolyMesh(body, f"{actor.name}Shape").getSchema()
        mesh.set(mesh_of(actor.surface))
        for name, faces in actor.surface.parts.items():  # the format has no colours, but programs give sets materials
            sample = AbcGeom.OFaceSetSchemaSample(_filled(imath.IntArray(len(faces)), faces.tolist()))
            mesh.createFaceSet(name).getSchema().set(sample)
        progress((i + 1) / len(clip.actors))


def _poses(positions: np.ndarray, angles: np.ndarray) -> Iterable[Any]:
    """Samples of one body, from (k, 3) and (k, 3) degrees."""
    import imath
    from alembic3d import AbcGeom

    for place, (about_x, about_y, about_z) in zip(positions.tolist(), angles.tolist(), strict=True):
        sample = AbcGeom.XformSample()
        sample.setTranslation(imath.V3d(*place))  # what is set first is done last
        sample.setZRotation(about_z)
        sample.setYRotation(about_y)
        sample.setXRotation(about_x)
        yield sample


def _mesh(surface: Surface) -> Any:
    import imath
    from alembic3d import AbcGeom

    turned = surface.mirrored()
    normals = AbcGeom.ON3fGeomParamSample(_vectors(turned.normals), AbcGeom.GeometryScope.kFacevaryingScope)
    return AbcGeom.OPolyMeshSchemaSample(
        _vectors(turned.points),
        _filled(imath.IntArray(len(turned.corners)), turned.corners.tolist()),
        _filled(imath.IntArray(len(turned.counts)), turned.counts.tolist()),
        AbcGeom.OV2fGeomParamSample(),
        normals,
    )


def _vectors(rows: np.ndarray) -> Any:
    import imath

    return _filled(imath.V3fArray(len(rows)), (imath.V3f(*row) for row in rows.tolist()))


def _filled(array: Any, values: Iterable[Any]) -> Any:
    for k, value in enumerate(values):
        array[k] = value
    return array


def _tell(properties: Any, facts: dict[str, Any]) -> None:
    """Facts as user properties; lists as JSON."""
    from alembic3d import Abc

    for key, value in facts.items():
        if isinstance(value, float):
            Abc.ODoubleProperty(properties, f"foregone_{key}").setValue(value)
        else:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            Abc.OStringProperty(properties, f"foregone_{key}").setValue(text)
