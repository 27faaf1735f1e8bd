"""An Alembic cache read back by the library itself: a sample per frame at the right time, where the bodies are shown.

Not a test by itself, as the library is not everywhere; `largest_error` is for whoever has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.export.clip import Clip


def largest_error(clip: Clip, path: Path) -> float:
    """Of any entry of any world matrix at any frame, in the clip's unit. Raises AssertionError where bodies, times or
    meshes are not those of the clip."""
    from alembic3d import Abc, AbcGeom

    archive = Abc.IArchive(str(path))
    top, worst = archive.getTop(), 0.0
    assert [child.getName() for child in (top.getChild(i) for i in range(top.getNumChildren()))] == [
        actor.name for actor in clip.actors
    ]
    for i, actor in enumerate(clip.actors):
        body = AbcGeom.IXform(top, actor.name)
        schema = body.getSchema()
        assert schema.getNumSamples() == (clip.frames.count if actor.moves else 1)
        for k, number in enumerate(clip.frames.numbers.tolist() if actor.moves else [clip.first]):
            time = schema.getTimeSampling().getSampleTime(k)
            assert not actor.moves or abs(time * clip.fps - number) < 1e-6
            matrix = schema.getValue(Abc.ISampleSelector(time)).getMatrix()  # for rows
            found = np.array([[matrix[row][column] for row in range(4)] for column in range(4)])
            worst = max(worst, float(np.abs(found - _matrix(clip.positions[k, i], clip.orientations[k, i])).max()))
        _check_mesh(AbcGeom.IPolyMesh(body, f"{actor.name}Shape").getSchema().getValue(), actor.surface)
    return worst


def _check_mesh(mesh, surface) -> None:
    corners, counts = list(mesh.getFaceIndices()), list(mesh.getFaceCounts())
    assert counts == surface.counts.tolist()
    start = 0
    for count in counts:  # clockwise
        assert corners[start : start + count] == surface.corners[start : start + count][::-1].tolist()
        start += count
    points = np.array([[point[0], point[1], point[2]] for point in mesh.getPositions()])
    assert np.abs(points - surface.points).max() <= 1e-6 * np.abs(surface.points).max()


def _matrix(place: np.ndarray, q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    half = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    world = np.eye(4)
    world[:3, :3] += 2 * w * half + 2 * half @ half
    world[:3, 3] = place
    return world
