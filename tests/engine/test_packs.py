"""Packs of machine code: what fits is used, what is damaged or of another source is noticed and compiled instead."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import kernel_cache, packs
from tests.engine.test_jit_cache import FLIGHT, bare_checkout, told_by
from tests.packing import write_pack


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A checkout with a pack of what FLIGHT needs, and what it answers."""
    root = tmp_path_factory.mktemp("packed")
    clone = bare_checkout(root / "clone")
    answer, *made = told_by(FLIGHT, root / "cache", clone)
    assert "fly_backward" in made
    write_pack(clone / "assets" / "kernels", root / "cache", kernel_cache.processor())
    return clone, answer


@pytest.fixture
def clone(packed: tuple[Path, str], tmp_path: Path) -> Path:
    return Path(shutil.copytree(packed[0], tmp_path / "clone"))


def fly(clone: Path, cache: Path, **environment: str) -> tuple[list[str], str]:
    """The answer and what was compiled; and what was said on stderr."""
    told = subprocess.run(
        [sys.executable, "-c", FLIGHT], env={**os.environ, "FOREGONE_CACHE": str(cache), **environment}, cwd=clone,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return told.stdout.split(), told.stderr


def pack_of(clone: Path) -> Path:
    (found,) = (clone / "assets" / "kernels").iterdir()
    return found


@pytest.mark.parametrize("other", [{}, {"NUMBA_CPU_NAME": "nehalem", "OPENBLAS_CORETYPE": "Nehalem"}], ids=str)
def test_with_a_pack_nothing_is_compiled(packed: tuple[Path, str], tmp_path: Path, other: dict[str, str]) -> None:
    clone, answer = packed
    assert fly(clone, tmp_path, **other) == ([answer], "")
    assert fly(clone, tmp_path, **other) == ([answer], "")


def test_an_installation_that_cannot_be_written_to_is_fine(
    clone: Path, packed: tuple[Path, str], tmp_path: Path
) -> None:
    for folder in [clone, *clone.rglob("*")]:
        folder.chmod(0o555 if folder.is_dir() else 0o444)
    try:
        assert fly(clone, tmp_path / "cache") == ([packed[1]], "")
        assert not list(clone.rglob("*.nbi"))
    finally:
        for folder in [clone, *clone.rglob("*")]:
            folder.chmod(0o755)


def test_a_pack_cut_short_is_named_and_replaced(clone: Path, packed: tuple[Path, str], tmp_path: Path) -> None:
    pack = pack_of(clone)
    pack.write_bytes(pack.read_bytes()[:-2000])
    (answer, *made), said = fly(clone, tmp_path / "cache")
    assert answer == packed[1] and "fly_backward" in made
    assert pack.name in said and "damaged" in said and said.count("\n") == 1


def test_a_flipped_bit_is_named_and_replaced(clone: Path, packed: tuple[Path, str], tmp_path: Path) -> None:
    pack = pack_of(clone)
    whole = bytearray(pack.read_bytes())
    for place in range(4000, len(whole) - 8000, 4000):  # one in every folder
        whole[place] ^= 1
    pack.write_bytes(whole)
    (answer, *made), said = fly(clone, tmp_path / "cache")
    assert answer == packed[1] and "fly_backward" in made
    assert pack.name in said and "damaged" in said


def test_what_is_not_what_was_packed_is_refused(clone: Path, packed: tuple[Path, str], tmp_path: Path) -> None:
    """Whole archives with other contents: the hash tells."""
    pack = packs._opened(pack_of(clone))
    first, second = list(pack.hashes)[:2]
    pack.hashes[first] = pack.hashes[second]
    assert not pack.give(first, tmp_path) and first in pack.faults[0]
    assert not pack.give(second, tmp_path), "nothing of it is trusted any more"
    assert not list(tmp_path.glob("engine.*"))


def test_of_changed_modules_a_pack_has_nothing(clone: Path, packed: tuple[Path, str], tmp_path: Path) -> None:
    with (clone / "engine" / "step" / "stages.py").open("a") as file:
        file.write("\n# edited\n")
    (answer, *made), said = fly(clone, tmp_path / "cache")
    assert answer == packed[1] and said == ""
    assert "free_flight" in made and "drift" not in made, "what does not depend on the edit comes from the pack"


def test_the_same_folders_give_the_same_pack(packed: tuple[Path, str], tmp_path: Path) -> None:
    fly(packed[0], tmp_path / "cache")
    one, two = (write_pack(tmp_path / name, tmp_path / "cache", "any").path for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes() and one.name == two.name
    assert "numba" in one.name and f"cp3{sys.version_info.minor}" in one.name
