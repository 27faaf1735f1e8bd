"""Small takes to export, and the poses that an export must show: asked of the display path, with axes, units and frames
worked out here once more."""

from __future__ import annotations

import functools
import math

import numpy as np

from engine import Path as Shown
from engine.arrivals.options import Options
from engine.run import backward, forward
from engine.scene.spec import Body, Capsule, Cylinder, Scene, Sphere
from engine.tape.take import Take
from tests.bench import scenes

TIERS = (1.0, 0.0, 0.0, 0.0, 0.0)  # as if it had been certified already
NAMES = ("top", 'böx "1"', "top", "1. ball", "!?")
"""Of the bodies: one that Maya has itself, one with letters that programs refuse, one twice, one that begins with a
digit, one without any letter."""
RATES = {23.976: 24000 / 1001, 24: 24.0, 25: 25.0, 29.97: 30000 / 1001, 30: 30.0, 60: 60.0, 120: 120.0}
METRES = {"m": 1.0, "cm": 0.01}


@functools.cache
def take() -> Take:
    """Two boxes that come to rest, beside three bodies that stand still."""
    bodies = scenes.scattered_boxes(2, 2).bodies + [
        Body("c", Cylinder(radius=0.2, half_height=0.3), (8.0, 0.0, 0.3), (0.8, 0.0, 0.6, 0.0), static=True),
        Body("s", Sphere(radius=0.2), (9.0, 0.0, 0.2), static=True),
        Body("p", Capsule(radius=0.1, half_length=0.2), (9.0, 3.0, 1.0), (0.5, 0.5, -0.5, 0.5), static=True),
    ]
    for body, name in zip(bodies, NAMES, strict=True):
        body.name, body.id = name, ""
    return backward(Scene(bodies=bodies, ground=True), 0.4, 1 / 240, seed=5, options=Options(arrivals="ahead"))


@functools.cache
def spinner(*angular_velocity: float) -> Take:
    """A box that flies and turns."""
    body = scenes.scattered_boxes(1, 1).bodies[0]
    body.position, body.angular_velocity, body.velocity = (0.0, 0.0, 6.0), angular_velocity, (1.0, 0.0, 0.0)
    return forward(Scene(bodies=[body], ground=True), 0.4, 1 / 240)


FAST = (20.0, 65.0, 60.0)  # rad/s: more than half a turn between two frames of 24 a second
STEADY = (10.0, 26.0, 18.0)  # two turns in all
LEVEL = (0.0, 0.0, 25.0)  # about one axis: whole turns can do with two keys


@functools.cache
def shown(spin: tuple[float, ...] = ()) -> Shown:
    return Shown(spinner(*spin) if spin else take())


def times(fps: float) -> np.ndarray:
    """Moments of the frames of `take`: the last is its ending, the first at or before its start."""
    rate, first, ending = RATES[fps], float(take().times[0]), float(take().times[-1])
    count = math.ceil((ending - first) * rate - 1e-6)
    found = np.maximum(ending - np.arange(count, -1, -1) / rate, first)
    found[-1] = ending
    return found


@functools.cache
def matrices(t: float, up: str, unit: str, spin: tuple[float, ...] = ()) -> np.ndarray:
    """(n, 4, 4) world matrices of all bodies of `take`, or of a spinner, in the axes and unit of a program."""
    positions, orientations = shown(spin).at(t)
    axes = np.eye(3) if up == "z" else np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    found = np.tile(np.eye(4), (len(positions), 1, 1))
    for world, place, (w, x, y, z) in zip(found, positions, orientations, strict=True):
        half = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])  # R = 1 + 2 w K + 2 K K
        world[:3, :3] = axes @ (np.eye(3) + 2 * w * half + 2 * half @ half) @ axes.T
        world[:3, 3] = axes @ place / METRES[unit]
    return found
