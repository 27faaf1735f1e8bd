"""Foregone: rigid-body animation from its ending. The public names, each loaded on first use."""

from __future__ import annotations

import importlib
from typing import Any

HOMES = {
    "engine.scene.spec": (
        "Scene Body Sphere Box Capsule Cylinder Hull Compound Plane TriangleMesh Material Hint Joint Group Problem"
    ),
    "engine.scene.entrance": "Entrance Stagger Stage Camera",
    "engine.scene.request": "Request",
    "engine.scene.shot": "TakeCard",
    "engine.errors": "ForegoneError SceneError GeometryError ProjectError CapacityError",
    "engine.arrivals.options": "Options",
    "engine.arrivals.disorder": "disordered",
    "engine.tape.take": "Take",
    "engine.run": "backward forward",
    "engine.pour": "pour Poured",
    "engine.certificate.audit": "certify Report",
    "engine.certificate.replay": "replay",
    "engine.arrivals.follows": "follows HintReport",
    "engine.work.sample": "sample takes_as_made",
    "engine.work.workers": "Workers",
    "engine.tape.path": "Path",
    "engine.tape.store": "save_take load_take",
}
"""Module -> the public names that live there."""

_HOME_OF = {name: module for module, names in HOMES.items() for name in names.split()}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
