"""Endings that entrances are judged by: structures whose poses are known, so that they stand without any settling.

Those that have to fall into place first are in scenes_settled.py; ENDINGS of catalogue_endings.py names them all."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.commands.demo_scenes import ragdoll
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Material, Scene, Sphere
from tests.bench import scenes, scenes_director
from tests.bench.scenes import turn
from tests.bench.scenes_forward import GLYPHS

SHIPPED = Path(__file__).resolve().parents[2] / "assets" / "scenes"
BRICK = (0.12, 0.06, 0.04)  # m, half edges, those of the shipped wall
WIDE = 1.8  # width over height that walls aim at: between square and the shipped one
CLAY = Material(density=1900.0, friction=0.6, restitution=0.25, name="fired clay")
WOOD = Material(density=650.0, friction=0.45, restitution=0.35, name="wood")
STONE = Material(density=2400.0, friction=0.6, restitution=0.2, name="stone")
METAL = Material(density=7850.0, friction=0.4, restitution=0.3, name="metal")
BONE = Material(density=1800.0, friction=0.4, restitution=0.45, name="bone")
IRON = replace(METAL, friction=0.6, rolling_friction=0.0005, name="iron")
PAPER = Material(density=800.0, friction=0.6, restitution=0.1, name="card")
HALVES = (0.001, 0.01, 0.1, 1.0, 50.0)  # m: the same stack from grains to houses


def shipped(name: str) -> Scene:
    """An example that the program brings along."""
    return Scene.load(SHIPPED / f"{name}.foregone")


def wall_of_45() -> Scene:
    return shipped("brick_wall")


def running_bond(count: int, gap: float = 0.002) -> Scene:
    """A wall of exactly `count` bricks, half bricks at the ends of odd courses included."""
    whole = [(c, (count - c // 2) // c) for c in range(1, count + 1) if (count - c // 2) % c == 0]
    shapes = [(courses, width) for courses, width in whole if width >= 2]
    if not shapes:
        raise ValueError(f"no wall has {count} bricks")
    courses, width = min(shapes, key=lambda cw: abs(math.log(cw[1] * BRICK[0] / (cw[0] * BRICK[2]) / WIDE)))
    return scenes_director.bonded_wall(courses, width, BRICK, gap, CLAY)


def jenga(layers: int = 6) -> Scene:
    """Three blocks a layer, crosswise, half a millimetre between them."""
    half = (0.0375, 0.01225, 0.0075)
    bodies = []
    for layer in range(layers):
        for i in (-1, 0, 1):
            aside, z = 0.025 * i, half[2] * (2 * layer + 1)
            place, yaw = ((0.0, aside, z), 0.0) if layer % 2 == 0 else ((aside, 0.0, z), 0.5 * math.pi)
            bodies.append(Body(f"block{layer}.{i + 1}", Box(half), place, turn("z", yaw), material=WOOD))
    return Scene(bodies=bodies, name=f"Jenga tower of {len(bodies)}")


def cannonballs(radius: float = 0.1) -> Scene:
    """6 + 3 + 1 iron balls that touch, kept together by a triangle of bars that the outer ones touch."""
    bodies, across = [], math.sqrt(3.0) * radius
    for layer, side in enumerate((3, 2, 1)):
        z = radius * (1.0 + layer * math.sqrt(8.0 / 3.0))
        for row in range(side):
            for i in range(side - row):
                y = across * (row - (side - 1) / 3.0)
                place = ((2 * i - (side - 1 - row)) * radius, y, z)
                bodies.append(Body(f"ball{layer}.{row}{i}", Sphere(radius), place, material=IRON))
    away, thick = 2.0 * across / 3.0 + radius, 0.02
    for k in range(3):
        angle = math.radians(-90.0 + 120.0 * k)
        place = ((away + thick) * math.cos(angle), (away + thick) * math.sin(angle), 0.55 * radius)
        bar = Box((thick, 4.0 * radius, 0.55 * radius))  # a little higher than where the balls touch it
        bodies.append(Body(f"bar{k}", bar, place, turn("z", angle), WOOD, static=True))
    return Scene(bodies=bodies, name="10 cannonballs")


def card_house(pairs: int = 1, roofs: int = 1, lean: float = 0.3) -> Scene:
    """Pairs of leaning cards with flat ones on top: 1 and 1 are 3 cards, 2 and 2 are 6."""
    thick, deep, high = 0.002, 0.03, 0.045
    house = scenes_director.house_of_cards(pairs, lean, (thick, deep, high))
    bodies = [replace(body, material=PAPER) for body in house.bodies]
    middle = float(np.mean([body.position[0] for body in bodies]))
    top = 2.0 * (high * math.cos(lean) + thick * math.sin(lean))
    for i in range(roofs):
        bodies.append(
            Body(f"roof{i}", Box((0.06, deep, thick)), (middle, 0.0, top + thick * (2 * i + 1)), material=PAPER)
        )
    return Scene(bodies=bodies, name=f"house of {len(bodies)} cards")


def arch(stones: int = 9, inner: float = 0.5, thick: float = 0.15, deep: float = 0.1, spring: float = 30.0) -> Scene:
    """Voussoirs over 120 degrees between two abutments that do not move."""
    angles = np.radians(np.linspace(180.0 - spring, spring, stones + 1))
    bodies = [_abutment(side, inner, thick, deep, math.radians(spring)) for side in (-1, 1)]
    for i in range(stones):
        rim = [(r * math.cos(a), r * math.sin(a)) for a in angles[i : i + 2] for r in (inner, inner + thick)]
        middle = np.mean(rim, axis=0)
        points = [(x - middle[0], y, z - middle[1]) for x, z in rim for y in (-deep, deep)]
        bodies.append(Body(f"stone{i}", Hull(points), (float(middle[0]), 0.0, float(middle[1])), material=STONE))
    return Scene(bodies=bodies, name=f"arch of {stones} stones")


def _abutment(side: int, inner: float, thick: float, deep: float, spring: float) -> Body:
    x, z = inner * math.cos(spring), inner * math.sin(spring)
    far, top = (inner + thick) * math.cos(spring), (inner + thick) * math.sin(spring)
    outline = [(x, z), (far, top), (x, 0.0), (far + 0.2, 0.0), (far + 0.2, top)]
    points = [(side * u, y, v) for u, v in outline for y in (-1.5 * deep, 1.5 * deep)]
    return Body(f"abutment{(side + 1) // 2}", Hull(points), material=STONE, static=True)


def coin_letter() -> Scene:
    """40 coins on a table: an H of two strokes two coins wide."""
    places = [(column, row) for column in (0, 1, 6, 7) for row in range(9)] + [(column, 4) for column in range(2, 6)]
    top, thick, pitch = 0.7, 0.001, 0.026
    table = Body("table", Box((0.2, 0.2, 0.02)), (0.0, 0.0, top - 0.02), material=WOOD, static=True)
    bodies = [table]
    for i, (column, row) in enumerate(places):
        place = (pitch * (column - 3.5), pitch * (row - 4), top + thick)
        bodies.append(Body(f"coin{i:02d}", Cylinder(0.012, thick), place, material=METAL))
    return Scene(bodies=bodies, name="40 coins as a letter")


def ball_in_a_cup(radius: float = 0.03, sides: int = 12) -> Scene:
    """A cup that does not move: a floor and a ring of walls."""
    inside, high, thick = 1.6 * radius, 0.05, 0.004
    parts: list[tuple[object, ...]] = [(Cylinder(inside + thick, thick), (0.0, 0.0, thick))]
    for k in range(sides):
        angle = 2.0 * math.pi * k / sides
        away = inside + thick
        wall = Box((thick, away * math.tan(math.pi / sides), high))
        parts.append((wall, (away * math.cos(angle), away * math.sin(angle), high), turn("z", angle)))
    cup = Body("cup", Compound(parts), material=BONE, static=True)
    rolls = replace(BONE, rolling_friction=0.02 * radius)
    return Scene(
        bodies=[cup, Body("ball", Sphere(radius), (0.0, 0.0, 2 * thick + radius), material=rolls)], name="ball in a cup"
    )


def box_on_a_slope(degrees: float = 20.0) -> Scene:
    """Friction holds it."""
    angle, half = math.radians(degrees), (0.05, 0.04, 0.03)
    out = np.array([math.sin(angle), 0.0, math.cos(angle)])
    middle, thick = np.array([0.0, 0.0, 0.3]), 0.02
    lies = turn("y", angle)
    ramp = Body("ramp", Box((0.5, 0.3, thick)), tuple(middle - thick * out), lies, WOOD, static=True)
    return Scene(
        bodies=[ramp, Body("box", Box(half), tuple(middle + half[2] * out), lies, CLAY)], name="box on a slope"
    )


def dice_beside_a_wall() -> Scene:
    """One touches the wall, one nearly, one is turned."""
    wall = Body("wall", Box((0.02, 0.3, 0.1)), (-0.02, 0.0, 0.1), material=WOOD, static=True)
    places = (((0.01, -0.03, 0.01), 0.0), ((0.012, 0.01, 0.01), 0.0), ((0.02, 0.05, 0.01), 0.6))
    dice = [Body(f"die{i}", Box((0.01, 0.01, 0.01)), at, turn("z", yaw), BONE) for i, (at, yaw) in enumerate(places)]
    return Scene(bodies=[wall, *dice], name="dice beside a wall")


def plank_against_a_wall(lean: float = 0.35) -> Scene:
    """Its lower edge on the ground, its upper one at the wall; `lean` rad from upright."""
    thick, deep, high = 0.01, 0.08, 0.5
    wall = Body("wall", Box((0.05, 0.5, 0.6)), (-0.05, 0.0, 0.6), material=STONE, static=True)
    # Its top leans to -x: the upper corner on the side of the wall touches x = 0, the lower outer one z = 0.
    across = high * math.sin(lean) + thick * math.cos(lean)
    rise = high * math.cos(lean) + thick * math.sin(lean)
    plank = Body("plank", Box((thick, deep, high)), (across, 0.0, rise), turn("y", -lean), replace(WOOD, friction=0.6))
    return Scene(bodies=[wall, plank], name="plank against a wall")


def ring_on_a_hook(pieces: int = 12, radius: float = 0.06, tube: float = 0.006, bar: float = 0.008) -> Scene:
    """A ring of capsules whose topmost corner hangs on a bar; a knob keeps it on."""
    side, corner = 2.0 * math.pi / pieces, radius / math.cos(math.pi / pieces)
    parts = []
    for k in range(pieces):
        angle = 0.5 * math.pi + side * (k + 0.5)
        # A capsule's axis is z: turned about y it points along the ring, which hangs in the x-z plane.
        place = (radius * math.cos(angle), 0.0, radius * math.sin(angle))
        parts.append((Capsule(tube, radius * math.tan(math.pi / pieces)), place, turn("y", -angle)))
    high = 0.4
    middle = high - (corner - (bar + tube) / math.cos(math.pi / pieces))
    hook = Compound(
        [(Capsule(bar, 0.05), (0.0, 0.0, 0.0), turn("x", 0.5 * math.pi)), (Sphere(2.5 * bar), (0.0, -0.05, 0.0))]
    )
    wall = Body("wall", Box((0.2, 0.02, 0.3)), (0.0, 0.07, 0.3), material=WOOD, static=True)
    hung = Body("hook", hook, (0.0, 0.0, high), material=METAL, static=True)
    return Scene(
        bodies=[wall, hung, Body("ring", Compound(parts), (0.0, 0.0, middle), material=METAL)], name="ring on a hook"
    )


def boxes_stacked(half: float, count: int = 5) -> Scene:
    bodies = []
    for i in range(count):
        place = (0.06 * half * (-1) ** i, 0.04 * half * ((7 * i) % 3 - 1), 0.5 * half * (2 * i + 1))
        bodies.append(Body(f"box{i}", Box((half, 0.8 * half, 0.5 * half)), place, material=scenes.material()))
    return Scene(bodies=bodies, name=f"{count} boxes of {2e3 * half:g} mm")


def heavy_on_light(ratio: float = 1000.0) -> Scene:
    half = (0.1, 0.1, 0.05)
    light, heavy = (replace(WOOD, density=density) for density in (20.0, 20.0 * ratio))
    bodies = [
        Body("light", Box(half), (0, 0, 0.05), material=light),
        Body("heavy", Box(half), (0.01, 0, 0.15), material=heavy),
    ]
    return Scene(bodies=bodies, name=f"heavy on light, {ratio:g} : 1")


CRASH = {
    "C": ".#### #.... #.... #.... #.... #.... .####",
    "H": "#...# #...# #...# ##### #...# #...# #...#",
}


def crash(size: float = 0.04) -> Scene:
    """A middle frame: five letters in the air just after they flew into each other, each a compound of boxes."""
    rng = np.random.default_rng(5)
    bodies = []
    for i, letter in enumerate("CRASH"):
        away = i - 2.0
        velocity = (0.8 * away + rng.uniform(-0.2, 0.2), rng.uniform(-0.6, 0.6), rng.uniform(0.2, 1.0))
        shape = Compound(_runs((CRASH.get(letter) or GLYPHS[letter]).split(), size))
        bodies.append(
            Body(letter, shape, (6.5 * size * away, 0.0, 0.6), material=WOOD, velocity=velocity,
                 angular_velocity=tuple(rng.uniform(-2.0, 2.0, 3)))
        )  # fmt: skip
    return Scene(bodies=bodies, name="CRASH")


def _runs(rows: list[str], size: float) -> list[tuple[object, ...]]:
    """Boxes for the horizontal runs of a letter that stands in the x-z plane, about its middle."""
    parts: list[tuple[object, ...]] = []
    for down, row in enumerate(rows):
        column = 0
        for run in row.replace("#.", "# .").replace(".#", ". #").split():
            if run[0] == "#":
                x, z = column + 0.5 * len(run) - 0.5 * len(row), 0.5 * len(rows) - down - 0.5
                parts.append((Box((0.5 * size * len(run), 0.5 * size, 0.5 * size)), (size * x, 0.0, size * z)))
            column += len(run)
    return parts


def ragdoll_on_stairs(rise: float = 0.2) -> Scene:
    """It lies on a step, its legs reach down to the one below: from the hips at an angle, feet on the lower tread."""
    doll = ragdoll()
    edge, reach = -0.24, 0.4  # m: of the upper tread; from a hip to the middle of a foot
    down = math.asin(rise / reach)
    bodies = []
    for body in doll.bodies:
        x, y, z = body.position
        if body.name.endswith("leg"):
            along = 0.23  # m from the hip to the middle of the leg
            x, z = -0.27 - along * math.cos(down), 0.05 - along * math.sin(down)
            body = replace(body, orientation=turn("y", 0.5 * math.pi - down))
        bodies.append(replace(body, position=(x, y, z + 2.0 * rise)))
    joints = [
        replace(joint, anchor=(joint.anchor[0], joint.anchor[1], joint.anchor[2] + 2.0 * rise)) for joint in doll.joints
    ]
    for i, (left, right, top) in enumerate(((-2.0, edge, rise), (edge, 1.0, 2.0 * rise), (1.0, 1.5, 3.0 * rise))):
        half = (0.5 * (right - left), 1.0, 0.5 * top)
        bodies.append(Body(f"step{i}", Box(half), (0.5 * (left + right), 0.0, half[2]), material=STONE, static=True))
    return Scene(bodies=bodies, joints=joints, name="rag doll on stairs")


def arrow_word(pitch: float = 0.12, yaw: float = 0.3, seed: int = 0) -> Scene:
    """`t->-t` of 79 boxes: letters twice as large as those of scenes_director."""
    stem = [(2, row) for row in range(11)] + [(i, 8) for i in (-1, 0, 1, 3, 4, 5)] + [(i, 0) for i in (3, 4, 5)]
    dash = [(i, 5) for i in range(9)]
    head = [(5 - abs(row - 5) + more, row) for row in range(11) for more in (0, 1) if (row, more) != (5, 1)]
    first, places = 0, []
    for letter in (stem, dash, head, dash, stem):
        left = min(column for column, _ in letter)
        places += [(first + column - left, row) for column, row in letter]
        first += max(column for column, _ in letter) - left + 2
    rng = np.random.default_rng(1000 + seed)
    bodies = []
    for i, (column, row) in enumerate(places):
        turned = turn("z", float(rng.uniform(-yaw, yaw)))
        place = (pitch * column, pitch * row, 0.03)
        bodies.append(Body(f"box{i:02d}", Box((0.045, 0.035, 0.03)), place, turned, material=scenes.material()))
    return Scene(bodies=bodies, name="t->-t of 79 boxes")
