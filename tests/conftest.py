"""Settings shared by all tests."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The same examples on every run, and no deadline: the first call of a kernel may compile for seconds.
settings.register_profile("foregone", deadline=None, derandomize=True, max_examples=60, print_blob=False)
settings.load_profile("foregone")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The studio comes after the engine, whose kernels its worker then finds compiled; what the whole run must have
    kept (signatures of all kernels) is asked last."""

    def rank(item: pytest.Item) -> tuple[bool, bool]:
        return item.path.name == "test_kernel_signatures.py", "app" in item.path.parts

    items.sort(key=rank)
