"""Layouts written by the libraries of other programs, for tests: nothing of our own export is used."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Usd, UsdGeom

CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
TRIANGLES = [t for a, b, c, d in QUADS for t in ([a, b, c], [a, c, d])]


def usd_stage(path: Path, up: str = "Z", metres: float = 1.0) -> Any:
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, metres)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/World").GetPrim())
    return stage


def usd_mesh(stage: Any, path: str, points: Any, faces: list[list[int]]) -> Any:
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.GetPointsAttr().Set([Gf.Vec3f(*map(float, p)) for p in points])
    mesh.GetFaceVertexCountsAttr().Set([len(face) for face in faces])
    mesh.GetFaceVertexIndicesAttr().Set([i for face in faces for i in face])
    return mesh


def usd_matrix(prim: Any, matrix: np.ndarray) -> None:
    """`matrix` for points as columns."""
    UsdGeom.Xformable(prim).AddTransformOp().Set(Gf.Matrix4d(matrix.T.tolist()))


def glb(path: Path, nodes: list[dict[str, Any]], points: Any = CUBE, faces: Any = TRIANGLES, **table: Any) -> Path:
    """A file with one mesh, number 0, and these nodes; those that nobody has as a child are in the scene."""
    vertices = np.asarray(points, np.float32).tobytes()
    indices = np.asarray(faces, np.uint32).tobytes()
    inner = {child for node in nodes for child in node.get("children", ())}
    content = {
        "asset": {"version": "2.0"}, "scene": 0,
        "scenes": [{"nodes": [k for k in range(len(nodes)) if k not in inner]}],
        "nodes": nodes, "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 3 * len(faces), "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": len(vertices)},
                        {"buffer": 0, "byteOffset": len(vertices), "byteLength": len(indices)}],
        "buffers": [{"byteLength": len(vertices) + len(indices)}], **table,
    }  # fmt: skip
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    binary = vertices + indices
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path
