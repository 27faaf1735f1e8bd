"""Which forces a body withstands, in every direction, as plain records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NEVER, GOES, COULD, SURELY, SMOOTH = range(5)
KINDS = ("moves with any friction", "moves", "could hold", "surely holds", "holds without friction")


@dataclass(frozen=True)
class LoadMap:
    name: str  # of the body, in quotes
    ways: np.ndarray  # (rows, columns, 3) unit forces, each for the same area of the sphere, from below
    kinds: np.ndarray  # (rows, columns) of KINDS
    slice_ways: np.ndarray  # (k, 3) around the plane of x and up, from x
    slice_kinds: np.ndarray  # (k,)
    no_luck: bool | None = None  # whether whatever could hold surely holds; None: not known

    @property
    def turn_that_holds(self) -> float:
        """Degrees of the slice over which it surely holds."""
        return 360.0 * float((self.slice_kinds >= SURELY).mean())

    def rows(self) -> list[tuple[list[float], int]]:
        return list(zip(self.ways.reshape(-1, 3).tolist(), self.kinds.ravel().tolist(), strict=True))
