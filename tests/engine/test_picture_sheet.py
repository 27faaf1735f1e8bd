"""Pictures: rays meet surfaces where they are, shadows fall where they must, the sheet holds what it promises."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.commands.demo_scenes import die_shows_six
from engine.picture import palette
from engine.picture.camera import camera_for
from engine.picture.pips import pip_cover
from engine.picture.render import Backdrop, Prop, props_of
from engine.picture.sheet import contact_sheet
from engine.picture.solids import solids_of
from engine.run import backward
from engine.scene.dice import RADIUS
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Plane, Scene, Sphere, TriangleMesh
from tests.bench import scenes
from tests.engine.appearing_takes import appearing

SHAPES = {
    "ball": (Sphere(0.4), lambda p: np.linalg.norm(p, axis=1) - 0.4),
    "box": (Box((0.3, 0.2, 0.5)), lambda p: (np.abs(p) - (0.3, 0.2, 0.5)).max(axis=1)),
    "can": (
        Cylinder(0.3, 0.4),
        lambda p: np.maximum(np.hypot(p[:, 0], p[:, 1]) - 0.3, np.abs(p[:, 2]) - 0.4),
    ),
    "pill": (
        Capsule(0.2, 0.3),
        lambda p: np.linalg.norm(p - np.clip(p[:, 2:], -0.3, 0.3) * np.array((0, 0, 1.0)), axis=1) - 0.2,
    ),
    "hull": (
        Hull(np.array([(x, y, z) for x in (-0.3, 0.3) for y in (-0.2, 0.2) for z in (-0.5, 0.5)])),
        lambda p: (np.abs(p) - (0.3, 0.2, 0.5)).max(axis=1),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_rays_meet_the_surface_first(name: str) -> None:
    """Oracle: the shape's implicit function, negative inside."""
    shape, inside = SHAPES[name]
    (solid,) = solids_of(shape)
    rng = np.random.default_rng(1)
    origin = rng.normal(size=(3000, 3))
    origin *= (rng.uniform(1.0, 3.0, size=3000) / np.linalg.norm(origin, axis=1))[:, None]
    direction = rng.normal(size=(3000, 3)) * 0.25 - origin
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    t, normal, _ = solid.hit(origin, direction)
    met = np.isfinite(t)
    assert 500 < met.sum() < 2900
    points = origin[met] + t[met, None] * direction[met]
    np.testing.assert_allclose(inside(points), 0.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(normal[met], axis=1), 1.0, atol=1e-9)
    assert (inside(points + 1e-4 * normal[met]) > 0.0).all() and (inside(points - 1e-4 * normal[met]) < 0.0).all()
    for share in np.linspace(0.0, 0.999, 40):
        assert (inside(origin[met] + share * t[met, None] * direction[met]) > 0.0).all()
    for along in np.linspace(0.0, 5.0, 400):
        assert (inside(origin[~met] + along * direction[~met]) > -1e-9).all()


def test_triangles_and_planes_are_met() -> None:
    sheet = TriangleMesh(np.array([(-1, -1, 0), (1, -1, 0), (0, 1, 0.0)]), np.array([(0, 1, 2)]))
    down = np.array([(0, 0, -1.0), (0, 0, -1.0)])
    t, normal, _ = solids_of(sheet)[0].hit(np.array([(0, 0, 2.0), (3, 0, 2.0)]), down)
    assert t.tolist() == [2.0, np.inf] and normal[0].tolist() == [0.0, 0.0, 1.0]
    t, _, _ = solids_of(Plane((0, 0, 2.0), (0, 0, 0.5)))[0].hit(np.array((7.0, 0, 2.0)), down)
    assert t.tolist() == [1.5, 1.5]


def test_the_camera_holds_everything() -> None:
    rng = np.random.default_rng(3)
    centers, radii = rng.normal(size=(20, 3)) * (5.0, 2.0, 1.0), rng.uniform(0.1, 0.5, 20)
    camera = camera_for(centers, radii, 400, 300)
    seen = camera.project(centers)
    reach = camera.scale * radii / seen[:, 2]
    assert (seen[:, 2] > radii).all()
    assert (seen[:, 0] - reach).min() > 0 and (seen[:, 0] + reach).max() < 400
    assert (seen[:, 1] - reach).min() > 0 and (seen[:, 1] + reach).max() < 300
    rays = camera.rays(seen[:, 0], seen[:, 1])
    np.testing.assert_allclose(np.cross(rays, centers - camera.eye), 0.0, atol=1e-9)


def test_light_and_shadow() -> None:
    """The lit side of a ball is brighter than the other; the ground is dark where a ray to the light meets the ball."""
    scene = Scene(bodies=[Body("ball", Sphere(0.5), (0, 0, 1.0))])
    camera = camera_for(np.array([(0, 0, 0.5)]), np.array([2.5]), 160, 120)
    positions, orientations = np.array([(0, 0, 1.0)]), np.array([(1.0, 0, 0, 0)])
    picture, depth = Backdrop(camera, True, 1.0).draw(props_of(scene), positions, orientations)
    light = np.array(palette.TO_LIGHT) / np.linalg.norm(palette.TO_LIGHT)

    def pixel(point: np.ndarray) -> np.ndarray:
        right, down, _ = camera.project(point)
        return picture[int(down), int(right)]

    toward_eye = (camera.eye - positions[0]) / np.linalg.norm(camera.eye - positions[0])
    bright = positions[0] + 0.5 * (light + toward_eye) / np.linalg.norm(light + toward_eye)
    side = np.cross(light, toward_eye)
    side /= np.linalg.norm(side)
    dark = positions[0] + 0.5 * (toward_eye - 1.2 * light) / np.linalg.norm(toward_eye - 1.2 * light)
    assert pixel(bright).sum() > 1.5 * pixel(dark).sum()
    shadow = positions[0] - light / light[2]
    beside = shadow + 1.2 * np.array((side[0], side[1], 0.0)) / math.hypot(side[0], side[1])
    assert pixel(shadow).sum() < 0.7 * pixel(beside).sum()
    right, down, away = camera.project(positions[0])
    assert depth[int(down), int(right)] == pytest.approx(away - 0.5, abs=0.02)
    assert np.isinf(depth[0, 0])


def test_a_die_has_its_spots() -> None:
    grid = np.stack(np.meshgrid(np.linspace(-1, 1, 400), np.linspace(-1, 1, 400)), axis=-1).reshape(-1, 2)
    for axis, sign, spots in [(2, 1, 6), (2, -1, 1), (1, 1, 5), (1, -1, 2), (0, 1, 4), (0, -1, 3)]:
        points = np.zeros((len(grid), 3))
        points[:, axis] = sign
        points[:, [(axis + 1) % 3, (axis + 2) % 3]] = grid * 0.9999
        assert pip_cover(points, (1.0, 1.0, 1.0)).mean() == pytest.approx(spots * math.pi * RADIUS**2 / 4.0, rel=0.03)


def test_the_sheet_of_every_shape() -> None:
    shapes = [Sphere(0.2), Box((0.2, 0.2, 0.2)), Capsule(0.1, 0.1), Cylinder(0.2, 0.2), Hull(scenes.hull_points())]
    shapes.append(Compound([(Box((0.2, 0.1, 0.1)), (0, 0, 0)), (Sphere(0.1), (0.3, 0, 0))]))
    bodies = [Body(f"body {i}", shape, (i, 0, 3.0), velocity=(0, 0, 1.0)) for i, shape in enumerate(shapes)]
    ramp = TriangleMesh(np.array([(-1, -1, 0.2), (1, -1, 0.2), (0, 1, 0.5)]), np.array([(0, 1, 2)]))
    bodies.append(Body("ramp", ramp, static=True))
    bodies.append(Body("wall", Plane((0, -1.0, 0), (0, 4.0, 0)), static=True))
    take = backward(Scene(bodies=bodies), 0.1, 1 / 240)
    sheet = contact_sheet(take, tile=(72, 54))
    assert sheet.size == (2 * 28 + 4 * 72 + 3 * 12, 84 + 28 + 2 * 54 + 12)
    assert sheet.tobytes() == contact_sheet(take, tile=(72, 54)).tobytes()


def test_the_last_frame_is_marked_and_shows_the_ending() -> None:
    """The light field of the mark is in the last tile and in no other."""
    take = backward(die_shows_six(), 0.3, 1 / 240)
    sheet = np.asarray(contact_sheet(take, tile=(96, 72)))
    marked = []
    for number in range(8):
        left, top = 28 + (number % 4) * 108, 84 + (number // 4) * 84
        tile = sheet[top : top + 72, left : left + 96]
        marked.append(bool((tile[18:28, 13] == palette.rgb(palette.TEXT)).all()))
    assert marked == [False] * 7 + [True]


def test_who_is_unseen_yet_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[str]] = []
    draw = Backdrop.draw

    def noted(self: Backdrop, props: list[Prop], x: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        drawn.append([prop.body.name for prop in props])
        assert len(x) == len(q) == len(props)
        return draw(self, props, x, q)

    monkeypatch.setattr(Backdrop, "draw", noted)
    contact_sheet(appearing(), tile=(60, 45))
    assert drawn == [["first", "shelf"]] * 4 + [["first", "second", "shelf"]] * 4
