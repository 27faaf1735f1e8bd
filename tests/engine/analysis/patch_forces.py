"""Forces at the points of a patch that make up its wrench."""

from __future__ import annotations

import numpy as np

from engine.analysis.patch import VALID, read


def distribution(points: np.ndarray, m_T: np.ndarray, f_N: float) -> np.ndarray | None:
    """(n,) normal forces >= 0 at the points with this wrench, on at most three of them; None when there are none (the
    second half of lemma 1). With the centre of pressure on a side of the hull they are on that side (proposition 1)."""
    points = np.asarray(points, float).reshape(-1, 2)
    forces = np.zeros(len(points))
    reading = read(points, m_T, f_N, np.zeros(2), 0.0)
    if not reading.valid:
        return None
    if reading.cop is None:
        return forces
    corners = reading.hull.corners
    place = [int(np.argmin(np.linalg.norm(points - corner, axis=1))) for corner in corners]
    best: tuple[float, tuple[int, ...], np.ndarray] | None = None
    for fan in range(max(1, len(corners) - 2)):
        used = (0, fan + 1, fan + 2)[: len(corners)]
        rows = np.vstack([corners[list(used)].T, np.ones(len(used))])
        share = np.linalg.lstsq(rows, np.append(reading.cop, 1.0), rcond=None)[0]
        if best is None or share.min() > best[0]:
            best = (float(share.min()), used, share)
    assert best is not None
    share = np.where(best[2] > VALID, best[2], 0.0)
    forces[[place[k] for k in best[1]]] = f_N * share / share.sum()
    return forces
