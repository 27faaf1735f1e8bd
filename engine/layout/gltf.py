"""Layouts from glTF: one object per node with a mesh, at the node's own pose; animation is not looked at.

glTF is metres, y up. Our own exports put the facts of a body into the node's extras.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import LayoutError
from engine.layout.colors import from_linear
from engine.layout.gltf_buffers import Buffers, read_table
from engine.layout.layout import Layout, Placed, check_counts, placed
from engine.layout.tidy import tidy_turn
from engine.shapes.turns import rotation_matrix

TRIANGLES, STRIP, FAN = 4, 5, 6
DEEPEST = 512  # nodes below nodes


def read(path: Path) -> Layout:
    table, binary = read_table(path)
    try:
        return _Reader(path, table, Buffers(path, table, binary)).layout()
    except LayoutError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise LayoutError(f"{path.name} is damaged: it is not as glTF should be.") from error


def several_objects(path: Path) -> bool:
    """Has a file more than one node with a mesh?"""
    table, _ = read_table(path)
    return sum(isinstance(node, dict) and "mesh" in node for node in table.get("nodes", ())) > 1


class _Reader:
    def __init__(self, path: Path, table: dict[str, Any], buffers: Buffers) -> None:
        self._path, self._table, self._buffers = path, table, buffers
        self._nodes: list[dict[str, Any]] = table.get("nodes", [])
        self._parents = {child: k for k, node in enumerate(self._nodes) for child in node.get("children", ())}
        self._maps: dict[int, np.ndarray] = {}
        self._meshes: dict[int, tuple[np.ndarray, np.ndarray, str]] = {}

    def layout(self) -> Layout:
        numbers = [k for k in self._in_scene() if "mesh" in self._nodes[k]]
        found: list[Placed] = []
        count = 0
        check_counts(self._path.name, len(numbers), 0)
        for number in numbers:
            each = self._object(number)
            count += len(each.triangles)
            check_counts(self._path.name, len(numbers), count)
            if len(each.triangles):
                found.append(each)
        skinned = sum("skin" in self._nodes[k] for k in numbers)
        notes = ("Bones are not followed: skinned meshes come in their rest pose.",) if skinned else ()
        return Layout(self._path.name, tuple(found), 1.0, "y", notes=notes)

    def _in_scene(self) -> list[int]:
        """Nodes of the scene that is shown, parents first; of all when there is no scene."""
        scenes = self._table.get("scenes") or []
        if scenes:
            pending = list(scenes[self._table.get("scene", 0)].get("nodes", ()))
        else:
            pending = [k for k in range(len(self._nodes)) if k not in self._parents]
        found: dict[int, None] = {}
        while pending:
            number = pending.pop(0)
            if number in found:
                raise ValueError("a node below itself")
            found[number] = None
            pending[:0] = self._nodes[number].get("children", ())
        return list(found)

    def _object(self, number: int) -> Placed:
        node, matrix = self._nodes[number], self._world(number)
        vertices, triangles, color = self._mesh(node["mesh"])
        name, facts = node.get("name"), _facts(node)
        holder = self._holder(number)
        if holder is not None:  # the mesh's own map, if it has one, belongs to the mesh
            own = _local(node)
            vertices, matrix = vertices @ own[:3, :3].T + own[:3, 3], self._world(holder)
            if np.linalg.det(own[:3, :3]) < 0.0:
                triangles = triangles[:, ::-1]
            name, facts = self._nodes[holder]["name"], _facts(self._nodes[holder]) or facts
        name = name or self._table["meshes"][node["mesh"]].get("name") or f"Object {number + 1}"
        return placed(str(name), matrix, vertices, triangles, facts, color)

    def _holder(self, number: int) -> int | None:
        """A named parent that is there for this one mesh: it is what the artist knows, the mesh is a detail."""
        parent = self._parents.get(number)
        if parent is None or "mesh" in self._nodes[parent] or not self._nodes[parent].get("name"):
            return None
        alone = self._nodes[parent].get("children") == [number] and not self._nodes[number].get("children")
        if not alone or _facts(self._nodes[number]):
            return None
        return parent if parent in self._parents or _facts(self._nodes[parent]) else None

    def _world(self, number: int) -> np.ndarray:
        if number not in self._maps:
            ancestors = [number]
            while ancestors[-1] in self._parents and len(ancestors) < DEEPEST:
                ancestors.append(self._parents[ancestors[-1]])
            matrix = np.eye(4)
            for each in reversed(ancestors):
                matrix = matrix @ _local(self._nodes[each])
            self._maps[number] = matrix
        return self._maps[number]

    def _mesh(self, number: int) -> tuple[np.ndarray, np.ndarray, str]:
        if number not in self._meshes:
            points, triangles, start, color = [], [], 0, ""
            for primitive in self._table["meshes"][number]["primitives"]:
                own = self._buffers.rows(primitive["attributes"]["POSITION"])
                color = color or self._color(primitive)
                triangles.append(self._triangles(primitive, len(own)) + start)
                points.append(np.asarray(own, float))
                start += len(own)
            joined = np.concatenate(points) if points else np.zeros((0, 3))
            corners = np.concatenate(triangles) if triangles else np.zeros((0, 3), np.int64)
            if len(corners) and corners.max() >= len(joined):
                raise LayoutError(f"{self._path.name} is damaged: triangles use points that do not exist.")
            self._meshes[number] = joined, corners, color
        return self._meshes[number]

    def _triangles(self, primitive: dict[str, Any], count: int) -> np.ndarray:
        """(m, 3); points and lines have none."""
        mode = primitive.get("mode", TRIANGLES)
        order = np.arange(count)
        if "indices" in primitive:
            order = self._buffers.rows(primitive["indices"])[:, 0].astype(np.int64)
        if mode == TRIANGLES:
            return order[: len(order) // 3 * 3].reshape(-1, 3)
        if mode not in (STRIP, FAN) or len(order) < 3:
            return np.zeros((0, 3), np.int64)
        if mode == FAN:
            return np.stack([np.full(len(order) - 2, order[0]), order[1:-1], order[2:]], axis=1)
        strip = np.stack([order[:-2], order[1:-1], order[2:]], axis=1)
        strip[1::2] = strip[1::2][:, [1, 0, 2]]
        return strip

    def _color(self, primitive: dict[str, Any]) -> str:
        if "material" not in primitive:
            return ""
        look = self._table["materials"][primitive["material"]].get("pbrMetallicRoughness", {})
        if "baseColorTexture" in look:
            return ""
        return from_linear(look["baseColorFactor"]) if "baseColorFactor" in look else ""


def _facts(node: dict[str, Any]) -> dict[str, Any]:
    extras = node.get("extras")
    facts = extras.get("foregone") if isinstance(extras, dict) else None
    return facts if isinstance(facts, dict) else {}


def _local(node: dict[str, Any]) -> np.ndarray:
    """(4, 4) for points as columns."""
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = (float(c) for c in node.get("rotation", (0.0, 0.0, 0.0, 1.0)))
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(tidy_turn((w, x, y, z))) * np.array(node.get("scale", (1.0, 1.0, 1.0)), float)
    matrix[:3, 3] = np.array(node.get("translation", (0.0, 0.0, 0.0)), float)
    return matrix
