"""Cross products of few vectors."""

from __future__ import annotations

import numpy as np
import pytest

from engine.shapes.crossed import crossed

SHAPES = [((3,), (3,)), ((5, 3), (5, 3)), ((1, 3), (4, 3)), ((3,), (4, 3)), ((2, 5, 3), (5, 3))]


@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_they_are_those_of_numpy_to_the_bit_and_in_memory(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=first), rng.normal(size=second)
    found = crossed(a, b)
    assert found.tobytes() == np.cross(a, b).tobytes()
    assert found.flags.c_contiguous, "numpy sums in the order of memory"
