"""From pixels of a stroke to places in the scene: where the body came from, and how high it flew. No Qt.

An arc lies in the upright plane through the body and the place it came from; a line in the plane the body rests on.
Where that plane is seen edge-on (from above, or an arc drawn straight toward the viewer) height cannot be seen: then
the bow of the stroke is read as the arc's height over its chord, as if seen from the side.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from app.tools.drag import Sight
from app.tools.resting import foot_of, friction_on, support_of
from app.tools.stage import Stage
from engine.hints.lift import LiftError, lift_arc, lift_line
from engine.hints.sketch import arc_hint, line_hint
from engine.hints.stroke import Stroke, resampled
from engine.scene.spec import Body, Hint, Scene, Vector
from engine.scene.vectors import as_vector, up_of
from engine.shapes.extent import bounds

LEVEL_VIEW = 0.12  # a camera that looks down less steeply than this (sine) cannot tell depth on the ground
GRAZING = 0.05  # a line of sight flatter than this (sine) meets a plane nowhere in particular
EDGE_ON = 0.25  # sine of the angle at which an upright plane is seen, below which it shows no height
FARTHEST = 20.0  # camera distances
CARRIES = 0.7  # least upward part of a normal that something can be thrown from
FLATTEST = 0.02  # chords: the least height of an arc
SAMPLES = 64  # of a stroke
HOOKS = 0.04  # share of a stroke at its ends that does not count: pens hook where they touch and leave

SKY = "The stroke leaves the ground. Begin it on the ground or on a surface."
HANGS = "The arc hangs down. Draw it upward, the way the body flew."


class Place(NamedTuple):
    """Where a body rests, for strokes."""

    body: Body
    foot: np.ndarray  # (3,) m, under its origin, in the plane it rests on
    normal: np.ndarray  # of that plane, toward the body
    up: np.ndarray
    friction: float
    width: float  # m, the smaller level extent
    height: float  # m


def place_of(scene: Scene, body: Body) -> Place:
    support = support_of(scene, body)
    low, high = bounds(body)
    size = high - low
    return Place(
        body,
        foot_of(body, support.normal),
        support.normal,
        up_of(scene.gravity),
        friction_on(scene, body, support),
        float(size[:2].min()),
        float(size[2]),
    )


def came_from(stage: Stage, place: Place, pixel: np.ndarray, flies: bool) -> np.ndarray:
    """The point (m) that a stroke's far end means; `flies`: it may lie on anything that could carry the body. Raises
    LiftError."""
    sight = Sight(stage.camera, *stage.extent)
    if abs(float(sight.camera.axes()[2] @ place.up)) < LEVEL_VIEW:
        return _seen_from_the_side(sight, place, pixel, flies)
    normal = place.up if flies else place.normal
    if flies:
        surface = stage.surface_at(float(pixel[0]), float(pixel[1]), frozenset([place.body.id]))
        if surface is not None and surface.body is not None and float(surface.normal @ place.up) > CARRIES:
            return np.asarray(surface.point, float)
    ray = sight.ray(pixel)
    met = ray.meet_plane(place.foot, normal) if abs(float(ray.direction @ normal)) > GRAZING else None
    if met is None or float(np.linalg.norm(met - place.foot)) > FARTHEST * sight.camera.distance:
        raise LiftError(SKY)
    return met


def _seen_from_the_side(sight: Sight, place: Place, pixel: np.ndarray, flies: bool) -> np.ndarray:
    """In the plane through the body that faces the camera. Its height counts only where it is well above the body's
    own: hands do not hit a level to the pixel."""
    point = sight.on_view_plane(pixel, place.foot)
    axis = place.up if flies else place.normal
    above = float((point - place.foot) @ axis)
    return point if flies and above > place.height else point - above * axis


def lifted_line(stage: Stage, place: Place, pixels: np.ndarray, stroke: Stroke, gravity: Vector) -> Hint:
    """The slide that a line means; `pixels` (n, 2) as drawn, toward the body. Raises LiftError."""
    start = came_from(stage, place, pixels[0], flies=False)
    slide = lift_line(as_vector(start), as_vector(place.foot), as_vector(place.normal), place.friction, gravity)
    drawn = _on_slanted_plane(stage, place, start, _thinned(pixels))
    return line_hint(place.body.id, slide, stroke.coefficient, _relative(drawn, place.body))


def _on_slanted_plane(stage: Stage, place: Place, start: np.ndarray, pixels: np.ndarray) -> list[np.ndarray | None]:
    """Drawn pixels in the plane that leads from where a slide starts up to where the stroke ended on the body: what was
    drawn over the body would else lie far behind it."""
    sight = Sight(stage.camera, *stage.extent)
    seen = stage.surface_at(float(pixels[-1][0]), float(pixels[-1][1]))
    end = seen.point if seen is not None and seen.body == place.body.id else place.foot
    side = np.cross(place.normal, end - start)
    normal = np.cross(end - start, side)
    length = float(np.linalg.norm(normal))
    met = [sight.ray(pixel).meet_plane(start, normal / length) for pixel in pixels] if length > 1e-9 else []
    if not met or any(point is None or not _near(sight, place, point) for point in met):
        return [sight.on_view_plane(pixel, place.foot) for pixel in pixels]
    return met


class Upright(NamedTuple):
    """The upright plane of an arc."""

    start: np.ndarray  # (3,) m, where the body came from
    level: np.ndarray  # (3,) m, the level way from the body to there
    across: np.ndarray  # unit normal
    seen: bool  # broad enough to show height


def upright_plane(stage: Stage, place: Place, pixel: np.ndarray) -> Upright:
    """Through the body and the place that a stroke's far end means. Raises LiftError."""
    start = came_from(stage, place, pixel, flies=True)
    way = start - place.foot
    level = way - float(way @ place.up) * place.up
    distance = float(np.linalg.norm(level))
    if distance < 1e-6:
        raise LiftError("The arc ends where it began. Begin it farther from the body.")
    across = np.cross(place.up, level / distance)
    sight = Sight(stage.camera, *stage.extent)
    return Upright(start, level, across, abs(float(sight.toward_viewer(place.foot + 0.5 * way) @ across)) >= EDGE_ON)


def in_plane(stage: Stage, place: Place, plane: Upright, pixels: np.ndarray) -> np.ndarray:
    """(n, 2) m: what was drawn as it lies in the upright plane, away from the body and up. Raises LiftError."""
    sight = Sight(stage.camera, *stage.extent)
    met = [ray.meet_plane(place.foot, plane.across) for ray in map(sight.ray, _thinned(pixels))]
    points = np.array([point for point in met if point is not None]).reshape(-1, 3) - place.foot
    if len(points) < len(met) // 2 or len(points) < 4:
        raise LiftError(SKY)
    return np.stack([points @ (plane.level / np.linalg.norm(plane.level)), points @ place.up], axis=1)


def lifted_arc(stage: Stage, place: Place, pixels: np.ndarray, stroke: Stroke, gravity: Vector) -> Hint:
    """The throw that an arc means. Raises LiftError."""
    plane = upright_plane(stage, place, pixels[0])
    distance = float(np.linalg.norm(plane.level))
    if plane.seen:
        sag = _height_over_chord(in_plane(stage, place, plane, pixels))
    else:
        sag = abs(stroke.height) * distance
    if sag < FLATTEST * distance:
        raise LiftError(HANGS)
    way = plane.start - place.foot
    top = top_over_end(sag, float(way @ place.up))
    flight = lift_arc(as_vector(plane.start), as_vector(place.foot), top, gravity)
    sight, middle = Sight(stage.camera, *stage.extent), place.foot + 0.5 * way
    drawn = [
        sight.ray(pixel).meet_plane(place.foot, plane.across) if plane.seen else sight.on_view_plane(pixel, middle)
        for pixel in _thinned(pixels)
    ]
    return arc_hint(place.body.id, flight, stroke.coefficient, _relative(drawn, place.body))


def _height_over_chord(points: np.ndarray) -> float:
    """Height (m) over its own chord of the parabola that fits points (n, 2) in the upright plane: so it does not matter
    where on the body the stroke ended. The curve fitted on the screen would not do: an arc whose chord is seen slanted
    is no parabola over it."""
    even = resampled(points, SAMPLES)
    span = float(even[0, 0] - even[-1, 0])
    if abs(span) < 1e-9:
        raise LiftError(HANGS)
    hooks = round(HOOKS * len(even))
    inner = even[hooks : len(even) - hooks]
    return -0.25 * float(np.polyfit((inner[:, 0] - even[-1, 0]) / span, inner[:, 1], 2)[0])


def top_over_end(sag: float, raised: float) -> float:
    """Height (m) over its end of the top of an arc that is `sag` high over its chord, and whose start lies `raised`
    above its end. An arc that only falls has its top at the start; one that only climbs has none (0)."""
    part = (raised + 4.0 * sag) / (8.0 * sag)
    if part >= 1.0:
        return raised
    return part * raised + 4.0 * sag * part * (1.0 - part) if part > 0.0 else 0.0


def _near(sight: Sight, place: Place, point: np.ndarray) -> bool:
    return float(np.linalg.norm(point - place.foot)) <= FARTHEST * sight.camera.distance


def _thinned(pixels: np.ndarray) -> np.ndarray:
    """At most SAMPLES points of what was drawn, its ends among them."""
    return pixels if len(pixels) <= SAMPLES else resampled(pixels, SAMPLES)


def _relative(points: list[np.ndarray | None], body: Body) -> list[Vector]:
    """Relative to where the body rests, as hints keep them."""
    at = np.array(body.position)
    return [as_vector(point - at) for point in points if point is not None and math.isfinite(float(point.sum()))]
