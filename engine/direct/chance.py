"""Random numbers without hidden state: a draw depends only on the seed and on what it is for."""

from __future__ import annotations

import hashlib

import numpy as np


def draws(seed: int, *purpose: object) -> np.random.Generator:
    """A generator for one purpose, e.g. draws(seed, "launch", body_id). Order of calls does not matter."""
    text = "\x1f".join([str(int(seed)), *(str(part) for part in purpose)])
    return np.random.default_rng(np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint32))
