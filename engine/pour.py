"""Pouring: bodies fall from where they are until they rest, and where they rest becomes the ending. The fall itself is
kept as a take, an exact forward run whose last state is the ending to the bit: where forward steps came from is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.errors import ForegoneError
from engine.model.compile import Model, compile_scene, poses_of
from engine.params import DEFAULT_DT
from engine.run import forward
from engine.scene.spec import Scene
from engine.tape.drive import Progress
from engine.tape.take import Take

LANDS = 8  # times that a pose is moved by its rounding until compiling it gives the state it came from


@dataclass(frozen=True)
class Poured:
    scene: Scene  # the ending
    take: Take  # how it came about; its last state is the ending


def pour(scene: Scene, seconds: float = 4.0, dt: float = DEFAULT_DT, progress: Progress | None = None) -> Poured:
    """Let all fall from their poses and velocities. Raises ForegoneError where something does not come to rest."""
    fall = forward(scene, seconds, dt, progress=progress)
    tape, model = fall.tape, fall.model
    last = tape.state(tape.steps)
    moving = model.bodies.inverse_mass > 0.0
    restless = [model.names[row] for row in np.flatnonzero(moving & (last.v.any(1) | last.l.any(1)))]
    if fall.stopped is not None or restless:
        why = fall.stopped or f"{', '.join(map(repr, restless[:3]))} still moves after {seconds:g} s"
        raise ForegoneError(f"The bodies do not come to rest: {why}. Let them fall for longer, or calm them.")
    places = poses_of(model, last.x, last.q)
    rows = model.row_of
    bodies = [
        body if body.static else replace(
            body, position=tuple(places[row]), orientation=tuple(last.q[row]), velocity=(0.0, 0.0, 0.0),
            angular_velocity=(0.0, 0.0, 0.0),
        )
        for body, row in zip(scene.bodies, rows, strict=True)
    ]  # fmt: skip
    ending = replace(scene, bodies=bodies)
    compiled = _landed(ending, last.x)
    return Poured(ending, Take(ending, compiled, replace(tape, model=compiled), seconds, 0, backward=True))


def _landed(ending: Scene, x: np.ndarray) -> Model:
    """The ending compiled, its places moved by their rounding until its centres of mass are those of the state."""
    for _ in range(LANDS):
        model = compile_scene(ending)
        off = x - model.start.x
        if not off.any():
            return model
        for body, row in zip(ending.bodies, model.row_of, strict=True):
            body.position = tuple(np.array(body.position) + off[row])
    raise ForegoneError("The resting places cannot be written down exactly. Let the bodies fall from elsewhere.")
