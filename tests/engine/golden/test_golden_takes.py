"""No bit of a take changes unless that was wanted; golden_takes.py says how the table is written anew."""

from __future__ import annotations

import json

import pytest

from tests.engine.golden.golden_takes import CASES, TABLE, told

GOLDEN: dict[str, list[str]] = json.loads(TABLE.read_text())


def test_the_table_has_every_take_and_no_other() -> None:
    assert list(GOLDEN) == list(CASES)
    assert len({row[0] for row in GOLDEN.values()}) == len(GOLDEN), "two cases are one take"


@pytest.mark.parametrize("name", CASES)
def test_a_take_keeps_its_bits(name: str) -> None:
    assert told(CASES[name]()) == GOLDEN[name]
