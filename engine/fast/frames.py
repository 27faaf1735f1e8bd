"""Turning vectors by matrices kept as rows of nine numbers: body and part frames of the fast engine."""

from __future__ import annotations

from engine.jit import kernel


@kernel
def turned(frames, i, a):
    """R a, with R row i of an (n, 9) array."""
    return (
        frames[i, 0] * a[0] + frames[i, 1] * a[1] + frames[i, 2] * a[2],
        frames[i, 3] * a[0] + frames[i, 4] * a[1] + frames[i, 5] * a[2],
        frames[i, 6] * a[0] + frames[i, 7] * a[1] + frames[i, 8] * a[2],
    )


@kernel
def turned_back(frames, i, a):
    """R^T a."""
    return (
        frames[i, 0] * a[0] + frames[i, 3] * a[1] + frames[i, 6] * a[2],
        frames[i, 1] * a[0] + frames[i, 4] * a[1] + frames[i, 7] * a[2],
        frames[i, 2] * a[0] + frames[i, 5] * a[1] + frames[i, 8] * a[2],
    )


@kernel
def put_frame(frames, i, q):
    """Row i becomes the matrix of the unit quaternion q."""
    w, x, y, z = q
    frames[i, 0] = 1.0 - 2.0 * (y * y + z * z)
    frames[i, 1] = 2.0 * (x * y - w * z)
    frames[i, 2] = 2.0 * (x * z + w * y)
    frames[i, 3] = 2.0 * (x * y + w * z)
    frames[i, 4] = 1.0 - 2.0 * (x * x + z * z)
    frames[i, 5] = 2.0 * (y * z - w * x)
    frames[i, 6] = 2.0 * (x * z - w * y)
    frames[i, 7] = 2.0 * (y * z + w * x)
    frames[i, 8] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def put_product(frames, i, others, j, own, k):
    """Row i becomes the product of row j of `others` and row k of `own`."""
    for r in range(3):
        for c in range(3):
            frames[i, 3 * r + c] = (
                others[j, 3 * r] * own[k, c]
                + others[j, 3 * r + 1] * own[k, 3 + c]
                + others[j, 3 * r + 2] * own[k, 6 + c]
            )
