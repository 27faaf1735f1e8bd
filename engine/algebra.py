"""Products of matrices and vectors, in a fixed order.

What numpy hands to BLAS is summed in an order, and with fused multiply-adds or without, that depends on the processor.
Here every product is rounded by itself, and sums run over the products one after the other, or over a row of them in
numpy's own pairwise order: the same bits everywhere. Meant for a few rows and columns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def times(a: Any, b: Any) -> Any:
    """What a @ b means, of arrays of up to two axes; stacks of matrices on the left or on both sides too."""
    a, b = np.asarray(a), np.asarray(b)
    if b.ndim == 1:
        return np.add.reduce(a * b, axis=-1)
    if a.ndim == 1:
        return np.add.reduce(a[:, None] * b, axis=-2)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"no product of {a.shape} and {b.shape}")
    total = a[..., :1] * b[..., :1, :]
    for k in range(1, a.shape[-1]):
        total += a[..., k : k + 1] * b[..., k : k + 1, :]
    return total


def dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of vectors along the last axis, one by one."""
    return np.asarray(np.add.reduce(a * b, axis=-1))


def each_times(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """(..., m) every matrix (..., m, n) times the vector (..., n) of its place."""
    return dots(matrices, vectors[..., None, :])


def norm(v: Any) -> float:
    """Of one vector."""
    v = np.asarray(v, float)
    return math.sqrt(np.add.reduce(v * v, axis=None))


def norms(v: np.ndarray, keepdims: bool = False) -> np.ndarray:
    """Of vectors along the last axis."""
    found = np.asarray(np.sqrt(np.add.reduce(v * v, axis=-1)))
    return found[..., None] if keepdims else found


def determinant(m: np.ndarray) -> float:
    """Of a 3 x 3 matrix."""
    (a, b, c), (d, e, f), (g, h, i) = m.tolist()
    return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))


def inverse(m: np.ndarray) -> np.ndarray:
    """Of positive definite matrices (..., n, n), by Gauss and Jordan: those need no pivots."""
    left, right = np.array(m, float), np.zeros_like(m, float)
    n = left.shape[-1]
    right[..., range(n), range(n)] = 1.0
    for k in range(n):
        for i in range(n):
            if i != k:
                factor = (left[..., i, k] / left[..., k, k])[..., None]
                left[..., i, :] -= factor * left[..., k, :]
                right[..., i, :] -= factor * right[..., k, :]
    return np.asarray(right / left[..., range(n), range(n)][..., None])


def solve(m: np.ndarray, right: np.ndarray) -> np.ndarray:
    """x with m x = right, by Gauss's elimination with row pivots."""
    m, x = np.array(m, float), np.array(right, float)
    n = len(m)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(m[k:, k])))
        if m[pivot, k] == 0.0:
            raise ZeroDivisionError("a singular matrix")
        if pivot != k:
            m[[k, pivot]], x[[k, pivot]] = m[[pivot, k]], x[[pivot, k]]
        factors = m[k + 1 :, k] / m[k, k]
        m[k + 1 :] -= factors[:, None] * m[k]
        x[k + 1 :] -= factors * x[k]
    for k in range(n - 1, -1, -1):
        x[k] = (x[k] - np.add.reduce(m[k, k + 1 :] * x[k + 1 :])) / m[k, k]
    return x
