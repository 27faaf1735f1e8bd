"""Where bodies are in the picture: for what is drawn round or above them. No GL, no Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from app.camera import Camera
from app.viewport.scene_cache import SceneCache

Area = tuple[int, int, int, int]  # device px from the lower left: x, y, width, height
OUTLINE_ROOM = 8  # px round what is outlined
ONE_BY_ONE = 200  # bodies; of more, one box round all of them is good enough to know where they are
GLYPH_ABOVE = 16  # px between a body and the glyph of its problem


def outline_area(
    cache: SceneCache, chosen: Sequence[np.ndarray], camera: Camera, extent: tuple[int, int], ratio: float
) -> Area | None:
    """The area that holds the outlines of some bodies (rows); None when they are out of the picture."""
    rows = np.concatenate(chosen)
    if not len(rows):
        return None
    width, height = extent
    corners = cache.corners(rows) if len(rows) <= ONE_BY_ONE else cache.corners_round(rows)
    pixels, ahead = camera.project(corners, width, height)
    low, high = np.zeros(2), np.array([width, height], float)
    if ahead.all():
        low, high = (np.clip(pixels.min(axis=0) - OUTLINE_ROOM, low, high),
                     np.clip(pixels.max(axis=0) + OUTLINE_ROOM, low, high))  # fmt: skip
    if (high <= low).any():
        return None
    x, y = int(low[0] * ratio), int((height - high[1]) * ratio)
    return x, y, int(np.ceil((high[0] - low[0]) * ratio)) + 1, int(np.ceil((high[1] - low[1]) * ratio)) + 1


def grown(area: Area, by: int) -> Area:
    """With a border round it."""
    x, y, width, height = area
    return x - by, y - by, width + 2 * by, height + 2 * by


def halved(area: Area) -> Area:
    """The same area in a picture of half the size."""
    x, y, width, height = area
    return x // 2, y // 2, width // 2 + 2, height // 2 + 2


def within(area: Area, width: int, height: int) -> Area:
    """The part of an area that lies in a picture of that size."""
    left, low = max(area[0], 0), max(area[1], 0)
    right, high = min(area[0] + area[2], width), min(area[1] + area[3], height)
    return left, low, max(right - left, 0), max(high - low, 0)


def joined(areas: Sequence[Area | None], frame: Area) -> Area:
    """The smallest area that holds some others, cut to that of the picture."""
    known = np.array([area for area in areas if area is not None and area[2] > 0], int).reshape(-1, 4)
    if not len(known):
        return 0, 0, 0, 0
    low, high = known[:, :2].min(axis=0), (known[:, :2] + known[:, 2:]).max(axis=0)
    return within((int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])), frame[2], frame[3])


def problem_glyphs(
    cache: SceneCache, problems: Mapping[str, str], camera: Camera, extent: tuple[int, int]
) -> list[tuple[float, float, str]]:
    """(x, y, problem): a place above the picture of each body that has one and is in sight."""
    rows = cache.rows(problems)
    if not len(rows):
        return []
    pixels, ahead = camera.project(cache.corners(rows), *extent)
    pixels, seen = pixels.reshape(len(rows), -1, 2), ahead.reshape(len(rows), -1).all(axis=1)
    top = np.maximum(pixels[:, :, 1].min(axis=1) - GLYPH_ABOVE, GLYPH_ABOVE)
    told = [problems[cache.layout.bodies[row].id] for row in rows[seen]]
    return list(zip(pixels[seen, :, 0].mean(axis=1).tolist(), top[seen].tolist(), told, strict=True))
