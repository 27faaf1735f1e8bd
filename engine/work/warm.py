"""Kernels before the first errand: of several processes that would compile them, one does and the others wait."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.film import film_of
from engine.jit import cache_root, module_key, prune_cache
from engine.run import backward
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Scene, Shape, Sphere
from engine.settle import settle
from engine.work.compiling import compilations


def prepare() -> None:
    """Return when the kernels are in the cache; they are loaded as they are needed."""
    mark = cache_root() / f"takes-{code_key()}"
    if mark.exists():
        return
    mark.parent.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(mark.parent / "takes.lock"):
        if not mark.exists():
            use_kernels()
            mark.touch()
            if compilations():
                prune_cache()


def code_key() -> str:
    """Names the source that makes takes: where it is the same, so are they."""
    return module_key(Path(__file__))


def use_kernels() -> None:
    """Use every kernel once, so that the first errand need not wait for one."""
    corners = np.array([[0, 0, 0.08], [0.08, 0, -0.04], [-0.06, 0.06, -0.04], [-0.06, -0.06, -0.04]])
    cross = Compound([(Box((0.02, 0.02, 0.1)), (0, 0, 0)), (Box((0.1, 0.02, 0.02)), (0, 0, 0.1))])
    shapes: list[Shape] = [Sphere(0.06), Box((0.08, 0.06, 0.05)), Capsule(0.04, 0.06), Cylinder(0.05, 0.06)]
    shapes += [Hull(corners), cross]
    pile = [Body(f"{i}", shape, (0.05 * (i % 2), 0.0, 0.1 + 0.16 * i)) for i, shape in enumerate(2 * shapes)]
    scene = Scene(bodies=pile)
    settle(scene)
    scene.problems()
    lower, upper = Body("lower", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("upper", Box((0.1, 0.1, 0.1)), (0, 0, 0.3))
    ball = Body("ball", Sphere(0.1), (1, 0, 0.1))
    take = backward(Scene(bodies=[lower, upper, ball]), 0.3)
    film_of(take, certify(take))
    replay(take)
    backward(Scene(bodies=[lower, ball]), 0.1, options=Options(arrivals="together"))
    ball.velocity = (1.0, 0.0, -1.0)
    backward(Scene(bodies=[lower, ball]), 0.1)


@contextlib.contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # a system without such locks compiles in every process
        yield
        return
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
