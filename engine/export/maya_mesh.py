"""A surface as a Maya mesh: points, edges, and faces as loops of edges.

An edge that a face runs along from its second point to its first is written as -1 - edge. Edges say where the surface
is round (soft) and where it has a crease (hard); Maya makes its normals from that. Normals of our own would be locked
and stay behind when an artist reshapes the body, and are read per point or per corner depending on their number.
"""

from __future__ import annotations

import numpy as np

from engine.export.mel import array, number
from engine.shapes.surface import Surface

SAME = 1e-6  # difference of unit normals on both sides of a soft edge
POINTS, EDGES, FACES = 166, 166, 500  # items in a statement, as Maya writes them


def mesh_lines(surface: Surface) -> list[str]:
    edges, loops, soft = edges_of(surface)
    points = [" ".join(map(number, point)) for point in surface.points.tolist()]
    flagged = [f"{a} {b} {int(flag)}" for (a, b), flag in zip(edges.tolist(), soft.tolist(), strict=True)]
    faces = []
    for start, count in zip(surface.starts.tolist(), surface.counts.tolist(), strict=True):
        faces.append(f"f {count} " + " ".join(map(str, loops[start : start + count].tolist())))
    corners = f" -ch {len(surface.corners)}"
    return [
        *array(".vt", points, POINTS, width=4),
        *array(".ed", flagged, EDGES),
        *array(".fc", faces, FACES, "polyFaces", corners, width=1),
    ]


def edges_of(surface: Surface) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges (e, 2), the lower point first; for every corner the edge to the next one, signed; (e,) soft or hard."""
    after = _next_corners(surface)
    ends = np.stack([surface.corners, surface.corners[after]], axis=1)
    edges, used = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    used = used.reshape(-1)
    forward = ends[:, 0] < ends[:, 1]
    loops = np.where(forward, used, -1 - used)
    # Normals of each face at the lower and the upper end of its edges.
    lower = np.where(forward[:, None], surface.normals, surface.normals[after])
    upper = np.where(forward[:, None], surface.normals[after], surface.normals)
    both = np.concatenate([lower, upper], axis=1)
    first = np.zeros((len(edges), 6))
    first[used] = both
    crease = np.zeros(len(edges), bool)
    np.logical_or.at(crease, used, np.abs(both - first[used]).max(axis=1) > SAME)
    return edges, loops, ~crease & (np.bincount(used, minlength=len(edges)) > 1)


def _next_corners(surface: Surface) -> np.ndarray:
    """(c,) the corner after each, around its face."""
    after = np.arange(1, len(surface.corners) + 1)
    after[surface.starts + surface.counts - 1] = surface.starts
    return after
