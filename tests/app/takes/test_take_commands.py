"""The commands of the Takes menu, in a whole window of stand-in parts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from films import with_takes
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLineEdit
from standins import Answers, standin_parts

from app.document.document import Document
from app.look.look import Look
from app.look.style import palette, style_sheet
from app.panels.transport import TransportButton
from app.session.settings import Settings
from app.shell.window import Window
from app.takes.compare_panel import ghost_color


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def window(qtbot, answers, tmp_path) -> Iterator[Window]:
    """With four takes, the calmest shown."""
    look, app = Look(), QApplication.instance()
    assert isinstance(app, QApplication)
    app.setPalette(palette(look))
    app.setStyleSheet(style_sheet(look))
    made = Window(Document(scratch=tmp_path / "scratch"), Settings(), look, standin_parts(), answers)
    made.resize(1600, 1000)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    with_takes(made.studio.document, [127.0, 171.0, 111.0, 96.0])
    made.studio.playback.show("t4")
    yield made
    answers.keep = "discard"
    made.close()
    made.deleteLater()
    app.setStyleSheet("")


def card(window, key: str):
    return next((card for card in window.studio.document.scene.takes if card.id == key), None)


def run(window, key: str) -> None:
    window.actions_by_id.run(key)


def test_next_and_previous_follow_the_order_of_the_list(window, qtbot) -> None:
    window.studio.view.setFocus()
    qtbot.keyClick(window.studio.view, Qt.Key.Key_PageDown)
    assert window.studio.playback.key == "t3"
    run(window, "takes.sort_certificate")
    assert window.actions_by_id["takes.sort_certificate"].isChecked()
    qtbot.keyClick(window.studio.view, Qt.Key.Key_PageUp)
    assert window.studio.playback.key == "t2"
    window.studio.playback.show("t1")
    assert not window.actions_by_id["takes.previous"].isEnabled()
    assert "first take of the list" in window.actions_by_id["takes.previous"].toolTip()


def test_pin_reject_note_use(window, answers) -> None:
    run(window, "takes.pin")
    assert card(window, "t4").pinned and window.actions_by_id["takes.pin"].isChecked()
    run(window, "takes.reject")
    assert card(window, "t4").rejected
    run(window, "takes.reject")
    answers.note = "lands flat"
    run(window, "takes.note")
    assert card(window, "t4").note == "lands flat" and answers.asked == ["note Take 04"]
    answers.note = None
    run(window, "takes.note")
    assert card(window, "t4").note == "lands flat"
    run(window, "takes.use")
    assert window.studio.document.scene.shot == "t4" and not window.actions_by_id["takes.use"].isEnabled()


def test_thin_asks_how_many_stay(window, answers) -> None:
    answers.keep_takes = 2
    run(window, "takes.thin")
    assert [card.id for card in window.studio.browsing.cards] == ["t4", "t3"]
    assert answers.asked == ["keep 8 of 4"]
    window.studio.document.history.undo()
    answers.keep_takes = None
    run(window, "takes.thin")
    assert len(window.studio.document.scene.takes) == 4


def test_discard_above_says_how_many(window) -> None:
    action = window.actions_by_id["takes.discard_above"]
    assert not action.isEnabled()
    window.studio.browsing.set_threshold(120.0)
    assert action.isEnabled() and action.text() == "Discard 2 takes above 120 J"
    action.trigger()
    assert [card.id for card in window.studio.browsing.cards] == ["t4", "t3"] and not action.isEnabled()
    window.studio.document.history.undo()
    assert len(window.studio.document.scene.takes) == 4


def test_enlarge_and_back(window, qtbot) -> None:
    view, panel = window.studio.view, window.takes.panel
    height = window.docks.docks["timeline"].height()
    qtbot.keyClick(window, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert panel.enlarged and panel.isVisible() and not view.isVisible() and panel.grid.hasFocus()
    assert panel.width() == window.width() and panel.geometry().bottom() == window.status.geometry().top() - 1
    assert window.status.expectations.shown[1].words == "pin"
    window.resize(1280, 720)
    QCoreApplication.processEvents()
    assert panel.width() == 1280
    window.resize(1600, 1000)
    qtbot.keyClick(panel.grid, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert not panel.enlarged and view.isVisible() and window.docks.docks["takes"].widget() is panel
    QCoreApplication.processEvents()
    assert window.docks.docks["timeline"].height() == height


def test_rejected_cards_stay_while_the_browser_is_enlarged(window) -> None:
    window.show_panel("takes")
    run(window, "takes.reject")
    window.enlarge_takes(True)
    assert len(window.studio.browsing.cards) == 4
    window.enlarge_takes(False)
    QCoreApplication.processEvents()
    window.docks.docks["timeline"].raise_()
    QCoreApplication.processEvents()
    assert len(window.studio.browsing.cards) == 3


def test_keys_of_the_list_leave_bodies_alone(window, qtbot) -> None:
    studio = window.studio
    studio.selection.set([studio.document.scene.bodies[0].id])
    window.enlarge_takes(True)
    for key in (Qt.Key.Key_X, Qt.Key.Key_Delete):
        qtbot.keyClick(window.takes.panel.grid, key)
    assert len(studio.document.scene.bodies) == 6 and len(studio.document.scene.takes) == 3
    qtbot.keyClick(window.takes.panel.grid, Qt.Key.Key_Space)
    assert studio.playback.direction == 1
    studio.playback.stop()


def test_compare_enlarges(window) -> None:
    run(window, "takes.compare")
    assert window.takes.enlarged and window.takes.panel.compare.isVisible()
    run(window, "takes.compare")
    assert not window.takes.panel.compare.isVisible()


def test_rename_from_the_menu_opens_the_card(window, qtbot) -> None:
    run(window, "takes.rename")
    qtbot.waitUntil(lambda: window.takes.panel.grid.findChild(QLineEdit) is not None)
    editor = window.takes.panel.grid.findChild(QLineEdit)
    qtbot.keyClicks(editor, "Calm")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: card(window, "t4").name == "Calm")


def test_a_message_is_not_hidden_by_the_browser(window) -> None:
    window.enlarge_takes(True)
    window.tell("One take did not come.")
    assert not window.takes.enlarged


def test_closing_while_enlarged(window) -> None:
    window.enlarge_takes(True)
    window.close()
    assert not window.isVisible()


def test_the_compared_take_is_seen_in_the_view_unless_the_browser_hides_it(window) -> None:
    studio, ghosts = window.studio, []
    studio.view.set_ghosts = ghosts.append
    studio.settings.set("view/ghosts", False)
    studio.playback.go_to_frame(0)
    studio.browsing.compare_with("t3")
    (ghost,) = ghosts[-1]
    assert ghost.color == ghost_color() and set(ghost.ids) == set(studio.playback.film.bodies)
    window.enlarge_takes(True)
    assert ghosts[-1] == []
    window.enlarge_takes(False)
    assert len(ghosts[-1]) == 1
    studio.browsing.compare_with("")
    assert ghosts[-1] == []


def test_the_bar_under_the_enlarged_browser_plays(window, qtbot) -> None:
    window.enlarge_takes(True)
    toggle = window.takes.panel.scrub_bar.findChild(TransportButton, "play.toggle")
    qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton)
    assert window.studio.playback.direction == 1 and toggle.isChecked()
    qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton)
    assert window.studio.playback.direction == 0 and not toggle.isChecked()


def test_a_right_click_on_a_card_offers_its_commands(window, qtbot) -> None:
    window.actions_by_id.run("takes.enlarge")
    grid, menu = window.takes.panel.grid, window.menus.card_menu
    card = window.studio.document.scene.takes[0]
    place = grid.visualRect(grid.model_.index_of(card.id)).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, grid.viewport().mapToGlobal(place))
    QApplication.sendEvent(grid.viewport(), event)
    qtbot.waitUntil(menu.isVisible)
    assert window.studio.playback.key == card.id, "commands are about the one under the mouse"
    menu.close()
    pin = next(entry for entry in menu.actions() if entry.text().startswith("Pin"))
    assert pin.text() == "Pin\tP in the list" and pin.shortcuts() == []
    pin.trigger()
    assert window.studio.document.scene.takes[0].pinned


def test_the_status_bar_tells_the_keys_of_the_list_that_has_the_keyboard(window, qtbot) -> None:
    window.docks.bring_forward("takes")
    window.studio.view.setFocus()
    assert window.takes.keys() is None
    window.takes.panel.grid.setFocus()
    qtbot.waitUntil(window.takes.panel.grid.hasFocus)
    told = [expect.key for expect in window.status.expectations.shown]
    assert told == ["Enter", "P", "X", "C", "F2", "Ctrl+Space"]
