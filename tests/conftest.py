"""Settings shared by all tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import kernels

# The same examples on every run, and no deadline: the first call of a kernel may compile for seconds.
settings.register_profile("foregone", deadline=None, derandomize=True, max_examples=60, print_blob=False)
settings.load_profile("foregone")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One file that needs kernels, so that a process compiles them; meanwhile what needs none; then the stories of the
    whole studio, which are long; and the engine's small files last, so that all processes end together."""
    first = next((item.path for item in items if "engine" in item.path.parts), None)

    def place(item: pytest.Item) -> int:
        if not kernels.are_needed(item.path):
            return 1
        return 0 if item.path == first else 2 if "app" in item.path.parts else 3

    items.sort(key=place)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Of several test processes one compiles. A single one compiles what its tests use."""
    if os.environ.get("PYTEST_XDIST_WORKER") and kernels.are_needed(item.path):
        kernels.prepare()


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
