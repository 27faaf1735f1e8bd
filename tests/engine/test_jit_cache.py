"""The kernel cache: keyed by what a module depends on, pruned when unused."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engine import jit


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A little engine of three modules: top imports middle imports bottom."""
    engine = tmp_path / "engine"
    engine.mkdir()
    (engine / "__init__.py").write_text("")
    (engine / "bottom.py").write_text("X = 1\n")
    (engine / "middle.py").write_text("from engine.bottom import X\n")
    (engine / "top.py").write_text("import engine.middle\n")
    monkeypatch.setattr(jit, "ENGINE", engine)
    return engine


def key(path: Path) -> str:
    jit.module_key.cache_clear()
    jit._imported.cache_clear()
    return jit.module_key(path)


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
    assert jit.prune_cache() == 1
    assert [folder.name for folder in tmp_path.iterdir()] == ["new"]
