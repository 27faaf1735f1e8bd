"""Peers run the scene that we compiled, and say what is missing when they are not installed."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from engine.cli import main
from engine.errors import ForegoneError
from engine.scene.spec import Body, Box, Capsule, Scene, Sphere
from tests.bench.ours import Ours
from tests.bench.peers import MuJoCo, Rapier

ENGINES = [Ours, Rapier, MuJoCo]
TURN = np.array([0.5, 0.1, -0.7, 0.3]) / np.linalg.norm([0.5, 0.1, -0.7, 0.3])

CUBE = Box((0.1, 0.1, 0.1))


def flying() -> Scene:
    """A ball and a turned box in free flight, far above a static box. The names are not in the order of the list."""
    return Scene(
        bodies=[
            Body("z ball", Sphere(0.1), (0, 0, 30), velocity=(1, 2, 3)),
            Body("m block", Box((1, 2, 0.5)), (5, 0, 0.5), static=True),
            Body("a box", CUBE, (2, 1, 40), tuple(TURN), velocity=(0, -1, 0), angular_velocity=(1, 2, 3)),
        ]
    )


def same_turn(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    return bool(np.all(1.0 - np.abs((a * b).sum(axis=-1)) < tolerance))


@pytest.mark.parametrize("engine", ENGINES)
def test_poses_are_those_of_the_scene(engine: type) -> None:
    scene = flying()
    x, q = engine(scene, 1 / 240).poses()
    assert x == pytest.approx(np.array([body.position for body in scene.bodies]), abs=1e-6)
    assert same_turn(q, np.array([body.orientation for body in scene.bodies]), 1e-6)


@pytest.mark.parametrize("engine", ENGINES)
def test_free_flight_follows_the_formula_and_reset_repeats_it(engine: type) -> None:
    """x = x0 + v t + g t^2 / 2, to the first order in dt; a cube turns at its constant spin."""
    scene, steps, dt = flying(), 240, 1 / 240
    runner = engine(scene, dt)
    runner.run(steps)
    x, q = runner.poses()
    t = steps * dt
    for i in (0, 2):
        body = scene.bodies[i]
        expected = np.array(body.position) + t * np.array(body.velocity) + (0, 0, -9.81 * t * t / 2)
        assert x[i] == pytest.approx(expected, abs=9.81 * t * dt)
    spin = np.array(scene.bodies[2].angular_velocity)
    angle = np.linalg.norm(spin) * t
    turn = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * spin / np.linalg.norm(spin))])
    w, u = turn[0], turn[1:]
    expected = np.array([w * TURN[0] - u @ TURN[1:], *(w * TURN[1:] + TURN[0] * u + np.cross(u, TURN[1:]))])
    assert same_turn(q[2], expected, 1e-4)
    assert x[1] == pytest.approx(scene.bodies[1].position, abs=1e-6)
    runner.reset()
    runner.run(steps)
    again = runner.poses()
    assert np.array_equal(again[0], x) and np.array_equal(again[1], q)


@pytest.mark.parametrize("engine", ENGINES)
def test_friction_and_ground_are_those_of_the_scene(engine: type) -> None:
    """A box thrown along the ground stops after v^2 / (2 mu g)."""
    scene = Scene(bodies=[Body("box", Box((0.2, 0.2, 0.05)), (0, 0, 0.05), velocity=(2, 0, 0))])
    runner = engine(scene, 1 / 240)
    runner.run(480)
    x, _ = runner.poses()
    assert x[0, 0] == pytest.approx(4.0 / (2 * 0.5 * 9.81), rel=0.04)
    assert x[0, 2] == pytest.approx(0.05, abs=1e-3)


@pytest.mark.parametrize("sleep", [True, False])
@pytest.mark.parametrize("engine", [Ours, Rapier])
def test_sleep_can_be_forbidden(engine: type, sleep: bool) -> None:
    runner = engine(Scene(bodies=[Body("box", Box((0.2, 0.2, 0.05)), (0, 0, 0.05))]), 1 / 240, sleep)
    runner.run(960)
    assert runner.asleep() == float(sleep)


@pytest.mark.parametrize("engine, module", [(Rapier, "rapier3d"), (MuJoCo, "mujoco")])
def test_a_missing_peer_is_told(
    engine: type, module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ForegoneError, match=f"needs the development extras .*{module}"):
        engine(flying(), 1 / 240)
    assert main(["bench", "box", "--quick"]) == 1
    assert "foregone bench needs the development extras" in capsys.readouterr().err


def test_shapes_that_peers_do_not_run_are_refused() -> None:
    with pytest.raises(ValueError, match="spheres and boxes, not Capsule"):
        Rapier(Scene(bodies=[Body("pill", Capsule(0.1, 0.2), (0, 0, 1))]), 1 / 240)
