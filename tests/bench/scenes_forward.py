"""The scenes of the comparison with other engines: forward, default material, on the ground z = 0.

Sizes and random draws are fixed, so that figures of different days and machines speak of the same scene.
"""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import norm
from engine.scene.spec import Body, Box, Scene, Sphere

BALL_RADIUS = 0.1  # m
PITCH, THICKNESS, HEIGHT = 0.30, 0.02, 0.15  # m, of the bins and their walls

WORDS = ("MANY", "WORLDS", "BROWSING")
GLYPHS = {
    "A": ".###. #...# #...# ##### #...# #...# #...#",
    "B": "####. #...# #...# ####. #...# #...# ####.",
    "D": "####. #...# #...# #...# #...# #...# ####.",
    "G": ".#### #.... #.... #..## #...# #...# .####",
    "I": "### .#. .#. .#. .#. .#. ###",
    "L": "#.... #.... #.... #.... #.... #.... #####",
    "M": "#...# ##.## #.#.# #...# #...# #...# #...#",
    "N": "#...# ##..# #.#.# #..## #...# #...# #...#",
    "O": ".###. #...# #...# #...# #...# #...# .###.",
    "R": "####. #...# #...# ####. #.#.. #..#. #...#",
    "S": ".#### #.... #.... .###. ....# ....# ####.",
    "W": "#...# #...# #...# #.#.# #.#.# ##.## #...#",
    "Y": "#...# #...# .#.#. ..#.. ..#.. ..#.. ..#..",
}
"""Letters of seven rows; every # becomes a box."""


def bins(count: int = 3037, seed: int = 1) -> Scene:
    """Balls that fall into square bins, one each; the grid is the smallest square with a bin for every ball."""
    rng = np.random.default_rng(seed)
    side = math.isqrt(count - 1) + 1
    bodies = bin_walls(side)
    for k in range(count):
        x, y = bin_centre(side, k)
        position = (x + rng.uniform(-0.03, 0.03), y + rng.uniform(-0.03, 0.03), rng.uniform(0.5, 1.0))
        velocity = (*rng.uniform(-0.1, 0.1, 2), 0.0)
        bodies.append(
            Body(
                f"ball{k:05d}",
                Sphere(BALL_RADIUS),
                position,
                velocity=velocity,
                angular_velocity=tuple(rng.uniform(-3, 3, 3)),
            )
        )
    return Scene(bodies=bodies, name=f"{count} balls in bins")


def filled_bins(count: int = 3037, seed: int = 1) -> Scene:
    """The ending of `bins`: every ball at rest on the ground, below where it was dropped."""
    scene = bins(count, seed)
    for body in scene.bodies:
        if not body.static:
            body.position = (body.position[0], body.position[1], BALL_RADIUS)
            body.velocity = body.angular_velocity = (0.0, 0.0, 0.0)
    return scene


def bin_walls(side: int) -> list[Body]:
    """side + 1 long walls in each direction."""
    length, walls = side * PITCH, []
    along_y = Box((THICKNESS / 2, length / 2, HEIGHT / 2))
    along_x = Box((length / 2, THICKNESS / 2, HEIGHT / 2))
    for i in range(side + 1):
        c = -length / 2 + i * PITCH
        walls.append(Body(f"wall{2 * i:04d}", along_y, (c, 0, HEIGHT / 2), static=True))
        walls.append(Body(f"wall{2 * i + 1:04d}", along_x, (0, c, HEIGHT / 2), static=True))
    return walls


def bin_centre(side: int, k: int) -> tuple[float, float]:
    i, j = divmod(k, side)
    return (i + 0.5 - side / 2) * PITCH, (j + 0.5 - side / 2) * PITCH


def letters(count: int = 200, seed: int = 2) -> Scene:
    """Flat boxes that spell words, dropped from 1 m with some spin."""
    rng = np.random.default_rng(seed)
    shape, bodies = Box((0.05, 0.05, 0.03)), []
    for k, (x, y) in enumerate(_lettering()[:count]):
        spin = tuple(rng.uniform(-2, 2, 3))
        bodies.append(Body(f"box{k:03d}", shape, (x, y, 1.0), angular_velocity=spin))
    return Scene(bodies=bodies, name=f"{len(bodies)} boxes dropped")


def _lettering(size: float = 0.11) -> list[tuple[float, float]]:
    """Centres of the boxes of WORDS (m), one word below the other, letter after letter."""
    places = []
    for line, word in enumerate(WORDS):
        column = 0
        for letter in word:
            rows = GLYPHS[letter].split()
            for down, row in enumerate(rows):
                places += [((column + i) * size, -(9 * line + down) * size) for i, dot in enumerate(row) if dot == "#"]
            column += len(rows[0]) + 1
    return places


def stack(courses: int = 12) -> Scene:
    """A wall of bricks at rest, three and two per course in turn, 1 mm apart: 30 bricks."""
    hx, hy, hz, gap = 0.10, 0.05, 0.03, 0.001
    bodies = []
    for course in range(courses):
        width = 3 - course % 2
        for i in range(width):
            place = ((i - (width - 1) / 2) * (2 * hx + gap), 0.0, hz * (2 * course + 1))
            bodies.append(Body(f"brick{course:02d}.{i}", Box((hx, hy, hz)), place))
    return Scene(bodies=bodies, name=f"{len(bodies)} bricks at rest")


def pile(count: int = 1000, seed: int = 4) -> Scene:
    """Boxes of random size and orientation dumped into a container of 4 x 4 m, 9 x 9 per layer."""
    rng = np.random.default_rng(seed)
    bodies, across, pitch = container(), 9, 0.42
    for k in range(count):
        layer, place = divmod(k, across * across)
        i, j = divmod(place, across)
        half = tuple(rng.uniform(0.06, 0.12, 3))
        turn = rng.normal(size=4)
        turn /= norm(turn)
        velocity, spin = rng.uniform(-0.2, 0.2, 3), rng.uniform(-2, 2, 3)
        position = ((i - 4) * pitch, (j - 4) * pitch, 0.4 + layer * pitch)
        bodies.append(Body(f"box{k:04d}", Box(half), position, tuple(turn), velocity=tuple(velocity),
                           angular_velocity=tuple(spin)))  # fmt: skip
    return Scene(bodies=bodies, name=f"{count} boxes dumped")


def container(inner: float = 2.0, high: float = 1.5, thick: float = 0.1) -> list[Body]:
    """Four static walls around a square of half width `inner` (half sizes in m)."""
    long, short, away = (thick, inner + 2 * thick, high), (inner, thick, high), inner + thick
    return [
        Body("side0", Box(long), (away, 0, high), static=True),
        Body("side1", Box(long), (-away, 0, high), static=True),
        Body("side2", Box(short), (0, away, high), static=True),
        Body("side3", Box(short), (0, -away, high), static=True),
    ]


def dropped_box() -> Scene:
    """One cube of 20 cm, dropped from 1 m with a slight tilt and spin."""
    tilt = np.array([1.0, 0.1, 0.05, 0.02])
    return Scene(
        bodies=[
            Body("box", Box((0.1, 0.1, 0.1)), (0, 0, 1), tuple(tilt / norm(tilt)), velocity=(0.2, 0.1, 0),
                 angular_velocity=(0.5, 0.3, 0.2)),
        ],
        name="one box dropped",
    )  # fmt: skip
