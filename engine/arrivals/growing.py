"""Arrays that rows are added to, more and more of them."""

from __future__ import annotations

import numpy as np


def roomier(rows: np.ndarray, used: int, more: int) -> np.ndarray:
    """The same with room for `more` rows after the `used` first, and twice as many as before at least. What is not used
    is not written to: it costs nothing until it is."""
    found = np.empty((max(used + more, 2 * len(rows)), *rows.shape[1:]), rows.dtype)
    found[:used] = rows[:used]
    return found
