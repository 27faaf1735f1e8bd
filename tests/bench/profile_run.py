"""Where the time of a run goes, stage by stage."""

from __future__ import annotations

import time
from typing import Literal

import numpy as np

from engine.run import backward, forward
from engine.scene.spec import Scene
from engine.stages import STAGES

TICKS = 1e6  # of the C library's clock() per second, on Linux and macOS


def profile_run(
    scene: Scene, seconds: float, dt: float, direction: Literal["backward", "forward"] = "backward"
) -> dict[str, float]:
    """CPU seconds of every stage of an exact run (engine/stages.py)."""
    run = backward if direction == "backward" else forward
    run(scene, 2 * dt, dt)  # compile
    clock = np.zeros(len(STAGES) + 1, np.int64)
    clock[-1] = int(TICKS * time.process_time())
    run(scene, seconds, dt, clock=clock)
    return {name: float(ticks) / TICKS for name, ticks in zip(STAGES, clock, strict=False)}
