"""Functions of the engine's own against the C library's in extended precision; kernels give the bits of Python."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from engine import functions, vec

RNG = np.random.default_rng(7)
TURNS = RNG.uniform(-1000.0, 1000.0, 5000)
SMALL_TURNS = RNG.uniform(-1.0, 1.0, 5000)
POSITIVE = 10.0 ** RNG.uniform(-12.0, 12.0, 5000)


def furthest(found: list[float], wanted: np.ndarray) -> float:
    """Units in the last place."""
    off = np.abs(np.array(found).astype(np.longdouble) - wanted)
    return float((off / np.spacing(np.abs(wanted.astype(float)))).max())


@pytest.mark.parametrize(
    ("function", "reference", "arguments", "most"),
    [
        (functions.sine, np.sin, TURNS, 1.0),
        (functions.sine, np.sin, SMALL_TURNS, 1.0),
        (functions.cosine, np.cos, TURNS, 1.0),
        (functions.cosine, np.cos, SMALL_TURNS, 1.0),
        (functions.arc_sine, np.arcsin, SMALL_TURNS, 2.5),
        (functions.arc_cosine, np.arccos, SMALL_TURNS, 2.5),
        (functions.exponential, np.exp, TURNS / 2.0, 1.0),
        (functions.logarithm, np.log, POSITIVE, 1.0),
        (functions.logarithm, np.log, 1.0 + 0.3 * SMALL_TURNS, 1.0),
        (functions.cube_root, np.cbrt, POSITIVE, 1.0),
    ],
)
def test_as_exact_as_rounding_allows(
    function: Callable[[float], float], reference: np.ufunc, arguments: np.ndarray, most: float
) -> None:
    found = [function(x) for x in arguments.tolist()]
    assert furthest(found, reference(arguments.astype(np.longdouble))) <= most


def test_angles_of_points() -> None:
    y, x = RNG.normal(size=(2, 20000)) * 10.0 ** RNG.uniform(-6.0, 6.0, (2, 20000))
    found = [functions.arc_tangent(b, a) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    assert furthest(found, np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))) <= 2.0


@pytest.mark.parametrize("y", [0.0, -0.0, 1.0, -1.0])
@pytest.mark.parametrize("x", [0.0, -0.0, 1.0, -1.0])
def test_angles_of_the_axes_are_those_of_everybody(y: float, x: float) -> None:
    found = functions.arc_tangent(y, x)
    assert found == math.atan2(y, x) and math.copysign(1.0, found) == math.copysign(1.0, math.atan2(y, x))


def test_plain_values() -> None:
    assert functions.sine_cosine(0.0) == (0.0, 1.0)
    assert functions.exponential(0.0) == 1.0 and functions.logarithm(1.0) == 0.0
    assert functions.exponential(-1e4) == 0.0 and functions.exponential(-math.inf) == 0.0
    assert functions.cube_root(27.0) == 3.0
    assert functions.power(2.0, 10.0) == pytest.approx(1024.0, rel=1e-14)
    assert functions.arc_sine(1.0) == 0.5 * math.pi and functions.arc_cosine(-1.0) == math.pi


def test_kernels_give_the_same_bits() -> None:
    for x, y in zip(TURNS[:500].tolist(), SMALL_TURNS[:500].tolist(), strict=True):
        assert vec.sine_cosine(x) == functions.sine_cosine(x)
        assert vec.arc_tangent(x, y) == functions.arc_tangent(x, y)
