"""One step with joints: it is exactly undone, joints stay closed in both directions, and energy neither grows nor
drifts."""

from __future__ import annotations

import numpy as np
import pytest
from linked_scenes import four_bar, pair, pendulum, stirred
from stepping import Steps, plan_of

from engine import Body, Box, Joint, Scene, backward, certify, forward
from engine.joint.closure import closure
from engine.model.arrays import State
from engine.model.compile import Model
from engine.step.admissible import admissible

DT = 1 / 480


def opening(model: Model, state: State) -> float:
    """Widest opening of a joint, m."""
    joints = model.joints
    return max(
        max(map(abs, closure(joints, j, tuple(state.x[a]), tuple(state.q[a]), tuple(state.x[b]), tuple(state.q[b]))))
        for j, (a, b) in enumerate(zip(joints.a, joints.b, strict=True))
    )


def off(one: State, other: State) -> float:
    return max(float(np.abs(a - b).max()) for a, b in zip(one, other, strict=True))


def there_and_back(scene: Scene) -> None:
    steps = Steps(scene, DT)
    plan = plan_of(steps.model)
    start = admissible(steps.model, steps.params, steps.start)
    after, residual = steps.forward(start)
    assert residual <= 1e-12 and opening(steps.model, after) <= 1e-12
    assert off(steps.backward(after, plan)[0], start) <= 1e-11
    before, residual = steps.backward(start, plan)
    assert residual <= 1e-12 and opening(steps.model, before) <= 1e-12
    assert off(steps.forward(before)[0], start) <= 1e-11


@pytest.mark.parametrize("kind", ["ball", "hinge", "fixed", "slider"])
@pytest.mark.parametrize("seed", range(3))
def test_a_step_is_undone_exactly(kind: str, seed: int) -> None:
    there_and_back(stirred(pair(kind), seed))


@pytest.mark.parametrize("scene", [four_bar(), pendulum(3), pendulum(2, "hinge")], ids=["four bars", "chain", "double"])
def test_loops_and_chains_are_undone_exactly(scene: Scene) -> None:
    there_and_back(stirred(scene, 1))


def test_motion_is_made_admissible_and_rest_is_left_alone() -> None:
    """A rod that turns about its end as a rigid body does is off by w^2 r dt / 2; at rest no bit changes."""
    scene = pendulum()
    spin, arm = 6.0, 0.25
    scene.bodies[0].velocity, scene.bodies[0].angular_velocity = (0, 0, -spin * arm), (0, spin, 0)
    steps = Steps(scene, DT)
    made = admissible(steps.model, steps.params, steps.start)
    assert made.v[0, 0] == pytest.approx(0.5 * spin**2 * arm * DT, rel=1e-2)
    assert off(steps.backward(steps.forward(made)[0], plan_of(steps.model))[0], made) <= 1e-11
    assert off(steps.backward(steps.forward(steps.start)[0], plan_of(steps.model))[0], steps.start) > 1e-3
    still = Steps(pendulum(), DT)
    for one, other in zip(admissible(still.model, still.params, still.start), still.start, strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("links, allowed", [(1, 1e-12), (2, 1e-9)])
def test_a_swing_of_five_seconds_comes_back(links: int, allowed: float) -> None:
    scene = pendulum(links, "hinge" if links > 1 else "ball")
    there = forward(scene, 5.0)
    end = there.tape.state(there.tape.steps)
    steps = Steps(scene, DT)
    plan, state, widest = plan_of(steps.model), end, 0.0
    for _ in range(there.tape.steps):
        state, _ = steps.backward(state, plan)
        widest = max(widest, opening(steps.model, state))
    assert np.abs(state.x - steps.start.x).max() <= allowed
    assert max(widest, certify(there).joint_error) <= 1e-12


def half_kick_energy(scene: Scene, dt: float) -> np.ndarray:
    """Energy with the mean of the velocities on both sides of each kick (a state's own are half a step old)."""
    take = forward(scene, 4.0, dt)
    x, v, l, q = take.tape.x, take.tape.v, take.tape.l, take.tape.q
    bodies = take.model.bodies
    total = np.zeros(len(x) - 1)
    for b in np.flatnonzero(bodies.inverse_mass > 0.0):
        u, momentum = 0.5 * (v[:-1, b] + v[1:, b]), 0.5 * (l[:-1, b] + l[1:, b])
        w, i, j, k = q[:-1, b].T
        turn = np.array([[1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j)],
                         [2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i)],
                         [2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)]])  # fmt: skip
        own = np.einsum("ijk,ki->kj", turn, momentum)
        spin = 0.5 * np.einsum("kj,jm,km->k", own, bodies.inverse_inertia[b], own)
        total += 0.5 * bodies.mass[b] * (u * u).sum(1) + spin + bodies.mass[b] * 9.81 * x[:-1, b, 2]
    return total


def test_energy_keeps_its_level() -> None:
    """Its ripple falls with dt^2; between the two halves of the run its mean stays."""
    coarse, fine = half_kick_energy(pendulum(), 1 / 240), half_kick_energy(pendulum(), 1 / 480)
    scale = np.ptp(coarse) / np.ptp(fine)
    assert 3.5 <= scale <= 4.5
    half = len(fine) // 2
    assert abs(fine[:half].mean() - fine[half:].mean()) <= 1e-4 * abs(fine[0])


def test_a_fixed_joint_welds() -> None:
    """Two halves welded together fall and turn like the whole."""
    spin = (1.0, 2.0, 0.5)
    halves = [Body(f"half {i}", Box((0.1, 0.1, 0.1)), (0.1 + 0.2 * i, 0, 3)) for i in range(2)]
    for i, half in enumerate(halves):
        half.velocity, half.angular_velocity = np.cross(spin, (-0.1 + 0.2 * i, 0, 0)), spin
    welded = Scene(halves, ground=False, joints=[Joint("fixed", "half 0", "half 1", (0.2, 0, 3))])
    whole = Scene([Body("whole", Box((0.2, 0.1, 0.1)), (0.2, 0, 3), angular_velocity=spin)], ground=False)
    one, other = forward(welded, 0.5), forward(whole, 0.5)
    assert one.positions[-1].mean(0) == pytest.approx(other.positions[-1][0], abs=1e-4)
    assert abs(one.orientations[-1, 0] @ other.orientations[-1, 0]) == pytest.approx(1.0, abs=1e-5)


def test_a_pendulum_has_the_textbook_period() -> None:
    """Small swings of a thin rod about its end: T = 2 pi sqrt(2 L / 3 g)."""
    half = 0.25
    tilt = 0.02
    at = (half * np.sin(tilt), 0, 2 - half * np.cos(tilt))
    turn = (np.cos((np.pi / 2 - tilt) / 2), 0, np.sin((np.pi / 2 - tilt) / 2), 0)
    scene = Scene([Body("rod", Box((half, 0.005, 0.005)), at, turn)], ground=False,
                  joints=[Joint("hinge", "rod", anchor=(0, 0, 2), axis=(0, 1, 0))])  # fmt: skip
    take = forward(scene, 3.0)
    side = take.positions[:, 0, 0]
    crossings = take.times[1:][(side[1:] < 0) & (side[:-1] >= 0)]
    assert np.diff(crossings).mean() == pytest.approx(2 * np.pi * np.sqrt(2 * 2 * half / (3 * 9.81)), rel=5e-3)


def test_turning_too_fast_is_told_not_followed() -> None:
    """0.7 rad in a step: beyond it the joint's equations have other answers near by."""
    scene = pendulum()
    spin = 0.8 / DT
    scene.bodies[0].velocity, scene.bodies[0].angular_velocity = (0, 0, -spin * 0.25), (0, spin, 0)
    take = backward(scene, 0.1)
    assert take.stopped is not None and "rad in one step" in take.stopped and '"rod 0"' in take.stopped
    assert take.tape.steps == 0 or certify(take).joint_error <= 1e-9
