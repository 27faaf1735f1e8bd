"""The tiers of a certificate as the tokens describe them: their order, and the words for them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from app.look.look import tokens

FREE_FLIGHT, NOTHING_TOUCHES = "Free flight", "Nothing touches."
"""What has no tier: steps without contacts, a thin line in the strip."""


def tier_names() -> list[str]:
    """By their numbers."""
    table = tokens()["tiers"]
    return sorted(table, key=lambda name: int(table[name]["order"]))


def tier_entry(tier: int) -> dict[str, Any]:
    entry: dict[str, Any] = tokens()["tiers"][tier_names()[tier]]
    return entry


def tier_label(tier: int) -> str:
    return str(tier_entry(tier)["label"])


def tier_sentence(tier: int) -> str:
    return str(tier_entry(tier)["sentence"])


@cache
def tier_rank(tier: int) -> int:
    """How bad it is, 0 the best. Numbers tell tiers apart, and files keep them: one that came later may rank between
    others."""
    return int(tier_entry(tier)["rank"])


def tiers_by_rank() -> list[int]:
    """From the best to the worst."""
    return sorted(range(len(tier_names())), key=tier_rank)


def worst_of(tiers: Iterable[int]) -> int:
    """The worst of some; the best there is when there is none."""
    return max(tiers, key=tier_rank, default=0)


def ranks(tiers: np.ndarray) -> np.ndarray:
    """The same for whole arrays, in which -1 (no contact) stays: what can be compared by size."""
    table = np.array([*map(tier_rank, range(len(tier_names()))), -1], np.int8)
    found: np.ndarray = table[tiers]
    return found


def of_ranks(ranked: np.ndarray) -> np.ndarray:
    """What `ranks` came from."""
    table = np.array([*tiers_by_rank(), -1], np.int8)
    found: np.ndarray = table[ranked]
    return found
