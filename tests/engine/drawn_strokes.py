"""Strokes as a hand draws them: uneven speed, tremor, pen hooks; arcs and lines of known shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Drawn:
    kind: str
    points: np.ndarray  # (n, 2)
    direction: np.ndarray  # unit, of the true chord
    height: float  # chords, of the true curve


def drawn_stroke(rng: np.random.Generator, kind: str, noise: float = 0.02) -> Drawn:
    """A random arc ("bounce") or line ("slide") at random rotation, scale and sampling."""
    height = rng.uniform(0.12, 0.8) if kind == "bounce" else rng.uniform(0.0, 0.04)
    height *= rng.choice([-1.0, 1.0])
    count = int(rng.integers(8, 400))
    t = _uneven(rng, count)
    points = _shape(rng, t, height)
    points += _tremor(rng, t, rng.uniform(0.0, noise)) + rng.uniform(0.0, 0.25 * noise) * rng.normal(size=points.shape)
    points = _hooked(rng, points)
    angle, scale = rng.uniform(0.0, 2.0 * np.pi), 10.0 ** rng.uniform(-2, 3)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return Drawn(kind, scale * (points @ turn.T) + rng.normal(size=2) * 10.0 * scale, turn[:, 0], height)


def _uneven(rng: np.random.Generator, count: int) -> np.ndarray:
    """Times from 0 to 1 of a hand that speeds up and slows down."""
    steps = np.exp(np.cumsum(rng.normal(scale=0.15, size=count - 1)))
    return np.concatenate([[0.0], np.cumsum(steps) / steps.sum()])


def _shape(rng: np.random.Generator, t: np.ndarray, height: float) -> np.ndarray:
    """Parabola, or part of a circle (both over the chord from 0 to 1)."""
    if abs(height) < 0.1 or rng.random() < 0.5:
        return np.stack([t, 4.0 * height * t * (1.0 - t)], axis=1)
    radius = (0.25 + height * height) / (2.0 * abs(height))
    middle = np.array([0.5, height - np.sign(height) * radius])
    half = 2.0 * np.arctan2(abs(height), 0.5)  # half the opening angle
    angle = half * (2.0 * t - 1.0)
    return middle + radius * np.stack([np.sin(angle), np.sign(height) * np.cos(angle)], axis=1)


def _tremor(rng: np.random.Generator, t: np.ndarray, size: float) -> np.ndarray:
    """Low-frequency, its root mean square over time is `size` chords."""
    total = np.zeros((len(t), 2))
    for cycles in (1.0, 2.0, 3.0, 5.0):
        phase = rng.uniform(0.0, 2.0 * np.pi, size=2)
        total += rng.normal(size=2) * np.sin(2.0 * np.pi * cycles * t[:, None] + phase)
    return size * total / 2.0


def _hooked(rng: np.random.Generator, points: np.ndarray) -> np.ndarray:
    """With a short flick off the way at either end, sometimes."""
    for end in (0, -1):
        if rng.random() < 0.4:
            flick = rng.normal(size=2)
            flick *= rng.uniform(0.0, 0.04) / np.linalg.norm(flick)
            extra = points[end] + flick * np.linspace(0.2, 1.0, 4)[:, None]
            points = np.concatenate([extra[::-1], points] if end == 0 else [points, extra])
    return points
