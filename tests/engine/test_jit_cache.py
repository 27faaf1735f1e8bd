"""The kernel cache: keyed by what a module depends on, pruned when unused."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine import kernel_cache


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A little engine of three modules: top imports middle imports bottom."""
    engine = tmp_path / "engine"
    engine.mkdir()
    (engine / "__init__.py").write_text("")
    (engine / "bottom.py").write_text("X = 1\n")
    (engine / "middle.py").write_text("from engine.bottom import X\n")
    (engine / "top.py").write_text("import engine.middle\n")
    monkeypatch.setattr(kernel_cache, "ENGINE", engine)
    return engine


def key(path: Path) -> str:
    kernel_cache.module_key.cache_clear()
    kernel_cache._imported.cache_clear()
    return kernel_cache.module_key(path)


def test_an_edit_changes_the_keys_of_what_depends_on_it_and_no_others(sources: Path) -> None:
    before = {name: key(sources / f"{name}.py") for name in ("bottom", "middle", "top")}
    (sources / "middle.py").write_text("from engine.bottom import X  # edited\n")
    after = {name: key(sources / f"{name}.py") for name in ("bottom", "middle", "top")}
    assert after["bottom"] == before["bottom"]
    assert after["middle"] != before["middle"]
    assert after["top"] != before["top"]


def test_an_edit_far_below_reaches_the_top(sources: Path) -> None:
    before = key(sources / "top.py")
    (sources / "bottom.py").write_text("X = 2\n")
    assert key(sources / "top.py") != before


def test_unused_caches_are_pruned_and_used_ones_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREGONE_CACHE", str(tmp_path))
    long_ago = time.time() - 100 * 86400
    for name, when in (("old", long_ago), ("new", time.time())):
        (tmp_path / name).mkdir()
        file = tmp_path / name / "kernel.nbi"
        file.write_text("")
        os.utime(file, (when, when))
    assert kernel_cache.prune_cache() == 1
    assert [folder.name for folder in tmp_path.iterdir()] == ["new"]


FLIGHT = """
import numpy as np
from engine.jit import registry
from engine.model.arrays import State
from engine.params import make_params
from engine.tape.block import Pushed, fly_backward
n, steps = 2, 3
states = [np.ones((steps + 1, n, width)) for width in (3, 4, 3, 3)]
none = Pushed(np.zeros(steps + 1, np.int64), np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)))
inverse = np.repeat(np.diag([1.0, 2.0, 3.0])[None], n, axis=0)
fly_backward(make_params(0.01, (0.0, 0.0, -9.81)), np.ones(n), inverse, np.zeros((steps, n), bool), none,
             State(*states), np.zeros((n, 3)))
made = sorted(name.split(".")[-1] for name, kernel in registry.items() if kernel.compilations)
print(repr(float(states[0][0].sum())), *made)
"""


DISTANCE = """
from engine.collide.gauge import Gauge
from engine.jit import registry
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Scene
model = compile_scene(Scene([Body(name, Box((0.1, 0.1, 0.1)), (x, 0, 1)) for name, x in (("a", 0.0), ("b", 1.0))]))
distance = Gauge(model.geometry).measure(0, 1, model.start.x, model.start.q)[0]
made = sorted(name.split(".")[-1] for name, kernel in registry.items() if kernel.compilations)
print(repr(float(distance)), *made)
"""


def bare_checkout(folder: Path) -> Path:
    """The engine without any pack."""
    shutil.copytree(kernel_cache.ENGINE, folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bare_checkout(tmp_path_factory.mktemp("bare"))


def told_by(script: str, cache: Path, checkout: Path) -> list[str]:
    """What a process prints: the answer, then the kernels it had to compile."""
    environment = {**os.environ, "FOREGONE_CACHE": str(cache)}
    told = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=checkout, capture_output=True, text=True, check=True
    )
    return told.stdout.split()


def test_kernels_that_stand_alone_are_found_again_by_their_callers(bare: Path, tmp_path: Path) -> None:
    """`drift` is called by name: cached, loaded before its caller, and made anew when only it has gone."""
    first = told_by(FLIGHT, tmp_path, bare)
    assert {"drift", "free_flight", "fly_backward"} <= set(first[1:])
    second = told_by(FLIGHT, tmp_path, bare)
    assert second == first[:1], "nothing was compiled, and the answer is the same"
    (folder,) = tmp_path.glob("engine.step.drift-*")
    shutil.rmtree(folder)
    third = told_by(FLIGHT, tmp_path, bare)
    assert third[0] == first[0] and "drift" in third[1:] and "fly_backward" not in third[1:]


def test_a_caller_made_from_cached_kernels_knows_what_they_call(bare: Path, tmp_path: Path) -> None:
    """part_distance swallows kernels from the cache that call standalone ones: those must be loaded with it."""
    first = told_by(DISTANCE, tmp_path, bare)
    assert "part_distance" in first[1:]
    (folder,) = tmp_path.glob("engine.collide.distance-*")
    shutil.rmtree(folder / "called")
    assert told_by(DISTANCE, tmp_path, bare) == [first[0], "part_distance"]
    assert told_by(DISTANCE, tmp_path, bare) == first[:1]


def test_another_checkout_of_the_same_source_compiles_nothing(bare: Path, tmp_path: Path) -> None:
    first = told_by(FLIGHT, tmp_path / "cache", bare)
    assert "fly_backward" in first[1:]
    assert told_by(FLIGHT, tmp_path / "cache", bare_checkout(tmp_path / "clone")) == first[:1]


LATER = """
from typing import NamedTuple
import numpy as np
class Later(NamedTuple):
    room: np.ndarray
"""

CALLED = """
import numpy as np
from engine.jit import kernel
@kernel
def first(record):
    return record.room[0]
"""

ASKED = """
import numpy as np
from engine.called import first
from engine.later import Later
print(first(Later(np.ones(1))), first.compilations)
"""


def test_a_cache_that_names_records_of_another_version_is_made_anew(tmp_path: Path) -> None:
    """`called` takes records of a module that it does not import: its machine code is kept by the same name in both."""
    told = []
    for version in ("later", "earlier"):
        checkout = bare_checkout(tmp_path / version)
        (checkout / "engine" / "called.py").write_text(CALLED)
        (checkout / "engine" / f"{version}.py").write_text(LATER)
        told.append(told_by(ASKED.replace("later", version), tmp_path / "cache", checkout))
    assert told == [["1.0", "1"]] * 2
