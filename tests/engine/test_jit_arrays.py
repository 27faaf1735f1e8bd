"""Arrays that kernels hand to each other, and none to Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.jit import kernel


@kernel
def behind_the_first(x: Any) -> Any:
    return x[1:], 1


@kernel
def second(x: Any) -> Any:
    rest, at = behind_the_first(x)
    return rest[at - 1]


def test_a_part_of_an_array_goes_from_kernel_to_kernel() -> None:
    assert second(np.array([1.0, 2.0, 3.0])) == 2.0


def test_no_array_goes_from_a_kernel_to_python() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="behind_the_first returns an array"):
            behind_the_first(np.array([1.0, 2.0, 3.0]))


def test_nothing_holds_on_to_the_arrays_of_a_call() -> None:
    x = np.array([1.0, 2.0, 3.0])
    view = x[:2]
    second(x)
    second(view)
    del view
    x.resize(4)  # refused while anybody else has it
    assert len(x) == 4
