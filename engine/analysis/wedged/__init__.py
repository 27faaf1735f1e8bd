"""Wedged bodies: what friction can hold in place without any load."""

from __future__ import annotations

from engine.analysis.wedged.critical import Critical, critical_friction
from engine.analysis.wedged.in_scene import inspect_body
from engine.analysis.wedged.plane import Rays, rays
from engine.analysis.wedged.rigid import Wedge, rigid
from engine.analysis.wedged.space import sign_patterns, sign_patterns_by_rays

__all__ = [
    "Critical",
    "Rays",
    "Wedge",
    "critical_friction",
    "inspect_body",
    "rays",
    "rigid",
    "sign_patterns",
    "sign_patterns_by_rays",
]
