"""Which part of the picture differs from the one before, when the camera stands still. No GL, no Qt.

Where the processor draws, a picture costs what its pixels cost: where little moves, little is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.viewport.boxes import box_corners
from app.viewport.draw_list import Batch
from app.viewport.screen_places import OUTLINE_ROOM, Area, grown, joined
from app.viewport.shadow import FAR_COVER, PENUMBRA

if TYPE_CHECKING:
    from app.viewport.renderer import Picture

ROOM = 3  # px round bodies, for the lines along their edges
BLUR_REACH = 1.6  # widths of the blur at which a shadow ends
SHADOW_ROOM = 0.012  # of the scene's extent: texels of a coarse shadow map

Box = tuple[np.ndarray, np.ndarray]  # m: lowest and highest corner


def changed_area(before: Picture, now: Picture, whole: Area) -> Area:
    """Of two pictures that differ only in bodies, ghosts and outlines, drawn in `whole`."""
    points = []
    bodies = _moved(before.batches, now.batches)
    if bodies is not None:
        points.append(box_corners(*bodies))
        if now.shadows:
            points.append(_fallen(bodies, _extent(now), now.tones.to_light))
    if before.ghosts is not now.ghosts:
        ghosts = _around([*before.ghosts, *now.ghosts])
        points += [box_corners(*ghosts)] if ghosts is not None else []
    areas = [grown(area, OUTLINE_ROOM) for area in (before.outline_area, now.outline_area) if area is not None]
    if points:
        pixels, ahead = now.camera.project(np.concatenate(points), now.width, now.height)
        if not ahead.all():
            return whole
        low, high = np.floor(pixels.min(axis=0)) - ROOM, np.ceil(pixels.max(axis=0)) + ROOM
        far = 4.0 * max(now.width, now.height)  # beyond the picture it makes no difference where
        (left, top), (right, bottom) = np.clip(low, -far, far), np.clip(high, -far, far)
        areas.append((int(left), int(now.height - bottom), int(right - left), int(bottom - top)))
    return joined(areas, whole)


def _moved(before: list[Batch], now: list[Batch]) -> Box | None:
    """Round what is not where, or as, it was, at both of its places."""
    if [(batch.key, batch.pips) for batch in before] != [(batch.key, batch.pips) for batch in now]:
        return _around([*before, *now])
    boxes = []
    for old, new in zip(before, now, strict=True):
        if old is new:
            continue
        if len(old.instances) != len(new.instances):
            return _around([*before, *now])
        rows = np.flatnonzero((old.instances != new.instances).any(axis=1))
        boxes += [_box(old, rows), _box(new, rows)] if len(rows) else []
    return _joined(boxes)


def _around(batches: list[Batch]) -> Box | None:
    return _joined([_box(batch, np.arange(len(batch.rows))) for batch in batches if len(batch.rows)])


def _box(batch: Batch, rows: np.ndarray) -> Box:
    """Round some instances: of a box the sides of its own size, of others the ball that holds them."""
    matrix = batch.matrices()[rows].astype(float)
    center, reach = matrix[:, :, 3], batch.radius[rows, None]
    if batch.key == "box":
        reach = np.abs(matrix[:, :, :3]).sum(axis=2)
    return (center - reach).min(axis=0), (center + reach).max(axis=0)


def _joined(boxes: list[Box]) -> Box | None:
    if not boxes:
        return None
    return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)


def _extent(picture: Picture) -> float:
    return float((picture.bounds[1] - picture.bounds[0]).max()) if picture.bounds is not None else 0.0


def _fallen(box: Box, extent: float, to_light: np.ndarray) -> np.ndarray:
    """Points round the shadow of a box on the ground; between it and them it shades other bodies."""
    corners = box_corners(*box)
    travel = np.maximum(corners[:, 2:], 0.0) / to_light[2]
    blur = BLUR_REACH * PENUMBRA * np.minimum(travel, FAR_COVER) + SHADOW_ROOM * extent
    on_ground = corners - travel * to_light
    return np.concatenate([on_ground + blur * (x, y, 0.0) for x in (-1.0, 1.0) for y in (-1.0, 1.0)])
