"""The stacking panel: the graph, the order of arrival, the reasons, and what the mouse and the keys do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from panel_scenes import key_of, show_active
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.look.look import Look
from app.panels.arrival_list import ROW
from app.panels.stacking_panel import MOST_TROUBLES, StackingPanel
from app.session.selection import Selection
from engine.scene.seat import Seat, Stacking, Trouble
from engine.scene.spec import Scene


def seats(document: Document) -> tuple[Seat, ...]:
    """Brick 3 stands on 1 and 2."""
    one, two, three = (key_of(document, f"Brick {k}") for k in (1, 2, 3))
    held = '"Brick 3" presses on it from above and the ground carries it.'
    return (
        Seat(one, "Brick 1", False, False, held, (), (three,), 0),
        Seat(two, "Brick 2", False, False, held, (), (three,), 0),
        Seat(three, "Brick 3", True, True, "Nothing holds it: it can leave upward.", (one, two), (), 1),
    )


@pytest.fixture
def panel(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> Iterator[StackingPanel]:
    made = StackingPanel(document, selection, look)
    qtbot.addWidget(made)
    made.resize(272, 900)
    trouble = Trouble((key_of(document, "Brick 1"), key_of(document, "Brick 3")), "Brick 1 needs Brick 3.")
    made.set_stacking(Stacking(seats(document), (trouble,)))
    show_active(qtbot, made)
    yield made


def test_without_bodies_it_says_what_to_do(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> None:
    made = StackingPanel(document, selection, look)
    qtbot.addWidget(made)
    show_active(qtbot, made)
    assert not made.graph.isVisible() and not made.list.isVisible()
    made.set_busy(True)
    assert made.empty.words.text == "Looking…"
    made.set_stacking(Stacking((), ()))
    assert made.empty.words.text == "Mend the problems of this ending first."
    document.new(Scene())
    made.set_stacking(Stacking((), ()))
    assert made.empty.words.text.startswith("Place bodies")


def test_the_card_speaks_of_all_or_of_the_selected(
    panel: StackingPanel, selection: Selection, document: Document
) -> None:
    assert panel.card.title.text == "1 of 3 bodies can leave" and not panel.arrival.isVisible()
    selection.set([key_of(document, "Brick 1")])
    assert panel.card.title.text == "Brick 1 is held" and "presses on it from above" in panel.card.sentence.text
    assert panel.arrival.isVisible()
    selection.set([key_of(document, "Brick 3")])
    assert panel.card.title.text == "Brick 3 can leave"
    selection.set([key_of(document, "Ball")])  # of which nothing is known yet
    assert panel.card.title.text == "1 of 3 bodies can leave"


def test_the_graph_is_drawn_course_by_course(panel: StackingPanel, document: Document) -> None:
    chips = panel.graph.chips()
    one, two, three = (chips[key_of(document, f"Brick {k}")] for k in (1, 2, 3))
    assert one.y() == two.y() > three.bottom(), "what carries lies below"
    assert one.right() < two.left() and one.center().x() < three.center().x() < two.center().x()
    assert all(panel.graph.rect().toRectF().contains(chip) for chip in chips.values())


def test_a_click_on_a_body_selects_it(
    panel: StackingPanel, selection: Selection, document: Document, qtbot: QtBot
) -> None:
    place = panel.graph.chips()[key_of(document, "Brick 2")].center().toPoint()
    qtbot.mouseClick(panel.graph, Qt.MouseButton.LeftButton, pos=place)
    assert selection.ids == (key_of(document, "Brick 2"),)
    qtbot.mouseClick(panel.graph, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert selection.ids == (key_of(document, "Brick 2"),), "beside them nothing happens"
    qtbot.mouseClick(panel.list, Qt.MouseButton.LeftButton, pos=QPoint(60, 2 * ROW + 5))
    assert selection.ids == (key_of(document, "Brick 3"),)


def test_arrows_walk_over_the_graph_and_the_list(
    panel: StackingPanel, selection: Selection, document: Document, qtbot: QtBot
) -> None:
    names = {body.id: body.name for body in document.scene.bodies}

    def press(widget: object, *keys: Qt.Key) -> str:
        for key in keys:
            qtbot.keyClick(widget, key)
        return names[selection.active or ""]

    panel.graph.setFocus()
    assert press(panel.graph, Qt.Key.Key_Up) == "Brick 1", "the first one, when there was none"
    assert press(panel.graph, Qt.Key.Key_Right) == "Brick 2" and press(panel.graph, Qt.Key.Key_Right) == "Brick 2"
    assert press(panel.graph, Qt.Key.Key_Up) == "Brick 3" and press(panel.graph, Qt.Key.Key_Down) == "Brick 1"
    assert "held" in panel.graph.accessibleDescription()
    panel.list.setFocus()
    assert press(panel.list, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down) == "Brick 3"
    assert press(panel.list, Qt.Key.Key_Up) == "Brick 2"


def test_a_trouble_selects_whom_it_is_about(panel: StackingPanel, selection: Selection, document: Document) -> None:
    assert panel.troubles[0].isVisible() and not panel.troubles[1].isVisible() and not panel.more.isVisible()
    panel.troubles[0].clicked.emit()
    assert set(selection.ids) == {key_of(document, "Brick 1"), key_of(document, "Brick 3")}
    panel.set_stacking(Stacking(seats(document), (panel.stacking.troubles[0],) * (MOST_TROUBLES + 2)))
    assert panel.more.isVisible() and panel.more.text.startswith("2 more")


def test_an_arrival_is_fixed_here_and_undone(panel: StackingPanel, selection: Selection, document: Document) -> None:
    key = key_of(document, "Brick 3")
    selection.set([key])
    assert panel.list.words(panel.list.seats[2]) == "can leave"
    panel.arrival.timed.toggled.emit(True)
    assert next(body.arrival for body in document.scene.bodies if body.id == key) == 0.5
    assert panel.list.words(panel.list.seats[2]) == "can leave · 0.5 s"
    document.history.undo()
    assert panel.list.words(panel.list.seats[2]) == "can leave"


def test_both_themes_paint(panel: StackingPanel, look: Look) -> None:
    pictures = []
    for theme in ("dark", "light"):
        look.set_theme(theme)
        pictures.append(panel.grab().toImage())
    assert pictures[0] != pictures[1]
