"""ARCHITECTURE.md has one heading per stage of a step, in the words of engine/stages.py."""

from __future__ import annotations

from pathlib import Path

from tests.bench.stage_profile import BACKWARD_STAGES, FORWARD_STAGES

TEXT = (Path(__file__).resolve().parents[2] / "engine" / "ARCHITECTURE.md").read_text()


def test_every_stage_has_a_heading() -> None:
    headings = [line[4:] for line in TEXT.splitlines() if line.startswith("### ")]
    assert sorted(headings) == sorted(FORWARD_STAGES) == sorted(BACKWARD_STAGES)
