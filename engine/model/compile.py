"""Scene -> arrays.

Indices in Geometry are global: `loop` and `edge_verts` point into `verts`, `edge_faces` into the faces of all
parts. A triangle mesh has one TRIANGLE part per triangle with three corners, one face and three edges of its
own; `edge_faces` then is (own face, face of the neighbour across the edge or -1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.algebra import inverse, norm, norms, times
from engine.errors import SceneError
from engine.model.arrays import CAPSULE, CYLINDER, PLANE, POLYTOPE, SPHERE, Bodies, Geometry, State
from engine.model.joints import Joints, compile_joints
from engine.model.pack import GeometryPacker
from engine.rules import scene_problems
from engine.scene.spec import (
    Body,
    Box,
    Capsule,
    Compound,
    Cylinder,
    Hull,
    Joint,
    Material,
    Plane,
    Scene,
    Sphere,
    TriangleMesh,
)
from engine.shapes.components import Component, components
from engine.shapes.mass import mass_properties
from engine.shapes.polytope import Polytope, box_polytope, convex_polytope
from engine.shapes.turns import rotation_matrix

NEUTRAL = Material(friction=-1.0)
"""Marks a body that takes on the material of whatever touches it (see engine/contact/material.py)."""


@dataclass(frozen=True)
class Model:
    """A compiled scene: what does not change, and where it starts. n bodies, the ground (if any) last; without ground
    a row for the world where joints need one."""

    bodies: Bodies
    geometry: Geometry
    start: State  # authored poses and velocities
    names: tuple[str, ...]
    ids: tuple[str, ...]
    com_offset: np.ndarray  # (n, 3) m, centre of mass in the authored body frame
    count: int  # bodies of the scene, without the ground
    gravity: np.ndarray  # (3,) m/s^2
    row_of: np.ndarray  # (count,) int64, row of the scene's i-th body
    joints: Joints
    joint_names: tuple[str, ...]

    def index(self, body: Body) -> int:
        """Row of a body of the scene."""
        return self.ids.index(body.id)


def compile_scene(scene: Scene) -> Model:
    """The arrays of a scene; raises SceneError when it has errors."""
    errors = [problem for problem in scene_problems(scene) if problem.severity == "error"]
    if errors:
        raise SceneError(errors)
    # Rows are sorted by name, so that the same bodies give the same bits in whatever order the document lists them.
    order = sorted(range(len(scene.bodies)), key=lambda i: (scene.bodies[i].name, scene.bodies[i].id))
    rows = [scene.bodies[i] for i in order]
    if scene.ground:
        material = NEUTRAL if scene.ground_material is None else scene.ground_material
        rows.append(Body(name="ground", shape=Plane(), static=True, material=material, id="ground"))
    elif any(joint.b == "" for joint in scene.joints):
        rows.append(Body(name="world", shape=Compound([]), static=True, id="world"))
    masses, offsets = _masses(rows)
    packer = GeometryPacker()
    for index, body in enumerate(rows):
        for part in components(body.shape):
            _pack(packer, index, part, offsets[index])
    geometry = packer.finish()
    bodies, start = _bodies(rows, masses, geometry), _start(rows, masses, offsets)
    joints = sorted(scene.joints, key=lambda joint: (joint.name, joint.id))
    partners = [_partners(scene, joint, [body.id for body in rows]) for joint in joints]
    return Model(
        bodies=bodies,
        geometry=geometry,
        start=start,
        names=tuple(body.name for body in rows),
        ids=tuple(body.id for body in rows),
        com_offset=offsets,
        count=len(scene.bodies),
        gravity=np.array(scene.gravity, float),
        row_of=np.argsort(np.array(order, np.int64)),
        joints=compile_joints(joints, partners, start.x, start.q, bodies.size),
        joint_names=tuple(joint.name or joint.id for joint in joints),
    )


def _partners(scene: Scene, joint: Joint, ids: list[str]) -> tuple[int, int]:
    """Rows of a joint's bodies: the one measured against comes first. The world is the last row."""
    first = scene.find(joint.a)
    second = scene.find(joint.b) if joint.b else None
    assert first is not None
    if second is None:
        return len(ids) - 1, ids.index(first.id)
    return ids.index(first.id), ids.index(second.id)


def poses_of(model: Model, x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Authored origins (..., n, 3) from centres of mass x (..., n, 3) and orientations q (..., n, 4)."""
    positions = np.array(x, float)
    for i in np.flatnonzero(model.com_offset.any(axis=1)):
        w, u = q[..., i, :1], q[..., i, 1:]
        t = 2.0 * np.cross(u, model.com_offset[i])
        positions[..., i, :] -= model.com_offset[i] + w * t + np.cross(u, t)
    return positions


def _masses(rows: list[Body]) -> tuple[list[tuple[float, np.ndarray]], np.ndarray]:
    """(mass, inertia) of every body and the centres of mass; a static body keeps its authored origin."""
    masses, offsets = [], np.zeros((len(rows), 3))
    for i, body in enumerate(rows):
        if body.static:
            masses.append((np.inf, np.eye(3)))
            continue
        own = mass_properties(body.shape, body.material.density)
        masses.append((own.mass, own.inertia))
        offsets[i] = own.center
    return masses, offsets


def _bodies(rows: list[Body], masses: list[tuple[float, np.ndarray]], geometry: Geometry) -> Bodies:
    n = len(rows)
    moving = np.array([not body.static for body in rows], bool).reshape(n)
    mass = np.array([m for m, _ in masses], float).reshape(n)
    inertia = np.array([i for _, i in masses], float).reshape(n, 3, 3)
    inverse_inertia = np.zeros((n, 3, 3))
    if moving.any():
        inverse_inertia[moving] = inverse(inertia[moving])
    inverse_inertia = 0.5 * (inverse_inertia + inverse_inertia.transpose(0, 2, 1))
    size = np.zeros(n)
    np.maximum.at(size, geometry.part_body, norms(geometry.part_center) + geometry.part_bound)
    size[~moving] = 0.0  # never turns; a plane's bound would be infinite
    materials: list[Material] = [body.material for body in rows]
    return Bodies(
        mass=mass,
        inverse_mass=np.where(moving, 1.0 / mass, 0.0),
        inertia=inertia,
        inverse_inertia=np.ascontiguousarray(inverse_inertia),
        size=size,
        friction=np.array([m.friction for m in materials], float),
        restitution=np.array([m.restitution for m in materials], float),
        rolling=np.array([m.rolling_friction for m in materials], float),
        friction_low=np.array([m.friction_limits[0] for m in materials], float),
        friction_top=np.array([m.friction_limits[1] for m in materials], float),
        restitution_low=np.array([m.restitution_limits[0] for m in materials], float),
        restitution_top=np.array([m.restitution_limits[1] for m in materials], float),
    )


def _start(rows: list[Body], masses: list[tuple[float, np.ndarray]], offsets: np.ndarray) -> State:
    """x = position + R com (untouched when com = 0), l = R I R^T w."""
    n = len(rows)
    x = np.array([body.position for body in rows], float).reshape(n, 3)
    q = np.array([body.orientation for body in rows], float).reshape(n, 4)
    v, momentum = np.zeros((n, 3)), np.zeros((n, 3))
    for i, body in enumerate(rows):
        turn = rotation_matrix(q[i])
        if offsets[i].any():
            x[i] += times(turn, offsets[i])
        if not body.static:
            v[i] = body.velocity
            momentum[i] = times(turn, times(masses[i][1], times(turn.T, np.array(body.angular_velocity, float))))
    return State(x, q, v, momentum)


def _pack(packer: GeometryPacker, body: int, part: Component, com: np.ndarray) -> None:
    """Add one solid in the frame of body `body`, whose origin is the centre of mass."""
    shape, place, turn = part.shape, part.place - com, part.turn
    axis = turn[:, 2].copy()
    if isinstance(shape, Sphere):
        packer.add_round(body, SPHERE, place, axis * 0.0, shape.radius, 0.0, shape.radius)
    elif isinstance(shape, Capsule):
        reach = shape.radius + shape.half_length
        packer.add_round(body, CAPSULE, place, axis, shape.radius, shape.half_length, reach)
    elif isinstance(shape, Cylinder):
        reach = math.hypot(shape.radius, shape.half_height)
        packer.add_round(body, CYLINDER, place, axis, shape.radius, shape.half_height, reach)
    elif isinstance(shape, Plane):
        normal = np.array(shape.normal, float)
        length = norm(normal)
        normal = times(turn, normal if length == 1.0 else normal / length)
        packer.add_round(body, PLANE, place + times(turn, np.array(shape.point, float)), normal, 0.0, 0.0, np.inf)
    elif isinstance(shape, Box):
        packer.add_polytope(body, POLYTOPE, _placed(box_polytope(shape.half), place, turn))
    elif isinstance(shape, Hull):
        packer.add_polytope(body, POLYTOPE, _placed(convex_polytope(shape.points), place, turn))
    elif isinstance(shape, TriangleMesh):
        packer.add_mesh(body, times(shape.vertices, turn.T) + place, shape.triangles)


def _placed(polytope: Polytope, place: np.ndarray, turn: np.ndarray) -> Polytope:
    """A polytope in the body frame; one that already is there keeps its exact numbers."""
    if not place.any() and np.array_equal(turn, np.eye(3)):
        return polytope
    normals = times(polytope.normals, turn.T)
    offsets = polytope.offsets + times(normals, place)
    return polytope._replace(vertices=times(polytope.vertices, turn.T) + place, normals=normals, offsets=offsets)
