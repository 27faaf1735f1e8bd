"""Appearing: who is not to be seen in the first frames, and from which frame on each is.

A body that waits for its entrance unseen is at some pose all the same, and every format says in its own way that it is
not shown: by visibility where programs read it, by a scale of nothing where they do not.
"""

from __future__ import annotations

import numpy as np

Switch = tuple[int, bool]
"""From this frame on it is shown, or not."""
BY_SCALE = {
    "glb": "few programs read the visibility of glTF",
    "fbx": "Blender writes no visibility that changes into FBX",
}
"""Formats in which a body that is not shown has no size, and why."""
UNREAD = ("usd", "alembic")
"""Formats whose visibility Blender does not follow through time; others do."""


def switches(shown: np.ndarray, numbers: np.ndarray) -> tuple[Switch, ...]:
    """Where a body is switched, frame by frame (F,); none when it is always shown. The first is at the first frame."""
    if shown.all():
        return ()
    turns = np.flatnonzero(np.diff(shown, prepend=~shown[:1]))
    return tuple((int(numbers[k]), bool(shown[k])) for k in turns)


def note(format: str, count: int) -> str:
    """What to know of so many bodies that appear, in formats that cannot simply say so; else ""."""
    who, whom = ("1 body appears", "it") if count == 1 else (f"{count} bodies appear", "them")
    if count and format in BY_SCALE:
        return f"{who} after the first frame, by a scale that steps from 0 to 1: {BY_SCALE[format]}."
    if count and format in UNREAD:
        return f"{who} after the first frame. Blender shows {whom} all along: use the script, .blend or glTF there."
    return ""
