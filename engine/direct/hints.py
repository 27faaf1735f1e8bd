"""What a drawn stroke means: the name under which programs outside ask for it (engine/hints/stroke.py has it)."""

from __future__ import annotations

from engine.hints.stroke import Stroke, StrokeError, read_stroke

__all__ = ["Stroke", "StrokeError", "read_stroke"]
