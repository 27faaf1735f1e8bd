"""Scenes for demos, tests and benchmarks: small functions that return a Scene."""

from __future__ import annotations

import math

import numpy as np

from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hint, Hull, Material, Scene, Sphere


def material(restitution: float = 0.5, friction: float = 0.4, rolling_friction: float = 0.0) -> Material:
    return Material(restitution=restitution, friction=friction, rolling_friction=rolling_friction)


def turn(axis: str, angle: float) -> tuple[float, float, float, float]:
    """Quaternion of a turn by `angle` (rad) about a coordinate axis."""
    s = math.sin(angle / 2)
    return math.cos(angle / 2), s * (axis == "x"), s * (axis == "y"), s * (axis == "z")


def _alone(body: Body, *hints: Hint, **scene: object) -> Scene:
    return Scene(bodies=[body], hints=list(hints), **scene)  # type: ignore[arg-type]


def sphere_bounces_in() -> Scene:
    return _alone(
        Body("ball", Sphere(0.5), (0, 0, 0.5), material=material()),
        Hint("bounce", "ball", direction=(0, 0, -1), speed=0.09, time=0.02),
    )


def box_slides() -> Scene:
    return _alone(
        Body("box", Box((0.5, 0.4, 0.3)), (0, 0, 0.3), material=material()),
        Hint("slide", "box", direction=(1, 0, 0), time=0.05),
    )


def box_spins_in() -> Scene:
    return _alone(
        Body("box", Box((0.5, 0.4, 0.3)), (0, 0, 0.3), material=material()),
        Hint("slide", "box", velocity=(0.5, 0, 0), angular_velocity=(0, 0, 3.0), time=0.05),
    )


def box_tumbles() -> Scene:
    return _alone(
        Body("box", Box((0.5, 0.4, 0.3)), (0, 0, 0.3), material=material()),
        Hint("launch", "box", velocity=(0, 0, -0.055), angular_velocity=(0.05, 0.03, 0), time=0.05),
    )


def two_spheres() -> Scene:
    fast = material(restitution=0.7)
    return Scene(
        bodies=[
            Body("left", Sphere(0.5), (0, 0, 2), velocity=(-1, 0, 0), material=fast),
            Body("right", Sphere(0.5), (1.2, 0.2, 2), velocity=(2, 0, 0), material=fast),
        ],
        gravity=(0, 0, 0),
    )


def sphere_rolls_in() -> Scene:
    return _alone(
        Body("ball", Sphere(0.5), (0, 0, 0.5), material=material(rolling_friction=0.02)),
        Hint("roll", "ball", direction=(1, 0, 0), time=0.05),
    )


def capsule_bounces_in() -> Scene:
    return _alone(
        Body("capsule", Capsule(0.2, 0.4), (0, 0, 0.2), turn("y", math.pi / 2), material=material()),
        Hint("launch", "capsule", velocity=(0, 0, -0.05), angular_velocity=(0, 0.05, 0), time=0.05),
    )


def cylinder_rolls_in() -> Scene:
    return _alone(
        Body("roll", Cylinder(0.3, 0.5), (0, 0, 0.3), turn("x", math.pi / 2), material=material(rolling_friction=0.02)),
        Hint("roll", "roll", direction=(1, 0, 0), time=0.05),
    )


def cylinder_stands() -> Scene:
    return _alone(
        Body("can", Cylinder(0.3, 0.5), (0, 0, 0.5), material=material()),
        Hint("slide", "can", direction=(1, 0, 0), time=0.5),
    )


def hull_points(seed: int = 3, count: int = 14) -> np.ndarray:
    """Corners of a lump with a flat base, its lowest point at z = 0."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(count, 3))
    points *= (0.4 / np.linalg.norm(points, axis=1))[:, None]
    base = [(0.3 * math.cos(a), 0.3 * math.sin(a), -0.45) for a in np.linspace(0.0, 2.0 * math.pi, 6)[:5]]
    return np.vstack([points, base]) + (0.0, 0.0, 0.45)


def hull_bounces_in() -> Scene:
    return _alone(
        Body("lump", Hull(hull_points()), material=material()),
        Hint("launch", "lump", velocity=(0, 0, -0.05), angular_velocity=(0.03, 0.02, 0), time=0.05),
    )


def compound_bounces_in() -> Scene:
    table = Compound([(Box((0.5, 0.3, 0.05)), (0, 0, 0.35)), (Box((0.05, 0.25, 0.15)), (-0.4, 0, 0.15)),
                      (Box((0.05, 0.25, 0.15)), (0.4, 0, 0.15))])  # fmt: skip
    return _alone(
        Body("table", table, material=material()),
        Hint("launch", "table", velocity=(0, 0, -0.05), angular_velocity=(0.05, 0.02, 0), time=0.05),
    )


def brick_stack(count: int = 5) -> Scene:
    return Scene(
        bodies=[
            Body(
                f"brick{i}",
                Box((0.5, 0.4, 0.25)),
                (0.03 * (-1) ** i, 0.02 * ((i * 7) % 3 - 1), 0.25 * (2 * i + 1)),
                material=material(),
            )
            for i in range(count)
        ]
    )


def scattered_boxes(seed: int, count: int = 20, columns: int = 5) -> Scene:
    """Boxes at rest on the ground, placed at random, not touching."""
    rng = np.random.default_rng(seed)
    bodies = []
    for i in range(count):
        x = 2.0 * (i % columns) + rng.uniform(-0.3, 0.3)
        y = 2.0 * (i // columns) + rng.uniform(-0.3, 0.3)
        yaw = turn("z", rng.uniform(0.0, 2.0 * math.pi))
        bodies.append(Body(f"box{i:02d}", Box((0.5, 0.4, 0.3)), (x, y, 0.3), yaw, material=material()))
    return Scene(bodies=bodies)


def wall(courses: int = 6, width: int = 5, gap: float = 0.001) -> Scene:
    """A running-bond brick wall with half bricks at the ends of odd courses."""
    length, deep, high = 0.2, 0.1, 0.065
    bodies = []
    for course in range(courses):
        if course % 2 == 0:
            bricks = [(i * (length + gap), length) for i in range(width)]
        else:
            half = (length - gap) / 2
            bricks = [(-length / 2 + half / 2, half)]
            bricks += [((i + 0.5) * (length + gap), length) for i in range(width - 1)]
            bricks += [((width - 1) * (length + gap) + length / 2 - half / 2, half)]
        for i, (x, long) in enumerate(bricks):
            shape = Box((long / 2, deep / 2, high / 2))
            bodies.append(Body(f"brick{course:02d}.{i:02d}", shape, (x, 0, high * (course + 0.5)), material=material()))
    return Scene(bodies=bodies)
