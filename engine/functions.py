"""Elementary functions whose bits are the same on every processor.

The C library has several versions of each and takes the one that suits the processor: with fused multiply-add the last
bit comes out otherwise, and a take that starts otherwise in the last bit ends as another take. Here are only sums,
products, quotients and square roots, in a fixed order, which IEEE 754 rounds in one way. All are good to about one
unit in the last place.

Plain Python, for whoever knows no kernels. `sine_cosine` and `arc_tangent` call nothing of this module, so that they
are kernels as well (vec.py).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable

import numpy as np

HALF_PI = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
"""Their sum is pi/2. The first two have 33 bits: times a whole number below 2^20 they are exact (Cody and Waite)."""
PI_REST = 1.2246467991473532e-16  # pi less math.pi

LOG_2 = (0.6931471805592082, 7.371002565167799e-13)  # their sum is ln 2, the first has 40 bits
LEAST_EXPONENT = -746.0  # e to it rounds to zero

EIGHTHS = (
    *(0.0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061),
    *(0.5585993153435624, 0.6435011087932844, 0.7188299996216245, 0.7853981633974483),
)
"""Arc tangents of 0, 1/8, ... 1."""


def sine_cosine(x: float) -> tuple[float, float]:
    """Both of an angle (rad). Maclaurin's series of what is left within a quarter turn."""
    quarters = math.floor(x * (2.0 / math.pi) + 0.5)
    whole = x - quarters * HALF_PI[0]
    r = whole - quarters * HALF_PI[1]
    rest = ((whole - r) - quarters * HALF_PI[1]) - quarters * HALF_PI[2]  # the angle is r + rest
    z = r * r
    s = 1.0 / 6227020800.0 - z * (1.0 / 1307674368000.0 - z * (1.0 / 355687428096000.0))
    s = -1.0 / 6.0 + z * (1.0 / 120.0 - z * (1.0 / 5040.0 - z * (1.0 / 362880.0 - z * (1.0 / 39916800.0 - z * s))))
    s = r + (r * z * s + rest * (1.0 - 0.5 * z))
    c = 1.0 / 479001600.0 - z * (1.0 / 87178291200.0 - z * (1.0 / 20922789888000.0))
    c = z * z * (1.0 / 24.0 - z * (1.0 / 720.0 - z * (1.0 / 40320.0 - z * (1.0 / 3628800.0 - z * c))))
    most = 1.0 - 0.5 * z
    c = most + (((1.0 - most) - 0.5 * z) + (c - r * rest))
    turn = quarters % 4
    if turn == 0:
        return s, c
    if turn == 1:
        return c, -s
    if turn == 2:
        return -s, -c
    return -c, s


def arc_tangent(y: float, x: float) -> float:
    """The angle (rad, -pi to pi) of the point (x, y); 0 at the origin. The nearest eighth is taken off the slope first:
    atan a - atan b = atan (a - b) / (1 + a b)."""
    wide, high = abs(x), abs(y)
    steep = high > wide
    if steep:
        wide, high = high, wide
    eighth = math.floor(8.0 * (high / wide) + 0.5) if wide > 0.0 else 0
    b = 0.125 * eighth
    u = (high - b * wide) / (wide + b * high) if wide > 0.0 else 0.0
    z = u * u
    t = 1.0 / 9.0 - z * (1.0 / 11.0 - z * (1.0 / 13.0 - z * (1.0 / 15.0)))
    t = u - u * z * (1.0 / 3.0 - z * (1.0 / 5.0 - z * (1.0 / 7.0 - z * t)))
    angle = EIGHTHS[eighth] + t
    left = math.copysign(1.0, x) < 0.0
    if steep:
        angle = 0.5 * math.pi + (angle + 0.5 * PI_REST) if left else 0.5 * math.pi - (angle - 0.5 * PI_REST)
    elif left:
        angle = math.pi - (angle - PI_REST)
    return math.copysign(angle, y)


def sine(x: float) -> float:
    return sine_cosine(x)[0]


def cosine(x: float) -> float:
    return sine_cosine(x)[1]


def arc_cosine(x: float) -> float:
    return arc_tangent(math.sqrt((1.0 - x) * (1.0 + x)), x)


def arc_sine(x: float) -> float:
    return arc_tangent(x, math.sqrt((1.0 - x) * (1.0 + x)))


def exponential(x: float) -> float:
    """e^x: Maclaurin's series within half an octave, then as many octaves as there are."""
    if x < LEAST_EXPONENT:
        return 0.0
    octaves = math.floor(x / LOG_2[0] + 0.5)
    whole = x - octaves * LOG_2[0]
    r = whole - octaves * LOG_2[1]
    rest = (whole - r) - octaves * LOG_2[1]
    total = 0.0
    for k in range(14, 1, -1):
        total = (r + r * total) / k
    return math.ldexp(1.0 + (r + (r * total + rest)), octaves)


def logarithm(x: float) -> float:
    """ln x, x > 0: twice the area tangent of (m - 1) / (m + 1), m within half an octave of 1."""
    m, octaves = math.frexp(x)
    if m < math.sqrt(0.5):
        m, octaves = 2.0 * m, octaves - 1
    f = m - 1.0
    u = f / (2.0 + f)
    z, total = u * u, 0.0
    for k in range(25, 1, -2):
        total = z * (1.0 / k + total)
    # f - f^2/2 + ... in place of 2 u (1 + total): f is exact, and u is not
    square = 0.5 * f * f
    return octaves * LOG_2[0] + (f - (square - (u * (square + 2.0 * total) + octaves * LOG_2[1])))


def power(x: float, exponent: float) -> float:
    """x^exponent, x > 0; some units in the last place off where that is far from 1."""
    return exponential(exponent * logarithm(x))


def cube_root(x: float) -> float:
    """Of x > 0, by one step of Newton's method."""
    y = power(x, 1.0 / 3.0)
    return y - (y * y * y - x) / (3.0 * y * y)


def mapped(function: Callable[[float], float], values: Iterable[float]) -> np.ndarray:
    """A function of every number in a row of them."""
    return np.array([function(value) for value in values])


@functools.cache
def around(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines (count,) of `count` directions evenly around, from 0 on."""
    angles = (2.0 * math.pi * k / count for k in range(count))
    sines, cosines = np.array([sine_cosine(angle) for angle in angles]).T
    for column in (cosines, sines):
        column.setflags(write=False)  # everybody is given the same
    return cosines, sines
