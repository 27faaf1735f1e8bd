"""glTF, read by pygltflib and trimesh: keys of every body, times, sizes, names, and what the standard asks for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygltflib
import pytest
import trimesh
from mixed import mixed_take
from reading import FRACTIONS, RATES, TO_AXES, expected, matrices

from engine.errors import ExportError
from engine.export.settings import preset
from engine.export.write import export
from engine.shapes.ask import ask

KINDS = {5126: np.float32, 5123: np.uint16, 5125: np.uint32}
WIDE = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def written(tmp_path: Path, **asked) -> pygltflib.GLTF2:
    export(mixed_take(), tmp_path / "take.glb", preset("web", "glb", **asked), tiers=[1, 0, 0, 0, 0])
    return pygltflib.GLTF2().load(str(tmp_path / "take.glb"))


def values(file: pygltflib.GLTF2, number: int) -> np.ndarray:
    accessor = file.accessors[number]
    view = file.bufferViews[accessor.bufferView]
    data = np.frombuffer(file.binary_blob(), KINDS[accessor.componentType], accessor.count * WIDE[accessor.type],
                         view.byteOffset)  # fmt: skip
    assert view.byteOffset % 4 == 0 and data.nbytes == view.byteLength
    return data.reshape(accessor.count, -1).astype(float)


def curves(file: pygltflib.GLTF2) -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
    """(node, way) -> times, values."""
    found = {}
    for channel in file.animations[0].channels:
        sampler = file.animations[0].samplers[channel.sampler]
        assert sampler.interpolation == "LINEAR"
        name = file.nodes[channel.target.node].name
        found[name, channel.target.path] = values(file, sampler.input)[:, 0], values(file, sampler.output)
    return found


@pytest.mark.parametrize("fps", RATES)
def test_keys_are_the_take(tmp_path: Path, fps: float) -> None:
    file = written(tmp_path, fps=fps, start=1)
    positions, turns = expected(mixed_take(), fps, "y")
    found = curves(file)
    for i, node in enumerate(file.nodes):
        if (node.name, "translation") not in found:
            assert node.name in ("table", "wall")
            np.testing.assert_allclose(node.translation, positions[-1, i], atol=1e-6)
            continue
        times, places = found[node.name, "translation"]
        _, q = found[node.name, "rotation"]
        np.testing.assert_allclose(times, np.arange(1, len(positions) + 1) / FRACTIONS.get(fps, fps), rtol=2e-7)
        assert (np.diff(times) > 0.0).all() and ((q[1:] * q[:-1]).sum(1) > 0.0).all()
        np.testing.assert_allclose(places, positions[:, i], atol=3e-7)
        np.testing.assert_allclose(matrices(np.roll(q, 1, axis=1)), turns[:, i], atol=5e-7)
        np.testing.assert_allclose(places[-1], positions[-1, i], atol=1e-7)


def test_what_the_standard_asks_for(tmp_path: Path) -> None:
    file = written(tmp_path)
    for channel in file.animations[0].channels:
        times = file.accessors[file.animations[0].samplers[channel.sampler].input]
        assert times.min == [0.0] and times.max[0] > 0.0
    for mesh in file.meshes:
        for primitive in mesh.primitives:
            points = values(file, primitive.attributes.POSITION)
            accessor = file.accessors[primitive.attributes.POSITION]
            np.testing.assert_array_equal(points.min(axis=0), np.float32(accessor.min))
            np.testing.assert_allclose(np.linalg.norm(values(file, primitive.attributes.NORMAL), axis=1), 1, atol=1e-6)
            assert values(file, primitive.indices).max() < len(points)
    inputs = {sampler.input for sampler in file.animations[0].samplers}
    assert len(inputs) == 1  # bodies with the same frames share their times
    balls = [node.mesh for node in file.nodes if node.name.startswith("Ball")]
    accessors = [file.meshes[mesh].primitives[0].attributes.POSITION for mesh in balls]
    assert accessors[0] == accessors[1]  # two colours, one set of points
    assert [node.name for node in file.nodes][:4] == ["die", "Ball 1", "Ball 1 2", "Größe/7"]
    assert file.nodes[0].extras["foregone"]["shape"] == "box" and file.scenes[0].extras["foregone"]["fps"] == 24.0


def test_readers_without_animation_see_the_ending(tmp_path: Path) -> None:
    names = [node.name for node in written(tmp_path).nodes]
    scene = trimesh.load_scene(tmp_path / "take.glb", process=False)
    take = mixed_take()
    positions, turns = expected(take, 24.0)
    for i, body in enumerate(take.scene.bodies):
        children = scene.graph.transforms.children.get(names[i], ())  # trimesh gives each material of a mesh a node
        parts = [part for part in scene.graph.nodes_geometry if part == names[i] or part in children]
        points = np.concatenate(
            [
                trimesh.transform_points(scene.geometry[geometry].vertices, transform)
                for transform, geometry in (scene.graph[part] for part in parts)
            ]
        )
        wanted = ask(body.shape).surface().points @ turns[-1, i].T + positions[-1, i]
        wanted = wanted @ TO_AXES["y"].T
        np.testing.assert_allclose(points.min(axis=0), wanted.min(axis=0), atol=2e-6)
        np.testing.assert_allclose(points.max(axis=0), wanted.max(axis=0), atol=2e-6)


def test_time_before_zero_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="no time before 0"):
        written(tmp_path, start=0, handles=2)
    assert list(tmp_path.iterdir()) == []
