"""The stacking panel: the graph, the order of arrival, the reasons, and what the mouse and the keys do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from panel_scenes import key_of, show_active
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from app.kit.scrolling import PanelScroll
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


def wish_of(document: Document, name: str) -> str:
    return next(body.leaves for body in document.scene.bodies if body.name == name)


def test_a_verdict_is_overridden_and_undone(panel: StackingPanel, selection: Selection, document: Document) -> None:
    assert panel.leaving.isVisible() and not panel.leaving.choice.isEnabled()
    low, high = key_of(document, "Brick 1"), key_of(document, "Brick 3")
    selection.set([low])
    assert panel.leaving.choice.current == "auto" and panel.card.title.text == "Brick 1 is held"
    panel.leaving.choice.chosen.emit("free")
    assert wish_of(document, "Brick 1") == "free" and panel.leaving.choice.current == "free"
    assert panel.list.words(panel.list.seats[0]) == "may leave"
    assert panel.graph.wish(panel.list.seats[0]) == "free" and "all the same" in panel.graph.accessibleDescription()
    assert panel.card.title.text == "Brick 1 is held", "the verdict stays what it is"
    selection.set([low, high])
    assert panel.leaving.choice.current is None and "differ" in panel.leaving.meaning.text
    panel.leaving.choice.chosen.emit("never")
    assert wish_of(document, "Brick 1") == wish_of(document, "Brick 3") == "never"
    assert document.history.undoText() == "Let 2 bodies stay"
    assert "rests through the whole take" in panel.leaving.meaning.text
    document.history.undo()
    document.history.undo()
    assert wish_of(document, "Brick 1") == wish_of(document, "Brick 3") == "auto"
    assert panel.list.words(panel.list.seats[0]) == "held" and panel.graph.wish(panel.list.seats[0]) == ""


def test_who_can_leave_anyway_is_not_marked(panel: StackingPanel, selection: Selection, document: Document) -> None:
    selection.set([key_of(document, "Brick 3")])
    panel.leaving.choice.chosen.emit("free")
    assert panel.list.words(panel.list.seats[2]) == "can leave"


def test_what_is_static_is_not_asked(panel: StackingPanel, selection: Selection, document: Document) -> None:
    key = key_of(document, "Ball")
    document.edit("Static", edits.set_fields(document.scene, [key], static=True))
    selection.set([key])
    assert not panel.leaving.choice.isEnabled() and panel.arrival.isVisible()
    selection.set([key, key_of(document, "Brick 1")])
    panel.leaving.choice.chosen.emit("never")
    assert (wish_of(document, "Ball"), wish_of(document, "Brick 1")) == ("auto", "never")


def names(panel: StackingPanel) -> list[str]:
    return [seat.name for seat in panel.list.seats]


def drag(panel: StackingPanel, qtbot: QtBot, row: int, y: int) -> None:
    qtbot.mousePress(panel.list, Qt.MouseButton.LeftButton, pos=QPoint(60, row * ROW + 5))
    for way in (0.5, 1.0):
        place = QPoint(60, round(row * ROW + 5 + way * (y - row * ROW - 5)))
        move(panel.list, place)
    qtbot.mouseRelease(panel.list, Qt.MouseButton.LeftButton, pos=QPoint(60, y))


def move(widget: QWidget, place: QPoint) -> None:
    """With the button held, which QTest does not do on every platform."""
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), QPointF(widget.mapToGlobal(place)), Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def test_a_row_is_dragged_and_undone(panel: StackingPanel, document: Document, qtbot: QtBot) -> None:
    assert names(panel) == ["Brick 1", "Brick 2", "Brick 3"] and not panel.open_order.isEnabled()
    assert panel.order.heading.aside.text == "one possible"
    drag(panel, qtbot, 1, 2)
    assert names(panel) == ["Brick 2", "Brick 1", "Brick 3"]
    assert document.scene.arrival_order == [key_of(document, f"Brick {k}") for k in (2, 1, 3)]
    assert document.history.undoText() == "Move Brick 2 in the order of arrival"
    assert panel.order.heading.aside.text == "as you asked"
    panel.open_order.clicked.emit()
    assert document.scene.arrival_order == [] and not panel.open_order.isEnabled()
    document.history.undo()
    document.history.undo()
    assert names(panel) == ["Brick 1", "Brick 2", "Brick 3"] and not document.history.canUndo()


def test_a_place_before_what_carries_it_is_refused(panel: StackingPanel, document: Document, qtbot: QtBot) -> None:
    drag(panel, qtbot, 2, 2)
    words = '"Brick 3" stands on "Brick 1" and cannot come before it.'
    assert names(panel)[2] == "Brick 3" and panel.refusal.isVisible() and panel.refusal.text == words
    assert document.scene.arrival_order == [] and not document.history.canUndo()
    drag(panel, qtbot, 0, 3 * ROW - 2)
    assert panel.refusal.text == words, "nor can what carries come after it"
    drag(panel, qtbot, 0, 2 * ROW)
    assert names(panel) == ["Brick 2", "Brick 1", "Brick 3"] and not panel.refusal.isVisible()


def test_what_may_leave_under_others_can_come_after_them(
    panel: StackingPanel, selection: Selection, document: Document, qtbot: QtBot
) -> None:
    selection.set([key_of(document, "Brick 1")])
    panel.leaving.choice.chosen.emit("free")
    drag(panel, qtbot, 0, 3 * ROW - 2)
    assert names(panel) == ["Brick 2", "Brick 3", "Brick 1"]
    panel.leaving.choice.chosen.emit("auto")
    assert names(panel) == ["Brick 2", "Brick 1", "Brick 3"], "the support has the last word"


def test_alt_and_an_arrow_move_a_row(
    panel: StackingPanel, selection: Selection, document: Document, qtbot: QtBot
) -> None:
    selection.set([key_of(document, "Brick 1")])
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert names(panel) == ["Brick 2", "Brick 1", "Brick 3"]
    qtbot.keyClick(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert panel.refusal.text.startswith('"Brick 3" stands on "Brick 1"')
    qtbot.keyClick(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names(panel) == ["Brick 1", "Brick 2", "Brick 3"] and not panel.refusal.isVisible()
    qtbot.keyClick(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names(panel)[0] == "Brick 1", "there is nothing above it"


def test_several_rows_move_together(
    panel: StackingPanel, selection: Selection, document: Document, qtbot: QtBot
) -> None:
    ball = Seat(key_of(document, "Ball"), "Ball", True, True, "Nothing holds it.", (), (), 0)
    panel.set_stacking(Stacking((ball, *seats(document)), ()))
    click = partial(qtbot.mouseClick, panel.list, Qt.MouseButton.LeftButton)
    click(pos=QPoint(60, ROW + 5))
    click(stateKey=Qt.KeyboardModifier.ControlModifier, pos=QPoint(60, 2 * ROW + 5))
    assert set(selection.ids) == {key_of(document, "Brick 1"), key_of(document, "Brick 2")}
    drag(panel, qtbot, 2, 2)
    assert names(panel) == ["Brick 1", "Brick 2", "Ball", "Brick 3"]
    assert document.history.undoText() == "Move 2 bodies in the order of arrival"
    click(pos=QPoint(60, 5))
    assert selection.ids == (key_of(document, "Brick 1"),), "a click on one of them selects it alone"


def top_of_list(panel: StackingPanel) -> int:
    for _ in range(3):  # a card is laid out before the column that it stands in
        QApplication.processEvents()
    return panel.list.mapTo(panel, QPoint(0, 0)).y()


def test_the_list_stays_where_it_is_whatever_is_selected(
    panel: StackingPanel, selection: Selection, document: Document, qtbot: QtBot
) -> None:
    long = replace(seats(document)[0], reason="Held by one and by another, and by a third that leans on it. " * 3)
    panel.set_stacking(Stacking((long, *seats(document)[1:]), ()))
    before = top_of_list(panel)
    for names in (["Brick 1"], ["Brick 3"], ["Brick 1", "Brick 3"], ["Ball"], []):
        selection.set([key_of(document, name) for name in names])
        assert top_of_list(panel) == before, names
    panel.set_busy(True)
    assert top_of_list(panel) == before
    drag(panel, qtbot, 1, 2)
    assert document.scene.arrival_order and top_of_list(panel) == before
    assert panel.open_order.mapTo(panel, QPoint(0, 0)).y() < before, "what may be done is said above a long list"


def test_what_the_worker_finds_waits_while_a_row_is_held(
    panel: StackingPanel, document: Document, qtbot: QtBot
) -> None:
    before, known = top_of_list(panel), panel.stacking
    found = Stacking(tuple(reversed(seats(document))), known.troubles * 3)
    qtbot.mousePress(panel.list, Qt.MouseButton.LeftButton, pos=QPoint(60, 5))
    panel.set_stacking(found)
    assert panel.stacking is known and top_of_list(panel) == before and not panel.arrival.isVisible()
    qtbot.mouseRelease(panel.list, Qt.MouseButton.LeftButton, pos=QPoint(60, 5))
    assert panel.stacking is found and panel.arrival.isVisible()


def test_dragging_near_the_edge_scrolls(panel: StackingPanel, document: Document, qtbot: QtBot) -> None:
    ball = key_of(document, "Ball")
    free = [Seat(f"{ball}-{k}", f"Ball {k}", True, True, "Nothing holds it.", (), (), 0) for k in range(40)]
    panel.set_stacking(Stacking((*seats(document), *free), ()))
    QApplication.processEvents()
    bar = panel.findChild(PanelScroll).verticalScrollBar()
    bar.setValue(0)
    qtbot.mousePress(panel.list, Qt.MouseButton.LeftButton, pos=QPoint(60, ROW + 5))
    move(panel.list, panel.list.mapFrom(panel, QPoint(60, panel.height() - 4)))
    first = panel.list._gap
    qtbot.waitUntil(lambda: bar.value() > 3 * ROW)
    assert panel.list._gap is not None and first is not None and panel.list._gap > first
    qtbot.keyClick(panel.list, Qt.Key.Key_Escape)
    qtbot.mouseRelease(panel.list, Qt.MouseButton.LeftButton, pos=QPoint(60, ROW + 5))
    assert not panel.list.held and document.scene.arrival_order == []


def test_both_themes_paint(panel: StackingPanel, look: Look) -> None:
    pictures = []
    for theme in ("dark", "light"):
        look.set_theme(theme)
        pictures.append(panel.grab().toImage())
    assert pictures[0] != pictures[1]
