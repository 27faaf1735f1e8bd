"""The tiers of a certificate as the tokens describe them: their order, and the words for them."""

from __future__ import annotations

from typing import Any

from app.look.look import tokens

FREE_FLIGHT, NOTHING_TOUCHES = "Free flight", "Nothing touches."
"""What has no tier: steps without contacts, a thin line in the strip."""


def tier_names() -> list[str]:
    """From the best to the worst."""
    table = tokens()["tiers"]
    return sorted(table, key=lambda name: int(table[name]["order"]))


def tier_entry(tier: int) -> dict[str, Any]:
    entry: dict[str, Any] = tokens()["tiers"][tier_names()[tier]]
    return entry


def tier_label(tier: int) -> str:
    return str(tier_entry(tier)["label"])


def tier_sentence(tier: int) -> str:
    return str(tier_entry(tier)["sentence"])
