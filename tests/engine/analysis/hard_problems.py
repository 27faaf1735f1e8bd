"""The rods of Baraff 1990: one contact with two answers, one with none, and hard cases on demand.

A thin rod of mass m and length 2 leans on a base at 72 degrees and slides along it. Its moment of inertia is m/16 and
friction is such that 16 (cos^2 - mu cos sin) = -2: what a unit of force lifts the tip by 1/m, friction turns down by
2/m.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LEAN = np.radians(72.0)
INERTIA = 1.0 / 16.0  # of the rod's mass, m^2
FRICTION = float((2.0 / 16.0 + np.cos(LEAN) ** 2) / (np.cos(LEAN) * np.sin(LEAN)))  # 0.75025
HEAVIER = 100.0  # mass of the base that rods skim along, in masses of such a rod


def rod(mass: float, spin: float, gravity: float) -> tuple[np.ndarray, np.ndarray]:
    """A and b of the sliding rod (equation 17): acceleration of its tip away from the base.

    The paper prints |spin|^2 cos in equation 16; the height of the middle over the tip is the sine (docs/errata.md)."""
    cos, sin = np.cos(LEAN), np.sin(LEAN)
    response = (1.0 + (cos**2 - FRICTION * cos * sin) / INERTIA) / mass
    return np.array([[response]]), np.array([spin**2 * sin - gravity])


def subset_sum(numbers: Sequence[int], target: int) -> tuple[np.ndarray, np.ndarray]:
    """A and b of figure 7: consistent exactly when some of the numbers sum to the target.

    A base that can only move along one line carries one rod per number, of that mass, each with the answers 0 and its
    mass. Their friction pulls the base one way, an outside force mu times the target the other. Two more rods skim
    along its ends and stand no acceleration of the base either way. Numbers are told apart as far as rounding allows:
    up to sums of some 1e7."""
    masses = np.array(numbers, float)
    n = len(masses)
    skimming = 1.0
    base = HEAVIER * skimming
    A, b = np.zeros((n + 2, n + 2)), np.zeros(n + 2)
    A[:n, :n] = np.diag(-1.0 / masses)  # equation 22: -f/m + 1
    b[:n] = 1.0
    pull = np.concatenate([np.full(n, -FRICTION), [1.0, -1.0]]) / base  # acceleration of the base per force
    for row, sign in ((n, 1.0), (n + 1, -1.0)):  # equation 31, with the base between the two rods
        A[row] = sign * pull
        A[row, row] -= 1.0 / skimming
        b[row] = sign * FRICTION * target / base
    return A, b
