"""Machine code for a new machine, made by all its cores.

A kernel is compiled after those it calls, so a process alone compiles one after the other. `call_helpers` starts others
beside it, `python -m engine.work.prepare`, that begin with what a take needs last: the solver behind the kick, the
certificate. No kernel is made twice: who needs one that another process is compiling waits for it (jit.py).
"""

from __future__ import annotations

import atexit
import functools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import cast

from engine.certificate.audit import certify
from engine.jit import Kernel, address_of
from engine.kernel_cache import cache_folder, cache_root, processor, prune_cache
from engine.kick.backward import backward_kick
from engine.locks import alone
from engine.model.compile import compile_scene
from engine.packs import packs
from engine.params import DEFAULT_DT, make_params
from engine.run import forward
from engine.scene.spec import Body, Box, Scene
from engine.step.scratch import make_scratch
from engine.work.compiling import compilations
from engine.work.warm import COURSES, code_key, use_kernels
from engine.work.workers import cores

EVERYTHING = "--everything"
MOST = 3  # helpers: there is not more to be done side by side


def prepare() -> None:
    """Return when the kernels of the studio are in the cache; they are loaded as they are needed. Of several processes
    that ask, one sees to it, and the others wait."""
    mark = cache_root() / f"takes-{code_key()}-{processor()}"
    if mark.exists():
        return
    with alone(cache_root() / "takes.lock"):
        if not mark.exists():
            call_helpers(everything=True)
            use_kernels()
            mark.touch()
            if compilations():
                prune_cache()


@functools.cache
def call_helpers(everything: bool = False) -> None:
    """Let other processes compile what this one is going to need: a take, or everything. They end with it."""
    if not is_compiled():
        helpers = [_start(k, everything) for k in range(min(cores() - 1, MOST))]
        atexit.register(_dismiss, helpers)


def _dismiss(helpers: list[subprocess.Popen[bytes]]) -> None:
    for helper in helpers:
        helper.terminate()
        helper.communicate()


def is_compiled() -> bool:
    """Is there machine code for what a take needs last?"""
    folder = cache_folder(cast(Kernel, backward_kick).function)
    return any(folder in pack.hashes for pack in packs()) or any((cache_root() / folder).rglob("*.nbi"))


def _start(number: int, everything: bool) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "engine.work.prepare", str(number), *([EVERYTHING] if everything else [])]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def the_solver() -> None:
    scene = _box()
    model = compile_scene(scene)
    state, params = model.start, make_params(DEFAULT_DT, scene.gravity)
    address_of(backward_kick, make_scratch(model), params, state, state, state)


def the_certificate() -> None:
    certify(forward(_box(), 0.01, accuracy="fast"))


def _box() -> Scene:
    return Scene(bodies=[Body("box", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))])


PARTS: tuple[Callable[[], None], ...] = (the_solver, the_certificate)


def main(number: int, everything: bool) -> None:
    threading.Thread(target=_end_with_whoever_asked, daemon=True).start()
    parts = [*PARTS, *(reversed(COURSES) if everything else ())]
    for part in parts[number:] + parts[:number]:
        part()


def _end_with_whoever_asked() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), EVERYTHING in sys.argv)
