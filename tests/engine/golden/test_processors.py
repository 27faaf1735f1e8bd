"""The same bits on every processor, as far as one machine can show it: other kernels of OpenBLAS, the C library's
functions without fused multiply-add, numpy without its wide loops, machine code for older processors.

Before products and functions were the engine's own (engine/algebra.py, factors.py, functions.py), OpenBLAS for Nehalem
gave other bits for 11 of 15 takes, and a C library without fused multiply-add for 2."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from tests.engine.golden.golden_takes import TABLE

TAKES = (
    "wall ahead, preview",
    "all shapes ahead",
    "line of a box on a slope",
    "all shapes meeting",
    "standard box dropped",
    "pair by slider",
    "hinge at its limits",
    "all shapes pressed",
    "all shapes pressed, fast",
)
SMALL = ("sphere bounces in",)
MAKE = """
import json, sys
from tests.engine.golden.golden_takes import CASES, told
print(json.dumps({name: told(CASES[name]()) for name in sys.argv[1:]}))
"""
WIDE_LOOPS = " ".join(np._core._multiarray_umath.__cpu_dispatch__)  # type: ignore[attr-defined]
NO_FMA = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable"
OTHERS = [{"OPENBLAS_CORETYPE": name} for name in ("Nehalem", "Haswell", "Zen", "SkylakeX")]
OTHERS += [{"NPY_DISABLE_CPU_FEATURES": WIDE_LOOPS}, {"GLIBC_TUNABLES": NO_FMA}]


def made(names: tuple[str, ...], other: dict[str, str]) -> dict[str, list[str]]:
    command = [sys.executable, "-W", "ignore", "-c", MAKE, *names]  # numpy warns of features it cannot disable
    done = subprocess.run(command, env={**os.environ, **other}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: " ".join(other.values())[:30])
def test_other_libraries_make_the_same_takes(other: dict[str, str]) -> None:
    table = json.loads(TABLE.read_text())
    assert made(TAKES, other) == {name: table[name] for name in TAKES}


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="one model of this architecture")
def test_machine_code_for_older_processors_makes_the_same_take() -> None:
    table = json.loads(TABLE.read_text())
    assert made(SMALL, {"FOREGONE_PROCESSOR": "x86-64-v2"}) == {name: table[name] for name in SMALL}
