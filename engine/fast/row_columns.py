"""Contact rows of one step: what the sweeps read, packed into three cache lines per contact."""

from __future__ import annotations

import numpy as np

from engine.record import Record

# Columns of FastRows.hot: normal, first tangent, arms of a and b, gap at the start of the step, inverse of the normal
# response, response of the normal row to the two tangent ones, inverse of the 2 x 2 tangent response, friction,
# impulses (normal, two tangents), largest normal impulse of the step.
N, T, RA, RB, GAP, MASS, COUPLE, GRIP, FRICTION, Z, PEAK = 0, 3, 6, 9, 12, 13, 14, 16, 19, 20, 23
HOT_WIDTH = 24

# Columns of FastRows.cold: normal speed before the step, restitution, rolling friction, inverse of the rolling
# response, rolling impulse.
BEFORE, BOUNCE, ROLLING, ROLL_MASS, ROLL = 0, 1, 2, 3, 4
COLD_WIDTH = 7


class FastRows(Record):
    """Capacity C."""

    a: np.ndarray  # (C,) int64
    b: np.ndarray  # (C,) int64    -1: static
    home: np.ndarray  # (C,) int64   4 * slot of the pair + which of its points
    hot: np.ndarray  # (C, HOT_WIDTH)
    cold: np.ndarray  # (C, COLD_WIDTH)


def make_rows(capacity: int) -> FastRows:
    return FastRows(
        a=np.zeros(capacity, np.int64),
        b=np.zeros(capacity, np.int64),
        home=np.zeros(capacity, np.int64),
        hot=np.zeros((capacity, HOT_WIDTH)),
        cold=np.zeros((capacity, COLD_WIDTH)),
    )
