"""The tabs that inspect a body: sentence, picture, checks, numbers, and what they say without an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from panel_scenes import key_of, show_active
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.look.look import Look
from app.panels.inspection_panel import CONTACT, STABILITY, InspectionPanel
from app.session.selection import Selection
from engine.scene.inspection import Check, Curve, Fix, Inspection, Number, Plot

SQUARE = Curve("patch", (0.0, 0.46, 0.46, 0.0), (0.0, 0.0, 0.5, 0.5), closed=True)
NOW = Curve("12 mm", (0.012,), (0.25,), dots=True)
EDGE = Curve("tipping edge", (0.0, 0.0), (0.0, 0.5), warning=True)


def about(body: str) -> Inspection:
    return Inspection(
        "contact",
        (body,),
        "warning",
        "About to tip",
        "It is about to tip.",
        numbers=(Number("Force", 24.7, "N"), Number("To the edge", 0.012, "m"), Number("Tilt", None, "°", "none")),
        plots=(
            Plot("Where it presses", "m", "m", (SQUARE, EDGE, NOW), equal=True),
            Plot("Over time", "time, s", "m", (Curve("distance", (0.0, 1.0), (0.1, 0.012)),)),
        ),
        state="sticking",
        fix=Fix("Move it 8 cm", (body,), (0.08, 0.0, 0.0)),
    )  # fmt: skip


@pytest.fixture
def panel(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> Iterator[InspectionPanel]:
    made = InspectionPanel(CONTACT, document, selection, look)
    qtbot.addWidget(made)
    made.resize(272, 900)
    selection.set([key_of(document, "Brick 1")])
    show_active(qtbot, made)
    yield made


def test_it_reads_top_down(panel: InspectionPanel, document: Document, qtbot: QtBot) -> None:
    assert not panel.card.isVisible() and panel.plots == [], "the library of plots is loaded when there is one"
    panel.moment.set_text("frame 96")
    panel.set_inspections([about(key_of(document, "Brick 1"))])
    assert (panel.name.text, panel.moment.text) == ("Brick 1", "frame 96")
    assert panel.card.title.text == "About to tip" and panel.card.button.words == "Move it 8 cm"
    assert panel.states.isVisible() and panel.states.accessibleName() == "Sticking"
    assert [plot.accessibleName() for plot in panel.plots] == ["Where it presses", "Over time"]
    assert panel.plots[0].caption() == "46 × 50 cm"
    assert panel.tiles.accessibleName() == "Force: 24.7 N; To the edge: 12 mm; Tilt: none"
    qtbot.waitUntil(lambda: panel.card.y() < panel.states.y() < panel.tiles.mapTo(panel, panel.tiles.pos()).y())
    with qtbot.waitSignal(panel.fix_asked) as asked:
        panel.card.fix_requested.emit()
    assert asked.args[0].by == (0.08, 0.0, 0.0)


def test_what_there_is_not_is_not_shown(panel: InspectionPanel, document: Document) -> None:
    key = key_of(document, "Brick 1")
    panel.set_inspections([about(key)])
    plain = Inspection("contact", (key,), "unknown", "Fixed in place", "It does not move.")
    panel.set_inspections([plain])
    hidden = (panel.states, panel.tiles, panel.plots[0])
    assert panel.card.isVisible() and not any(part.isVisible() for part in hidden)
    panel.clear("This take is older than the scene.")
    assert not panel.card.isVisible() and panel.empty.words.text == "This take is older than the scene."
    panel.set_inspections([Inspection("contact", (key,), "fine", "Touches nothing", "It touches nothing.")])
    assert not panel.card.isVisible() and panel.empty.words.text == "This body touches nothing at this frame."
    panel.set_inspections([])
    assert panel.empty.words.text == "Mend the problems of this ending first."


def test_a_moment_without_an_answer_has_a_card_of_its_own(panel: InspectionPanel, document: Document) -> None:
    key = key_of(document, "Brick 1")
    fine = Inspection("consistency", (key,), "fine", "One answer", "There is one way.")
    panel.set_inspections([about(key), fine])
    assert not panel.second.isVisible()
    panel.set_inspections([about(key), replace(fine, level="bad", title="No answer")])
    assert panel.second.isVisible() and panel.second.title.text == "No answer"


def test_long_names_of_numbers_become_rows(panel: InspectionPanel, document: Document) -> None:
    tiles = panel.tiles
    panel.set_inspections([about(key_of(document, "Brick 1"))])
    assert tiles.columns(tiles.width()) > 0
    tiles.show_numbers([Number("Stays when pushed in, from a friction of", 0.27), Number("Friction here", 0.5)])
    assert tiles.columns(tiles.width()) == 0
    first, second = tiles.places(180)
    assert first.height() > second.height() and second.top() > first.bottom()


def test_stability_has_checks_and_a_push(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> None:
    made = InspectionPanel(STABILITY, document, selection, look)
    qtbot.addWidget(made)
    made.resize(272, 900)
    show_active(qtbot, made)
    key = key_of(document, "Brick 2")
    checks = (Check("Can stand", True, "forces exist"), Check("Must stand", None, "not proven", "strongly stable"))
    made.set_inspections([Inspection("stability", (key,), "fine", "Stands", "It stands.", checks=checks)])
    assert [row.accessibleName() for row in made.checks.rows] == [
        "Can stand: yes. forces exist",
        "Must stand: not known. not proven",
    ]
    marks = [row.term for row in made.checks.rows]
    assert [mark.isVisible() for mark in marks] == [False, True] and marks[1].toolTip() == "strongly stable"
    with qtbot.waitSignal(made.push_changed):
        made.pushing.strength.committed.emit(5.0)
    assert made.push == (5.0, 0.0, 0.0) and made.pushing.none.isEnabled()
    assert not made.play.isVisible()
    moving = Inspection("stability", (key,), "bad", "Falls", "It falls.", motion=((0, 0, -1), (0, 0, 0)))
    made.set_inspections([moving])
    assert made.play.isVisible() and not made.checks.isVisible()


def test_both_themes_paint(panel: InspectionPanel, document: Document, look: Look) -> None:
    panel.set_inspections([about(key_of(document, "Brick 1"))])
    pictures = []
    for theme in ("dark", "light"):
        look.set_theme(theme)
        pictures.append(panel.grab().toImage())
    assert pictures[0] != pictures[1]
