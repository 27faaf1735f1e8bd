"""Is Blender on this machine?"""

from __future__ import annotations


def find_blender() -> object | None:
    return None
