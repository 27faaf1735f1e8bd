"""ContactStates: how a body touches the ground in its last second, falling and run backward (Twigg and James 2008,
fig. 9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ALIKE, CLOSE = 0.02, 0.10  # total variation below which two samples look the same, and nearly so
NOTHING = 255  # in a raster: the run had not begun


@dataclass(frozen=True)
class ContactStates:
    """Rasters have a row per run, sorted; column k is k steps before rest: 0, 1, 2, 3 (and more) points touch."""

    dt: float  # s
    forward: np.ndarray  # (runs, steps) int64
    backward: np.ndarray  # (runs, steps) int64
    apart: float  # total variation of the shares of states over the window
    by_time: float  # the same at each time, on average
    picture: bytes  # PNG

    @property
    def seconds(self) -> float:
        return self.forward.shape[1] * self.dt

    @property
    def verdict(self) -> str:
        """How natural backward runs are, in words."""
        if self.apart <= ALIKE:
            return "Backward runs land like real drops."
        if self.apart <= CLOSE:
            return "Backward runs land nearly like real drops."
        return "Backward runs land unlike real drops."

    @property
    def words(self) -> str:
        share = 100.0 * self.apart
        shown = f"{share:.1f}" if share < 1.0 else f"{share:.0f}"
        return (
            f"Of the last {self.seconds:.1f} s before rest they spend {shown} % otherwise, in the air or on another "
            f"number of points."
        )

    @property
    def term(self) -> str:
        """What a statistician calls it."""
        return f"Total variation {self.apart:.3f} over the whole time, {self.by_time:.3f} moment by moment"
