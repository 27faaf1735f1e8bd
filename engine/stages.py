"""The stages of a step: one word each for the function, the profile and the heading in ARCHITECTURE.md."""

from __future__ import annotations

FORWARD_STAGES = ("detect", "decide", "kick", "drift", "certify", "record")
BACKWARD_STAGES = ("drift", "detect", "decide", "kick", "certify", "record")
