"""Random numbers without hidden state: a draw depends only on the seed and on what it is for."""

from __future__ import annotations

import hashlib

import numpy as np

from engine.jit import kernel

TAIL = 3.65  # numpy's tail begins at 3.654 (the ziggurat of Marsaglia and Tsang)


def draws(seed: int, *purpose: object) -> np.random.Generator:
    """A generator for one purpose, e.g. draws(seed, "launch", body_id). Order of calls does not matter."""
    text = "\x1f".join([str(int(seed)), *(str(part) for part in purpose)])
    return np.random.default_rng(np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint32))


def normals(rng: np.random.Generator, shape: int | tuple[int, ...]) -> np.ndarray:
    """Normal numbers within 3.65 of zero. Beyond (one of 4,000) numpy asks the C library for logarithms, whose bits
    depend on the processor."""
    found = rng.normal(size=shape)
    while (far := np.abs(found) >= TAIL).any():
        found[far] = rng.normal(size=int(far.sum()))
    return found


@kernel
def chance(seed, a, b, step, nonce, slot):
    """One number in [0, 1) for kernels: bodies a and b in a step, asked for the nonce-th time, by slot. All int64."""
    z = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    z = _stirred(z ^ np.uint64(a + 1))
    z = _stirred(z ^ np.uint64(b + 2))
    z = _stirred(z ^ np.uint64(step))
    z = _stirred(z ^ np.uint64(nonce))
    z = _stirred(z ^ np.uint64(slot))
    return np.float64(z >> np.uint64(11)) / 9007199254740992.0


@kernel
def _stirred(z):
    """A round of splitmix64: every bit of the answer depends on every bit of z."""
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
