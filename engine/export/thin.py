"""Fewer keys: of one key per frame, those are left out without which a body is nowhere further off than allowed.

The error is measured in the world: how far any point of the body is from where it would be with every key, at any of
the frames between. A point at most `reach` from the origin moves by at most |dx| + 2 reach sin(angle / 2)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.export.rotations import angle_between, from_euler

Between = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""How a program goes from one rotation to the next: rotations.slerp, or rotations.blend."""


def kept_keys(
    frames: np.ndarray,
    x: np.ndarray,
    q: np.ndarray,
    reach: float,
    most: float,
    between: Between,
    fixed: np.ndarray,
    angles: np.ndarray | None = None,
) -> np.ndarray:
    """Places (ascending) of the keys to keep of frames (k,), positions (k, 3) and rotations (k, 4); those in `fixed`
    stay in any case. Douglas and Peucker's splitting, with straight ways between keys. Where rotations are curves of
    `angles` (k, 3) rad, those go straight, whatever `between` says."""
    keep = np.zeros(len(frames), bool)
    keep[[0, len(frames) - 1]] = True
    keep[fixed] = True
    anchors = np.flatnonzero(keep)
    stack = list(zip(anchors[:-1].tolist(), anchors[1:].tolist(), strict=True))
    while stack:
        a, b = stack.pop()
        if b - a < 2:
            continue
        error = errors_between(frames, x, q, reach, between, a, b, angles)
        worst = int(error.argmax())
        if error[worst] > most:
            middle = a + 1 + worst
            keep[middle] = True
            stack += [(a, middle), (middle, b)]
    return np.flatnonzero(keep)


def errors_between(
    frames: np.ndarray,
    x: np.ndarray,
    q: np.ndarray,
    reach: float,
    between: Between,
    a: int,
    b: int,
    angles: np.ndarray | None = None,
) -> np.ndarray:
    """(b - a - 1,) m: how far off the frames between keys a and b are when only those two are kept."""
    inner = slice(a + 1, b)
    s = (frames[inner] - frames[a]) / (frames[b] - frames[a])
    off = np.linalg.norm(x[a] + s[:, None] * (x[b] - x[a]) - x[inner], axis=1)
    if angles is not None:
        turned = from_euler(angles[a] + s[:, None] * (angles[b] - angles[a]))
    else:
        turned = between(np.broadcast_to(q[a], (len(s), 4)), np.broadcast_to(q[b], (len(s), 4)), s)
    return np.asarray(off + 2.0 * reach * np.sin(0.5 * angle_between(turned, q[inner])))
