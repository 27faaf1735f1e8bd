"""What can be wrong with the values of a shape, told so that an artist can mend it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

DEEPEST_COMPOUND = 8  # compounds within compounds; also stops one that contains itself


class Fault(NamedTuple):
    """A problem of a shape before it is known whose shape it is."""

    code: str
    message: str  # completes "<body>: ..."
    fix: str


def is_number(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def is_vector(value: Any, length: int = 3) -> bool:
    return isinstance(value, tuple) and len(value) == length and all(is_number(c) for c in value)


def short(value: Any) -> str:
    """A value as it may stand in a message."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def size_faults(**sizes: Any) -> Iterator[Fault]:
    for name, value in sizes.items():
        words = name.replace("_", " ")
        if not is_number(value):
            yield Fault(
                "size-not-a-number", f"its {words} is {short(value)}, not a number.", "Enter a length in metres."
            )
        elif value <= 0.0:
            yield Fault("size-not-positive", f"its {words} is {value:g} m.", "A length must be above zero.")


def points_fault(points: Any, what: str) -> Fault | None:
    if not isinstance(points, np.ndarray) or points.ndim != 2 or points.shape[1] != 3:
        return Fault("points-malformed", f"its {what} are not rows of three numbers.", "Import the mesh again.")
    if not np.isfinite(points).all():
        row = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        return Fault(
            "points-not-finite", f"number {row} of its {what} is not a finite place.", "Import the mesh again."
        )
    return None
