"""Lists, orders and decisions: no widget needed."""

from __future__ import annotations

import pytest
from films import take_card
from hypothesis import given
from hypothesis import strategies as st

from app.look.quantity_words import energy_words, share_words
from app.look.tier_marks import LEAST, share_widths
from app.takes import choosing
from app.takes.compare_table import rows


@pytest.mark.parametrize(
    ("joules", "words"),
    [(96.04, "96 J"), (9.64, "9.6 J"), (1.0, "1 J"), (1250.0, "1.2 kJ"), (0.34, "340 mJ"), (0.0, "0 J"),
     (-3.2, "−3.2 J"), (2.5e6, "2.5 MJ"), (0.99, "990 mJ"), (0.9999, "1 J"), (999.7, "1 kJ")],
)  # fmt: skip
def test_energies_are_read_at_a_glance(joules: float, words: str) -> None:
    assert energy_words(joules) == words


@given(st.floats(1e-6, 1e9))
def test_energies_keep_two_digits(joules: float) -> None:
    number, unit = energy_words(joules).split()
    factor = {"mJ": 1e-3, "J": 1.0, "kJ": 1e3, "MJ": 1e6}[unit]
    assert float(number) * factor == pytest.approx(joules, rel=0.06, abs=6e-5)


def test_only_all_is_a_hundred_percent() -> None:
    assert [share_words(share) for share in (1.0, 0.999, 0.86, 0.0)] == ["100 %", "99 %", "86 %", "0 %"]


@given(st.lists(st.floats(0.0, 1.0), min_size=5, max_size=5).filter(lambda shares: sum(shares) > 0.1))
def test_no_share_is_too_thin_to_see(shares: list[float]) -> None:
    widths = share_widths(shares, 120.0)
    assert sum(widths) == pytest.approx(120.0)
    assert all(width >= LEAST - 1e-9 for width, share in zip(widths, shares, strict=True) if share > 0.0)


def test_orders(desk) -> None:
    assert desk.names() == ["Take 04", "Take 03", "Take 01", "Take 02"]
    desk.browsing.set_sort("certificate")
    assert desk.names() == ["Take 01", "Take 02", "Take 03", "Take 04"]  # tuned, plastic, ghosted, assisted
    assert desk.settings.get("takes/sort") == "certificate"


def test_every_decision_is_one_command(desk) -> None:
    document, key, before = desk.document, desk.keys[0], desk.document.scene
    decisions = [
        lambda: choosing.toggle_pin(document, key),
        lambda: choosing.toggle_rejected(document, key),
        lambda: choosing.rename(document, key, "  The   calm one "),
        lambda: choosing.write_note(document, key, "lands flat"),
        lambda: choosing.use_in_shot(document, key),
        lambda: choosing.discard(document, key),
        lambda: choosing.thin(document, 2),
        lambda: choosing.discard_above(document, 120.0),
    ]
    for decide in decisions:
        decide()
        assert document.scene is not before and document.history.index() == 2
        document.history.undo()
        assert document.scene is before


def test_rename_joins_blanks_and_refuses_none(desk) -> None:
    choosing.rename(desk.document, "t1", "  The   calm one ")
    assert desk.document.scene.takes[0].name == "The calm one"
    count = desk.document.history.count()
    choosing.rename(desk.document, "t1", "   ")
    assert desk.document.history.count() == count


def test_rejected_stay_until_the_list_is_left(desk) -> None:
    choosing.toggle_rejected(desk.document, "t3")
    assert "Take 03" in desk.names() and desk.browsing.count("rejected") == 1
    desk.browsing.leave()
    assert "Take 03" not in desk.names()
    desk.browsing.set_filter("rejected")
    assert desk.names() == ["Take 03"]
    desk.document.history.undo()
    desk.browsing.set_filter("all")
    assert len(desk.names()) == 4


def test_threshold_spares_pinned_ones_and_the_shot(desk) -> None:
    choosing.toggle_pin(desk.document, "t2")
    choosing.use_in_shot(desk.document, "t1")
    assert choosing.above(desk.document.scene, 100.0) == [desk.document.scene.takes[2]]
    choosing.discard_above(desk.document, 100.0)
    assert desk.names() == ["Take 04", "Take 01", "Take 02"]
    assert desk.document.history.undoText() == "Discard 1 take above 100 J"


def test_thin_keeps_the_calm_the_pinned_and_the_shot(desk) -> None:
    choosing.toggle_pin(desk.document, "t2")
    choosing.thin(desk.document, 1)
    assert desk.names() == ["Take 04", "Take 02"]


def test_compare_and_swap(desk) -> None:
    desk.playback.show("t4")
    desk.playback.show("t3")
    desk.browsing.toggle_compare()
    assert desk.browsing.other.id == "t4"  # the one looked at before
    desk.browsing.swap()
    assert (desk.browsing.shown.id, desk.browsing.other.id) == ("t4", "t3")
    desk.browsing.compare_with("t4")  # never with itself
    assert desk.browsing.other is None
    desk.browsing.compare_with("t1")
    choosing.discard(desk.document, "t1")
    assert desk.browsing.other is None


def test_discarding_the_shown_one_shows_the_next(desk) -> None:
    desk.playback.show("t3")
    choosing.discard_shown(desk.document, desk.playback, desk.browsing)
    assert desk.playback.key == "t1" and desk.names() == ["Take 04", "Take 01", "Take 02"]
    desk.document.history.undo()
    assert desk.playback.key == "t1" and len(desk.names()) == 4


def test_table_marks_the_better_one() -> None:
    table = rows(take_card(4, 96.0), take_card(2, 111.0, hints=(1, 2)))
    assert [(row.words, row.first, row.second, row.better) for row in table] == [
        ("Energy when let go", "96 J", "111 J", 1),
        ("Exact contacts", "84 %", "92 %", 2),
        ("Worst step", "Assisted", "Plastic", 2),
        ("Bounces", "24", "22", 0),
        ("Follows hints", "2 of 2", "1 of 2", 1),
    ]


def test_a_moved_body_makes_takes_stale(desk) -> None:
    from app.document import edits

    card = desk.document.scene.takes[0]
    assert not desk.browsing.is_stale(card)
    desk.document.edit("Move", edits.translate(desk.document.scene, [desk.document.scene.bodies[0].id], (0.1, 0, 0)))
    assert desk.browsing.is_stale(card)
