"""Inspectors against the engine's own forward run, on a few scenes of every family; the bench draws 300."""

from __future__ import annotations

import pytest

from tests.bench.verdict_checks import contradictions
from tests.bench.verdict_scenes import FAMILIES, drawn

NUMBERS = {"slots": (0, 13), "grooves": (0, 1), "ladders": (0, 1), "cylinders": (0, 1), "stacks": (1,)}
"""Of families with more than one scene here, or with a costly first one."""


@pytest.mark.parametrize(("family", "number"), [(each, k) for each in FAMILIES for k in NUMBERS.get(each, (0,))])
def test_no_verdict_contradicts_the_motion(family: str, number: int) -> None:
    assert [each for each in contradictions(drawn(family, number)) if not each.on_the_brink] == []
