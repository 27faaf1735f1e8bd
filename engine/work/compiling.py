"""How far the compiler is."""

from __future__ import annotations

from engine.jit import registry


def compilations() -> int:
    """How many kernels this process had to compile because the cache did not have them."""
    return sum(kernel.compilations for kernel in list(registry.values()))


def kernels() -> tuple[int, int]:
    """How many are compiled or loaded, and how many there are."""
    known = list(registry.values())
    return sum(1 for kernel in known if kernel.signatures), len(known)
