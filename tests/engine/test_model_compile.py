"""The compiler: authored bits survive, arrays are what kernels expect, indices point where they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from engine import (
    Body,
    Box,
    Capsule,
    Compound,
    Cylinder,
    Hull,
    Material,
    Plane,
    Scene,
    SceneError,
    Sphere,
    TriangleMesh,
)
from engine.model.arrays import CAPSULE, CYLINDER, PLANE, POLYTOPE, SPHERE, TRIANGLE
from engine.model.compile import compile_scene, poses_of
from engine.model.pack import neighbours
from engine.shapes.mass import mass_properties

RNG = np.random.default_rng(5)
POINTS = RNG.normal(size=(14, 3))
L_SHAPE = Compound([(Box((0.5, 0.1, 0.1)), (0.5, 0, 0)), (Box((0.1, 0.1, 0.5)), (0, 0, 0.5), (0.6, 0.0, 0.8, 0.0))])
TILE = TriangleMesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.5]], [[0, 1, 2], [0, 2, 3]])


def everything() -> Scene:
    turned = tuple(Rotation.from_rotvec([0.2, -1.1, 0.4]).as_quat(scalar_first=True))
    return Scene(
        bodies=[
            Body("ball", Sphere(0.3), (0.1, 0.2, 0.3), turned),
            Body("floor", TILE, (0, 0, -1), turned, static=True),
            Body("hull", Hull(POINTS), (1.1, 0, 3), turned, velocity=(1, 2, 3), angular_velocity=(0.5, -2, 1)),
            Body("pill", Capsule(0.1, 0.4), (2, 0, 3), turned),
            Body("can", Cylinder(0.1, 0.4), (3, 0, 3), turned),
            Body("ell", L_SHAPE, (4, 0, 3), turned, angular_velocity=(3, 1, -2)),
            Body("wall", Plane((2, 0, 0), (-9, 0, 0)), static=True),
            Body("die", Box((0.05, 0.06, 0.07)), (0.3, 0.1, 0.07)),
        ]
    )


def test_kinds_order_and_layout() -> None:
    model = compile_scene(everything())
    g = model.geometry
    kinds = {name: g.part_kind[g.part_body == row].tolist() for row, name in enumerate(model.names)}
    assert kinds == {
        "ball": [SPHERE],
        "floor": [TRIANGLE, TRIANGLE],
        "hull": [POLYTOPE],
        "pill": [CAPSULE],
        "can": [CYLINDER],
        "ell": [POLYTOPE, POLYTOPE],
        "wall": [PLANE],
        "die": [POLYTOPE],
        "ground": [PLANE],
    }
    assert g.part_body.tolist() == sorted(g.part_body) and model.names[:-1] == tuple(sorted(model.names[:-1]))
    assert model.count == 8 and model.names[-1] == "ground" and model.bodies.inverse_mass[-1] == 0.0
    for i, body in enumerate(everything().bodies):
        assert model.names[model.row_of[i]] == body.name and model.index(body) == model.row_of[i]
    whole = {"part_body", "part_kind", "loop", "loop_start", "vert_start", "face_start", "edge_start"}
    for name, array in vars(g).items():
        kind = np.int64 if name in whole or name in {"edge_verts", "edge_faces"} else np.float64
        assert array.dtype == kind and array.flags.c_contiguous and array.flags.writeable, name
    for part in (*model.bodies, *model.start):
        assert part.dtype == np.float64 and part.flags.c_contiguous and part.flags.writeable


def test_corners_faces_and_edges_belong_together() -> None:
    g = compile_scene(everything()).geometry
    for p in range(len(g.part_kind)):
        own = range(g.vert_start[p], g.vert_start[p + 1])
        corners = g.verts[g.vert_start[p] : g.vert_start[p + 1]]
        if len(corners):
            assert np.allclose(g.part_center[p], corners.mean(axis=0), atol=1e-15)
            reach = np.linalg.norm(corners - g.part_center[p], axis=1).max()
            assert reach <= g.part_bound[p] * (1 + 1e-15) and g.part_bound[p] <= reach * (1 + 1e-15)
        for f in range(g.face_start[p], g.face_start[p + 1]):
            loop = g.loop[g.loop_start[f] : g.loop_start[f + 1]]
            assert len(loop) >= 3 and all(i in own for i in loop)
            assert np.abs(g.verts[loop] @ g.face_normal[f] - g.face_offset[f]).max() < 1e-14
            assert g.part_kind[p] == TRIANGLE or (corners @ g.face_normal[f] - g.face_offset[f]).max() < 1e-14
            if g.part_kind[p] == TRIANGLE:
                assert np.array_equal(g.part_axis[p], g.face_normal[f])
        for e in range(g.edge_start[p], g.edge_start[p + 1]):
            i, j = g.edge_verts[e]
            ends = {tuple(g.verts[i]), tuple(g.verts[j])}
            assert i in own and j in own
            for f in g.edge_faces[e]:
                loop = g.loop[g.loop_start[f] : g.loop_start[f + 1]]
                assert f == -1 or ends <= {tuple(v) for v in g.verts[loop]}
    assert g.vert_start[-1] == len(g.verts) and g.edge_start[-1] == len(g.edge_verts)
    assert g.face_start[-1] == len(g.face_normal) == len(g.loop_start) - 1 and g.loop_start[-1] == len(g.loop)


unit = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(c * c for c in q) > 0.01)
vector = st.tuples(*[st.floats(-100, 100)] * 3)


@given(vector, unit)
def test_authored_pose_is_untouched_when_the_origin_is_the_centre_of_mass(place, turn) -> None:
    body = Body("b", Box((0.1, 0.2, 0.3)), place, turn)
    model = compile_scene(Scene([body]))
    assert model.start.x[0].tobytes() == np.array(place).tobytes()
    assert model.start.q[0].tobytes() == np.array(body.orientation).tobytes()
    assert abs(np.linalg.norm(model.start.q[0]) - 1.0) < 1e-12


def test_unit_quaternions_keep_their_bits_and_others_are_scaled() -> None:
    almost = (0.6, 0.8 + 4e-13, 0.0, 0.0)
    assert Body("b", Sphere(1), orientation=almost).orientation == almost
    assert Body("b", Sphere(1), orientation=(3, 0, 4, 0)).orientation == (0.6, 0.0, 0.8, 0.0)


def test_centre_of_mass_and_angular_momentum() -> None:
    scene = everything()
    model = compile_scene(scene)
    for name in ("hull", "ell"):
        body = scene.find(name)
        i = model.names.index(name)
        own = mass_properties(body.shape, 1000.0)
        turn = Rotation.from_quat(body.orientation, scalar_first=True)
        assert np.allclose(model.start.x[i], np.array(body.position) + turn.apply(own.center), atol=1e-14)
        spin = np.array(body.angular_velocity)
        world = turn.as_matrix() @ own.inertia @ turn.as_matrix().T @ spin
        assert np.allclose(model.start.l[i], world, rtol=1e-12, atol=1e-12)
        assert model.bodies.mass[i] == own.mass
        assert np.allclose(model.bodies.inverse_inertia[i] @ own.inertia, np.eye(3), atol=1e-12)
    assert np.array_equal(model.start.v[model.names.index("hull")], [1, 2, 3])


def test_poses_come_back() -> None:
    scene = everything()
    model = compile_scene(scene)
    back = poses_of(model, model.start.x, model.start.q)
    assert np.allclose(back[model.row_of], [b.position for b in scene.bodies], atol=1e-14)
    many = poses_of(model, np.stack([model.start.x] * 3), np.stack([model.start.q] * 3))
    assert many.shape == (3, 9, 3) and np.allclose(many, back, atol=0.0)


def test_world_corners_do_not_depend_on_the_centre_of_mass() -> None:
    """A hull's corner in the world is position + R point, wherever its centre of mass lies."""
    scene = everything()
    model = compile_scene(scene)
    body, i = scene.find("hull"), model.names.index("hull")
    turn = Rotation.from_quat(body.orientation, scalar_first=True)
    g = model.geometry
    part = int(np.flatnonzero(g.part_body == i)[0])
    corners = g.verts[g.vert_start[part] : g.vert_start[part + 1]]
    world = model.start.x[i] + turn.apply(corners)
    expected = np.array(body.position) + turn.apply(POINTS)
    nearest = np.linalg.norm(world[:, None] - expected[None], axis=2).min(axis=1)
    assert nearest.max() < 1e-14


def test_static_bodies_and_materials() -> None:
    stone = Material(friction=0.7, restitution=0.2, rolling_friction=1e-3, restitution_range=(0.1, 0.6))
    block, ball = Body("block", Box((1, 1, 1)), static=True, material=stone), Body("sphere", Sphere(1), (0, 0, 2))
    b = compile_scene(Scene([block, ball], ground_material=stone)).bodies
    assert np.isinf(b.mass[0]) and b.inverse_mass[0] == 0.0 and not b.inverse_inertia[0].any()
    assert np.array_equal(b.inertia[0], np.eye(3))
    assert (b.friction[0], b.restitution[0], b.rolling[0]) == (0.7, 0.2, 1e-3)
    assert (b.friction_low[0], b.friction_top[0], b.restitution_low[0], b.restitution_top[0]) == (0.0, 0.7, 0.1, 0.6)
    assert (b.restitution_low[1], b.restitution_top[1], b.friction[2]) == (0.4, 1.0, 0.7)
    assert b.size.tolist() == [0.0, 1.0, 0.0]


def test_the_order_of_the_document_does_not_matter() -> None:
    scene = everything()
    turned = Scene(scene.bodies[::-1])
    one, other = compile_scene(scene), compile_scene(turned)
    for a, b in ((one.geometry, other.geometry), (one.bodies, other.bodies), (one.start, other.start)):
        assert all(x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True))


def test_plane_axis_is_a_unit_vector() -> None:
    model = compile_scene(everything())
    g = model.geometry
    wall, ground = (list(g.part_body).index(model.names.index(name)) for name in ("wall", "ground"))
    assert g.part_axis[wall].tolist() == [1.0, 0.0, 0.0] and g.part_center[wall].tolist() == [-9.0, 0.0, 0.0]
    assert g.part_axis[ground].tolist() == [0.0, 0.0, 1.0]


def test_mesh_neighbours_by_brute_force() -> None:
    n = 6
    vertices = np.array([[x, y, 0.1 * x * y] for y in range(n) for x in range(n)], float)
    cells = [(y * n + x) for y in range(n - 1) for x in range(n - 1)]
    triangles = np.array([t for c in cells for t in ((c, c + 1, c + n + 1), (c, c + n + 1, c + n))])
    split = vertices[triangles].reshape(-1, 3)  # every triangle with corners of its own: welded by position
    apart = np.arange(len(split)).reshape(-1, 3)
    for v, t in ((vertices, triangles), (split, apart)):
        found = neighbours(v, t)
        for i in range(len(t)):
            for k in range(3):
                ends = {tuple(v[t[i][k]]), tuple(v[t[i][(k + 1) % 3]])}
                shared = [j for j in range(len(t)) if j != i and ends <= {tuple(v[c]) for c in t[j]}]
                assert found[i, k] == (shared[0] if shared else -1)


def test_an_edge_of_three_triangles_has_no_neighbour() -> None:
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1]], float)
    found = neighbours(vertices, np.array([[0, 1, 2], [1, 0, 3], [1, 0, 4]]))
    assert (found == -1).all()


def test_errors_of_the_scene_are_told() -> None:
    with pytest.raises(SceneError, match="radius is -1") as caught:
        compile_scene(Scene([Body("bad", Sphere(-1.0))]))
    assert caught.value.problems[0].body == "bad"
