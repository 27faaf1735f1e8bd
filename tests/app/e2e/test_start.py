"""Starting: with a copy of an example; and without a display, where `make run` shows the demo instead."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hand import Hand

ROOT = Path(__file__).resolve().parents[3]
STUB = """#!/bin/sh
echo "foregone $*" >> calls
if [ "$1" = demo ]; then exit 0; fi
exit {code}
"""


def test_an_example_opens_as_a_copy(program: Callable[..., Hand]) -> None:
    window = program(example="brick_wall").window
    assert len(window.studio.document.scene.bodies) == 45
    assert window.studio.document.path is None and not window.studio.document.dirty


def test_an_unknown_example_is_refused_with_those_there_are() -> None:
    ran = subprocess.run([sys.executable, "-m", "app", "--example", "castle"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 2 and "castle" in ran.stderr and "brick_wall" in ran.stderr


@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":987654"}])
def test_without_a_display_the_program_says_so(display: dict[str, str]) -> None:
    bare = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    ran = subprocess.run([sys.executable, "-m", "app"], cwd=ROOT, env=bare | display, capture_output=True, text=True)
    assert ran.returncode == 3 and ran.stdout == ""
    assert "display" in ran.stderr and "foregone demo" in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.parametrize(("code", "calls"), [
    (0, ["foregone a.foregone"]),
    (3, ["foregone a.foregone", "foregone demo die --out out/die"]),
    (1, ["foregone a.foregone"]),
])  # fmt: skip
def test_make_run_shows_the_demo_where_there_is_no_display(tmp_path: Path, code: int, calls: list[str]) -> None:
    """The real Makefile with a program that only says how it ended."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("pyproject.toml", "tools/system-packages", ".venv/.foregone-setup"):
        (tmp_path / name).touch()
    os.utime(tmp_path / "pyproject.toml", (0, 0))
    os.utime(tmp_path / "tools" / "system-packages", (0, 0))
    stub = tmp_path / ".venv" / "bin" / "foregone"
    stub.write_text(STUB.format(code=code))
    stub.chmod(0o755)
    ran = subprocess.run(["make", "run", "FILE=a.foregone"], cwd=tmp_path, capture_output=True, text=True)
    assert (tmp_path / "calls").read_text().splitlines() == calls
    assert (ran.returncode == 0) == (code != 1), ran.stderr
    assert ("headless demo" in ran.stdout) == (code == 3)
