"""One contact in closed form: it obeys the law, agrees with the general solver, and knows the textbook cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.contact.lone import lone_impulse, lone_residual


def contact(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Responses (3, 3) of a random body with a random arm, and velocities (3,) that approach."""
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    inverse_inertia = axes @ np.diag(rng.uniform(1.0, 60.0, 3)) @ axes.T
    r = rng.normal(size=3) * 0.3
    arm = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
    b = rng.normal(size=3) * 10.0 ** rng.uniform(-3, 1)
    b[0] = -abs(b[0])
    return np.eye(3) + arm.T @ inverse_inertia @ arm, b


def split(W: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(W[:, 0]), (W[0, 1], W[0, 2], W[1, 1], W[1, 2], W[2, 2])


@pytest.mark.parametrize("mu, solved", [(0.0, 2000), (0.1, 2000), (0.3, 2000), (0.8, 2000), (2.0, 1980)])
def test_random_contacts_obey_the_law(mu: float, solved: int) -> None:
    """With very much friction an eccentric hit may jam; its residual then tells that the general solver is needed."""
    lawful = 0
    for seed in range(2000):
        W, b = contact(seed)
        h, t = split(W)
        z = lone_impulse(tuple(b), h, t, mu)
        if lone_residual(z, tuple(b), h, t, mu, 0.05, W[0, 0]) <= 1e-14 * (1.0 + 10.0 * np.abs(b).max()):
            assert z[0] > 0.0 and math.hypot(z[1], z[2]) <= mu * z[0] * (1.0 + 1e-12)
            lawful += 1
    assert lawful >= solved


def test_a_ball_slides_or_rolls() -> None:
    """2/7 of the slip is what friction may have to stop: a ball of 1 kg whose tangents respond 7/2 as much."""
    h, t = (1.0, 0.0, 0.0), (0.0, 0.0, 3.5, 0.0, 3.5)
    assert lone_impulse((-2.0, 0.7, 0.0), h, t, 0.2) == pytest.approx((2.0, -0.2, 0.0), abs=1e-15)
    assert lone_impulse((-2.0, 3.0, -4.0), h, t, 0.2) == pytest.approx((2.0, -0.24, 0.32), abs=1e-15)


def test_what_parts_is_left_alone_and_a_folded_contact_is_linear() -> None:
    h, t = (1.3, 0.2, 0.1), (0.4, 0.3, 2.0, 0.1, 2.5)
    assert lone_impulse((0.5, 1.0, 1.0), h, t, 0.5) == (0.0, 0.0, 0.0)
    assert lone_impulse((-2.6, 1.0, 1.0), h, t, 0.0) == (2.0, 0.0, 0.0)


def test_the_residual_sees_what_is_wrong() -> None:
    h, t = (1.0, 0.0, 0.0), (0.0, 0.0, 3.5, 0.0, 3.5)
    assert lone_residual((2.0, 0.0, 0.0), (-2.0, 0.7, 0.0), h, t, 0.2, 0.05, 1.0) == pytest.approx(0.7)
    assert lone_residual((1.5, 0.0, 0.0), (-2.0, 0.0, 0.0), h, t, 0.2, 0.05, 1.0) == pytest.approx(0.5)
    assert lone_residual((math.nan, 0.0, 0.0), (-2.0, 0.0, 0.0), h, t, 0.2, 0.05, 1.0) == math.inf
