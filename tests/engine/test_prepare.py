"""Machine code for a new machine: several processes share the work, none does what another does, and it is told how far
they are."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from engine.jit import registry
from engine.locks import alone, hold
from engine.work import compiling, prepare
from engine.work.compiling import OF_A_TAKE, OF_THE_STUDIO, Compiling, Headway
from tests.engine.test_jit_cache import FLIGHT, bare_checkout


def test_two_processes_compile_every_kernel_once(tmp_path: Path) -> None:
    environment, checkout = {**os.environ, "FOREGONE_CACHE": str(tmp_path / "cache")}, bare_checkout(tmp_path / "bare")
    command = [sys.executable, "-c", FLIGHT]
    pair = [
        subprocess.Popen(command, env=environment, cwd=checkout, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    (one, *made), (other, *also_made) = (process.communicate()[0].split() for process in pair)
    assert one == other
    times = Counter([*made, *also_made])
    assert {"drift", "free_flight", "fly_backward"} <= times.keys() and set(times.values()) == {1}


def test_a_lock_is_held_by_one_and_waited_for(tmp_path: Path) -> None:
    path, order = tmp_path / "deep" / "lock", []

    def wait() -> None:
        with alone(path):
            order.append("second")

    with alone(path):
        with path.open("a+b") as stream:
            assert not hold(stream)
        other = threading.Thread(target=wait)
        other.start()
        time.sleep(0.2)
        order.append("first")
    other.join(10)
    assert order == ["first", "second"]


def test_where_nothing_can_be_written_nobody_waits(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with alone(tmp_path / "file" / "lock"):
        pass


def test_helpers_make_what_a_take_needs_last() -> None:
    for part in prepare.PARTS:
        part()
    assert all(registry[name].signatures for name in
               ("engine.kick.backward.backward_kick", "engine.certificate.check.check_steps"))  # fmt: skip
    assert prepare.is_compiled()


def test_helpers_are_called_once_and_only_where_there_is_something_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[int, bool]] = []

    class Helper:
        def terminate(self) -> None:
            started.clear()

        communicate = terminate

    def start(number: int, everything: bool) -> Helper:
        started.append((number, everything))
        return Helper()

    monkeypatch.setattr(prepare, "_start", start)
    monkeypatch.setattr(prepare, "cores", lambda: 16)
    monkeypatch.setattr(prepare.atexit, "register", lambda *call: None)
    call = prepare.call_helpers.__wrapped__
    call()
    assert started == [], "the kernels are there"
    monkeypatch.setenv("FOREGONE_CACHE", str(tmp_path))
    monkeypatch.setattr(prepare, "packs", list)
    call(everything=True)
    assert started == [(k, True) for k in range(prepare.MOST)]
    monkeypatch.setattr(prepare, "cores", lambda: 1)
    started.clear()
    call()
    assert started == [], "on one core a helper would be in the way"


def test_how_far_the_compiler_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREGONE_CACHE", str(tmp_path))
    compiling._beginning.cache_clear()
    monkeypatch.setattr(compiling.time, "monotonic", lambda: 0.0)
    watch = Compiling(40)
    (tmp_path / "module" / "code").mkdir(parents=True)
    for name in range(10):
        (tmp_path / "module" / "code" / f"{name}.nbi").touch()
    monkeypatch.setattr(compiling.time, "monotonic", lambda: 5.0)
    monkeypatch.setattr(compiling, "compilations", lambda: 0)
    assert watch.look() is None, "others may fill the cache; this process compiles nothing"
    monkeypatch.setattr(compiling, "compilations", lambda: 3)
    assert watch.look() == Headway(10, 40, 15.0)
    assert str(watch.look()) == "10 of about 40 kernels, 15 s left"
    compiling._beginning.cache_clear()


def test_the_numbers_of_kernels_are_about_right() -> None:
    """What is told to who waits: as many as are in the cache after all that the studio does; for a take, fewer."""
    from engine.commands.doctor import compiled_kernels

    ready, known = compiled_kernels()
    assert 0.6 * OF_THE_STUDIO < ready <= known and OF_A_TAKE < OF_THE_STUDIO < 1.2 * known
