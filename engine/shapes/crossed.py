"""Cross products of few vectors: np.cross spends five times as long on its arguments as on the work."""

from __future__ import annotations

import numpy as np

NEXT = np.array([1, 2, 0])


def crossed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a x b along the last axis, to the bit and in the order of memory what np.cross gives: sums of products depend on
    both."""
    return (a * b.take(NEXT, -1) - a.take(NEXT, -1) * b).take(NEXT, -1)
