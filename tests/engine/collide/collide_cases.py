"""Small scenes and independent support functions for the contact tests."""

from __future__ import annotations

import numpy as np

from engine.collide.detect import Detector
from engine.model.compile import Model, compile_scene
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Scene, Sphere
from engine.shapes.turns import rotation_matrix

UPRIGHT = (1.0, 0.0, 0.0, 0.0)


def random_hull(rng: np.random.Generator, count: int) -> Hull:
    points = rng.normal(size=(count, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    return Hull(points=points * rng.uniform(0.3, 0.9, 3))


def assorted_shapes(rng: np.random.Generator) -> list:
    """Two or three of every convex kind, thick and thin."""
    return [
        Sphere(radius=0.4), Sphere(radius=0.15),
        Capsule(radius=0.2, half_length=0.5), Capsule(radius=0.05, half_length=0.8),
        Box(half=(0.3, 0.5, 0.2)), Box(half=(0.6, 0.1, 0.4)),
        Cylinder(radius=0.3, half_height=0.4), Cylinder(radius=0.6, half_height=0.1),
        Cylinder(radius=0.1, half_height=0.7),
        random_hull(rng, 9), random_hull(rng, 16), random_hull(rng, 40),
    ]  # fmt: skip


def modelled(shapes: list, ground: bool = False) -> Model:
    """Model with one body per shape, row i for shape i."""
    bodies = [Body(name=f"{i:04d}", shape=shape) for i, shape in enumerate(shapes)]
    return compile_scene(Scene(bodies=bodies, ground=ground))


def top(shape, n: np.ndarray) -> np.ndarray:
    """Largest n.p over a shape about its own origin, straight from its definition, for directions (..., 3)."""
    if isinstance(shape, Sphere):
        return shape.radius * np.linalg.norm(n, axis=-1)
    if isinstance(shape, Capsule):
        return shape.radius * np.linalg.norm(n, axis=-1) + shape.half_length * np.abs(n[..., 2])
    if isinstance(shape, Box):
        return np.abs(n) @ np.array(shape.half)
    if isinstance(shape, Cylinder):
        return shape.radius * np.hypot(n[..., 0], n[..., 1]) + shape.half_height * np.abs(n[..., 2])
    return np.max(n @ np.asarray(shape.points).T, axis=-1)


def separation(shape_a, pose_a, shape_b, pose_b, n: np.ndarray) -> np.ndarray:
    """min n.a - max n.b for directions (..., 3), with poses (origin, rotation matrix)."""
    (xa, ra), (xb, rb) = pose_a, pose_b
    return n @ (xa - xb) - top(shape_a, -(n @ ra)) - top(shape_b, n @ rb)


def brute_force_distance(shape_a, pose_a, shape_b, pose_b, rng: np.random.Generator) -> float:
    """Largest separation over all directions by sampling and shrinking random steps from the best samples."""
    directions = rng.normal(size=(5000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    values = separation(shape_a, pose_a, shape_b, pose_b, directions)
    best = -np.inf
    for start in np.argsort(-values)[:6]:
        n, value, step = directions[start], values[start], 0.1
        while step > 1e-9:
            trials = n + rng.normal(size=(40, 3)) * step
            trials /= np.linalg.norm(trials, axis=1)[:, None]
            gained = separation(shape_a, pose_a, shape_b, pose_b, trials)
            k = int(np.argmax(gained))
            if gained[k] > value:
                n, value = trials[k], gained[k]
            else:
                step *= 0.6
        best = max(best, float(value))
    return best


def random_turn(rng: np.random.Generator) -> np.ndarray:
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def about(axis, angle: float) -> tuple[float, float, float, float]:
    """Quaternion of a turn about an axis."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return (float(np.cos(angle / 2)), *(float(c) for c in np.sin(angle / 2) * axis))


def pose(model: Model, row: int, x: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Authored origin and rotation matrix of a body."""
    turn = rotation_matrix(q[row])
    return x[row] - turn @ model.com_offset[row], turn


class Found:
    """Contacts of a scene at its authored poses (or others), one row each, as copies."""

    def __init__(self, model: Model, x=None, q=None, x_from=None, q_from=None, slop: float = 1e-6) -> None:
        x = model.start.x if x is None else x
        q = model.start.q if q is None else q
        self.model = model
        self.detector = Detector(model.geometry, model.bodies.inverse_mass, 4096)
        awake = np.ones(len(model.bodies.mass), bool)
        x_from, q_from = (x if x_from is None else x_from), (q if q_from is None else q_from)
        self.count = self.detector.find(x, q, x_from, q_from, awake, slop)
        self.status = self.detector.status
        for name in self.detector.contacts._fields:
            setattr(self, name, getattr(self.detector.contacts, name)[: self.count].copy())
        self.x, self.q = x, q


def found(*bodies: Body, ground: bool = True, slop: float = 1e-6) -> Found:
    """Contacts of a few bodies; rows are in the order given (names are replaced)."""
    for i, body in enumerate(bodies):
        body.name = f"{i:04d}"
    return Found(compile_scene(Scene(bodies=list(bodies), ground=ground)), slop=slop)
