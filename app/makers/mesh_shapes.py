"""Bodies from meshes: hull, convex pieces, or a static surface; in metres, z up, standing on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.makers.mesh_import import MeshFile
from engine.scene.flatness import is_flat
from engine.scene.spec import Body, Compound, Hull, Material, Shape, TriangleMesh
from engine.shapes.mass import mass_properties
from engine.shapes.simple_hull import simple_hull

Treatment = Literal["hull", "pieces", "static"]
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254}
LARGEST, SMALLEST = 100.0, 0.002  # m, beyond which a mesh is probably in another unit
MESH = Material(name="Plastic", density=1200.0, friction=0.35, restitution=0.5)


@dataclass(frozen=True)
class MeshChoice:
    unit: str = "m"
    y_up: bool = False
    treatment: Treatment = "hull"


def first_choice(mesh: MeshFile) -> MeshChoice:
    """What a file most likely means: glTF is metres and y up by its standard, OBJ usually y up, STL usually
    millimetres. Where nothing is written down, the size tells."""
    treatment: Treatment = "hull" if mesh.convex else "pieces" if mesh.closed else "hull"
    return MeshChoice(guessed_unit(mesh), mesh.suffix in (".gltf", ".glb", ".obj"), treatment)


def guessed_unit(mesh: MeshFile) -> str:
    largest = float(mesh.size.max())
    if mesh.suffix in (".gltf", ".glb"):
        return "m"
    if mesh.suffix == ".stl":
        return "mm" if largest > 3.0 else "m"
    return "m" if largest <= 10.0 else "cm" if largest <= 400.0 else "mm"


def size_in_metres(mesh: MeshFile, choice: MeshChoice) -> tuple[float, float, float]:
    x, y, z = (float(v) * UNITS[choice.unit] for v in mesh.size)
    return (x, z, y) if choice.y_up else (x, y, z)


def scale_remark(mesh: MeshFile, choice: MeshChoice) -> str:
    """A sentence when the size looks like that of another unit."""
    largest = max(size_in_metres(mesh, choice))
    if largest > LARGEST:
        return f"It would be {largest:.0f} m large. Choose a smaller unit if that is not meant."
    if largest < SMALLEST:
        return f"It would be {largest * 1000:.2g} mm large. Choose a larger unit if that is not meant."
    return ""


def mesh_body(mesh: MeshFile, choice: MeshChoice, pieces: list[np.ndarray] | None = None) -> Body:
    """A body at the origin, lowest point on the ground, whose own origin is its centre of mass (the middle of its box
    for a static surface). `pieces`: points of convex pieces in the units of the file."""

    def metric(points: np.ndarray) -> np.ndarray:
        scaled = points * UNITS[choice.unit]
        return np.stack([scaled[:, 0], -scaled[:, 2], scaled[:, 1]], axis=1) if choice.y_up else scaled

    if choice.treatment == "static":
        points = metric(mesh.vertices)
        center = 0.5 * (points.min(axis=0) + points.max(axis=0))
        points = points - center
        shape, low = TriangleMesh(points, mesh.triangles), float(points[:, 2].min())
        return Body(mesh.name, shape, (0.0, 0.0, -low), material=MESH, static=True)
    groups = pieces if choice.treatment == "pieces" and pieces else [mesh.vertices[np.unique(mesh.triangles)]]
    solids = [hull for hull in (simple_hull(metric(points)) for points in groups) if not is_flat(hull)]
    if not solids:
        solids = [simple_hull(metric(mesh.vertices))]
    center = mass_properties(_solid(solids), 1.0).center
    solids = [hull - center for hull in solids]
    low = min(float(hull[:, 2].min()) for hull in solids)
    return Body(mesh.name, _solid(solids), (0.0, 0.0, -low), material=MESH)


def _solid(hulls: list[np.ndarray]) -> Shape:
    if len(hulls) == 1:
        return Hull(hulls[0])
    return Compound([(Hull(hull), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)) for hull in hulls])
