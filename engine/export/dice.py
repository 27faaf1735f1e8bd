"""A die's surface: every side cut into squares, and its spots out of the squares they lie in. Closed, without points in
the middle of edges, so that other programs can bevel it."""

from __future__ import annotations

import numpy as np

from engine.scene.dice import RADIUS, SIDES, SPOTS, SPREAD, is_die
from engine.scene.spec import Body, Box, Vector
from engine.shapes.ask import ask
from engine.shapes.surface import Surface

LINES = np.array([-1.0, -1.5 * SPREAD, -0.5 * SPREAD, 0.5 * SPREAD, 1.5 * SPREAD, 1.0])
"""Along a side: spots lie in the middle of the three inner stripes."""
SEGMENTS = 16  # of a spot, the first at a corner of its square
QUARTER = SEGMENTS // 4


def body_surface(body: Body) -> Surface:
    """Of its shape, with the spots of a die. Raises GeometryError for a hull without a volume."""
    if isinstance(body.shape, Box) and is_die(body):
        return die_surface(body.shape.half)
    return ask(body.shape).surface()


def die_surface(half: Vector) -> Surface:
    """In metres, in the body's frame; faces of spots come last."""
    points: list[np.ndarray] = []
    faces: list[list[int]] = []
    normals: list[np.ndarray] = []
    spots: list[bool] = []
    for (axis, sign), count in SIDES.items():
        flat, drawn, dark = _side(count)
        place = np.empty((len(flat), 3))
        place[:, axis], place[:, (axis + 1) % 3], place[:, (axis + 2) % 3] = sign, flat[:, 0], flat[:, 1]
        shift = sum(len(each) for each in points)
        points.append(place)
        faces += [[shift + corner for corner in (face if sign > 0 else face[::-1])] for face in drawn]
        normals += [sign * np.eye(3)[axis]] * len(drawn)
        spots += dark
    order = np.argsort(spots, kind="stable").tolist()  # spots last
    welded, number = np.unique(np.round(np.concatenate(points), 12), axis=0, return_inverse=True)
    counts = np.array([len(faces[k]) for k in order], np.int64)
    corners = number.reshape(-1)[np.concatenate([np.array(faces[k]) for k in order])]
    upright = np.repeat(np.array(normals)[order], counts, axis=0)
    return Surface(welded * np.array(half), counts, corners, upright, spots=np.array(spots)[order])


def _side(count: int) -> tuple[np.ndarray, list[list[int]], list[bool]]:
    """Points (p, 2) between -1 and 1, faces counter-clockwise, and which of them are spots."""
    lines = len(LINES)
    points = [(a, b) for a in LINES.tolist() for b in LINES.tolist()]
    faces: list[list[int]] = []
    dark: list[bool] = []
    spots = {(2 + a, 2 + b) for a, b in SPOTS[count]}
    for i in range(lines - 1):
        for j in range(lines - 1):
            square = [i * lines + j, (i + 1) * lines + j, (i + 1) * lines + j + 1, i * lines + j + 1]
            if (i, j) not in spots:
                faces.append(square)
                dark.append(False)
                continue
            middle = SPREAD * np.array([i - 2, j - 2])
            ring = list(range(len(points), len(points) + SEGMENTS))
            points += [tuple(middle + RADIUS * _direction(k)) for k in range(SEGMENTS)]
            around = _around(square, ring)
            faces += [*around, ring]
            dark += [*[False] * len(around), True]
    return np.array(points), faces, dark


def _direction(k: int) -> np.ndarray:
    """Unit, the first toward the square's first corner."""
    angle = 2.0 * np.pi * k / SEGMENTS - 0.75 * np.pi
    return np.array([np.cos(angle), np.sin(angle)])


def _around(square: list[int], ring: list[int]) -> list[list[int]]:
    """Triangles between a square and the ring in it: of every side one up to the ring's nearest point, and a fan from
    each of its corners."""
    faces = []
    for side in range(4):
        first, second = square[side], square[(side + 1) % 4]
        arc = [ring[(side * QUARTER + k) % SEGMENTS] for k in range(QUARTER + 1)]
        middle = QUARTER // 2
        faces.append([first, second, arc[middle]])
        faces += [[first, arc[k + 1], arc[k]] for k in range(middle)]
        faces += [[second, arc[k + 1], arc[k]] for k in range(middle, QUARTER)]
    return faces
