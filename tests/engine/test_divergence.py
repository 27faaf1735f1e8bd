"""A run that diverges stops, says where and who, and keeps the part that is good."""

from __future__ import annotations

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.run import backward, forward
from engine.scene.spec import Body, Box, Plane, Scene, Sphere
from tests.bench import scenes


def test_a_ball_between_two_walls_stops_with_a_message_and_a_good_part() -> None:
    """Backward every hit doubles the speed: 100 -> 10,000 m/s in a few bounces."""
    material = scenes.material(restitution=0.1)
    wall = [
        Body("left", Plane((1, 0, 0), (-1, 0, 0)), static=True, material=material),
        Body("right", Plane((-1, 0, 0), (1, 0, 0)), static=True, material=material),
    ]
    ball = Body("rattler", Sphere(0.1), (0, 0, 0), velocity=(50, 0, 0), material=material)
    scene = Scene([*wall, ball], ground=False, gravity=(0, 0, 0))
    take = backward(scene, 2.0, 1 / 1000, options=Options(policy="constant"))
    assert take.stopped is not None
    assert '"rattler"' in take.stopped and "before the end" in take.stopped and "step" in take.stopped
    assert 2 < len(take.times) < 2001
    assert take.times[-1] == 2.0 and take.times[0] > 0.0
    assert np.isfinite(take.tape.x).all()
    assert certify(take).max_residual <= 1e-8


def test_stopping_on_request_keeps_what_there_is() -> None:
    together = Options(arrivals="together")
    take = backward(scenes.box_tumbles(), 1.0, 1 / 240, 0, together, progress=lambda done, steps: done < 50)
    assert take.stopped is not None and f"{take.tape.steps} of 240" in take.stopped
    assert 50 <= take.tape.steps < 120 and len(take.times) == take.tape.steps + 1


def test_fast_forward_settles_a_dropped_box() -> None:
    scene = Scene([Body("box", Box((0.1, 0.1, 0.1)), (0, 0, 0.5), angular_velocity=(1, 2, 0))])
    take = forward(scene, 3.0, 1 / 240, accuracy="fast")
    assert take.stopped is None
    assert abs(take.positions[-1, 0, 2] - 0.1) < 1e-3
    assert np.abs(take.velocities[-1]).max() < 0.05
