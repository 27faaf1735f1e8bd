"""Contacts of a core on a PLANE: every corner near or below it."""

from __future__ import annotations

from engine.collide.axes import SECOND
from engine.collide.manifold import CORNER_ON_FACE, emit_point_face
from engine.jit import inline
from engine.vec import dot, row, sub


@inline
def core_on_plane(found, verts, radius, base, n, slop):
    """Corners (rounded by `radius`) of the first part on the plane through base with normal n, the second part."""
    for v in range(verts.shape[0]):
        p = row(verts, v)
        if dot(n, sub(p, base)) - radius <= slop:
            emit_point_face(found, CORNER_ON_FACE | v << 16, SECOND, p, radius, base, n)
