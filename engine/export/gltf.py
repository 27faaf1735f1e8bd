"""A clip as binary glTF: a node per body with its mesh, dense LINEAR keys, everything in one file.

glTF is metres, y up, right-handed, quaternions x y z w, times in seconds: frame n is at n / fps, as Blender reads it
back. A node's own pose is that of the ending, so that readers without animation show what the artist placed.

A body that appears has a scale of 0 until then, in one STEP: the specification offers this to animate visibility, and
every reader follows it, which KHR_node_visibility with KHR_animation_pointer cannot say of itself.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import ExportError
from engine.export.clip import Actor, Clip, Progress, Track
from engine.scene.colors import linear
from engine.scene.dice import SPOT_COLOR
from engine.shapes.surface import Surface

FLOAT, UINT16, UINT32 = 5126, 5123, 5125  # component types
VERTICES, INDICES = 34962, 34963  # what a buffer view is for
TELL_EVERY = 64  # bodies
LARGEST = 0xFFFFFFFF  # bytes: sizes in the header have 32 bits


def write(clip: Clip, path: Path, progress: Progress) -> None:
    if clip.first < 0:
        raise ExportError("glTF has no time before 0: let the frames begin at 0 or later.")
    document = _Document(clip)
    for i, actor in enumerate(clip.actors):
        document.add(actor, i)
        if i % TELL_EVERY == 0:
            progress(0.9 * i / len(clip.actors))
    _write_file(path, document.table(), document.binary)
    progress(1.0)


class _Binary:
    """The one buffer, and accessors into it."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.size = 0

    def add(self, array: np.ndarray, kind: str, bounds: bool = False, target: int | None = None) -> int:
        """Number of the accessor for rows of `kind` ("SCALAR", "VEC3", "VEC4")."""
        component = {"f": FLOAT, "u": UINT16 if array.dtype.itemsize == 2 else UINT32}[array.dtype.kind]
        data = np.ascontiguousarray(array).tobytes()
        data += bytes(-len(data) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self.size, "byteLength": array.nbytes}
        if target is not None:
            view["target"] = target
        self.blocks.append(data)
        self.views.append(view)
        self.size += len(data)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(array), "type": kind}
        if bounds:
            flat = array.reshape(len(array), -1)
            accessor["min"], accessor["max"] = flat.min(axis=0).tolist(), flat.max(axis=0).tolist()
        self.accessors.append(accessor)
        return len(self.accessors) - 1


class _Document:
    def __init__(self, clip: Clip) -> None:
        self.clip, self.binary = clip, _Binary()
        self.nodes: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []
        self._geometry: dict[int, tuple[Surface, list[dict[str, Any]]]] = {}  # held, so that ids stay their own
        self._meshes: dict[tuple[int, str], int] = {}
        self._materials: dict[str, int] = {}
        self._times: dict[bytes, int] = {}

    def add(self, actor: Actor, i: int) -> None:
        """Its own pose is that of the authored frame, or of the last one when that is cut off."""
        clip = self.clip
        ending = clip.frames.ending if clip.frames.ending is not None else -1
        node: dict[str, Any] = {
            "name": actor.name,
            "mesh": self._mesh(actor),
            "translation": clip.positions[ending, i].tolist(),
            "rotation": _xyzw(clip.orientations[ending, i][None])[0].tolist(),
        }
        if actor.facts:
            node["extras"] = {"foregone": actor.facts}
        self.nodes.append(node)
        if actor.keyed and len(actor.track.frames) > 1:
            self._animate(actor.track, len(self.nodes) - 1)
        if actor.switches:
            frames = np.array([frame for frame, _ in actor.switches], float)
            sizes = np.repeat([[float(on)] for _, on in actor.switches], 3, axis=1).astype(np.float32)
            self._channel(len(self.nodes) - 1, "scale", self._time(frames), self.binary.add(sizes, "VEC3"), "STEP")

    def _animate(self, track: Track, node: int) -> None:
        times = self._time(track.frames)
        for way, values, kind in (
            ("translation", track.positions.astype(np.float32), "VEC3"),
            ("rotation", _xyzw(track.orientations), "VEC4"),
        ):
            self._channel(node, way, times, self.binary.add(values, kind), "LINEAR")

    def _channel(self, node: int, way: str, times: int, values: int, interpolation: str) -> None:
        self.samplers.append({"input": times, "output": values, "interpolation": interpolation})
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": way}})

    def _time(self, frames: np.ndarray) -> int:
        """Bodies with keys at the same frames share one list of times."""
        key = frames.tobytes()
        if key not in self._times:
            self._times[key] = self.binary.add((frames / self.clip.fps).astype(np.float32), "SCALAR", True)
        return self._times[key]

    def _mesh(self, actor: Actor) -> int:
        key = id(actor.surface), actor.color
        if key not in self._meshes:
            colors = (actor.color, SPOT_COLOR)  # of spots, where there are any
            primitives = [
                {**primitive, "material": self._material(color, actor.surface.solid)}
                for primitive, color in zip(self._primitives(actor.surface), colors, strict=False)
            ]
            self.meshes.append({"name": actor.name, "primitives": primitives})
            self._meshes[key] = len(self.meshes) - 1
        return self._meshes[key]

    def _primitives(self, surface: Surface) -> list[dict[str, Any]]:
        """Triangles in the body's colour, then those of spots, between the same points."""
        if id(surface) not in self._geometry:
            points, normals, triangles = surface.split
            index = triangles.astype(np.uint16 if len(points) < 0xFFFF else np.uint32)
            spots = surface.spot_triangles
            attributes = {
                "POSITION": self.binary.add(points.astype(np.float32), "VEC3", True, VERTICES),
                "NORMAL": self.binary.add(_unit(normals), "VEC3", False, VERTICES),
            }
            primitives = [
                {"attributes": attributes, "indices": self.binary.add(part.ravel(), "SCALAR", False, INDICES)}
                for part in (index[~spots], index[spots])
                if len(part)
            ]
            self._geometry[id(surface)] = surface, primitives
        return self._geometry[id(surface)][1]

    def _material(self, color: str, solid: bool) -> int:
        key = f"{color}{'' if solid else ' open'}"
        if key not in self._materials:
            look = {"baseColorFactor": [*linear(color), 1], "metallicFactor": 0, "roughnessFactor": 0.6}
            material: dict[str, Any] = {"name": color, "pbrMetallicRoughness": look}
            if not solid:
                material["doubleSided"] = True
            self.materials.append(material)
            self._materials[key] = len(self.materials) - 1
        return self._materials[key]

    def table(self) -> dict[str, Any]:
        """The JSON part."""
        clip = self.clip
        about = {"fps": clip.fps, "first_frame": clip.first, "last_frame": clip.last, "ending_frame": clip.ending}
        scene: dict[str, Any] = {"name": clip.name}
        if self.nodes:
            scene["nodes"] = list(range(len(self.nodes)))
        if clip.facts:
            scene["extras"] = {"foregone": {**about, **clip.facts}}
        table: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Foregone"},
            "scene": 0,
            "scenes": [scene],
        }
        lists = {"nodes": self.nodes, "meshes": self.meshes, "materials": self.materials,
                 "accessors": self.binary.accessors, "bufferViews": self.binary.views}  # fmt: skip
        table |= {name: rows for name, rows in lists.items() if rows}
        if self.binary.size:
            table["buffers"] = [{"byteLength": self.binary.size}]
        if self.channels:
            table["animations"] = [{"name": clip.name, "samplers": self.samplers, "channels": self.channels}]
        return table


def _xyzw(q: np.ndarray) -> np.ndarray:
    """(k, 4) float32, of unit length after rounding as well as floats can be."""
    return _unit(np.roll(q, -1, axis=-1))


def _unit(rows: np.ndarray) -> np.ndarray:
    single = rows.astype(np.float32).astype(float)
    return np.asarray(single / np.linalg.norm(single, axis=-1, keepdims=True)).astype(np.float32)


def _write_file(path: Path, table: dict[str, Any], binary: _Binary) -> None:
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + (8 + binary.size if binary.size else 0)
    if total > LARGEST:
        raise ExportError("This take is larger than the 4 GB a .glb file can hold. Use USD, or fewer frames.")
    with path.open("wb") as stream:
        stream.write(struct.pack("<4sII", b"glTF", 2, total))
        stream.write(struct.pack("<I4s", len(text), b"JSON") + text)
        if binary.size:
            stream.write(struct.pack("<I4s", binary.size, b"BIN\0"))
            stream.writelines(binary.blocks)
