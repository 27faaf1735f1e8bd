"""What the studio does, in little: whoever has done it has used every kernel that the studio needs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.film import film_of
from engine.kernel_cache import module_key
from engine.run import backward
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Scene, Shape, Sphere
from engine.settle import settle


def code_key() -> str:
    """Names the source that makes takes: where it is the same, so are they."""
    return module_key(Path(__file__))


def use_kernels() -> None:
    """Use every kernel of the studio once, so that the first errand need not wait for one."""
    for course in COURSES:
        course()


def a_take() -> None:
    lower, upper = Body("lower", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("upper", Box((0.1, 0.1, 0.1)), (0, 0, 0.3))
    take = backward(Scene(bodies=[lower, upper, _ball()]), 0.3)
    film_of(take, certify(take))
    replay(take)


def settling() -> None:
    corners = np.array([[0, 0, 0.08], [0.08, 0, -0.04], [-0.06, 0.06, -0.04], [-0.06, -0.06, -0.04]])
    cross = Compound([(Box((0.02, 0.02, 0.1)), (0, 0, 0)), (Box((0.1, 0.02, 0.02)), (0, 0, 0.1))])
    shapes: list[Shape] = [Sphere(0.06), Box((0.08, 0.06, 0.05)), Capsule(0.04, 0.06), Cylinder(0.05, 0.06)]
    shapes += [Hull(corners), cross]
    pile = [Body(f"{i}", shape, (0.05 * (i % 2), 0.0, 0.1 + 0.16 * i)) for i, shape in enumerate(2 * shapes)]
    scene = Scene(bodies=pile)
    scene.problems()
    settle(scene)


def all_together() -> None:
    backward(Scene(bodies=[_crate(), _ball()]), 0.1, options=Options(arrivals="together"))


def one_under_way() -> None:
    ball = _ball()
    ball.velocity = (1.0, 0.0, -1.0)
    backward(Scene(bodies=[_crate(), ball]), 0.1)


def _crate() -> Body:
    return Body("crate", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))


def _ball() -> Body:
    return Body("ball", Sphere(0.1), (1, 0, 0.1))


COURSES: tuple[Callable[[], None], ...] = (a_take, settling, all_together, one_under_way)
"""What the studio does, in the order in which it is wanted."""
