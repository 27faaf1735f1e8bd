"""A picture of bodies at given poses: rays through every pixel, one soft light, shadows, a grid on the ground."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from engine.picture import palette
from engine.picture.camera import Viewpoint
from engine.picture.pips import pip_cover
from engine.picture.solids import DrawnSolid, solids_of
from engine.scene.colors import body_color
from engine.scene.dice import SPOT_COLOR, is_die
from engine.scene.spec import Body, Box, Scene
from engine.shapes.ask import ask
from engine.shapes.turns import rotation_matrix

FINER = 3  # rays per pixel along each side
LIGHT_SPREAD = 0.055  # radius of the light, as a tangent: the softness of shadows
NOTHING, GROUND = -2, -1


@dataclass(frozen=True)
class Prop:
    """A body made ready for drawing."""

    body: Body
    solids: list[DrawnSolid]
    colour: np.ndarray


def props_of(scene: Scene) -> list[Prop]:
    """Bodies of the scene with their solids and colours."""
    return [
        Prop(body, solids_of(body.shape), palette.shade(body_color(body, place)))
        for place, body in enumerate(scene.bodies)
    ]


def on_view(props: list[Prop]) -> np.ndarray:
    """(n,) bool: whom the artist has not hidden."""
    return np.array([not prop.body.hidden for prop in props], bool)


def only(props: list[Prop], shown: np.ndarray) -> list[Prop]:
    """Those that are to be seen, marked in (n,)."""
    return [prop for prop, there in zip(props, shown, strict=True) if there]


@dataclass
class Canvas:
    """What each ray met; m rays in rows of the fine picture."""

    camera: Viewpoint
    finer: int  # rays per pixel along each side
    direction: np.ndarray  # (m, 3)
    t: np.ndarray  # (m,) m
    normal: np.ndarray  # (m, 3)
    edge: np.ndarray  # (m,) m
    owner: np.ndarray  # (m,) prop, GROUND or NOTHING

    def points(self, rays: np.ndarray) -> np.ndarray:
        """(k, 3) m, where these rays met something."""
        t = self.t[rays]
        t = np.where(np.isfinite(t), t, np.float32(0.0))
        return self.camera.eye.astype(np.float32) + t[:, None] * self.direction[rays]

    def copy(self) -> Canvas:
        met = (self.t.copy(), self.normal.copy(), self.edge.copy(), self.owner.copy())
        return Canvas(self.camera, self.finer, self.direction, *met)


class Backdrop:
    """A camera and the empty ground before it: what is the same in every picture of a video is worked out once."""

    def __init__(self, camera: Viewpoint, ground: bool, grid: float, finer: int = FINER) -> None:
        """`grid` is the spacing of the ground's lines in m."""
        self._bare = _empty(camera, finer)
        if ground:
            _see_ground(self._bare)
        self._light = _lights(self._bare)
        self._near = _nearness(self._bare, grid)
        self._background = _background(self._bare, grid, self._near)
        self._floor = _Lit(self._bare, np.flatnonzero(self._bare.owner == GROUND), self._light)

    def draw(self, props: list[Prop], positions: np.ndarray, orientations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Picture (height, width, 3) 0 .. 1 and the distance of what is seen (height, width) m."""
        turns = [rotation_matrix(q) for q in orientations]
        canvas, light = self._bare.copy(), self._light
        for number, prop in enumerate(props):
            for solid in prop.solids:
                _see(canvas, solid, positions[number], turns[number], number)
        colour = self._background.copy()
        floor = self._floor.only(canvas.owner[self._floor.rays] == GROUND)
        dark = floor.rays[floor.shadowed(props, positions, turns)]
        colour[dark] *= 1.0 - palette.SHADOW_OPACITY * self._near[dark, None]
        bodies = _Lit(canvas, np.flatnonzero(canvas.owner >= 0), light)
        lit = np.ones(len(canvas.t), np.float32)
        lit[bodies.rays[bodies.shadowed(props, positions, turns)]] = 0.0
        for number, prop in enumerate(props):
            seen = np.flatnonzero(canvas.owner == number)
            if len(seen):
                colour[seen] = _shaded(canvas, prop, seen, lit, light, positions[number], turns[number])
        camera, finer = canvas.camera, canvas.finer
        pixels = (camera.height, finer, camera.width, finer)
        return colour.reshape(*pixels, 3).mean(axis=(1, 3)), _depths(canvas).reshape(pixels).min(axis=(1, 3))


def _empty(camera: Viewpoint, finer: int) -> Canvas:
    down, right = np.meshgrid(
        (np.arange(camera.height * finer) + 0.5) / finer,
        (np.arange(camera.width * finer) + 0.5) / finer,
        indexing="ij",
    )
    direction = camera.rays(right.ravel(), down.ravel()).astype(np.float32)
    count = len(direction)
    return Canvas(
        camera,
        finer,
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


def _see(canvas: Canvas, solid: DrawnSolid, place: np.ndarray, turn: np.ndarray, number: int) -> None:
    """Look for one solid where its ball is seen."""
    rays = _window(canvas, place + turn @ solid.center, solid.bound)
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


def _window(canvas: Canvas, center: np.ndarray, bound: float) -> np.ndarray:
    """Rays that may meet a ball."""
    camera, finer = canvas.camera, canvas.finer
    wide, tall = camera.width * finer, camera.height * finer
    right, down, depth = camera.project(center)
    if not np.isfinite(bound) or depth <= bound:
        return np.arange(wide * tall) if not np.isfinite(bound) or depth > -bound else np.zeros(0, np.int64)
    reach = 1.2 * camera.scale * bound / (depth - bound) + 1.0
    columns = np.arange(max(int((right - reach) * finer), 0), min(int((right + reach) * finer) + 1, wide))
    rows = np.arange(max(int((down - reach) * finer), 0), min(int((down + reach) * finer) + 1, tall))
    return (rows[:, None] * wide + columns).ravel()


def _background(canvas: Canvas, grid: float, nearness: np.ndarray) -> np.ndarray:
    """Gradient from top to bottom; the lines of the ground's grid fade with distance."""
    tall = canvas.camera.height * canvas.finer
    share = np.repeat((np.arange(tall) + 0.5) / tall, canvas.camera.width * canvas.finer)[:, None].astype(np.float32)
    colour = (1.0 - share) * palette.shade(palette.BACKGROUND_TOP) + share * palette.shade(palette.BACKGROUND_BOTTOM)
    floor = np.flatnonzero(canvas.owner == GROUND)
    points, t = canvas.points(floor), canvas.t[floor]
    near = nearness[floor]
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
    finer = canvas.finer
    samples = finer * finer
    number = np.arange(samples)
    radius, angle = np.sqrt((number + 0.5) / samples), number * 2.399963  # a sunflower: even over the disc
    wide = canvas.camera.width * finer
    index = np.arange(len(canvas.t))
    column, line = index % wide, index // wide
    # Neighbouring pixels use the points in another order, or the penumbra would show steps.
    shift = 5 * (column // finer) + 3 * (line // finer) + (column // finer) * (line // finer) % samples
    which = ((line % finer) * finer + column % finer + shift) % samples
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


class _Lit:
    """Rays whose points ask whether they see the light."""

    def __init__(self, canvas: Canvas, rays: np.ndarray, light: np.ndarray) -> None:
        self.rays, self.toward = rays, light[rays]
        self.away = (canvas.normal[rays] * self.toward).sum(1) <= 0.0  # turned away from it
        self.points = canvas.points(rays) + 1e-4 * canvas.t[rays, None] * canvas.normal[rays]
        self.seen = self.points @ np.stack(_light_axes()).astype(np.float32).T  # across, other, toward

    def only(self, which: np.ndarray) -> _Lit:
        part = copy(self)
        part.rays, part.toward, part.away = self.rays[which], self.toward[which], self.away[which]
        part.points, part.seen = self.points[which], self.seen[which]
        return part

    def shadowed(self, props: list[Prop], positions: np.ndarray, turns: list[np.ndarray]) -> np.ndarray:
        """(m,) bool."""
        dark, axes = self.away.copy(), np.stack(_light_axes()).astype(np.float32)
        for number, prop in enumerate(props):
            if ask(prop.body.shape).endless:
                continue
            for solid in prop.solids:
                across, other, ahead = axes @ (positions[number] + turns[number] @ solid.center)
                away = ahead - self.seen[:, 2]
                reach = solid.bound + LIGHT_SPREAD * np.maximum(away, 0.0)
                near = (np.abs(self.seen[:, 0] - across) < reach) & (np.abs(self.seen[:, 1] - other) < reach)
                rays = np.flatnonzero(near & ~dark & (away > -solid.bound))
                if rays.size:
                    origin = (self.points[rays] - positions[number]) @ turns[number]
                    t, _, _ = solid.hit(origin, self.toward[rays] @ turns[number])
                    dark[rays] |= np.isfinite(t)
        return dark


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
    points = canvas.points(seen)
    if is_die(prop.body) and isinstance(prop.body.shape, Box):
        cover = pip_cover((points - place) @ turn, prop.body.shape.half)[:, None]
        base = (1.0 - cover) * base + cover * palette.shade(SPOT_COLOR)
    sky = 0.5 + 0.5 * normal[:, 2]
    key = np.maximum((normal * light[seen]).sum(1), 0.0) * lit[seen]
    # Little light comes from below right above the ground.
    near_ground = 1.0 - 0.35 * np.exp(-np.maximum(points[:, 2], 0.0) / 0.05) * (normal[:, 2] < 0.5)
    strength = palette.AMBIENT * near_ground + palette.SKY * sky * near_ground + palette.KEY * key
    colour = base * strength[:, None]
    width = 1.2 * canvas.t[seen] / canvas.camera.scale
    bevel = palette.BEVEL_OPACITY * np.clip(1.0 - canvas.edge[seen] / width, 0.0, 1.0)[:, None]
    return np.clip((1.0 - bevel) * colour + bevel * np.minimum(1.6 * base, 1.0), 0.0, 1.0)


def _depths(canvas: Canvas) -> np.ndarray:
    """(m,) m along the view, of the bodies that rays met (infinite for ground and sky)."""
    ahead = canvas.direction @ canvas.camera.axes[2]
    return np.where(canvas.owner >= 0, canvas.t * ahead, np.inf)
