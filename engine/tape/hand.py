"""Hand: how a body is carried before physics takes over. It is no physics and never certified; it is drawn and told.

A way of knots, in steps of the take. Between two of them position and turn are quintic polynomials with the velocities
of the knots and without acceleration there: minimum jerk where both velocities are zero, and the speed at the last
knot is that of the release, so that nothing jumps when the hand lets go. Turns are rotation vectors away from the
orientation at the release, which are smooth as long as none is longer than half a turn from knot to knot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.algebra import norms
from engine.functions import sine_cosine


@dataclass(frozen=True)
class Hand:
    """k knots, k >= 2; the last one is the release."""

    step: np.ndarray  # (k,) steps of the take, increasing; the first may lie before its start
    x: np.ndarray  # (k, 3) m, of the centre of mass
    v: np.ndarray  # (k, 3) m/s
    turn: np.ndarray  # (k, 3) rad, rotation vector in the world from the orientation at the release; the last is zero
    spin: np.ndarray  # (k, 3) rad/s, its rate
    q: np.ndarray  # (4,) orientation at the release

    def at(self, step: np.ndarray, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions (m, 3) and orientations (m, 4) at (fractional) steps; held before the first knot and after the
        last."""
        turn = self._between(step, dt, self.turn, self.spin)
        return self.places(step, dt), _turned(turn, self.q)

    def places(self, step: np.ndarray, dt: float) -> np.ndarray:
        """The positions alone."""
        return self._between(step, dt, self.x, self.v)

    def _between(self, step: np.ndarray, dt: float, knots: np.ndarray, rates: np.ndarray) -> np.ndarray:
        step = np.clip(np.asarray(step, float), self.step[0], self.step[-1])
        i = np.clip(np.searchsorted(self.step, step, "right") - 1, 0, len(self.step) - 2)
        span = self.step[i + 1] - self.step[i]
        s, time = ((step - self.step[i]) / span)[:, None], (span * dt)[:, None]
        return _quintic(s, time, knots[i], rates[i], knots[i + 1], rates[i + 1])


def _quintic(
    s: np.ndarray, time: np.ndarray, a: np.ndarray, a_rate: np.ndarray, b: np.ndarray, b_rate: np.ndarray
) -> np.ndarray:
    """From a to b with these rates and no acceleration at both ends; s in 0 .. 1 of `time` seconds."""
    s3 = s * s * s
    s4, s5 = s3 * s, s3 * s * s
    rises = 10.0 * s3 - 15.0 * s4 + 6.0 * s5
    leaves = s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5
    comes = -4.0 * s3 + 7.0 * s4 - 3.0 * s5
    return a + rises * (b - a) + time * (leaves * a_rate + comes * b_rate)


def _turned(turn: np.ndarray, q: np.ndarray) -> np.ndarray:
    """(m, 4): the orientation q turned by rotation vectors (m, 3); exactly q where they are zero."""
    angle = norms(turn)
    half = np.array([sine_cosine(0.5 * float(each)) for each in angle]).reshape(-1, 2)
    share = np.divide(half[:, 0], angle, out=np.full(len(angle), 0.5), where=angle > 1e-12)
    w, (x, y, z) = half[:, 1], (share[:, None] * turn).T
    a, b, c, d = q
    found = np.stack(
        [w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b,
         w * d + x * c - y * b + z * a], axis=1,
    )  # fmt: skip
    found /= norms(found, keepdims=True)
    found[angle == 0.0] = q
    return found
