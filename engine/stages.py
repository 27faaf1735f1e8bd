"""The stages of a step: one word each for the code, the profile and the heading in ARCHITECTURE.md."""

from __future__ import annotations

DRIFT, DETECT, DECIDE, KICK, CERTIFY, RECORD, BETWEEN = range(7)
STAGES = ("drift", "detect", "decide", "kick", "certify", "record", "between")
"""`between` is what a profile finds outside compiled code: blocks put on the tape, progress told."""
