"""One kind of problem for an inspector, whose answer is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Case(NamedTuple):
    inspector: str
    problem: str
    size: str
    cases: int
    quick: int  # how many in the version that takes seconds; 0: left out of it
    right: Callable[[np.random.Generator], bool]  # makes one problem and answers it; whether the answer was right
    seed: int
