"""Kernels before the first take: of several processes that would compile them one does, and the others wait for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.jit import cache_root, module_key
from engine.run import backward
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.work import errand


def prepare() -> None:
    """Return when the kernels of takes are in the cache; they are loaded as they are needed."""
    mark = cache_root() / f"takes-{code_key()}"
    if mark.exists():
        return
    mark.parent.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(mark.parent / "takes.lock"):
        if not mark.exists():
            _use_kernels()
            mark.touch()


def code_key() -> str:
    """Names the source that makes takes: where it is the same, so are they."""
    return module_key(Path(errand.__file__))


def _use_kernels() -> None:
    lower, upper = Body("lower", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("upper", Box((0.1, 0.1, 0.1)), (0, 0, 0.3))
    ball = Body("ball", Sphere(0.1), (1, 0, 0.1))
    take = backward(Scene(bodies=[lower, upper, ball]), 0.3)
    certify(take)
    replay(take)
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
