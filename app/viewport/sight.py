"""What is met along a line of sight: bodies and the ground. No GL, no Qt widgets."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from app.camera import Camera, Ray
from app.tools.stage import Surface
from app.viewport.picking import cast
from app.viewport.scene_cache import SceneCache

UP = np.array([0.0, 0.0, 1.0])
FARTHEST_ZOOM = 4.0  # camera distances: zooming toward something farther would leap


def body_along(cache: SceneCache, ray: Ray) -> str | None:
    hit = cast(cache.layout, ray)
    return cache.layout.bodies[hit.row].id if hit is not None else None


def surface_along(cache: SceneCache, ray: Ray, ground: bool, without: Collection[str] = ()) -> Surface | None:
    """The nearest surface, the ground included if there is one, looking through some bodies."""
    layout = cache.layout
    skipped = None
    if without:
        skipped = np.zeros(len(layout.bodies), bool)
        skipped[cache.rows(without)] = True
    hit = cast(layout, ray, skipped)
    floor = ray.meet_plane(np.zeros(3), UP) if ground else None
    if floor is not None and (hit is None or float((floor - ray.origin) @ ray.direction) < hit.distance):
        return Surface(floor, -UP if ray.direction[2] > 0.0 else UP, None)
    if hit is None:
        return None
    return Surface(ray.origin + hit.distance * ray.direction, hit.normal, layout.bodies[hit.row].id)


def zoom_point(surface: Surface | None, camera: Camera, ray: Ray) -> np.ndarray:
    """What a zoom closes in on: what is seen, or a point as far off as the camera's target."""
    reach = FARTHEST_ZOOM * camera.distance
    if surface is not None and np.linalg.norm(surface.point - camera.eye) < reach:
        return surface.point
    level = ray.meet_plane(np.array(camera.target), camera.axes()[2])
    return level if level is not None else np.array(camera.target)
