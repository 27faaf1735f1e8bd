"""Scenes to look at."""

from __future__ import annotations

import numpy as np

from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Scene, Sphere, TriangleMesh
from engine.shapes.turns import from_angles

CLAY, SAND, CHALK = "#cf6733", "#f0d876", "#eaeaeb"
PIPS = {"pips": True}
OCTAHEDRON = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]


def wall(columns: int = 9, rows: int = 5) -> list[Body]:
    """A brick wall in running bond, with half bricks at its ends."""
    bodies = []
    for row in range(rows):
        for column in range(columns):
            x = 0.25 * (column - 0.5 * columns) + (0.125 if row % 2 else 0.0)
            bodies.append(
                Body(f"Brick {row}.{column}", Box((0.124, 0.06, 0.039)), (x, 0.0, 0.04 + 0.08 * row), color=CLAY)
            )
    return bodies


def every_shape() -> Scene:
    rng = np.random.default_rng(4)
    angle = np.linspace(0.0, 2.0 * np.pi, 25)[:-1]
    rim = np.stack([0.3 * np.cos(angle), 0.3 * np.sin(angle), 0.04 * np.cos(3 * angle)], axis=1)
    fan = TriangleMesh(np.concatenate([[[0.0, 0, 0.15]], rim]), [[0, k + 1, (k + 1) % 24 + 1] for k in range(24)])
    table = Compound(
        [(Box((0.3, 0.2, 0.02)), (0.0, 0.0, 0.3))]
        + [(Cylinder(0.02, 0.15), (x, y, 0.14)) for x in (-0.26, 0.26) for y in (-0.16, 0.16)]
    )
    bodies = [
        *wall(),
        Body("Ball", Sphere(0.15), (0.5, -0.7, 0.15)),
        Body("Flying ball", Sphere(0.12), (-0.2, -0.5, 0.8)),
        Body("Pill", Capsule(0.08, 0.15), (0.05, -0.9, 0.08), from_angles((0, 90, 30))),
        Body("Can", Cylinder(0.1, 0.14), (-0.5, -0.8, 0.14)),
        Body("Stone", Hull(rng.normal(size=(30, 3)) * 0.1), (-0.95, -0.6, 0.2)),
        Body("Table", table, (1.3, -0.3, 0.0)),
        Body("Tumbling", Box((0.124, 0.06, 0.039)), (0.8, -0.3, 0.7), from_angles((30, 40, 10)), color=SAND),
        Body("Die", Box((0.1, 0.1, 0.1)), (0.95, -0.8, 0.1), from_angles((0, 0, 20)), color=CHALK, extra=PIPS),
        Body("Plinth", Box((0.3, 0.3, 0.1)), (-1.4, 0.2, 0.1), static=True),
        Body("Sail", fan, (-1.4, 0.2, 0.25), static=True),
    ]
    return Scene(bodies=bodies)


def many(count: int, shape: object) -> Scene:
    """A block of equal bodies, a little apart."""
    side = round(count ** (1.0 / 3.0)) + 1
    places = [(x, y, z) for z in range(side) for y in range(side) for x in range(side)][:count]
    return Scene(
        bodies=[
            Body(f"Body {k}", shape, (0.25 * (x - side / 2), 0.25 * (y - side / 2), 0.11 + 0.25 * z))  # type: ignore[arg-type]
            for k, (x, y, z) in enumerate(places)
        ]
    )
