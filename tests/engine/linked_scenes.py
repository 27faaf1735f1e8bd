"""Small articulations in free space, for tests of single steps."""

from __future__ import annotations

import math

import numpy as np

from engine import Body, Box, Joint, Material, Scene

OAK = Material(density=700.0)


def pair(kind: str, **limits: float) -> Scene:
    """Two boxes askew to each other, held together by one joint."""
    tilt = (math.cos(0.3), 0.2 * math.sin(0.3), math.sin(0.3), 0.1)
    a = Body("a", Box((0.1, 0.15, 0.25)), (0.1, -0.2, 1.3), material=OAK)
    b = Body("b", Box((0.2, 0.1, 0.12)), (0.45, 0.1, 1.5), tilt, material=OAK)
    return Scene([a, b], ground=False, joints=[Joint(kind, "a", "b", (0.25, -0.05, 1.45), (1, 2, -0.5), **limits)])


def pendulum(links: int = 1, kind: str = "ball") -> Scene:
    """Rods in a row from the world outward, level."""
    half = 0.25
    rods = [Body(f"rod {i}", Box((half, 0.03, 0.03)), ((2 * i + 1) * half, 0, 2), material=OAK) for i in range(links)]
    joints = [
        Joint(kind, f"rod {i}", f"rod {i - 1}" if i else "", (2 * i * half, 0, 2), (0, 1, 0)) for i in range(links)
    ]
    return Scene(rods, ground=False, joints=joints)


def four_bar() -> Scene:
    """A closed loop of three bars on the world, four parallel hinges: 20 equations, three of which follow."""
    up = (math.sqrt(0.5), 0, math.sqrt(0.5), 0)
    bars = [
        Body("left", Box((0.25, 0.03, 0.03)), (0, 0, 1.25), up, material=OAK),
        Body("top", Box((0.4, 0.03, 0.03)), (0.4, 0, 1.5), material=OAK),
        Body("right", Box((0.25, 0.03, 0.03)), (0.8, 0, 1.25), up, material=OAK),
    ]
    places = [
        ("left", "", (0, 0, 1)),
        ("left", "top", (0, 0, 1.5)),
        ("top", "right", (0.8, 0, 1.5)),
        ("right", "", (0.8, 0, 1)),
    ]
    return Scene(bars, ground=False, joints=[Joint("hinge", a, b, at, (0, 1, 0)) for a, b, at in places])


def stirred(scene: Scene, seed: int, speed: float = 1.0, spin: float = 5.0) -> Scene:
    """The same with random velocities."""
    rng = np.random.default_rng(seed)
    for body in scene.bodies:
        body.velocity, body.angular_velocity = rng.normal(size=3) * speed, rng.normal(size=3) * spin
    return scene
