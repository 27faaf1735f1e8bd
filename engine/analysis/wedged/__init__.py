"""Wedged bodies: what friction can hold in place without any load."""

from __future__ import annotations

from engine.analysis.wedged.critical import Critical, critical_friction
from engine.analysis.wedged.plane import Rays, rays
from engine.analysis.wedged.space import sign_patterns, sign_patterns_by_rays

__all__ = ["Critical", "Rays", "critical_friction", "rays", "sign_patterns", "sign_patterns_by_rays"]
