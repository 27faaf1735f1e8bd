"""What a film says about moments round the one that is shown: ghosts, trails, who is away from the ending. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from app.viewport.ghosts import Ghost
from app.viewport.motion_marks import Trail
from engine.scene.film import Film

MOST_WITHOUT_SELECTION = 20  # moving bodies; ghosts of more would be a fog
MOST_TRAILS = 8
SAME_PLACE = 1e-3  # m: less than this apart is the same place
SAME_TURN = 2e-5  # of 1 - |cosine of half the angle| (0.7 degrees)


def moving_rows(film: Film) -> np.ndarray:
    """Rows of bodies that are ever elsewhere than at first."""
    away = np.abs(film.positions - film.positions[:1]).max(axis=(0, 2)) > SAME_PLACE
    turned = 1.0 - np.abs((film.orientations * film.orientations[:1]).sum(axis=2)).min(axis=0) > SAME_TURN
    return np.flatnonzero(away | turned)


def ghost_rows(film: Film, moving: np.ndarray, row_of: Mapping[str, int], selected: Sequence[str]) -> np.ndarray:
    """Rows of the film whose ghosts are worth seeing: what is selected, or all when they are few."""
    if selected:
        return np.array([row_of[key] for key in selected if key in row_of], np.int64)
    return moving if len(moving) <= MOST_WITHOUT_SELECTION else moving[:0]


def ghosts(film: Film, rows: np.ndarray, now: float, times: Sequence[tuple[float, float]]) -> list[Ghost]:
    """Ghosts at (time in s, opacity), the nearest to now first on either side; bodies that stand where they are seen
    already, now or in a nearer ghost, have none there, nor those that are not to be seen then."""
    found = []
    last: dict[bool, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
    here = *_poses(film, rows, now), film.shown_at(now)[rows]
    for time, opacity in times:
        if not film.first - 1e-9 <= time <= film.last + 1e-9:
            continue
        at, turns = _poses(film, rows, time)
        shown = film.shown_at(time)[rows]
        for known in (here, last.get(time < now, here)):
            shown &= _apart((at, turns), known[:2]) | ~known[2]
        fresh = np.flatnonzero(shown)
        last[time < now] = (at, turns, film.shown_at(time)[rows])
        if len(fresh):
            found.append(Ghost([film.bodies[row] for row in rows[fresh]], at[fresh], turns[fresh], opacity))
    return found


def ghost_times(
    now: float, frame: float, counts: tuple[int, int], step: int, opacities: Sequence[float]
) -> list[tuple[float, float]]:
    """(time, opacity) of so many ghosts before and after; `frame` in s. Those beyond the
    opacities of the look fade on."""
    found = []
    for count, direction in zip(counts, (-1.0, 1.0), strict=True):
        for k in range(count):
            faint = opacities[k] if k < len(opacities) else opacities[-1] * 0.75 ** (k - len(opacities) + 1)
            found.append((now + direction * (k + 1) * step * frame, float(faint)))
    return found


def trails(film: Film, rows: Sequence[int], times: np.ndarray) -> list[Trail]:
    """The ways of bodies, at most a few, at the times of frames; before a body is seen its way stands still where it
    will appear."""
    found = []
    for row in list(rows)[-MOST_TRAILS:]:
        way = film.positions[:, row].astype(float)
        seen = times if film.seen is None else np.maximum(times, film.seen[row])
        found.append(np.stack([np.interp(seen, film.times, way[:, axis]) for axis in range(3)], axis=1))
    return found


def away(film: Film, rows: np.ndarray, now: float, endings: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Which of some rows (k,) are now elsewhere than at their endings, (k, 3) m and (k, 4)."""
    return _apart(_poses(film, rows, now), endings)


def apart(film: Film, other: Film, before: float) -> list[str]:
    """Bodies that are in both takes and at different poses there, so many seconds before the ending."""
    return [film.bodies[row] for row in _rows_apart(film, other, before)[0]]


def other_take(film: Film, other: Film, before: float, opacity: float, color: str) -> list[Ghost]:
    """The bodies of another take at the same moment, where they are elsewhere in it."""
    _, rows = _rows_apart(film, other, before)
    if not len(rows):
        return []
    return [Ghost([other.bodies[row] for row in rows], *_poses(other, rows, other.ending - before), opacity, color)]


def _rows_apart(film: Film, other: Film, before: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows of these bodies in the one film and in the other."""
    place = {key: row for row, key in enumerate(other.bodies)}
    shared = [(row, place[key]) for row, key in enumerate(film.bodies) if key in place]
    mine, theirs = np.array(shared, np.int64).reshape(-1, 2).T
    far = _apart(_poses(film, mine, film.ending - before), _poses(other, theirs, other.ending - before))
    here, there = film.shown_at(film.ending - before)[mine], other.shown_at(other.ending - before)[theirs]
    far = there & (far | ~here)
    return mine[far], theirs[far]


def _poses(film: Film, rows: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
    at, turns = film.at(time)
    return at[rows], turns[rows]


def _apart(a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """(k,) are the poses of two moments different enough to be seen?"""
    far = np.abs(a[0] - b[0]).max(axis=1) > SAME_PLACE
    return far | (1.0 - np.abs((a[1] * b[1]).sum(axis=1)) > SAME_TURN)
