"""After all other tests (see conftest): no kernel was compiled for two kinds of arguments."""

from __future__ import annotations

import os

import pytest

from engine.jit import registry


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="nothing is compiled")
def test_every_kernel_has_at_most_one_signature() -> None:
    many = {}
    for name, compiled in registry.items():
        kinds = sorted({str(signature) for signature in compiled.signatures})
        if name.startswith("engine.") and len(kinds) > 1:
            many[name] = kinds
    assert many == {}
