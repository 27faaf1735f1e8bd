"""Figures 5 to 7 of Baraff 1990 as scenes: a base at rest that rods slide along, and that may move along one line.

Of a rod a unit of force lifts the tip by 1/m and friction turns it down by 2/m, as in the paper. Gravity is the same
for all here, so what it does to some bodies only is done otherwise: the turning of a rod carries its tip as if it had
no weight, rods at the ends of the base have theirs along the base, and a weight on a lever pushes the base."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Capsule, Joint, Material, Scene, Sphere

GRAVITY = 9.81
LEAN = np.radians(72.0)  # between rod and base
HALF, RADIUS = 0.5, 0.01  # m, of a rod
SLIDE = 1.0  # m/s
BASE = 1000.0  # kg
"""More than friction times all rods: by what may be off in what they bear, the guards must not be pushed more."""
BASE_HALF = (0.5, 0.8, 0.2)  # m
LIFT = HALF * float(np.sin(LEAN))  # m, of the middle of a rod over that of its round end
BESIDE = 2.0  # m, how far beside the base its lever is
ARM = 1.0  # m, of the lever, to either side
X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def lifted_base(lift: float) -> Scene:
    """Figure 5: a rod that skims along a base on an upright slider, lifted by so many newtons beyond its weight."""
    rod = _rod("rod", 1.0, np.array([0.0, 0.0, BASE_HALF[2]]), Z, X, lifting=0.0)
    return _scene([rod], Z, X, BASE * GRAVITY + lift)


def guarded_base(push: float) -> Scene:
    """Figure 6: rods skim along both ends of a base on a level slider, which is pushed by so many newtons."""
    return _scene(_guards(), X, Z, push)


def subset_sum_base(numbers: Sequence[int], target: int) -> Scene:
    """Figure 7: on that base, pushed by mu times the target, slides one rod for each number, of that mass in kg, which
    pushes back by mu times its mass or not at all."""
    places = np.linspace(-0.7, 0.7, len(numbers)) * BASE_HALF[1]
    rods = [
        _rod(f"rod {k}", float(number), np.array([0.0, y, BASE_HALF[2]]), Z, X, lifting=1.0)
        for k, (number, y) in enumerate(zip(numbers, places, strict=True))
    ]
    return _scene(rods + _guards(), X, Z, friction() * target)


def friction() -> float:
    """At which a rod answers a force with minus one over its mass."""
    model = compile_scene(Scene([Body("rod", Capsule(RADIUS, HALF), (0.0, 0.0, 2.0))]))
    square = float(model.bodies.inertia[0][1, 1] / model.bodies.mass[0])  # of its radius of gyration
    ahead, below = HALF * float(np.cos(LEAN)), LIFT + RADIUS
    return (2.0 * square + ahead**2) / (ahead * below)


def _guards() -> list[Body]:
    ends = ((1.0, "right"), (-1.0, "left"))
    return [_rod(name, 1.0, side * BASE_HALF[0] * X, side * X, -Z, lifting=None) for side, name in ends]


def _rod(name: str, mass: float, tip: np.ndarray, normal: np.ndarray, way: np.ndarray, lifting: float | None) -> Body:
    """It touches at `tip`, slides tip ahead along `way`, and turns so that its tip would leave the base with so many
    m/s^2; None: it does not turn."""
    axis = np.cross(normal, way)
    middle = tip + RADIUS * normal + HALF * (np.sin(LEAN) * normal - np.cos(LEAN) * way)
    spin = 0.0 if lifting is None else np.sqrt((GRAVITY + lifting) / LIFT)
    velocity = SLIDE * way + np.cross(spin * axis, middle - tip)
    return Body(
        name=name,
        shape=Capsule(RADIUS, HALF),
        position=_vector(middle),
        orientation=_turned_to(middle - tip - RADIUS * normal),
        velocity=_vector(velocity),
        angular_velocity=_vector(spin * axis),
        material=_of_mass(mass, np.pi * RADIUS**2 * (2.0 * HALF + 4.0 / 3.0 * RADIUS)),
    )


def _scene(rods: list[Body], line: np.ndarray, stands: np.ndarray, push: float) -> Scene:
    """A base on a slider along `line`, and the lever that pushes it. The lever reaches from its hinge along `stands` to
    the base, so that its weight, on the other side of the hinge or straight beside it, pushes up, or to the left."""
    base = Body("base", Box(BASE_HALF), material=_of_mass(BASE, 8.0 * float(np.prod(BASE_HALF))))
    bodies, joints = [*rods, base], [Joint("slider", "base", anchor=(0.0, 0.0, 0.0), axis=_vector(line))]
    if push:
        held = np.array([0.0, BESIDE, 0.0])
        hinge = held - ARM * stands
        weight = hinge - ARM * np.sign(push) * X
        material = _of_mass(abs(push) / GRAVITY, 4.0 / 3.0 * np.pi * 0.2**3)
        bodies.append(Body("weight", Sphere(0.2), _vector(weight), material=material))
        joints.append(Joint("hinge", "weight", anchor=_vector(hinge), axis=(0.0, 1.0, 0.0)))
        joints.append(Joint("ball", "weight", "base", anchor=_vector(held)))
    return Scene(bodies, ground=False, gravity=(0.0, 0.0, -GRAVITY), joints=joints)


def _of_mass(mass: float, volume: float) -> Material:
    return Material(density=mass / volume, friction=friction(), restitution=0.0)


def _turned_to(way: np.ndarray) -> tuple[float, float, float, float]:
    """The quaternion that turns z to a way in the plane of x and z."""
    angle = float(np.arctan2(way[0], way[2]))
    return (float(np.cos(angle / 2.0)), 0.0, float(np.sin(angle / 2.0)), 0.0)


def _vector(values: np.ndarray) -> tuple[float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]))
