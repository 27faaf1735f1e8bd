"""A picture of bodies at given poses: rays through every pixel, one soft light, shadows, a grid on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.geometry.turns import rotation_matrix
from engine.picture import palette
from engine.picture.camera import Camera
from engine.picture.pips import pip_cover
from engine.picture.solids import Solid, solids_of
from engine.scene.colors import PALETTE, body_color, is_color
from engine.scene.spec import Body, Box, Plane, Scene

FINER = 3  # rays per pixel along each side
LIGHT_SPREAD = 0.055  # radius of the light, as a tangent: the softness of shadows
NOTHING, GROUND = -2, -1


@dataclass(frozen=True)
class Prop:
    """A body made ready for drawing."""

    body: Body
    solids: list[Solid]
    colour: np.ndarray

    @property
    def pips(self) -> bool:
        return bool(self.body.extra.get("pips")) and isinstance(self.body.shape, Box)


def props_of(scene: Scene) -> list[Prop]:
    """Bodies of the scene with their solids and colours."""
    return [Prop(body, solids_of(body.shape), _colour(body, place)) for place, body in enumerate(scene.bodies)]


def _colour(body: Body, place: int) -> np.ndarray:
    """As in the studio; dice are white unless the artist gave them a colour."""
    white = body.extra.get("pips") and not is_color(body.color)
    return palette.shade(PALETTE[-1] if white else body_color(body, place))


@dataclass
class Canvas:
    """What each ray met; m rays in rows of the fine picture."""

    camera: Camera
    direction: np.ndarray  # (m, 3)
    t: np.ndarray  # (m,) m
    normal: np.ndarray  # (m, 3)
    edge: np.ndarray  # (m,) m
    owner: np.ndarray  # (m,) prop, GROUND or NOTHING

    @property
    def points(self) -> np.ndarray:
        t = np.where(np.isfinite(self.t), self.t, np.float32(0.0))
        return self.camera.eye.astype(np.float32) + t[:, None] * self.direction


def render(
    props: list[Prop], positions: np.ndarray, orientations: np.ndarray, ground: bool, camera: Camera, grid: float
) -> tuple[np.ndarray, np.ndarray]:
    """Picture (height, width, 3) 0 .. 1 and the distance of what is seen (height, width) m.

    `grid` is the spacing of the ground's lines in m."""
    turns = [rotation_matrix(q) for q in orientations]
    canvas = _empty(camera)
    if ground:
        _see_ground(canvas)
    for number, prop in enumerate(props):
        for solid in prop.solids:
            _see(canvas, solid, positions[number], turns[number], number)
    colour = _background(canvas, grid)
    light = _lights(canvas)
    lit = _lit(canvas, props, positions, turns, light)
    floor = canvas.owner == GROUND
    colour[floor] *= 1.0 - palette.SHADOW_OPACITY * (1.0 - lit[floor])[:, None] * _nearness(canvas, grid)[floor, None]
    for number, prop in enumerate(props):
        seen = canvas.owner == number
        if seen.any():
            colour[seen] = _shaded(canvas, prop, seen, lit, light, positions[number], turns[number])
    return _averaged(colour, camera), _nearest(canvas)


def _empty(camera: Camera) -> Canvas:
    down, right = np.meshgrid(
        (np.arange(camera.height * FINER) + 0.5) / FINER,
        (np.arange(camera.width * FINER) + 0.5) / FINER,
        indexing="ij",
    )
    direction = camera.rays(right.ravel(), down.ravel()).astype(np.float32)
    count = len(direction)
    return Canvas(
        camera,
        direction,
        t=np.full(count, np.inf, np.float32),
        normal=np.zeros((count, 3), np.float32),
        edge=np.full(count, np.inf, np.float32),
        owner=np.full(count, NOTHING, np.int32),
    )


def _see_ground(canvas: Canvas) -> None:
    slope = canvas.direction[:, 2]
    with np.errstate(divide="ignore"):
        t = -canvas.camera.eye[2] / slope
    met = (slope < 0.0) & (t > 0.0)
    canvas.t[met] = t[met]
    canvas.normal[met] = (0.0, 0.0, 1.0)
    canvas.owner[met] = GROUND


def _see(canvas: Canvas, solid: Solid, place: np.ndarray, turn: np.ndarray, number: int) -> None:
    """Look for one solid where its ball is seen."""
    rays = _window(canvas.camera, place + turn @ solid.center, solid.bound)
    if rays.size == 0:
        return
    direction = canvas.direction[rays].astype(float) @ turn  # into the body's frame
    t, normal, edge = solid.hit((canvas.camera.eye - place) @ turn, direction)
    nearer = t < canvas.t[rays]
    where = rays[nearer]
    canvas.t[where] = t[nearer]
    canvas.normal[where] = normal[nearer] @ turn.T
    canvas.edge[where] = edge[nearer]
    canvas.owner[where] = number


def _window(camera: Camera, center: np.ndarray, bound: float) -> np.ndarray:
    """Rays that may meet a ball."""
    wide, tall = camera.width * FINER, camera.height * FINER
    right, down, depth = camera.project(center)
    if not np.isfinite(bound) or depth <= bound:
        return np.arange(wide * tall) if not np.isfinite(bound) or depth > -bound else np.zeros(0, np.int64)
    reach = 1.2 * camera.scale * bound / (depth - bound) + 1.0
    columns = np.arange(max(int((right - reach) * FINER), 0), min(int((right + reach) * FINER) + 1, wide))
    rows = np.arange(max(int((down - reach) * FINER), 0), min(int((down + reach) * FINER) + 1, tall))
    return (rows[:, None] * wide + columns).ravel()


def _background(canvas: Canvas, grid: float) -> np.ndarray:
    """Gradient from top to bottom; the lines of the ground's grid fade with distance."""
    tall = canvas.camera.height * FINER
    share = np.repeat((np.arange(tall) + 0.5) / tall, canvas.camera.width * FINER)[:, None].astype(np.float32)
    colour = (1.0 - share) * palette.shade(palette.BACKGROUND_TOP) + share * palette.shade(palette.BACKGROUND_BOTTOM)
    floor = np.flatnonzero(canvas.owner == GROUND)
    points, t = canvas.points[floor], canvas.t[floor]
    near = _nearness(canvas, grid)[floor]
    pixel = t / canvas.camera.scale
    for spacing, code, strength in ((grid, palette.GRID_MINOR, 0.9), (5.0 * grid, palette.GRID_MAJOR, 1.0)):
        line = np.zeros(len(floor))
        for k in range(2):
            # Seen at a slant a pixel covers more of the ground.
            slant = pixel / np.maximum(-canvas.direction[floor, 2], 0.05) ** 0.5
            off = np.abs(points[:, k] - spacing * np.round(points[:, k] / spacing))
            sharp = np.clip(1.1 - off / (0.7 * slant), 0.0, 1.0)
            line = np.maximum(line, sharp * np.clip(spacing / (6.0 * slant), 0.0, 1.0))  # too dense: fade out
        weight = (strength * line * near)[:, None]
        colour[floor] = (1.0 - weight) * colour[floor] + weight * palette.shade(code)
    return colour


def _nearness(canvas: Canvas, grid: float) -> np.ndarray:
    """1 near the camera's subject, falling to 0 far behind it."""
    reach = np.linalg.norm(canvas.camera.eye) + 30.0 * grid
    return np.where(np.isfinite(canvas.t), np.clip(2.0 - canvas.t / reach, 0.0, 1.0), 0.0)


def _lights(canvas: Canvas) -> np.ndarray:
    """Direction to the light, a different point of it for the rays of one pixel: averaged, shadows become soft."""
    across, other, toward = _light_axes()
    samples = FINER * FINER
    number = np.arange(samples)
    radius, angle = np.sqrt((number + 0.5) / samples), number * 2.399963  # a sunflower: even over the disc
    wide = canvas.camera.width * FINER
    index = np.arange(len(canvas.t))
    column, line = index % wide, index // wide
    # Neighbouring pixels use the points in another order, or the penumbra would show steps.
    shift = 5 * (column // FINER) + 3 * (line // FINER) + (column // FINER) * (line // FINER) % samples
    which = ((line % FINER) * FINER + column % FINER + shift) % samples
    offsets = LIGHT_SPREAD * radius[:, None] * (np.cos(angle)[:, None] * across + np.sin(angle)[:, None] * other)
    directions = toward + offsets
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return directions.astype(np.float32)[which]


def _light_axes() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two directions across the light and the one toward it."""
    toward = np.array(palette.TO_LIGHT) / np.linalg.norm(palette.TO_LIGHT)
    across = np.cross(toward, (0.0, 0.0, 1.0))
    across /= np.linalg.norm(across)
    return across, np.cross(toward, across), toward


def _lit(
    canvas: Canvas, props: list[Prop], positions: np.ndarray, turns: list[np.ndarray], light: np.ndarray
) -> np.ndarray:
    """1 where the light is seen, 0 in shadow."""
    lit = np.ones(len(canvas.t), np.float32)
    facing = (canvas.normal * light).sum(1)
    asked = np.flatnonzero((canvas.owner != NOTHING) & (facing > 0.0))
    points = canvas.points[asked] + 1e-4 * canvas.t[asked, None] * canvas.normal[asked]
    toward = light[asked]
    dark = np.zeros(len(asked), bool)
    axes = np.stack(_light_axes()).astype(np.float32)
    seen_from_light = points @ axes.T  # across, other, toward
    for number, prop in enumerate(props):
        if isinstance(prop.body.shape, Plane):
            continue
        for solid in prop.solids:
            across, other, ahead = axes @ (positions[number] + turns[number] @ solid.center)
            away = ahead - seen_from_light[:, 2]
            reach = solid.bound + LIGHT_SPREAD * np.maximum(away, 0.0)
            near = (np.abs(seen_from_light[:, 0] - across) < reach) & (np.abs(seen_from_light[:, 1] - other) < reach)
            rays = np.flatnonzero(near & ~dark & (away > -solid.bound))
            if rays.size:
                origin = (points[rays] - positions[number]) @ turns[number]
                t, _, _ = solid.hit(origin, toward[rays] @ turns[number])
                dark[rays] |= np.isfinite(t)
    lit[asked[dark]] = 0.0
    lit[(facing <= 0.0) & (canvas.owner != NOTHING)] = 0.0
    return lit


def _shaded(
    canvas: Canvas,
    prop: Prop,
    seen: np.ndarray,
    lit: np.ndarray,
    light: np.ndarray,
    place: np.ndarray,
    turn: np.ndarray,
) -> np.ndarray:
    normal = canvas.normal[seen]
    base = np.broadcast_to(prop.colour, (len(normal), 3)).astype(np.float32)
    points = canvas.points[seen]
    if prop.pips and isinstance(prop.body.shape, Box):
        cover = pip_cover((points - place) @ turn, prop.body.shape.half)[:, None]
        base = (1.0 - cover) * base + cover * palette.shade(palette.PIP)
    sky = 0.5 + 0.5 * normal[:, 2]
    key = np.maximum((normal * light[seen]).sum(1), 0.0) * lit[seen]
    # Little light comes from below right above the ground.
    near_ground = 1.0 - 0.35 * np.exp(-np.maximum(points[:, 2], 0.0) / 0.05) * (normal[:, 2] < 0.5)
    strength = palette.AMBIENT * near_ground + palette.SKY * sky * near_ground + palette.KEY * key
    colour = base * strength[:, None]
    width = 1.2 * canvas.t[seen] / canvas.camera.scale
    bevel = palette.BEVEL_OPACITY * np.clip(1.0 - canvas.edge[seen] / width, 0.0, 1.0)[:, None]
    return np.clip((1.0 - bevel) * colour + bevel * np.minimum(1.6 * base, 1.0), 0.0, 1.0)


def _averaged(colour: np.ndarray, camera: Camera) -> np.ndarray:
    return colour.reshape(camera.height, FINER, camera.width, FINER, 3).mean(axis=(1, 3))


def _nearest(canvas: Canvas) -> np.ndarray:
    """Distance along the view of the bodies seen in each pixel (infinite for ground and sky)."""
    ahead = canvas.direction @ canvas.camera.axes[2]
    depth = np.where(canvas.owner >= 0, canvas.t * ahead, np.inf)
    return depth.reshape(canvas.camera.height, FINER, canvas.camera.width, FINER).min(axis=(1, 3))
