"""Films made by hand, for tests that need a motion but no engine."""

from __future__ import annotations

import io

import numpy as np

from engine.scene.film import Film, read_film

RATE = 120


def film_arrays(seconds: float = 2.0, bodies: tuple[str, ...] = ("b1",), height: float = 1.0) -> dict[str, np.ndarray]:
    """Every body falls from `height`, straight onto its place at (i, 0, 0.1), resting from three quarters on."""
    times = np.arange(round(seconds * RATE) + 1) / RATE
    m = len(bodies)
    share = np.clip(times / (0.75 * seconds), 0.0, 1.0)
    positions = np.zeros((len(times), m, 3), np.float32)
    positions[:, :, 0] = np.arange(m)
    positions[:, :, 2] = (0.1 + height * (1.0 - share**2))[:, None]
    orientations = np.zeros((len(times), m, 4), np.float32)
    orientations[:, :, 0] = 1.0
    steps = round(480 * seconds)
    tier = np.full(steps, -1, np.int8)
    tier[int(0.75 * steps) :] = 0
    tier[int(0.75 * steps)] = 1
    hit = 0.75 * seconds
    return {
        "times": times,
        "ending": np.array(times[-1]),
        "positions": positions,
        "orientations": orientations,
        "bodies": np.array(bodies),
        "energy": 9.81 * height * (1.0 - share) * m,
        "step_first": np.array(0.0),
        "step_dt": np.array(1 / 480),
        "step_tier": tier,
        "event_time": np.full(m, hit),
        "event_body": np.stack([np.arange(m), np.full(m, -1)], axis=1).astype(np.int32),
        "event_speed": np.full(m, 4.4),
        "mark_step": np.array([int(0.75 * steps)], np.int32),
        "mark_tier": np.array([1], np.int8),
        "mark_body": np.array([[0, -1]], np.int32),
        "mark_value": np.array([[0.62, 0.4, 4.4, 0.0]]),
        "begin": np.zeros(m),
        "rest": np.full(m, hit),
    }


def film_bytes(seconds: float = 2.0, bodies: tuple[str, ...] = ("b1",), height: float = 1.0) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **film_arrays(seconds, bodies, height))  # type: ignore[arg-type]
    return stream.getvalue()


def film(seconds: float = 2.0, bodies: tuple[str, ...] = ("b1",), height: float = 1.0) -> Film:
    return read_film(film_bytes(seconds, bodies, height))
