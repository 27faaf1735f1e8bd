"""Settings shared by all tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

# The same examples on every run, and no deadline: the first call of a kernel may compile for seconds.
settings.register_profile("foregone", deadline=None, derandomize=True, max_examples=60, print_blob=False)
settings.load_profile("foregone")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The studio comes after the engine, whose kernels its worker then finds compiled."""
    items.sort(key=lambda item: "app" in item.path.parts)


@pytest.fixture(scope="session", autouse=True)
def one_signature_per_kernel() -> Iterator[None]:
    """Whatever the tests of a process did, no kernel was compiled for two kinds of arguments."""
    yield
    jit = sys.modules.get("engine.jit")
    if jit is None or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return
    many = {}
    for name, compiled in jit.registry.items():
        kinds = sorted({str(signature) for signature in compiled.signatures})
        if name.startswith("engine.") and len(kinds) > 1:
            many[name] = kinds
    assert many == {}
