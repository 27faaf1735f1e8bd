"""Resting manifolds, clipped patches, the choice of the axis, meshes, stability of feature numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from collide_cases import Found, about, found, random_hull, random_turn

from engine.model.arrays import CIRCLE, FACE, LINE, POINT
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Scene, Sphere, TriangleMesh
from engine.shapes.polytope import convex_polytope

LYING = about((1, 0, 0), math.pi / 2)


def rows(points: np.ndarray) -> np.ndarray:
    """Points in a fixed order, for comparing sets."""
    points = np.round(np.asarray(points, float), 9) + 0.0
    return points[np.lexsort(points.T[::-1])]


def kinds(contacts: Found) -> list[tuple[int, int]]:
    return list(zip(contacts.kind_a.tolist(), contacts.kind_b.tolist(), strict=True))


def body(shape, position, orientation=(1.0, 0.0, 0.0, 0.0), **more) -> Body:
    return Body(name="", shape=shape, position=tuple(position), orientation=tuple(orientation), **more)


# On the ground


def test_box_on_the_ground_stands_on_its_four_corners():
    contacts = found(body(Box(half=(0.1, 0.2, 0.3)), (1, 2, 0.3)))
    assert contacts.count == 4 and set(kinds(contacts)) == {(POINT, FACE)}
    expected = [(1 + sx * 0.1, 2 + sy * 0.2, 0) for sx in (-1, 1) for sy in (-1, 1)]
    assert np.allclose(rows(contacts.point), rows(expected), atol=1e-12)
    assert np.allclose(contacts.normal, [0, 0, 1]) and np.allclose(contacts.gap, 0, atol=1e-15)


@pytest.mark.parametrize(("edge", "expected"), [((1, 0, 0), 2), ((1, 1, 0), 1)])
def test_box_on_an_edge_or_a_corner(edge, expected):
    turn = about(edge, math.pi / 4 if expected == 2 else math.atan(math.sqrt(2)))
    contacts = found(body(Box(half=(0.5, 0.5, 0.5)), (0, 0, 0.5 * math.sqrt(4 - expected)), turn))
    assert contacts.count == expected


def test_hull_on_the_ground_stands_on_the_corners_of_its_face():
    rng = np.random.default_rng(0)
    for _ in range(10):
        solid = convex_polytope(random_hull(rng, 20).points)
        f = int(rng.integers(0, len(solid.faces)))
        n = solid.normals[f]
        turn = about(np.cross(n, [0, 0, -1]), math.acos(np.clip(-n[2], -1, 1)))
        contacts = found(body(Hull(points=solid.vertices), (0, 0, solid.offsets[f]), turn))
        assert contacts.count == len(solid.faces[f])
        assert np.allclose(contacts.gap, 0, atol=1e-12)


def test_ball_and_capsule_on_the_ground():
    contacts = found(body(Sphere(radius=0.3), (0, 0, 0.3)))
    assert contacts.count == 1 and contacts.round[0] == 0.3
    contacts = found(body(Capsule(radius=0.3, half_length=0.4), (0, 0, 0.3), LYING))
    assert np.allclose(rows(contacts.point), [[0, -0.4, 0], [0, 0.4, 0]], atol=1e-12)
    contacts = found(body(Capsule(radius=0.3, half_length=0.4), (0, 0, 0.7)))
    assert contacts.count == 1


def test_cylinder_standing_lying_and_tilted():
    shape = Cylinder(radius=0.3, half_height=0.4)
    standing = found(body(shape, (0, 0, 0.4)))
    assert standing.count == 8 and set(kinds(standing)) == {(POINT, FACE)}
    assert np.allclose(np.linalg.norm(standing.point[:, :2], axis=1), 0.3)
    lying = found(body(shape, (0, 0, 0.3), LYING))
    assert lying.count == 2 and set(kinds(lying)) == {(CIRCLE, FACE)}
    for tilt in (0.2, 0.7, 1.4):
        height = 0.3 * math.sin(tilt) + 0.4 * math.cos(tilt)
        tilted = found(body(shape, (0, 0, height), about((1, 0, 0), tilt)))
        assert kinds(tilted) == [(CIRCLE, FACE)]
        assert np.allclose(tilted.point[0], [0, 0.4 * math.sin(tilt) - 0.3 * math.cos(tilt), 0], atol=1e-12)


def test_slightly_tilted_cylinder_keeps_its_lowest_point_and_those_well_away():
    """Sunk by 1e-3, tilted midway between two fixed points: those two, 22.5 degrees away, give way to the lowest."""
    axis = (math.cos(math.pi / 8), math.sin(math.pi / 8), 0)
    contacts = found(body(Cylinder(radius=0.3, half_height=0.4), (0, 0, 0.399), about(axis, 1e-4)))
    circle = [i for i, pair in enumerate(kinds(contacts)) if pair == (CIRCLE, FACE)]
    assert len(circle) == 1 and contacts.count == 7
    lowest = contacts.point[circle[0], :2]
    for i in set(range(contacts.count)) - set(circle):
        angle = np.degrees(np.arccos(np.dot(lowest, contacts.point[i, :2]) / 0.3**2))
        assert angle > 29.9


# Boxes on boxes


def test_box_on_box_has_four_corners_and_turned_by_45_degrees_eight():
    base = body(Box(half=(1, 1, 0.5)), (0, 0, 0.5))
    small = found(base, body(Box(half=(0.3, 0.2, 0.1)), (0.1, 0.2, 1.1)), ground=False)
    assert small.count == 4
    flush = found(base, body(Box(half=(1, 1, 0.1)), (0, 0, 1.1)), ground=False)
    assert flush.count == 4
    turned = found(base, body(Box(half=(1, 1, 0.1)), (0, 0, 1.1), about((0, 0, 1), math.pi / 4)), ground=False)
    assert turned.count == 8


def convex_intersection(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Corners of the intersection of two convex polygons: all crossings of boundary lines that lie in both."""
    lines = [(p, q) for polygon in (a, b) for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True)]
    corners = []
    for i, (p, q) in enumerate(lines):
        for r, s in lines[i + 1 :]:
            matrix = np.column_stack([q - p, r - s])
            if abs(np.linalg.det(matrix)) < 1e-9:
                continue
            t = np.linalg.solve(matrix, r - p)[0]
            corner = p + t * (q - p)
            inside = all((v - u)[0] * (corner - u)[1] - (v - u)[1] * (corner - u)[0] > -1e-9 for u, v in lines)
            if inside and not any(np.linalg.norm(corner - c) < 1e-7 for c in corners):
                corners.append(corner)
    return np.array(corners).reshape(-1, 2)


def prism(rng, sides):
    """A prism of unit height over a convex polygon, and the polygon."""
    angles = np.sort(rng.uniform(0, 2 * math.pi, sides))
    polygon = np.column_stack([np.cos(angles), np.sin(angles)]) * rng.uniform(0.4, 0.9)
    points = np.vstack([np.column_stack([polygon, np.full(sides, z)]) for z in (-0.5, 0.5)])
    return Hull(points=points), polygon


def test_face_on_face_patch_is_the_polygon_intersection():
    rng = np.random.default_rng(3)
    met = 0
    for _ in range(150):
        (low, low_polygon), (high, high_polygon) = prism(rng, rng.integers(3, 8)), prism(rng, rng.integers(3, 8))
        shift, yaw = rng.uniform(-0.6, 0.6, 2), rng.uniform(0, 2 * math.pi)
        turned = high_polygon @ np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]]) + shift
        expected = convex_intersection(low_polygon, turned)
        contacts = found(
            body(low, (0, 0, 0)), body(high, (*shift, 1.0), about((0, 0, 1), yaw)), ground=False
        )  # fmt: skip
        assert contacts.count == len(expected)
        if len(expected):
            met += 1
            assert np.allclose(rows(contacts.point[:, :2]), rows(expected), atol=1e-7)
            assert np.allclose(contacts.point[:, 2], 0.5, atol=1e-9)
    assert met > 80


def test_running_bond_wall():
    """Five courses of bricks: four contacts per touching pair, all flat, nothing between bricks that do not meet."""
    half = (0.1, 0.05, 0.03)
    bricks = [
        body(Box(half=half), (0.2 * c + (0.1 if r % 2 else 0.0) + 0.001 * c, 0, 0.03 + 0.06 * r))
        for r in range(5)
        for c in range(4)
    ]
    contacts = found(*bricks)
    pairs, counts = np.unique(np.column_stack([contacts.a, contacts.b]), axis=0, return_counts=True)
    assert np.all(counts == 4)
    assert np.allclose(np.abs(contacts.normal[:, 2]), 1.0)
    expected = 4 + sum(2 if (0 <= c + d < 4) else 0 for r in range(4) for c in range(4) for d in ((-1, 1)[r % 2],)) // 2
    assert len(pairs) == expected + 16  # ground, straight neighbours above, and the overlapping one beside it


def test_crossing_edges_touch_in_one_line_line_contact():
    diagonal = math.sqrt(2) / 2
    lower = body(Box(half=(0.5, 0.5, 0.5)), (0, 0, 0), about((1, 0, 0), math.pi / 4))
    upper = body(Box(half=(0.5, 0.5, 0.5)), (0.1, 0.2, 2 * diagonal), about((0, 1, 0), math.pi / 4))
    contacts = found(lower, upper, ground=False)
    assert kinds(contacts) == [(LINE, LINE)]
    assert np.allclose(contacts.point[0], [0.1, 0, diagonal], atol=1e-12)
    assert np.allclose(contacts.normal[0], [0, 0, -1], atol=1e-12)


def test_the_axis_by_which_they_met_wins_over_the_shallow_one():
    """Sunk 0.02 into a floor, 0.005 over its rim: least depth is sideways, but it came from above."""
    floor = body(Box(half=(1, 1, 0.1)), (0, 0, -0.1), static=True)
    falling = body(Box(half=(0.1, 0.1, 0.1)), (1.095, 0, 0.08))
    model = compile_scene(Scene(bodies=[named(floor, "a"), named(falling, "b")], ground=False))
    here = Found(model)
    assert np.allclose(here.normal, [1, 0, 0])
    above = model.start.x.copy()
    above[1, 2] += 0.05
    met = Found(model, x_from=above)
    assert met.count >= 2 and np.allclose(met.normal, [0, 0, 1])
    assert np.allclose(met.gap, -0.02, atol=1e-12)
    assert (met.a[0], met.b[0]) == (1, 0)  # the moving body is a, although its index is the higher one


def named(item: Body, name: str) -> Body:
    item.name = name
    return item


# Round shapes on others


def test_ball_on_face_edge_corner_and_rim():
    r, base = 0.3, Box(half=(1, 0.2, 0.5))
    out2, out3 = r / math.sqrt(2), r / math.sqrt(3)
    for place, kind, touch in (
        ((0.2, 0, 0.5 + r), FACE, (0.2, 0, 0.5)),
        ((1 + out2, 0, 0.5 + out2), LINE, (1, 0, 0.5)),
        ((1 + out3, 0.2 + out3, 0.5 + out3), POINT, (1, 0.2, 0.5)),
    ):
        contacts = found(body(Sphere(radius=r), place), body(base, (0, 0, 0)), ground=False)
        assert kinds(contacts) == [(POINT, kind)]
        assert np.allclose(contacts.point[0], touch, atol=1e-12)
    contacts = found(
        body(Sphere(radius=r), (0.5 + out2, 0, 0.5 + out2)), body(Cylinder(radius=0.5, half_height=0.5), (0, 0, 0)),
        ground=False,
    )  # fmt: skip
    assert kinds(contacts) == [(POINT, CIRCLE)]
    assert np.allclose(contacts.point[0], [0.5, 0, 0.5], atol=1e-12)


def test_capsules_alongside_touch_twice_and_crossing_once():
    first = body(Capsule(radius=0.2, half_length=0.5), (0, 0, 0))
    beside = found(first, body(Capsule(radius=0.3, half_length=0.8), (0.5, 0, 0.2)), ground=False)
    assert beside.count == 2 and np.allclose(rows(beside.point)[:, 2], [-0.5, 0.5])
    assert np.allclose(beside.point[:, 0], 0.2)
    second = body(Capsule(radius=0.3, half_length=0.8), (0.5, 0, 0.2), about((1, 0, 0), 1))
    crossing = found(first, second, ground=False)
    assert kinds(crossing) == [(LINE, LINE)]


def test_lying_capsule_and_cylinder_overhanging_a_narrow_box():
    """What holds them is where the box ends under them, not their own ends."""
    beam = Box(half=(1, 0.2, 0.5))
    for shape in (Capsule(radius=0.3, half_length=0.4), Cylinder(radius=0.3, half_height=0.4)):
        contacts = found(body(shape, (0, 0, 0.8), LYING), body(beam, (0, 0, 0)), ground=False)
        assert np.allclose(rows(contacts.point), [[0, -0.2, 0.5], [0, 0.2, 0.5]], atol=1e-9)
        assert np.allclose(contacts.gap, 0, atol=1e-12)


def test_cylinders_stacked_shifted_crossed_and_alongside():
    can = Cylinder(radius=0.5, half_height=0.5)
    stacked = found(body(can, (0, 0, 0)), body(can, (0, 0, 1)), ground=False)
    assert stacked.count == 8 and set(kinds(stacked)) == {(POINT, FACE)}
    shifted = found(body(can, (0, 0, 0)), body(can, (0.4, 0, 1)), ground=False)
    assert 6 <= shifted.count <= 10
    for point in shifted.point[:, :2]:  # every point is in both discs, and the two crossings of the rims are there
        assert np.linalg.norm(point) < 0.5 + 1e-6 and np.linalg.norm(point - [0.4, 0]) < 0.5 + 1e-6
    high = math.sqrt(0.25 - 0.04)
    for corner in ([0.2, high], [0.2, -high]):
        assert np.min(np.linalg.norm(shifted.point[:, :2] - corner, axis=1)) < 1e-9
    alongside = found(body(can, (0, 0, 0)), body(Cylinder(radius=0.3, half_height=0.8), (0.8, 0, 0.1)), ground=False)
    assert alongside.count == 2 and np.allclose(rows(alongside.point)[:, 2], [-0.5, 0.5])
    crossed = found(body(can, (0, 0, 0)), body(can, (1, 0, 0), about((1, 0, 0), 1)), ground=False)
    assert kinds(crossed) == [(LINE, LINE)]
    beam = body(Cylinder(radius=0.3, half_height=0.8), (0.1, 0, 0.8), LYING)
    bridge = found(beam, body(can, (0, 0, 0)), ground=False)
    end = math.sqrt(0.25 - 0.01)
    assert np.allclose(rows(bridge.point), [[0.1, -end, 0.5], [0.1, end, 0.5]], atol=1e-9)


def test_box_and_cylinder_cap_hold_each_other_by_what_overlaps():
    can = body(Cylinder(radius=0.5, half_height=0.5), (0, 0, 0))
    inside = found(can, body(Box(half=(0.2, 0.2, 0.1)), (0, 0, 0.6)), ground=False)
    assert inside.count == 4
    wide = found(can, body(Box(half=(1, 1, 0.1)), (0, 0, 0.6)), ground=False)
    assert wide.count == 8
    half = found(can, body(Box(half=(1, 1, 0.1)), (1.0, 0, 0.6)), ground=False)
    corners = half.point[np.abs(half.point[:, 0]) < 1e-9]
    assert np.allclose(rows(corners)[:, 1], [-0.5, 0.5]) and half.point[:, 0].min() > -1e-9


# Meshes


def tiled_floor(tiles: int) -> TriangleMesh:
    """A flat square of 2 x tiles^2 triangles from -1 to 1."""
    side = np.linspace(-1, 1, tiles + 1)
    vertices = np.array([[x, y, 0.0] for x in side for y in side])
    corner = np.array([[i * (tiles + 1) + j for j in range(tiles)] for i in range(tiles)]).reshape(-1)
    across = corner + tiles + 1
    halves = np.column_stack([corner, across, across + 1]), np.column_stack([corner, across + 1, corner + 1])
    return TriangleMesh(vertices=vertices, triangles=np.vstack(halves))


@pytest.mark.parametrize(
    "shape",
    [Box(half=(0.15, 0.1, 0.05)), Sphere(radius=0.1), Capsule(radius=0.1, half_length=0.2),
     Cylinder(radius=0.15, half_height=0.1)],
    ids=["box", "ball", "capsule", "cylinder"],
)  # fmt: skip
def test_nothing_catches_the_inner_edges_of_a_tiled_floor(shape):
    """Sunk a little and shifted at random: every push is straight up, and it is there."""
    rng = np.random.default_rng(5)
    floor = body(tiled_floor(8), (0, 0, 0), static=True)
    model = compile_scene(Scene(bodies=[named(floor, "b"), named(body(shape, (0, 0, 0)), "a")], ground=False))
    rest = {Box: 0.05, Sphere: 0.1, Capsule: 0.1, Cylinder: 0.1}[type(shape)]
    for trial in range(60):
        x, q = model.start.x.copy(), model.start.q.copy()
        yaw = about((0, 0, 1), rng.uniform(0, 6.28) if trial % 3 else 0.0)
        q[0] = quat_product(yaw, LYING) if isinstance(shape, Capsule) else yaw
        x[0] = [*rng.uniform(-0.5, 0.5, 2), rest - rng.choice([0.0, 1e-7, 1e-3])]
        if trial % 4 == 0:
            x[0, :2] = np.round(x[0, :2] * 4) / 4  # on corners and edges of tiles
        x_from = x.copy()
        x_from[0] += [0.01, 0.003, 0.0]
        contacts = Found(model, x, q, x_from, q)
        assert contacts.count >= 1 and contacts.status == 0
        assert np.allclose(contacts.normal, [0, 0, 1], atol=1e-9)
        assert np.allclose(contacts.gap, x[0, 2] - rest, atol=1e-9)


def quat_product(a, b):
    w, x, y, z = a
    matrix = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
    return matrix @ np.array(b)


def test_mesh_is_one_sided_and_its_rim_is_an_edge():
    floor = body(tiled_floor(2), (0, 0, 0), static=True)
    under = found(body(Box(half=(0.1, 0.1, 0.1)), (0.3, 0.2, -0.1)), floor, ground=False)
    assert under.count == 0
    r = 0.2
    over_rim = found(body(Sphere(radius=r), (1 + r / math.sqrt(2), 0.3, r / math.sqrt(2))), floor, ground=False)
    assert over_rim.count >= 1
    assert np.allclose(over_rim.normal, [math.sqrt(0.5), 0, math.sqrt(0.5)], atol=1e-9)


def test_convex_ridge_of_a_mesh_holds_a_box_and_a_valley_does_not_push_sideways():
    """A roof of two slopes: a flat box rests on the ridge line; in the upturned roof a ball touches both slopes."""
    vertices = np.array([[-1, -1, -1], [-1, 1, -1], [0, -1, 0], [0, 1, 0], [1, -1, -1], [1, 1, -1]], float)
    triangles = np.array([[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3]])
    roof = body(TriangleMesh(vertices=vertices, triangles=triangles), (0, 0, 0), static=True)
    contacts = found(body(Box(half=(0.2, 0.2, 0.1)), (0, 0, 0.1)), roof, ground=False)
    assert contacts.count >= 2 and np.allclose(contacts.normal, [0, 0, 1], atol=1e-9)
    ends = contacts.point[np.abs(contacts.point[:, 0]) < 1e-9]
    assert math.isclose(ends[:, 1].min(), -0.2, abs_tol=1e-9) and math.isclose(ends[:, 1].max(), 0.2, abs_tol=1e-9)
    # Upside down the same triangles face up again: a mirror image turns its normals over.
    valley = body(TriangleMesh(vertices=vertices * [1, 1, -1], triangles=triangles), (0, 0, 0), static=True)
    ball = found(body(Sphere(radius=0.1), (0, 0.1, 0.1 * math.sqrt(2))), valley, ground=False)
    lean = math.sqrt(0.5)
    assert np.allclose(np.abs(ball.normal), [lean, 0, lean], atol=1e-9)
    assert ball.normal[:, 0].min() < 0 < ball.normal[:, 0].max()


# Bookkeeping


def pile(seed: int, count: int, *extra: Body):
    """Shapes of all kinds thrown together, overlapping, over a ground."""
    rng = np.random.default_rng(seed)
    shapes = [Box(half=(0.2, 0.1, 0.15)), Sphere(radius=0.15), Capsule(radius=0.1, half_length=0.2),
              Cylinder(radius=0.15, half_height=0.2), random_hull(np.random.default_rng(1), 14)]  # fmt: skip
    bodies = [
        named(body(shapes[i % 5], rng.uniform(-0.8, 0.8, 3) + [0, 0, 0.7], random_turn(rng)), f"{i:04d}")
        for i in range(count)
    ]
    return compile_scene(Scene(bodies=[*bodies, *extra], ground=True))


def test_rows_are_sorted_deterministic_and_without_duplicates():
    model = pile(8, 60)
    first, second = Found(model), Found(model)
    assert first.count > 200 and first.status == 0
    for name in ("a", "b", "feature", "gap", "normal", "point", "point_a", "dir_b"):
        assert np.array_equal(getattr(first, name), getattr(second, name))
    keys = list(zip(first.part_a.tolist(), first.part_b.tolist(), first.feature.tolist(), strict=True))
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    for i in range(first.count - 1):
        same = (first.part_a == first.part_a[i]) & (first.part_b == first.part_b[i])
        same[: i + 1] = False
        assert np.all(np.abs(first.point[same] - first.point[i]).max(axis=1) >= 1e-7)
    ground = model.geometry.part_body[-1]
    assert np.all(first.a != ground) and np.all((first.a < first.b) | (first.b == ground))


def test_order_of_the_arrays_is_the_only_order():
    """The same contacts are found, bit for bit, when far-away bodies are added (other trees, other pairs)."""
    alone = Found(pile(9, 30))
    extra = [named(body(Sphere(radius=0.1), (50 + i, 0, 50)), f"{i + 30:04d}") for i in range(37)]
    together = Found(pile(9, 30, *extra))
    assert np.array_equal(alone.point, together.point) and np.array_equal(alone.feature, together.feature)


def test_feature_numbers_survive_small_motions():
    """Resting manifolds nudged by a hundred nanometres keep their feature numbers."""
    rng = np.random.default_rng(10)
    base = body(Box(half=(1, 1, 0.5)), (0, 0, 0.5), static=True)
    for shape, height, turn in (
        (Box(half=(0.2, 0.1, 0.3)), 0.3, about((0, 0, 1), 0.3)),
        (Box(half=(1.3, 0.1, 0.3)), 0.3, about((0, 0, 1), 0.4)),
        (Capsule(radius=0.1, half_length=0.3), 0.1, LYING),
        (Cylinder(radius=0.1, half_height=0.3), 0.1, LYING),
        (Cylinder(radius=0.1, half_height=0.3), 0.3, about((0, 0, 1), 0.2)),
    ):
        top = body(shape, (0.1, 0.2, 1 + height - 5e-7), turn)
        model = compile_scene(Scene(bodies=[named(base, "b"), named(top, "a")], ground=False))
        still = Found(model)
        assert still.count >= 2
        for _ in range(10):
            x = model.start.x.copy()
            x[0] += rng.uniform(-1e-7, 1e-7, 3)
            moved = Found(model, x, model.start.q, model.start.x, model.start.q)
            assert np.array_equal(moved.feature, still.feature)
