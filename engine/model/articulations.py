"""Articulations: moving bodies that joints hold together."""

from __future__ import annotations

import numpy as np

from engine.model.compile import Model
from engine.model.joints import Joints


def articulations(joints: Joints, moving: np.ndarray) -> np.ndarray:
    """(n,) int64: number of the set of moving bodies that joints hold together, -1 for a body without joints."""
    group = np.arange(len(moving))
    for a, b in zip(joints.a, joints.b, strict=True):
        if moving[a] and moving[b]:
            group[group == group[b]] = group[a]
    jointed = np.zeros(len(moving), bool)
    jointed[joints.a], jointed[joints.b] = True, True
    numbers = np.full(len(moving), -1, np.int64)
    for number, label in enumerate(np.unique(group[jointed & moving])):
        numbers[(group == label) & jointed & moving] = number
    return numbers


def groups_of(model: Model) -> list[np.ndarray]:
    """Rows of the bodies of every articulation."""
    group = articulations(model.joints, model.bodies.inverse_mass > 0.0)
    return [np.flatnonzero(group == number) for number in range(int(group.max(initial=-1)) + 1)]


def is_anchored(model: Model, rows: np.ndarray) -> bool:
    """Whether joints hold an articulation to something static."""
    joints, static = model.joints, model.bodies.inverse_mass == 0.0
    return any(static[joints.a[j]] or static[joints.b[j]] for j in joints_of(model, rows))


def joints_of(model: Model, rows: np.ndarray) -> list[int]:
    joints = model.joints
    return [j for j in range(len(joints.kind)) if joints.a[j] in rows or joints.b[j] in rows]
