"""Planar patches as one wrench each, beside contact points: unknowns, cost of a step, and whether they move alike."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from engine.certificate.audit import certify
from engine.contact.kick import APART
from engine.run import forward
from engine.scene.spec import Body, Box, Hull, Material, Scene, Sphere
from engine.tape.take import Take
from tests.bench.measure import Row, Tell
from tests.bench.scenes_director import bonded_wall

STUFF = Material(friction=0.4, restitution=0.3)
BRICK = Box(half=(0.1, 0.06, 0.04))


Vector = tuple[float, float, float]
STILL: Vector = (0.0, 0.0, 0.0)


def _alone(shape: Box | Hull, height: float, velocity: Vector = STILL, angular_velocity: Vector = STILL) -> Scene:
    body = Body(
        name="body", shape=shape, position=(0.0, 0.0, height), material=STUFF, velocity=velocity,
        angular_velocity=angular_velocity,
    )  # fmt: skip
    return Scene(bodies=[body])


def _prism(corners: int) -> Hull:
    angle = np.arange(corners) * 2.0 * math.pi / corners
    rim = np.column_stack([0.1 * np.cos(angle), 0.1 * np.sin(angle)])
    return Hull(points=np.concatenate([np.column_stack([rim, np.full(corners, z)]) for z in (-0.04, 0.04)]))


def _struck(wall: Scene) -> Scene:
    """The wall and a ball that is about to hit it."""
    top = max(float(body.position[2]) for body in wall.bodies)
    ball = Body(
        name="ball", shape=Sphere(radius=0.06), position=(0.03, -0.5, 0.6 * top), velocity=(0, 6, 0), material=STUFF
    )
    return Scene(bodies=[*wall.bodies, ball])


CASES: Mapping[str, tuple[Callable[[], Scene], float, bool]] = {
    # seconds; whether the law of points has one answer only
    "box rests": (lambda: _alone(BRICK, 0.04), 1.0, True),
    "box slides": (lambda: _alone(BRICK, 0.04, velocity=(1.5, 0.4, 0.0)), 1.0, True),
    "box tips": (lambda: _alone(BRICK, 0.04, angular_velocity=(0.3, 3.0, 0.0)), 0.4, True),
    "8-sided prism slides": (lambda: _alone(_prism(8), 0.04, velocity=(1.5, 0.4, 0.0)), 1.0, True),
    "24-sided prism slides": (lambda: _alone(_prism(24), 0.04, velocity=(1.5, 0.4, 0.0)), 1.0, True),
    "24-sided prism lands": (lambda: _alone(_prism(24), 0.2), 1.0, True),
    "10 bricks rest": (lambda: bonded_wall(3, 3), 1.0, True),
    "32 bricks rest": (lambda: bonded_wall(5, 6), 0.5, True),
    "10 bricks are hit": (lambda: _struck(bonded_wall(3, 3)), 0.4, False),
}
REPEATS = 3


def patches(tell: Tell, cases: tuple[str, ...] = tuple(CASES), repeats: int = REPEATS) -> list[Row]:
    """One row per scene. Nobody sleeps, so that every step is solved."""
    rows: list[Row] = []
    for number, name in enumerate(cases):
        tell(name, number, len(cases))
        make, seconds, unique = CASES[name]
        scene = make()
        points, points_s = _timed(scene, seconds, "points", repeats)
        patched, patched_s = _timed(scene, seconds, "patches", repeats)
        contacts, left = _normals(points), _normals(patched)
        rows.append(
            {
                "scene": name,
                "steps": points.tape.steps,
                "normals_points": contacts,
                "normals_patches": left,
                "unknowns_ratio": left / contacts,
                "ms_points": 1e3 * points_s / points.tape.steps,
                "ms_patches": 1e3 * patched_s / patched.tape.steps,
                "cost_ratio": patched_s / points_s,
                "unique": unique,
                "apart_m": float(np.abs(points.positions - patched.positions).max()),
                "exact_points": certify(points).exact_fraction,
                "exact_patches": certify(patched).exact_fraction,
                "residual_patches": certify(patched).max_residual,
            }
        )
    return rows


def _timed(scene: Scene, seconds: float, contacts: Literal["points", "patches"], repeats: int) -> tuple[Take, float]:
    """A run, and the CPU time of the quickest of several; the first one loads the kernels."""
    take = forward(scene, seconds, sleep=False, contacts=contacts)
    spent = []
    for _ in range(repeats):
        begun = time.process_time()
        forward(scene, seconds, sleep=False, contacts=contacts)
        spent.append(time.process_time() - begun)
    return take, min(spent)


def _normals(take: Take) -> float:
    """Normal unknowns in a step, on average."""
    return float((take.tape.contact_column("hold") != APART).sum() / take.tape.steps)
