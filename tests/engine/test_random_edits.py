"""Random edits of saved takes (random_edits.py, which says how to try 10,000): none goes unnoticed."""

from __future__ import annotations

from tests.engine.random_edits import LOST, NAMED, REFUSED, SLIGHT, UNSEEN, outcomes


def test_an_edit_of_a_file_is_refused_or_changes_nothing() -> None:
    found = outcomes(300, seed=1, sealed_again=False)
    assert {kind for kind, _ in found} <= {REFUSED, UNSEEN} and sum(found.values()) == 300


def test_a_forger_who_seals_the_file_again_is_refused_or_named() -> None:
    found = outcomes(400, seed=2, sealed_again=True)
    assert [member for kind, member in found if kind == LOST] == []
    counts = {
        kind: sum(n for (each, _), n in found.items() if each == kind) for kind in (REFUSED, NAMED, UNSEEN, SLIGHT)
    }
    assert counts[NAMED] > 50 and counts[REFUSED] > 50 and counts[SLIGHT] < 20
