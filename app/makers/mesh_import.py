"""Meshes from files: read without trusting them, and tell what is wrong in words that name the file."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from engine.scene.flatness import is_flat
from engine.shapes.welding import FILLS_ITS_HULL, described, hull_volume, welded

SUFFIXES = (".obj", ".stl", ".ply", ".gltf", ".glb")
MOST_TRIANGLES = 2_000_000
MOST_BYTES = 500_000_000  # of a file: text of two million triangles is about a third of this


class MeshError(Exception):
    """A file that cannot be used; the message is for the artist."""


@dataclass(frozen=True)
class MeshFile:
    """What a file holds, in its own units and axes."""

    name: str  # of the file, without folder and suffix
    suffix: str
    vertices: np.ndarray  # (n, 3)
    triangles: np.ndarray  # (m, 3), none without area
    open_edges: int  # edges with one triangle
    shared_edges: int  # edges with more than two
    volume: float  # of the solid; 0 when the surface encloses none
    hull_volume: float

    @property
    def closed(self) -> bool:
        return self.open_edges == 0 and self.shared_edges == 0 and self.volume > 0.0

    @property
    def convex(self) -> bool:
        return self.closed and self.volume >= FILLS_ITS_HULL * self.hull_volume

    @property
    def size(self) -> np.ndarray:
        return np.ptp(self.vertices, axis=0)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is not right with the surface though it can be used."""
        found = []
        if self.open_edges:
            found.append(f"The surface has holes ({self.open_edges} open edges).")
        if self.shared_edges:
            found.append(f"{self.shared_edges} edges belong to more than two triangles.")
        if not found and self.volume <= 0.0:
            found.append("Its faces point both ways, so it encloses no volume.")
        return tuple(found)


def read_mesh(path: str | PathLike[str]) -> MeshFile:
    """Raises MeshError for whatever cannot be used. Nothing outside the file's folder is opened."""
    file = Path(fspath(path))
    _check_file(file)
    vertices, triangles = _load(file)
    if len(triangles) == 0:
        raise MeshError(f"{file.name} holds no triangles. Export it again with its surface.")
    if len(triangles) > MOST_TRIANGLES:
        raise MeshError(
            f"{file.name} has {len(triangles) / 1e6:.1f} million triangles; two million is the most. Thin it out."
        )
    used = vertices[np.unique(triangles)]
    if not np.isfinite(used).all():
        raise MeshError(f"{file.name} has points that are not numbers. Export it again.")
    if float(np.abs(used).max()) > 1e12 or float(np.ptp(used, axis=0).max()) < 1e-12:
        raise MeshError(f"{file.name} is of an impossible size. Export it again in a usual unit.")
    vertices, triangles = welded(vertices, triangles)
    if len(triangles) == 0 or is_flat(vertices[np.unique(triangles)]):
        raise MeshError(f"{file.name} is flat: it has no volume. Give it some thickness.")
    return _described(file, vertices, triangles)


def _check_file(file: Path) -> None:
    if file.suffix.lower() not in SUFFIXES:
        raise MeshError(f"{file.name} is not a mesh this studio reads. Use OBJ, STL, PLY or glTF.")
    if not file.is_file():
        raise MeshError(f"{file.name} is not there any more.")
    try:
        size = file.stat().st_size
    except OSError as error:
        raise MeshError(f"{file.name} cannot be opened. Check its permissions.") from error
    if size == 0:
        raise MeshError(f"{file.name} is empty.")
    if size > MOST_BYTES:
        raise MeshError(f"{file.name} is larger than 500 MB. Thin it out before importing.")


def _load(file: Path) -> tuple[np.ndarray, np.ndarray]:
    import trimesh  # slow to import, and only wanted here

    try:
        scene = trimesh.load_scene(file, process=False, skip_materials=True, allow_remote=False)
        mesh = scene.to_mesh()
        vertices, triangles = np.array(mesh.vertices, float), np.array(mesh.faces, np.int64)
        wrong = bool(len(triangles)) and (triangles.min() < 0 or triangles.max() >= len(vertices))
    except MemoryError as error:
        raise MeshError(f"{file.name} is too large for this computer's memory.") from error
    except PermissionError as error:
        raise MeshError(f"{file.name} cannot be opened. Check its permissions.") from error
    except Exception as error:  # a damaged file can make a parser fail in any way
        raise MeshError(f"{file.name} is damaged or not what its ending says ({_reason(error)}).") from error
    if wrong:
        raise MeshError(f"{file.name} is damaged: triangles use points that do not exist.")
    return vertices.reshape(-1, 3), triangles.reshape(-1, 3)


def _reason(error: Exception) -> str:
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    return text if len(text) <= 80 else text[:77] + "..."


def _described(file: Path, vertices: np.ndarray, triangles: np.ndarray) -> MeshFile:
    found = described(vertices, triangles)
    return MeshFile(
        name=file.stem,
        suffix=file.suffix.lower(),
        vertices=vertices,
        triangles=found.triangles,
        open_edges=found.open_edges,
        shared_edges=found.shared_edges,
        volume=found.volume,
        hull_volume=hull_volume(vertices[np.unique(triangles)]),
    )


def save_read(mesh: MeshFile, path: Path) -> None:
    """Write what was read for another process: arrays, never pickles."""
    np.savez(path, allow_pickle=False, **{name: np.asarray(getattr(mesh, name)) for name in MeshFile.__match_args__})


def load_read(path: Path) -> MeshFile:
    with np.load(path, allow_pickle=False) as stored:
        values = {name: stored[name] for name in MeshFile.__match_args__}
    return MeshFile(**{name: value if value.ndim else value.item() for name, value in values.items()})
