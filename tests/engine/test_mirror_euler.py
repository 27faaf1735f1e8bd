"""Mirror Euler: closed forms of one step, and how much of it a forward step reproduces."""

from __future__ import annotations

import numpy as np
from stepping import plan_of

from engine.arrivals.options import Options
from engine.model.arrays import State, copy_state
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.shapes.turns import rotation_matrix
from engine.step.scratch import make_scratch
from tests.bench import scenes
from tests.bench.mirror import inversion, mirror_run
from tests.bench.mirror_euler import mirror_step
from tests.bench.suite import run_case

DT = 1 / 240
G = 9.81
PLAIN = Options(policy="constant", launch=False)


def stepped(scene: Scene) -> tuple[State, State]:
    model = compile_scene(scene)
    before = copy_state(model.start)
    params = make_params(DT, scene.gravity)
    assert mirror_step(make_scratch(model), plan_of(model), DT, params, copy_state(model.start), before)[0] == 0
    return model.start, before


def test_a_bounce_is_undone_where_the_ball_is() -> None:
    """v_k = -v/alpha (gravity is part of the kick, and the contact answers for it), x_k = x - dt v_k."""
    ball = Body("ball", Sphere(0.1), (0, 0, 0.1), velocity=(0, 0, 1.5), material=scenes.material(restitution=0.5))
    start, before = stepped(Scene(bodies=[ball]))
    np.testing.assert_allclose(before.v[0], (0, 0, -3.0), rtol=0, atol=1e-12)
    np.testing.assert_allclose(before.x[0], start.x[0] + (0, 0, 3.0 * DT), rtol=0, atol=1e-12)


def test_flight_moves_with_the_earlier_velocity_and_the_present_spin() -> None:
    spin = np.array((1.0, 2.0, -3.0))
    box = Body("box", Box((0.3, 0.2, 0.1)), (0, 0, 2), scenes.turn("x", 0.5), material=scenes.material())
    box.velocity, box.angular_velocity = (1, 2, 3), tuple(spin)
    start, before = stepped(Scene(bodies=[box]))
    v = np.array((1.0, 2.0, 3.0 + G * DT))
    np.testing.assert_allclose(before.v[0], v, rtol=0, atol=1e-14)
    np.testing.assert_allclose(before.x[0], (0, 0, 2) - DT * v, rtol=0, atol=1e-14)
    turned = rotation_matrix(before.q[0]) @ rotation_matrix(start.q[0]).T
    angle = np.linalg.norm(spin) * DT
    np.testing.assert_allclose(np.trace(turned), 1.0 + 2.0 * np.cos(angle), rtol=0, atol=1e-12)
    np.testing.assert_allclose(turned @ spin, spin, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(before.l[0], start.l[0])


def test_mirror_euler_misses_collisions_that_the_exact_inverse_keeps() -> None:
    name = "sphere bounces in"
    mirror = inversion(*mirror_run(scenes.sphere_bounces_in(), 2.0, DT, PLAIN))
    tape = run_case(name, DT).take.tape
    model = compile_scene(scenes.sphere_bounces_in())
    ours = inversion(model, tape.params, [tape.state(i) for i in range(tape.steps + 1)])
    assert ours.share == 1.0 and ours.largest < 1e-12
    assert mirror.share < 0.7 and mirror.largest > 5.0 and mirror.summed > 15.0


def test_where_nothing_collides_both_agree() -> None:
    """Sliding and rolling have one contact configuration, so even mirror Euler is reproduced."""
    for scene in (scenes.box_slides(), scenes.sphere_rolls_in()):
        assert inversion(*mirror_run(scene, 0.5, DT, PLAIN)).share == 1.0
