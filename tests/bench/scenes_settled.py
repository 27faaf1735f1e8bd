"""Endings that fell into place: heaps, bowls, odd solids; and bodies alone on the ground.

What has to settle is let fall by the engine itself, from starts that never change, once per process."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Material, Scene, Shape, Sphere, TriangleMesh
from engine.settle import settle
from tests.bench.scenes import hull_points, turn
from tests.bench.scenes_endings import BONE, METAL, WOOD

GLASS = Material(density=2500.0, friction=0.4, restitution=0.5, rolling_friction=0.0002, name="glass")
COIN = Cylinder(0.012, 0.001)


def settled(scene: Scene) -> Scene:
    """Where the bodies of a scene come to rest; all of them must."""
    found = settle(scene)
    if found.moving or found.fallen:
        raise RuntimeError(f"{scene.name}: {len(found.moving)} still move, {len(found.fallen)} fell")
    bodies = [
        replace(body, position=found.poses[body.id][0], orientation=found.poses[body.id][1])
        if body.id in found.poses
        else body
        for body in scene.bodies
    ]
    return replace(scene, bodies=bodies)


def _length(parts: np.ndarray) -> float:
    """With fused products, on every processor. In numpy it depends on the processor, and whether a heap of coins comes
    to rest within the time there is hangs on the last bit of where it began."""
    total = 0.0
    for part in parts:
        total = float(Fraction(float(part)) ** 2 + Fraction(total))
    return math.sqrt(total)


@cache
def _coin_heap(count: int) -> Scene:
    rng, bodies = np.random.default_rng(0), []
    for i in range(count):
        tilt = np.array([1.0, *(0.15 * rng.normal(size=3))])
        place = (*(0.7 * COIN.radius * rng.normal(size=2)).tolist(), COIN.radius * (1 + i))
        bodies.append(Body(f"coin{i:02d}", COIN, place, tuple(tilt / _length(tilt)), METAL))
    return settled(Scene(bodies=bodies, name=f"{count} coins in a heap"))


def coin_heap(count: int = 12) -> Scene:
    return _copied(_coin_heap(count))


def bowl(radius: float = 0.08, rings: int = 8, around: int = 24) -> TriangleMesh:
    """The inside of a half ball whose lowest point is the origin."""
    points = [(0.0, 0.0, 0.0)]
    for ring in range(1, rings + 1):
        down = 0.5 * math.pi * ring / rings
        for k in range(around):
            angle = 2.0 * math.pi * k / around
            across = radius * math.sin(down)
            points.append((across * math.cos(angle), across * math.sin(angle), radius * (1.0 - math.cos(down))))
    faces = [(0, 1 + k, 1 + (k + 1) % around) for k in range(around)]
    for ring in range(rings - 1):
        for k in range(around):
            a, b = 1 + ring * around + k, 1 + ring * around + (k + 1) % around
            faces += [(a, a + around, b + around), (a, b + around, b)]
    return TriangleMesh(points, faces)


@cache
def _marbles(count: int) -> Scene:
    rng, radius = np.random.default_rng(30), 0.008
    bodies = [Body("bowl", bowl(), (0.0, 0.0, 0.01), material=GLASS, static=True)]
    for i in range(count):
        layer, k = divmod(i, 6)
        angle = 2.0 * math.pi * (k + 0.4 * layer) / 6
        place = (0.03 * math.cos(angle), 0.03 * math.sin(angle), 0.05 + 0.018 * layer + 0.002 * rng.uniform())
        bodies.append(Body(f"marble{i:02d}", Sphere(radius), place, material=GLASS))
    return settled(Scene(bodies=bodies, name=f"{count} marbles in a bowl"))


def marbles_in_a_bowl(count: int = 30) -> Scene:
    return _copied(_marbles(count))


def ell() -> Compound:
    """An L that lies flat."""
    return Compound([(Box((0.06, 0.02, 0.015)), (0.0, 0.0, 0.015)), (Box((0.02, 0.04, 0.015)), (-0.04, 0.06, 0.015))])


def chair_shape() -> Compound:
    """A seat, four legs, a back; its feet at z = 0."""
    legs = [(Box((0.02, 0.02, 0.22)), (0.18 * i, 0.18 * j, 0.22)) for i in (-1, 1) for j in (-1, 1)]
    return Compound([*legs, (Box((0.2, 0.2, 0.02)), (0.0, 0.0, 0.46)), (Box((0.02, 0.2, 0.25)), (-0.18, 0.0, 0.73))])


def mug_shape(sides: int = 12) -> Compound:
    """A floor, a ring of walls and a handle of three rods."""
    inside, thick, high = 0.036, 0.003, 0.045
    parts: list[tuple[object, ...]] = [(Cylinder(inside, thick), (0.0, 0.0, thick))]
    for k in range(sides):
        angle, away = 2.0 * math.pi * k / sides, inside + thick
        wall = Box((thick, away * math.tan(math.pi / sides), high))
        parts.append((wall, (away * math.cos(angle), away * math.sin(angle), high), turn("z", angle)))
    rod, out = 0.005, inside + 2.0 * thick
    lying = turn("y", 0.5 * math.pi)
    parts += [(Capsule(rod, 0.012), (out + 0.012, 0.0, z), lying) for z in (0.025, 0.065)]
    parts.append((Capsule(rod, 0.02), (out + 0.024, 0.0, 0.045)))
    return Compound(parts)


def decomposed_shape(seed: int = 8) -> Compound:
    """A lumpy animal as a convex decomposition leaves it: hulls of a trunk, a head, two ears and a tail."""
    rng = np.random.default_rng(seed)
    blobs = (
        ((0.0, 0.0, 0.0), (0.06, 0.045, 0.045)),
        ((0.065, 0.0, 0.04), (0.032, 0.03, 0.03)),
        ((0.06, 0.015, 0.085), (0.01, 0.008, 0.03)),
        ((0.06, -0.015, 0.085), (0.01, 0.008, 0.03)),
        ((-0.065, 0.0, 0.01), (0.018, 0.018, 0.018)),
    )
    parts = []
    for middle, half in blobs:
        points = rng.normal(size=(24, 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
        parts.append((Hull(points * half), middle))
    return Compound(parts)


@cache
def _decomposed() -> Scene:
    body = Body("animal", decomposed_shape(), (0.0, 0.0, 0.06), material=WOOD)
    return settled(Scene(bodies=[body], name="decomposed mesh"))


def decomposed_mesh() -> Scene:
    return _copied(_decomposed())


def _copied(scene: Scene) -> Scene:
    """A scene of its own for whoever asks: what is kept must stay as it is."""
    return replace(scene, bodies=[replace(body) for body in scene.bodies])


def chair() -> Scene:
    return _on_the_ground("chair", chair_shape(), 0.0, material=WOOD)


def mug() -> Scene:
    return _on_the_ground("mug", mug_shape(), 0.0, material=BONE)


def _on_the_ground(
    name: str, shape: Shape, height: float, lies: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0), material: Material = BONE
) -> Scene:
    return Scene(bodies=[Body(name, shape, (0.0, 0.0, height), lies, material)], name=name)


def lone(name: str) -> Scene:
    """One of LONE on the ground."""
    shape, height, lies, material = LONE[name]
    return _on_the_ground(name, shape, height, lies, material)


FLAT, LYING = (1.0, 0.0, 0.0, 0.0), turn("y", 0.5 * math.pi)
ROLLS = replace(WOOD, rolling_friction=0.001)

LONE: dict[str, tuple[Shape, float, tuple[float, ...], Material]] = {
    "die of 2 cm": (Box((0.01, 0.01, 0.01)), 0.01, FLAT, BONE),
    "die of 8 cm": (Box((0.04, 0.04, 0.04)), 0.04, FLAT, BONE),
    "coin": (COIN, 0.001, FLAT, METAL),
    "capsule": (Capsule(0.03, 0.05), 0.03, LYING, ROLLS),
    "cylinder": (Cylinder(0.04, 0.05), 0.05, FLAT, ROLLS),
    "hull": (Hull(0.15 * hull_points()), 0.0, FLAT, WOOD),
    "L": (ell(), 0.0, FLAT, WOOD),
}
"""By name: shape, height of its origin, how it lies, material."""
