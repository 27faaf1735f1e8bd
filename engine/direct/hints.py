"""Hints of the scene become launches.

bounce   it landed with `speed` along `direction` (defaults: downward with 1 m/s), or with the full `velocity`
slide    it slid in along `direction`, never faster than `speed`; with `velocity`, `angular_velocity`: spinning in
roll     it rolled in along `direction`
launch   the same with `angular_velocity`: exactly this just before coming to rest
"""

from __future__ import annotations

import math

import numpy as np

from engine.direct.launch import Launch, vector
from engine.geometry.stroke import Stroke, StrokeError, read_stroke
from engine.model.compile import Model
from engine.params import Params
from engine.scene.spec import Hint, Scene, Vector

__all__ = ["Stroke", "StrokeError", "hinted_launches", "read_stroke"]  # the design's name for reading a stroke

MAXIMAL = 1e3
"""m/s (rad/s). A tangential goal out of reach: friction works at its bound, as sliding in means (paper eq. 9)."""

DEFAULT_TIME = 0.1  # s before the end
DEFAULT_BOUNCE = 1.0  # m/s


def hinted_launches(scene: Scene, model: Model, params: Params) -> dict[int, Launch]:
    """Launch by body row; of several hints for one body the latest arrival counts."""
    launches: dict[int, Launch] = {}
    for hint in scene.hints:
        body = scene.find(hint.body)
        if body is None or body.static:
            continue
        i = model.index(body)
        time = hint.time if hint.time is not None else body.arrival
        launch = _launch(hint, i, DEFAULT_TIME if time is None else float(time), model)
        if i not in launches or launch.time < launches[i].time:
            launches[i] = launch
    return launches


def _launch(hint: Hint, i: int, time: float, model: Model) -> Launch:
    gravity = np.linalg.norm(model.gravity)
    up = -model.gravity / gravity if gravity > 0.0 else np.array([0.0, 0.0, 1.0])
    direction = np.array(hint.direction if hint.direction is not None else -up, float)
    length = float(np.linalg.norm(direction))
    direction = direction / length if length > 0.0 else -up
    spin = _vector(hint.angular_velocity)
    if hint.kind == "slide":
        velocity = vector(MAXIMAL * direction) if hint.velocity is None else hint.velocity
        fastest = math.inf if hint.speed is None else float(hint.speed)
        return Launch(i, time, velocity, spin, slide=True, fastest=fastest)
    if hint.velocity is not None:
        return Launch(i, time, hint.velocity, spin)
    if hint.kind == "roll":
        return Launch(i, time, spin=vector(MAXIMAL * np.cross(up, direction)), roll=True)
    speed = DEFAULT_BOUNCE if hint.speed is None else float(hint.speed)
    return Launch(i, time, vector(speed * direction), spin)


def _vector(value: Vector | None) -> Vector:
    return (0.0, 0.0, 0.0) if value is None else value
