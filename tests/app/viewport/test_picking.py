"""Picking against closed forms, and against triangles of fine meshes."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scenes
from hypothesis import given, settings
from hypothesis import strategies as st

from app.camera import Camera, Ray
from app.viewport.area_picking import rows_inside
from app.viewport.layout import Layout, layout_of, moved
from app.viewport.meshes import levels
from app.viewport.picking import cast
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Plane, Scene, Sphere
from engine.shapes.turns import from_angles, rotation_matrix

EXTENT = (640, 480)


def ray(origin: tuple[float, ...], toward: tuple[float, ...]) -> Ray:
    d = np.subtract(toward, origin)
    return Ray(np.array(origin, float), d / np.linalg.norm(d))


def seen(*bodies: Body) -> Layout:
    return layout_of(Scene(bodies=list(bodies)))


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Sphere(0.5), 4.5),
        (Box((0.3, 0.4, 0.5)), 4.7),
        (Capsule(0.2, 0.4), 4.8),
        (Cylinder(0.25, 0.4), 4.75),
        (Hull([[x, y, z] for x in (-0.3, 0.3) for y in (-1, 1) for z in (-1, 1)]), 4.7),
        (Compound([(Sphere(0.1), (0.35, 0.0, 0.0)), (Sphere(0.1), (-2.0, 0.0, 0.0))]), 4.55),
    ],
)
def test_a_ray_along_x_meets_the_near_side(shape: object, expected: float) -> None:
    hit = cast(seen(Body("It", shape)), ray((5.0, 0.0, 0.0), (0.0, 0.0, 0.0)))  # type: ignore[arg-type]
    assert hit is not None and hit.distance == pytest.approx(expected, abs=1e-6)
    assert np.allclose(hit.normal, [1.0, 0.0, 0.0], atol=1e-6)


def test_a_ray_meets_caps_from_above() -> None:
    for shape, height in ((Capsule(0.2, 0.4), 0.6), (Cylinder(0.25, 0.4), 0.4), (Box((0.3, 0.3, 0.7)), 0.7)):
        hit = cast(seen(Body("It", shape)), ray((0.05, 0.0, 3.0), (0.05, 0.0, 0.0)))
        top = math.sqrt(0.2**2 - 0.05**2) + 0.4 if isinstance(shape, Capsule) else height
        assert hit is not None and hit.distance == pytest.approx(3.0 - top)
        assert hit.normal[2] > 0.9


def test_a_plane_is_met_where_it_is_drawn() -> None:
    layout = seen(Body("Slope", Plane((0.0, 1.0, 1.0), (0.0, 0.0, 1.0)), static=True))
    hit = cast(layout, ray((0.0, 0.0, 5.0), (0.0, 0.0, 0.0)))
    assert hit is not None and hit.distance == pytest.approx(4.0)
    assert np.allclose(hit.normal, np.array([0.0, 1.0, 1.0]) / math.sqrt(2.0))
    assert cast(layout, ray((500.0, 0.0, 5.0), (500.0, 0.0, 0.0))) is None


angle = st.floats(-180.0, 180.0)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["sphere", "box", "capsule", "cylinder"]),
    st.tuples(angle, angle, angle),
    st.tuples(*[st.floats(-0.35, 0.35)] * 3),
)
def test_exact_hits_agree_with_fine_triangles(kind: str, turn: tuple, aim: tuple) -> None:
    shape = {"sphere": Sphere(0.3), "box": Box((0.3, 0.2, 0.1)), "capsule": Capsule(0.15, 0.2),
             "cylinder": Cylinder(0.2, 0.25)}[kind]  # fmt: skip
    body = Body("It", shape, (0.1, 0.2, 0.3), from_angles(turn))
    sight = ray((2.0, -3.0, 1.5), tuple(np.add(aim, body.position)))
    hit = cast(seen(body), sight)
    exact = math.inf if hit is None else hit.distance
    assert exact == pytest.approx(nearest_triangle(body, kind, sight), abs=3e-3) or grazes(body, kind, sight)


def nearest_triangle(body: Body, kind: str, sight: Ray, grow: float = 1.0) -> float:
    """By plane and inside test, triangle by triangle, over the finest mesh."""
    best = math.inf
    turn = rotation_matrix(body.orientation)
    for vertices, triangles in surfaces(body, kind):
        c = (grow * vertices @ turn.T + body.position)[triangles]
        n = np.cross(c[:, 1] - c[:, 0], c[:, 2] - c[:, 0])
        with np.errstate(divide="ignore", invalid="ignore"):
            t = ((c[:, 0] - sight.origin) * n).sum(axis=1) / (n @ sight.direction)
        p = sight.origin + t[:, None] * sight.direction
        inside = np.ones(len(c), bool)
        for k in range(3):
            inside &= (np.cross(c[:, (k + 1) % 3] - c[:, k], p - c[:, k]) * n).sum(axis=1) >= -1e-15
        best = min(best, float(np.min(t[inside & (t > 0)], initial=math.inf)))
    return best


def surfaces(body: Body, kind: str) -> list[tuple[np.ndarray, np.ndarray]]:
    if kind not in ("sphere", "capsule"):
        mesh = levels(kind)[0]
        solids = next(iter(seen(Body("x", body.shape)).kinds.values()))
        return [(mesh.vertices.astype(float) * solids.size[0], mesh.triangles)]
    r, h = body.shape.radius, getattr(body.shape, "half_length", 0.0)  # type: ignore[union-attr]
    tube, dome = levels("tube")[0], levels("dome")[0]
    ends = [(s * (dome.vertices.astype(float) * r + (0, 0, h)), dome.triangles) for s in (1.0, -1.0)]
    return [(tube.vertices.astype(float) * (r, r, h), tube.triangles), *ends]


def grazes(body: Body, kind: str, sight: Ray) -> bool:
    """Within a thousandth of the outline the mesh may decide either way."""
    small, large = (nearest_triangle(body, kind, sight, grow) for grow in (0.99, 1.01))
    return math.isfinite(large) and large < small - 0.02


def test_the_nearest_of_many_is_found_and_can_be_looked_through() -> None:
    layout = layout_of(scenes.many(500, Sphere(0.1)))
    centers = np.array([body.position for body in layout.bodies])
    rng = np.random.default_rng(1)
    for _ in range(50):
        origin, d = rng.normal(size=3) * 6.0, rng.normal(size=3)
        sight = ray(tuple(origin), tuple(rng.normal(size=3) * 0.5 + (0, 0, 1)))
        d = sight.direction
        b = (origin - centers) @ d
        room = b * b - (((origin - centers) ** 2).sum(axis=1) - 0.01)
        t = np.where(room >= 0, -b - np.sqrt(np.maximum(room, 0)), np.inf)
        t[t <= 0] = np.inf
        order = np.argsort(t)
        hit = cast(layout, sight)
        assert (hit.row if hit else None) == (order[0] if np.isfinite(t[order[0]]) else None)
        if hit is not None:
            without = np.zeros(len(centers), bool)
            without[hit.row] = True
            second = cast(layout, sight, without)
            assert (second.row if second else None) == (order[1] if np.isfinite(t[order[1]]) else None)


def test_values_that_make_no_sense_are_left_out() -> None:
    bad = [
        Body("No size", Sphere("large")),  # type: ignore[arg-type]
        Body("Inside out", Box((-1.0, 1.0, 1.0))),
        Body("Flat", Hull(np.zeros((4, 3)))),
        Body("Nowhere", Sphere(0.1), (math.nan, 0.0, 0.0)),
        Body("No turn", Sphere(0.1), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)),
        Body("No shape", None),  # type: ignore[arg-type]
    ]
    layout = seen(*bad, Body("Fine", Sphere(0.1)))
    assert [body.name for body in layout.bodies] == ["Fine"]


def test_bounds_hold_the_meshes_tightly() -> None:
    layout = layout_of(scenes.every_shape())
    low, high = np.full_like(layout.low, np.inf), np.full_like(layout.high, -np.inf)
    for kind, solids in layout.kinds.items():
        if kind == "capsule":
            continue
        ball = kind == "sphere"
        mesh = solids.mesh if solids.mesh is not None else levels("dome" if ball else kind)[0]
        vertices = mesh.vertices.astype(float)
        vertices = np.concatenate([vertices, -vertices]) if ball else vertices
        for k, row in enumerate(solids.rows):
            world = (vertices * solids.size[k]) @ solids.turn[k].T + solids.place[k]
            low[row], high[row] = np.minimum(low[row], world.min(axis=0)), np.maximum(high[row], world.max(axis=0))
    known = np.isfinite(low[:, 0])
    hulls = [row for row, body in enumerate(layout.bodies) if isinstance(body.shape, Hull)]  # theirs may be loose
    assert (layout.low[known] <= low[known] + 1e-6).all() and (layout.high[known] >= high[known] - 1e-6).all()
    known[hulls] = False
    assert np.abs(layout.low[known] - low[known]).max() < 2e-3


def test_poses_move_every_part_of_a_body() -> None:
    body = Body("Two", Compound([(Sphere(0.1), (1.0, 0.0, 0.0)), (Box((0.1, 0.1, 0.1)), (-1.0, 0.0, 0.0))]))
    turned = np.array([from_angles((0.0, 0.0, 90.0))])
    there = moved(seen(body), np.array([0]), np.array([[0.0, 0.0, 5.0]]), turned)
    assert np.allclose(there.kinds["sphere"].place, [[0.0, 1.0, 5.0]])
    assert np.allclose(there.kinds["box"].place, [[0.0, -1.0, 5.0]])
    same = moved(seen(body), np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 4)))
    assert np.allclose(same.kinds["sphere"].place, [[1.0, 0.0, 0.0]])


# -- areas ---------------------------------------------------------------------------------------------------------


def inside(layout: Layout, camera: Camera, *area: float) -> list[str]:
    return [layout.bodies[row].name for row in rows_inside(layout, camera, EXTENT, area)]  # type: ignore[arg-type]


def test_an_area_takes_what_its_rim_touches() -> None:
    camera = Camera((0.0, 0.0, 0.0), 4.0).looking("front")
    layout = seen(Body("Ball", Sphere(0.5)), Body("Far left", Sphere(0.1), (-1.0, 0.0, 0.0)))
    (middle,), _ = camera.project([[0.0, 0.0, 0.0]], *EXTENT)
    radius = 0.5 / (camera.span() / EXTENT[1])
    x, y = middle
    assert inside(layout, camera, x - 5, y - 5, x + 5, y + 5) == ["Ball"]  # wholly within its picture
    assert inside(layout, camera, x + radius - 3, y - 2, x + 400, y + 2) == ["Ball"]
    corner = 0.85 * radius  # inside the box round the ball's picture, outside the picture
    assert inside(layout, camera, x + corner, y - radius, x + radius, y - corner) == []
    assert inside(layout, camera, 0, 0, *EXTENT) == ["Ball", "Far left"]
    assert inside(layout, camera, 0, 0, x - radius - 8, EXTENT[1]) == ["Far left"]


def test_area_and_pixel_agree() -> None:
    layout = layout_of(scenes.every_shape())
    camera = Camera((0.0, 0.0, 0.3), 4.0)
    rng = np.random.default_rng(2)
    for x, y in rng.uniform((60, 100), (580, 400), (80, 2)):
        hit = cast(layout, camera.ray(x, y, *EXTENT))
        if hit is not None:
            assert hit.row in rows_inside(layout, camera, EXTENT, (x - 0.5, y - 0.5, x + 0.5, y + 0.5))


def test_what_lies_behind_the_camera_is_not_inside() -> None:
    camera = Camera((0.0, 0.0, 0.0), 2.0).looking("front")
    layout = seen(Body("Behind", Sphere(0.2), (0.0, -5.0, 0.0)), Body("Ahead", Sphere(0.2)))
    assert inside(layout, camera, 0, 0, *EXTENT) == ["Ahead"]
