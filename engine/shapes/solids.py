"""A body as convex solids in the world, ready to be asked for distances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.scene.spec import Body
from engine.shapes.ask import ask
from engine.shapes.solid import Solid
from engine.shapes.turns import rotation_matrix


class Solids:
    """The solids of one body, with boxes around them; triangles become solids only when asked for.

    `shrink` (m) makes each solid smaller on all sides, at least that much for boxes and round shapes, about that much
    for others.
    """

    def __init__(self, body: Body, shrink: float = 0.0) -> None:
        pieces = ask(body.shape).pieces(np.array(body.position), rotation_matrix(body.orientation), shrink)
        self._made, self._triangles = pieces.solids, pieces.triangles
        self.planes = list(pieces.planes)  # point, unit normal out of the solid
        ends = [np.reshape([solid.end(sign) for solid in self._made], (-1, 3)) for sign in (-1.0, 1.0)]
        self.low = np.vstack([ends[0], self._triangles.min(axis=1)])  # (n, 3) m
        self.high = np.vstack([ends[1], self._triangles.max(axis=1)])

    def moved(self, by: np.ndarray) -> Solids:
        """The same solids elsewhere (m): a tenth of the work of making them from the body."""
        other = object.__new__(Solids)
        other._made = [replace(solid, corners=solid.corners + by) for solid in self._made]
        other._triangles = self._triangles + by
        other.planes = [(point + by, normal) for point, normal in self.planes]
        other.low, other.high = self.low + by, self.high + by
        return other

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, index: int) -> Solid:
        if index < len(self._made):
            return self._made[index]
        return Solid(self._triangles[index - len(self._made)])
