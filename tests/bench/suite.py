"""The certification suite: single bodies and a stack, each run backward, audited and replayed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import Report, certify
from engine.certificate.replay import replay
from engine.run import backward
from engine.scene.spec import Scene
from engine.tape.take import Take
from tests.bench import scenes

CASES: dict[str, tuple[Callable[[], Scene], float]] = {
    "sphere bounces in": (scenes.sphere_bounces_in, 2.0),
    "box slides": (scenes.box_slides, 1.0),
    "box spin-slides": (scenes.box_spins_in, 0.5),
    "box tumbles": (scenes.box_tumbles, 1.5),
    "two spheres": (scenes.two_spheres, 1.0),
    "sphere rolls in": (scenes.sphere_rolls_in, 3.0),
    "capsule": (scenes.capsule_bounces_in, 1.5),
    "cylinder rolls": (scenes.cylinder_rolls_in, 2.0),
    "cylinder stands": (scenes.cylinder_stands, 1.0),
    "convex hull": (scenes.hull_bounces_in, 1.5),
    "compound": (scenes.compound_bounces_in, 1.5),
    "5-brick stack": (scenes.brick_stack, 5.0),
}
"""Name -> (scene, seconds)."""


@dataclass(frozen=True)
class Row:
    name: str
    dt: float
    take: Take
    report: Report
    replay_error: float  # m
    moved: float  # m, largest displacement of any body from the ending


def run_case(name: str, dt: float, sleep: bool = True) -> Row:
    make, seconds = CASES[name]
    take = backward(make(), seconds, dt, options=Options(policy="constant", launch=False), sleep=sleep)
    moved = float(np.abs(take.tape.x - take.tape.x[-1]).max())
    return Row(name, dt, take, certify(take), float(replay(take).max()), moved)
