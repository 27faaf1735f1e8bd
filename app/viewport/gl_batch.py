"""Meshes and instances on the graphics card."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_void_p

import numpy as np
from OpenGL import GL

from app.viewport.draw_list import INSTANCE, Batch, Detail, detail
from app.viewport.meshes import Mesh

FLOAT = 4  # bytes
ALWAYS_WHOLE = 48  # batches up to this size are not sorted by detail or cut to the picture, if they have one level


def _buffer(target: int, data: np.ndarray) -> int:
    name = int(GL.glGenBuffers(1))
    GL.glBindBuffer(target, name)
    GL.glBufferData(target, data.nbytes, data, GL.GL_STATIC_DRAW)
    return name


def _attribute(place: int, count: int, stride: int, offset: int, per_instance: bool = False) -> None:
    GL.glEnableVertexAttribArray(place)
    GL.glVertexAttribPointer(place, count, GL.GL_FLOAT, GL.GL_FALSE, stride * FLOAT, c_void_p(offset * FLOAT))
    if per_instance:
        GL.glVertexAttribDivisor(place, 1)


class GlMesh:
    """Triangles and edge ribbons of one mesh."""

    def __init__(self, mesh: Mesh) -> None:
        self.two_sided = mesh.two_sided
        self.triangle_indices, self.edge_indices = mesh.triangles.size, 6 * len(mesh.edges)
        GL.glBindVertexArray(0)
        self.vertices = _buffer(GL.GL_ARRAY_BUFFER, np.hstack([mesh.vertices, mesh.normals]))
        self.triangles = _buffer(GL.GL_ELEMENT_ARRAY_BUFFER, mesh.triangles)
        self.ribbons = _buffer(GL.GL_ARRAY_BUFFER, _ribbons(mesh.edges))
        corners = np.arange(len(mesh.edges), dtype=np.uint32)[:, None] * 4
        order = corners + np.array([0, 1, 2, 2, 1, 3], np.uint32)
        self.ribbon_order = _buffer(GL.GL_ELEMENT_ARRAY_BUFFER, np.ascontiguousarray(order))

    def bind_triangles(self) -> None:
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.vertices)
        _attribute(0, 3, 6, 0)
        _attribute(1, 3, 6, 3)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self.triangles)

    def bind_ribbons(self) -> None:
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.ribbons)
        for place, offset in ((0, 0), (1, 3), (6, 6), (7, 9)):
            _attribute(place, 3, 14, offset)
        _attribute(8, 2, 14, 12)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, self.ribbon_order)

    def release(self) -> None:
        buffers = [self.vertices, self.triangles, self.ribbons, self.ribbon_order]
        GL.glDeleteBuffers(len(buffers), buffers)


def _ribbons(edges: np.ndarray) -> np.ndarray:
    """Four corners per edge: ends, normals, then which end and which side (-1, 1)."""
    corner = np.array([[0.0, -1.0], [0.0, 1.0], [1.0, -1.0], [1.0, 1.0]], np.float32)
    whole = np.repeat(edges.reshape(-1, 1, 12), 4, axis=1)
    return np.ascontiguousarray(
        np.concatenate([whole, np.broadcast_to(corner, (len(edges), 4, 2))], axis=2), np.float32
    )


class GlMeshes:
    """Meshes already uploaded, by key and level; those no batch uses any more are dropped."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], GlMesh] = {}
        self.uploads = 0  # so far

    def get(self, batch: Batch) -> list[GlMesh]:
        found = []
        for level, mesh in enumerate(batch.meshes):
            key = (batch.key, level)
            if key not in self._known:
                self._known[key] = GlMesh(mesh)
                self.uploads += 1
            found.append(self._known[key])
        return found

    def keep_only(self, keys: set[str]) -> None:
        """Built-in solids stay; hulls and meshes leave with their last body."""
        for key in [key for key in self._known if " " in key[0] and key[0] not in keys]:
            self._known.pop(key).release()

    def release(self) -> None:
        for mesh in self._known.values():
            mesh.release()
        self._known.clear()


class GlBatch:
    """The instances of one batch, sorted so that every level of detail is one stretch of the buffer."""

    def __init__(self, meshes: list[GlMesh]) -> None:
        self.meshes = meshes
        self.buffer = int(GL.glGenBuffers(1))
        self._room = 0
        count = 2 * len(meshes)
        names = GL.glGenVertexArrays(count)
        self._arrays = [int(name) for name in np.atleast_1d(names)]
        self._starts = [-1] * count
        for k, mesh in enumerate(meshes):
            GL.glBindVertexArray(self._arrays[2 * k])
            mesh.bind_triangles()
            GL.glBindVertexArray(self._arrays[2 * k + 1])
            mesh.bind_ribbons()
        GL.glBindVertexArray(0)
        self.batch: Batch | None = None
        self.detail = Detail(np.zeros(0, np.int64), [], [])

    def put(self, batch: Batch, matrix: np.ndarray, pixels: float, farthest_first: bool) -> None:
        """Sort the instances for a camera; upload them if they or their order changed."""
        if len(batch.meshes) == 1 and len(batch.rows) <= ALWAYS_WHOLE and not farthest_first:
            sorted_ = Detail(np.arange(len(batch.rows)), [len(batch.rows)], [len(batch.rows)])
        else:
            sorted_ = detail(batch, matrix, pixels, farthest_first)
        if batch is not self.batch or not np.array_equal(sorted_.order, self.detail.order):
            self._upload(np.ascontiguousarray(batch.instances[sorted_.order]))
        self.batch, self.detail = batch, sorted_

    def _upload(self, data: np.ndarray) -> None:
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buffer)
        if data.nbytes > self._room:
            GL.glBufferData(GL.GL_ARRAY_BUFFER, data.nbytes, data, GL.GL_DYNAMIC_DRAW)
            self._room = data.nbytes
        else:
            GL.glBufferSubData(GL.GL_ARRAY_BUFFER, 0, data.nbytes, data)

    def draw(self) -> None:
        """Triangles of what lies in the picture."""
        start = 0
        for level, count in enumerate(self.detail.counts):
            self._draw(level, start, count, edges=False)
            start += count

    def draw_edges(self) -> None:
        """Lines of what lies in the picture and is not tiny."""
        start = 0
        for level, (count, lined) in enumerate(zip(self.detail.counts, self.detail.lined, strict=True)):
            self._draw(level, start, lined, edges=True)
            start += count

    def draw_all_coarse(self) -> None:
        """Every instance, in the picture or not, for the shadow map."""
        self._draw(self.shadow_level, 0, len(self.detail.order), edges=False)

    @property
    def shadow_level(self) -> int:
        """Fine while there are few: the shadow map is the size of a large picture."""
        count = len(self.detail.order)
        return min(len(self.meshes) - 1, 1 if count <= 100 else 2 if count <= 600 else 3)

    def _draw(self, level: int, start: int, count: int, edges: bool) -> None:
        mesh = self.meshes[level]
        indices = mesh.edge_indices if edges else mesh.triangle_indices
        if not count or not indices:
            return
        slot = 2 * level + edges
        GL.glBindVertexArray(self._arrays[slot])
        if self._starts[slot] != start:
            GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buffer)
            for k in range(4):
                _attribute(2 + k, 4, INSTANCE, start * INSTANCE + 4 * k, per_instance=True)
            self._starts[slot] = start
        GL.glDrawElementsInstanced(GL.GL_TRIANGLES, indices, GL.GL_UNSIGNED_INT, None, count)

    def release(self) -> None:
        GL.glDeleteVertexArrays(len(self._arrays), self._arrays)
        GL.glDeleteBuffers(1, [self.buffer])


class GlDrawList:
    """A whole draw list on the card; batches whose mesh stays keep their buffers."""

    def __init__(self, meshes: GlMeshes) -> None:
        self._meshes = meshes
        self._batches: dict[tuple[str, bool], GlBatch] = {}

    def put(self, batches: list[Batch], matrix: np.ndarray, pixels: float, farthest_first: bool = False) -> None:
        wanted = {(batch.key, batch.pips) for batch in batches}
        for key in [key for key in self._batches if key not in wanted]:
            self._batches.pop(key).release()
        for batch in batches:
            key = (batch.key, batch.pips)
            if key not in self._batches:
                self._batches[key] = GlBatch(self._meshes.get(batch))
            self._batches[key].put(batch, matrix, pixels, farthest_first)

    def __iter__(self) -> Iterator[GlBatch]:
        return iter(self._batches.values())

    def release(self) -> None:
        for batch in self._batches.values():
            batch.release()
        self._batches.clear()
