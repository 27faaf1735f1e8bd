"""Slow work on meshes in a process of its own, so that the window stays alive and the work can be stopped:

    python -m app.makers.mesh_job read FILE OUT.npz
    python -m app.makers.mesh_job split IN.npz OUT.npz THRESHOLD

Exit code 0: the answer is in OUT.npz. Exit code 2: one sentence for the artist is on stdout.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from app.makers.mesh_import import MeshError, MeshFile, load_read, read_mesh, save_read

LOST = "Reading this mesh stopped unexpectedly. Your scene is safe."
MOST_PIECES = 64
PIECE_POINTS = 64


def split(source: Path, target: Path, threshold: float) -> None:
    """Convex decomposition; a concavity below `threshold` (fraction of the size) stays."""
    import coacd

    coacd.set_log_level("error")
    mesh = load_read(source)
    center, size = mesh.vertices.mean(axis=0), float(mesh.size.max())
    solid = coacd.Mesh((mesh.vertices - center) / size, mesh.triangles)
    found = coacd.run_coacd(solid, threshold=threshold, max_convex_hull=MOST_PIECES, max_ch_vertex=PIECE_POINTS)
    pieces = [np.asarray(points, float) * size + center for points, _ in found]
    if not pieces:
        raise MeshError("This mesh cannot be split into convex pieces. Use its hull.")
    np.savez(target, allow_pickle=False, **{f"piece_{k}": points for k, points in enumerate(pieces)})


def answer(arguments: list[str]) -> MeshFile | list[np.ndarray]:
    """What was read; or points (n, 3) of convex pieces, in the units of the file."""
    target = Path(arguments[2])
    if arguments[0] == "read":
        return load_read(target)
    with np.load(target, allow_pickle=False) as stored:
        return [stored[f"piece_{k}"] for k in range(len(stored.files))]


def main(arguments: list[str]) -> int:
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        if arguments[0] == "read":
            save_read(read_mesh(arguments[1]), Path(arguments[2]))
        else:
            split(Path(arguments[1]), Path(arguments[2]), float(arguments[3]))
    except MeshError as error:
        print(error)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
