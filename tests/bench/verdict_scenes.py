"""Random small scenes at rest, of which it is not known beforehand whether they stay: family by family.

Each is built upright with faces that touch, then turned as a whole where it should be tilted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

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
    Shape,
    Sphere,
    TriangleMesh,
)
from engine.shapes.turns import product, rotate, rotation_matrix
from tests.bench.scenes import turn

Draw = Callable[[np.random.Generator], Scene]


def _material(rng: np.random.Generator) -> Material:
    return Material(friction=float(rng.uniform(0.05, 0.9)), restitution=0.0)


def _box(rng: np.random.Generator, low: float = 0.05, high: float = 0.3) -> Box:
    x, y, z = rng.uniform(low, high, 3)
    return Box((x, y, z))


def _turned(bodies: Sequence[Body], q: tuple[float, ...], joints: Sequence[Joint] = (), ground: bool = False) -> Scene:
    """All of it turned about the origin."""
    moved = [
        replace(body, position=rotate(q, body.position), orientation=product(q, body.orientation)) for body in bodies
    ]
    held = [replace(joint, anchor=rotate(q, joint.anchor), axis=rotate(q, joint.axis)) for joint in joints]
    return Scene(moved, ground=ground, joints=held)


def _tilt(rng: np.random.Generator, most: float) -> tuple[float, ...]:
    """Up to `most` rad, toward any side."""
    side = turn("z", rng.uniform(0.0, math.tau))
    return product(product(side, turn("y", rng.uniform(0.0, most))), turn("z", rng.uniform(0.0, math.tau)))


def _fixed(name: str, shape: Shape, at: Sequence[float], material: Material, **more: object) -> Body:
    return Body(name, shape, tuple(float(x) for x in at), material=material, static=True, **more)  # type: ignore[arg-type]


def _floor(material: Material) -> Body:
    return _fixed("floor", Box((3.0, 3.0, 0.2)), (0.0, 0.0, -0.2), material)


def slope(rng: np.random.Generator) -> Scene:
    """A block, or two, one on the other, on a slope."""
    material, below = _material(rng), _box(rng)
    bodies = [_floor(material), Body("block", below, (0.0, 0.0, below.half[2]), material=material)]
    if rng.random() < 0.4:
        upper = _box(rng, 0.05, 0.15)
        x, y = rng.uniform(-0.1, 0.1, 2)
        bodies.append(Body("upper", upper, (x, y, 2.0 * below.half[2] + upper.half[2]), material=material))
    return _turned(bodies, _tilt(rng, 0.8))


def slot(rng: np.random.Generator) -> Scene:
    """A block between two walls, upright or wedge-shaped, with a floor under it or without, tilted."""
    material, block = _material(rng), _box(rng, 0.1, 0.3)
    reach = block.half[0] + 0.1
    x, y, z = block.half
    walls = []
    for side in (-1.0, 1.0):
        down = float(rng.uniform(-0.7, 0.7)) * z
        walls.append(_fixed(f"wall {side:+g}", Box((0.1, 1.0, 0.6)), (side * reach, 0.0, 0.6 + down), material))
    bodies = [*walls, Body("block", block, (0.0, 0.0, z), material=material)]
    if rng.random() < 0.5:
        bodies.append(_fixed("shelf", Box((0.5, 0.5, 0.1)), (rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), -0.1),
                             material))  # fmt: skip
    return _turned(bodies, _tilt(rng, 1.2))


def groove(rng: np.random.Generator) -> Scene:
    """A ball, a cylinder along it or a wedge between two slanting planes."""
    material, radius = _material(rng), float(rng.uniform(0.05, 0.2))
    left, right = rng.uniform(0.15, 1.3, 2)
    normals = [(math.sin(left), 0.0, math.cos(left)), (-math.sin(right), 0.0, math.cos(right))]
    planes = [_fixed(f"side {k}", Plane(n), (0.0, 0.0, 0.0), material) for k, n in enumerate(normals)]
    kind = rng.integers(3)
    rows, gaps = np.array([normals[0], normals[1]])[:, ::2], np.array([radius, radius])
    x, z = np.linalg.solve(rows, gaps)
    if kind == 2:  # a prism with faces along the planes
        deep, wide = rng.uniform(0.1, 0.4, 2)
        edge = ((-math.cos(left), math.sin(left)), (math.cos(right), math.sin(right)), (0.0, 0.0))
        shape: Shape = Hull(np.array([(wide * a, y, wide * b) for a, b in edge for y in (-deep, deep)]))
        body = Body("wedge", shape, material=material)
    elif kind == 1:
        cylinder = Cylinder(radius, float(rng.uniform(0.05, 0.4)))
        body = Body("roll", cylinder, (x, 0.0, z), turn("x", math.pi / 2), material)
    else:
        body = Body("ball", Sphere(radius), (x, 0.0, z), material=material)
    return _turned([*planes, body], turn("x", rng.uniform(-0.5, 0.5)))


def corner(rng: np.random.Generator) -> Scene:
    """A block in a corner of two or three walls, the whole tilted at will."""
    material, block = _material(rng), _box(rng)
    x, y, z = block.half
    bodies = [Body("block", block, (x, y, z), material=material)]
    bodies.append(
        _fixed("x wall", Box((0.1, 1.0, 1.0)), (-0.1, rng.uniform(-0.5, 1.0), rng.uniform(-0.5, 1.0)), material)
    )
    bodies.append(
        _fixed("y wall", Box((1.0, 0.1, 1.0)), (rng.uniform(0.0, 1.0), -0.1, rng.uniform(0.0, 1.0)), material)
    )
    if rng.random() < 0.5:
        bodies.append(
            _fixed("floor", Box((1.0, 1.0, 0.1)), (rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0), -0.1), material)
        )
    return _turned(bodies, _tilt(rng, 1.2))


def _leaning(shape: Box, lean: float) -> tuple[tuple[float, ...], np.ndarray]:
    """Orientation of a plank that leans by `lean` from upright toward +x, and its corners about its middle."""
    q = turn("y", lean)
    corners = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * np.array(shape.half)
    return q, corners @ rotation_matrix(np.array(q)).T


def ladder(rng: np.random.Generator) -> Scene:
    """A plank or a rod that leans against a wall, perhaps with a load hung on it."""
    material, lean = _material(rng), float(rng.uniform(0.1, 1.1))
    if rng.random() < 0.5:
        plank = Box((float(rng.uniform(0.01, 0.05)), 0.15, float(rng.uniform(0.3, 0.8))))
        q, corners = _leaning(plank, lean)
        body = Body("ladder", plank, (-float(corners[:, 0].max()), 0.0, -float(corners[:, 2].min())), q, material)
    else:
        rod, radius = float(rng.uniform(0.3, 0.8)), float(rng.uniform(0.02, 0.06))
        half = (math.sin(lean) * rod, math.cos(lean) * rod)
        body = Body(
            "ladder", Capsule(radius, rod), (-half[0] - radius, 0.0, half[1] + radius), turn("y", lean), material
        )
    wall = replace(_fixed("wall", Box((0.1, 1.0, 2.0)), (0.1, 0.0, 1.0), material), material=_material(rng))
    return Scene([body, wall])


def leaning_pair(rng: np.random.Generator) -> Scene:
    """A plank that leans on a block that can move, or logs on logs."""
    material = _material(rng)
    if rng.random() < 0.6:
        block = Box((float(rng.uniform(0.05, 0.3)), 0.2, float(rng.uniform(0.2, 0.5))))
        lean = float(rng.uniform(0.1, 1.0))
        plank = Box((0.02, 0.15, float(rng.uniform(0.4, 0.95)) * block.half[2] / math.cos(lean)))
        q, corners = _leaning(plank, lean)
        at = (-block.half[0] - float(corners[:, 0].max()), 0.0, -float(corners[:, 2].min()))
        heavy = replace(material, density=float(rng.uniform(200.0, 3000.0)))
        return Scene(
            [Body("plank", plank, at, q, heavy), Body("block", block, (0.0, 0.0, block.half[2]), material=material)]
        )
    radius, long = float(rng.uniform(0.05, 0.15)), float(rng.uniform(0.1, 0.3))
    apart = radius * float(rng.uniform(1.0, 1.6))
    height = math.sqrt(4.0 * radius**2 - apart**2)
    round_shape: Shape = Cylinder(radius, long) if rng.random() < 0.5 else Capsule(radius, long)
    places = ((-apart, radius), (apart, radius), (0.0, radius + height))
    q = turn("x", math.pi / 2)
    return Scene([Body(f"log {k}", round_shape, (x, 0.0, z), q, material) for k, (x, z) in enumerate(places)])


def cylinder(rng: np.random.Generator) -> Scene:
    """Upright or lying on a slope, or upright at the edge of a plinth."""
    material = _material(rng)
    shape = Cylinder(float(rng.uniform(0.05, 0.2)), float(rng.uniform(0.05, 0.4)))
    kind = rng.integers(3)
    if kind == 0:
        bodies = [_floor(material), Body("can", shape, (0.0, 0.0, shape.half_height), material=material)]
        return _turned(bodies, _tilt(rng, 0.8))
    if kind == 1:
        q = product(turn("z", rng.uniform(0.0, math.tau)), turn("x", math.pi / 2))
        bodies = [_floor(material), Body("can", shape, (0.0, 0.0, shape.radius), q, material)]
        return _turned(bodies, _tilt(rng, 0.3 if rng.random() < 0.7 else 0.0))
    edge = float(rng.uniform(-1.0, 1.0)) * shape.radius
    plinth = _fixed("plinth", Box((0.5, 0.5, 0.2)), (-0.5 + edge, 0.0, 0.2), material)
    return Scene([plinth, Body("can", shape, (0.0, 0.0, 0.4 + shape.half_height), material=material)])


def mesh(rng: np.random.Generator) -> Scene:
    """A block on a slope, over a step or across a valley of triangles; or a block with many faces on the ground."""
    material, block = _material(rng), _box(rng, 0.1, 0.25)
    x, _, z = block.half
    kind = rng.integers(3)
    if kind == 0:
        tops = [(-1.0, 0.0), (1.0, 0.0)]
    elif kind == 1:  # a step on which a part of the block lies
        at = float(rng.uniform(-0.9, 0.9)) * x
        tops = [(-1.0, 0.0), (at, 0.0), (at + 0.01, -0.3), (1.0, -0.3)]
    else:  # a valley that it bridges
        left, right = -float(rng.uniform(0.0, 1.2)) * x, float(rng.uniform(0.0, 1.2)) * x
        tops = [(-1.0, 0.0), (left, 0.0), (0.5 * (left + right), -0.3), (right + 1e-3, 0.0), (1.0, 0.0)]
    points = np.array([(a, y, b) for a, b in tops for y in (-1.0, 1.0)])
    sides = [(i, i + 2, i + 1) for i in range(0, len(points) - 2, 2)]
    sides += [(i + 1, i + 2, i + 3) for i in range(0, len(points) - 2, 2)]
    ground = _fixed("hill", TriangleMesh(points, np.array(sides)), (0.0, 0.0, 0.0), material)
    return _turned([ground, Body("block", block, (0.0, 0.0, z), material=material)], _tilt(rng, 0.6))


def compound(rng: np.random.Generator) -> Scene:
    """A hook, a mushroom or a table, on a slope or beyond the edge of a plinth."""
    material, kind = _material(rng), rng.integers(3)
    if kind == 0:  # a foot and an arm that hangs out
        foot, arm = rng.uniform(0.05, 0.2), rng.uniform(0.1, 0.5)
        parts = [(Box((foot, 0.1, 0.05)), (0.0, 0.0, 0.05)), (Box((arm, 0.05, 0.04)), (arm - foot, 0.0, 0.14))]
    elif kind == 1:
        stem, cap = rng.uniform(0.03, 0.1), rng.uniform(0.1, 0.3)
        parts = [(Cylinder(stem, 0.1), (0.0, 0.0, 0.1)), (Sphere(cap), (rng.uniform(-0.1, 0.1), 0.0, 0.2 + cap))]
    else:
        legs = [(Box((0.03, 0.03, 0.15)), (i * 0.25, j * 0.2, 0.15)) for i in (-1, 1) for j in (-1, 1)]
        parts = [*legs[: int(rng.integers(3, 5))], (Box((0.3, 0.25, 0.02)), (0.0, 0.0, 0.32))]
    body = Body("thing", Compound(parts), material=material)
    if rng.random() < 0.5:
        return _turned([_floor(material), body], _tilt(rng, 0.6))
    plinth = _fixed("plinth", Box((0.6, 0.6, 0.2)), (-0.6 + rng.uniform(-0.2, 0.3), 0.0, -0.2), material)
    return Scene([plinth, body], ground=False)


def joint(rng: np.random.Generator) -> Scene:
    """A lever, a door, a pendulum, a bracket, or a carriage on a slanting rail."""
    material, kind = _material(rng), rng.integers(5)
    block = _box(rng, 0.05, 0.2)
    x, y, z = block.half
    if kind == 0:  # a lever that turns in its middle or beside it, perhaps on a stop
        at = float(rng.choice([0.0, *rng.uniform(-0.9, 0.9, 2)])) * x
        stop = {} if rng.random() < 0.5 else {"lo": 0.0, "hi": 0.4}
        body = Body("lever", block, (0.0, 0.0, 1.0), material=material)
        return Scene([body], joints=[Joint("hinge", "lever", "", (at, 0.0, 1.0), (0.0, 1.0, 0.0), **stop)])
    if kind == 1:  # a door in a frame that leans
        body = Body("door", block, (x, 0.0, 0.0), material=material)
        hinge = Joint("hinge", "door", "", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
        return _turned([body], _tilt(rng, 0.4 if rng.random() < 0.6 else 0.0), [hinge])
    if kind == 2:  # two that hang on each other
        upper = Body("upper", block, (0.0, 0.0, 2.0), material=material)
        off = float(rng.choice([0.0, rng.uniform(-0.1, 0.1)]))
        lower = Body("lower", block, (off, 0.0, 2.0 - 2.5 * z), material=material)
        ropes = [Joint("ball", "upper", "", (0.0, 0.0, 2.0 + z)), Joint("ball", "upper", "lower", (0.0, 0.0, 2.0 - z))]
        return Scene([upper, lower], joints=ropes)
    if kind == 3:  # fixed to another that stands on the floor
        foot = Body("foot", block, (0.0, 0.0, z), material=material)
        arm = Body("arm", Box((0.3, 0.04, 0.04)), (x + 0.3, 0.0, z), material=material)
        return Scene([foot, arm], joints=[Joint("fixed", "foot", "arm", (x, 0.0, z))])
    body = Body("carriage", block, (0.0, 0.0, 1.0), material=material)
    slant = float(rng.choice([0.0, rng.uniform(-0.5, 0.5)]))
    stop = {} if rng.random() < 0.5 else {"lo": -0.3, "hi": 0.0}
    rail = Joint("slider", "carriage", "", (0.0, 0.0, 1.0), (math.cos(slant), 0.0, math.sin(slant)), **stop)
    return Scene([body], joints=[rail])


def stack(rng: np.random.Generator) -> Scene:
    """A tower with overhangs, or a plank across two pillars with a weight on it."""
    material = _material(rng)
    if rng.random() < 0.6:
        bodies, top, at = [_fixed("plinth", Box((0.5, 0.5, 0.25)), (0.0, 0.0, 0.25), material)], 0.5, 0.0
        half = 0.5
        for k in range(int(rng.integers(2, 5))):
            block = Box((float(rng.uniform(0.1, 0.3)), 0.15, float(rng.uniform(0.03, 0.1))))
            at += float(rng.uniform(-1.0, 1.0)) * (half if k == 0 else 0.9 * min(half, block.half[0]))
            bodies.append(Body(f"block {k}", block, (at, 0.0, top + block.half[2]), material=material))
            top, half = top + 2.0 * block.half[2], block.half[0]
        return Scene(bodies)
    tall = float(rng.uniform(0.1, 0.3))
    pillars = [Body(f"pillar {k}", Box((0.05, 0.1, tall)), (x, 0.0, tall), material=material)
               for k, x in enumerate((-0.4, float(rng.uniform(-0.2, 0.4))))]  # fmt: skip
    plank = Body("plank", Box((0.6, 0.1, 0.03)), (0.0, 0.0, 2.0 * tall + 0.03), material=material)
    weight = Body("weight", _box(rng, 0.05, 0.1), material=material)
    z = 2.0 * tall + 0.06 + weight.shape.half[2]  # type: ignore[union-attr]
    return Scene([*pillars, plank, replace(weight, position=(float(rng.uniform(-0.6, 0.6)), 0.0, z))])


FAMILIES: dict[str, Draw] = {
    "slopes": slope,
    "slots": slot,
    "grooves": groove,
    "corners": corner,
    "ladders": ladder,
    "leaning pairs": leaning_pair,
    "cylinders": cylinder,
    "meshes": mesh,
    "compounds": compound,
    "joints": joint,
    "stacks": stack,
}


def drawn(family: str, number: int) -> Scene:
    return FAMILIES[family](np.random.default_rng([number, list(FAMILIES).index(family)]))
