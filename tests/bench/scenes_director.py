"""Scenes whose every body must have arrived: walls, a tower, dominoes, balls in a tray, leaning cards, letters."""

from __future__ import annotations

import math

import numpy as np

from engine.scene.spec import Body, Box, Material, Scene, Sphere
from tests.bench.scenes import material, turn

BRICK = (0.1, 0.05, 0.05)  # m, half edges
GAP = 0.004  # m between the bricks of a course


def bonded_wall(
    courses: int,
    width: int,
    half: tuple[float, float, float] = BRICK,
    gap: float = GAP,
    surface: Material | None = None,
) -> Scene:
    """Running bond with half bricks at the ends of odd courses, so that every remainder stands: 3 courses of width 3
    are 10 bricks, 5 of width 6 are 32."""
    pitch = 2.0 * half[0] + gap
    edge = 0.5 * (width - 1) * pitch + half[0]
    short = 0.5 * (0.5 * pitch - gap)
    bodies = []
    for course in range(courses):
        if course % 2 == 0:
            bricks = [((i - 0.5 * (width - 1)) * pitch, half[0]) for i in range(width)]
        else:
            bricks = [(-edge + short, short)]
            bricks += [((i - 0.5 * (width - 2)) * pitch, half[0]) for i in range(width - 1)]
            bricks += [(edge - short, short)]
        for i, (x, long) in enumerate(bricks):
            shape, place = Box((long, half[1], half[2])), (x, 0.0, half[2] * (2 * course + 1))
            bodies.append(Body(f"brick{course}.{i}", shape, place, material=surface or material()))
    return Scene(bodies=bodies, name=f"wall of {len(bodies)} bricks")


def snug_wall(courses: int, width: int) -> Scene:
    """Bricks that touch sideways; 6 courses of width 7 are the 45 of the example that the program opens with."""
    return bonded_wall(courses, width, (0.12, 0.06, 0.04), 0.0, material(friction=0.6, restitution=0.25))


def yawed_wall(yaw: float = 0.06) -> Scene:
    """Ten bricks laid by hand: turned a little to one side or the other."""
    wall = bonded_wall(3, 3, gap=0.014)
    for i, body in enumerate(wall.bodies):
        body.orientation = turn("z", yaw * math.sin(2.4 * i + 1.0))
    wall.name = "wall of 10 yawed bricks"
    return wall


def heavy_topped_wall() -> Scene:
    """Courses of 3, 2, 3, 2: the outer bricks of the third stand only because the fourth weighs them down."""
    bodies = []
    for course, count in enumerate((3, 2, 3, 2)):
        for i in range(count):
            place = ((i - 0.5 * (count - 1)) * (2.0 * BRICK[0] + GAP), 0.0, BRICK[2] * (2 * course + 1))
            bodies.append(Body(f"brick{course}.{i}", Box(BRICK), place, material=material()))
    return Scene(bodies=bodies, name="wall that needs its top")


def tower(count: int = 8) -> Scene:
    bodies = []
    for i in range(count):
        place = (0.004 * (-1) ** i, 0.004 * ((7 * i) % 3 - 1), 0.05 * (2 * i + 1))
        bodies.append(Body(f"block{i}", Box((0.1, 0.08, 0.05)), place, material=material()))
    return Scene(bodies=bodies, name=f"tower of {count}")


def dominoes(count: int = 6) -> Scene:
    """Standing in a row."""
    bodies = [
        Body(f"domino{i}", Box((0.01, 0.025, 0.05)), (0.06 * i, 0.0, 0.05), material=material()) for i in range(count)
    ]
    return Scene(bodies=bodies, name=f"{count} dominoes")


def balls_in_a_tray(radius: float = 0.05) -> Scene:
    """A pyramid of 14 balls that touch, held by a tray."""
    high, thick = 0.08, 0.02
    inside = 3.0 * radius
    bodies = []
    for name, x, y in (("east", 1, 0), ("west", -1, 0), ("north", 0, 1), ("south", 0, -1)):
        shape = Box((thick, inside + 2 * thick, high)) if x else Box((inside + 2 * thick, thick, high))
        place = (x * (inside + thick), y * (inside + thick), high)
        bodies.append(Body(name, shape, place, static=True, material=material()))
    for layer in range(3):
        side, z = 3 - layer, radius * (1.0 + math.sqrt(2.0) * layer)
        for i in range(side):
            for j in range(side):
                place = ((2 * i - side + 1) * radius, (2 * j - side + 1) * radius, z)
                look = material(rolling_friction=0.02 * radius)
                bodies.append(Body(f"ball{layer}.{i}{j}", Sphere(radius), place, material=look))
    return Scene(bodies=bodies, name="14 balls in a tray")


def house_of_cards(pairs: int = 3, lean: float = 0.3, half: tuple[float, float, float] = (0.002, 0.03, 0.045)) -> Scene:
    """Pairs of cards that lean against each other along their upper edges, in a row."""
    bodies = []
    thick, deep, high = half
    # A card turned by `lean` about y: its lower corner on the ground, its upper inner edge at x = 0.
    across = high * math.sin(lean) + thick * math.cos(lean)
    rise = high * math.cos(lean) + thick * math.sin(lean)
    for pair in range(pairs):
        middle = 4.5 * across * pair
        for side in (-1, 1):
            card, place = Box((thick, deep, high)), (middle + side * across, 0.0, rise)
            name, look = f"card{pair}.{(side + 1) // 2}", material(friction=0.6)
            bodies.append(Body(name, card, place, turn("y", -side * lean), material=look))
    return Scene(bodies=bodies, name=f"{2 * pairs} leaning cards")


LETTERS = {
    "t": ((1, 5), (0, 4), (1, 4), (2, 4), (1, 3), (1, 2), (1, 1), (2, 1)),
    "-": ((0, 3), (1, 3), (2, 3), (3, 3)),
    ">": ((0, 5), (1, 4), (2, 3), (1, 2), (0, 1)),
    "_": tuple((i, -1) for i in range(0, 17, 2)),
    ":": ((0, 7), (2, 7)),
}
"""Places of boxes, in columns and rows."""

WORDS = {
    20: (("t", 0), ("-", 4), ("t", 9)),
    40: (("t", 0), ("-", 4), (">", 8), ("-", 12), ("t", 17), ("_", 2), (":", 9)),
}
"""By number of boxes: letters and the columns they begin in."""


def letters(count: int = 40, seed: int = 0, pitch: float = 0.12, yaw: float = 0.3) -> Scene:
    """20 or 40 boxes of 9 x 7 x 6 cm that write a word on the ground, each turned a little, with 2 to 5 cm between."""
    rng = np.random.default_rng(1000 + seed)
    places = [(column + first, row) for letter, first in WORDS[count] for column, row in LETTERS[letter]]
    bodies = []
    for i, (column, row) in enumerate(places):
        place = (pitch * column, pitch * row, 0.03)
        turned = turn("z", float(rng.uniform(-yaw, yaw)))
        bodies.append(Body(f"box{i:02d}", Box((0.045, 0.035, 0.03)), place, turned, material=material()))
    return Scene(bodies=bodies, name=f"{count} boxes that write")
