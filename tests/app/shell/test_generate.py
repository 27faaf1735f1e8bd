"""Generate from the window: seeds, names, what becomes of the cards, one press one command."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from standins import filled, with_take

from app.document import edits, take_edits
from app.kit.toggle import Toggle
from app.runs.generation import Loss
from app.shell.action_set import LONGEST_LINE
from app.shell.generate_bar import GenerateBar
from app.shell.generate_commands import free_seeds
from engine.arrivals.options import ArrivalsName
from engine.scene.fingerprint import fingerprint
from engine.scene.request import REMEDIES
from engine.scene.shot import TakeCard


def arrive(generation, order, **fields):
    """As if the pool had made it."""
    card = replace(order, **fields)
    generation.cards.append(card)
    generation.came.emit(card)


@pytest.fixture
def studio(window):
    window.hide_welcome()
    filled(window.studio.document, 2)
    window.studio.document.edit("Ask", take_edits.ask_for(window.studio.document.scene, takes=3, seconds=2.0, seed=5))
    return window.studio


def test_one_press_is_one_command(window, studio) -> None:
    before = studio.document.scene
    commands = studio.document.history.count()
    window.actions_by_id.run("takes.generate")
    generation = studio.generation
    assert generation is not None and [order.seed for order in generation.orders] == [5, 6, 7]
    assert [order.name for order in generation.orders] == ["Take 01", "Take 02", "Take 03"]
    assert not window.actions_by_id["takes.generate"].isEnabled()
    for order, energy in zip(generation.orders, (3.0, 1.0, 2.0), strict=True):
        arrive(generation, order, energy=energy)
    generation._end()
    assert studio.job is None and studio.document.history.count() == commands + 1
    assert studio.document.history.undoText() == "Generate 3 takes"
    assert [card.energy for card in studio.document.scene.takes] == [3.0, 1.0, 2.0]
    assert studio.playback.key == generation.orders[1].id, "the calmest is shown"
    studio.document.history.undo()
    assert studio.document.scene is before and studio.playback.key == ""
    studio.document.history.redo()
    assert len(studio.document.scene.takes) == 3


def test_ctrl_enter_takes_the_typed_number_and_generates(window, studio, qtbot) -> None:
    field = window.findChild(GenerateBar).takes
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for typed, begun in (("nonsense", False), ("7", True)):
        field.setFocus()
        field.start_typing(typed)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        assert (studio.generation is not None) is begun, "what cannot be read generates nothing"
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert studio.document.scene.request.takes == 7 and len(studio.generation.orders) == 7
    studio.generation._end()


def test_ctrl_enter_generates_from_a_switch_that_was_clicked(window, studio, qtbot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    switch, switched = Toggle(studio.look, "Static"), []
    switch.setParent(window)
    switch.toggled.connect(switched.append)
    switch.show()
    switch.setFocus(Qt.FocusReason.MouseFocusReason)
    window.tell("Something old.")
    QTest.keyClick(switch, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert studio.generation is not None and switched == []
    assert not window.message.isVisible(), "what was said before is over"
    studio.generation._end()


def test_the_calmest_of_those_that_did_what_was_asked_is_shown(window, studio) -> None:
    window.actions_by_id.run("takes.generate")
    generation = studio.generation
    rests = {"notes": ('"brick" is there from the start',)}
    kinds = ({"energy": 3.0}, {"energy": 1.0, **rests}, {"energy": 2.0})
    for order, fields in zip(generation.orders, kinds, strict=True):
        arrive(generation, order, **fields)
    generation._end()
    assert studio.playback.key == generation.orders[2].id


def test_takes_that_do_not_come_say_why(window, studio) -> None:
    window.actions_by_id.run("takes.generate")
    generation = studio.generation
    for order in generation.orders[:2]:
        generation.losses.append(Loss(order, "Die 3 overlaps ground by 124 mm."))
        generation.lost.emit(generation.losses[-1])
    assert window.message.label.text() == "2 takes did not come: Die 3 overlaps ground by 124 mm."
    generation._end()


def test_the_next_press_gives_other_takes(window, studio) -> None:
    window.actions_by_id.run("takes.generate")
    generation = studio.generation
    for order in generation.orders:
        arrive(generation, order)
    generation._end()
    scene = studio.document.scene
    assert free_seeds(scene, 2) == [8, 9]
    ids = [body.id for body in scene.bodies]
    moved = edits.translate(scene, ids, (0.0, 0.0, 1.0))
    assert free_seeds(moved, 2) == [5, 6], "another scene, other takes"
    assert free_seeds(take_edits.ask_for(scene, seconds=3.0), 1) == [5]
    window.actions_by_id.run("takes.generate")
    assert [order.name for order in studio.generation.orders] == ["Take 04", "Take 05", "Take 06"]
    assert not {order.id for order in studio.generation.orders} & {card.id for card in scene.takes}
    studio.generation.cancel()


def test_cancelling_keeps_what_came(window, studio) -> None:
    window.actions_by_id.run("takes.generate")
    generation = studio.generation
    arrive(generation, generation.orders[0])
    window.actions_by_id.run("job.cancel")
    assert studio.job is None and len(studio.document.scene.takes) == 1


def test_a_stale_take_is_made_again_with_its_seed_and_name(window, studio) -> None:
    with_take(studio)
    old = studio.playback.card
    studio.document.edit("Pin", take_edits.change_takes(studio.document.scene, [old.id], pinned=True, note="nice"))
    studio.document.edit("Shot", take_edits.promote(studio.document.scene, old.id))
    assert studio.playback.stale
    window.actions_by_id.run("takes.again")
    order = studio.generation.orders[0]
    assert (order.seed, order.name, order.seconds) == (old.seed, old.name, old.seconds) and order.id != old.id
    arrive(studio.generation, order, energy=4.0)
    fresh = studio.document.scene.takes[0]
    assert fresh.id == order.id and fresh.pinned and fresh.note == "nice" and studio.document.scene.shot == order.id
    assert len(studio.document.scene.takes) == 1 and studio.playback.key == order.id and not studio.playback.stale
    studio.generation._end()
    studio.document.history.undo()
    assert studio.document.scene.takes[0].id == old.id and studio.document.takes.film(old.id) is not None


def test_what_is_asked_for_can_be_set_and_undone(window, studio) -> None:
    bar = window.tool_bar.generate
    assert (bar.takes.value, bar.seconds.value, bar.seed.value) == (3, 2.0, 5)
    bar.takes.committed.emit(7.0)
    assert studio.document.scene.request.takes == 7 and bar.takes.value == 7
    studio.document.history.undo()
    assert bar.takes.value == 3
    window.actions_by_id.run("takes.middle_frame")
    assert studio.document.scene.request.after == 1.0 and not bar.after.isHidden() and bar.seconds.label == "Before"
    window.actions_by_id.run("takes.middle_frame")
    assert bar.after.isHidden() and bar.seconds.label == "Seconds"
    window.actions_by_id.run("takes.quality_final")
    assert studio.document.scene.request.quality == "final"
    window.actions_by_id.run("takes.arrivals_meeting")
    assert studio.document.scene.request.arrivals == "meeting"
    window.actions_by_id.run("takes.generate")
    assert {order.arrivals for order in studio.generation.orders} == {"meeting"}


def test_disorder_is_off_until_it_is_asked_for(window, studio) -> None:
    bar, scene = window.tool_bar.generate, studio.document.scene
    assert scene.request.disorder == 0.0 and bar.disorder.isHidden()
    assert not window.actions_by_id["takes.disorder"].isChecked()
    window.actions_by_id.run("takes.disorder")
    assert studio.document.scene.request.disorder == 0.003
    assert not bar.disorder.isHidden() and bar.disorder.value == 3.0
    assert window.actions_by_id["takes.disorder"].isChecked()
    bar.disorder.committed.emit(1.5)
    assert studio.document.scene.request.disorder == 0.0015
    window.actions_by_id.run("takes.generate")
    assert {order.disorder for order in studio.generation.orders} == {0.0015}
    window.actions_by_id.run("takes.middle_frame")
    assert bar.disorder.isHidden() and not window.actions_by_id["takes.disorder"].isEnabled()
    for _ in range(3):
        studio.document.history.undo()
    assert studio.document.scene.request == scene.request and bar.disorder.isHidden()


def test_takes_can_be_asked_for_to_compare_with_the_paper(window, studio) -> None:
    def request():
        return studio.document.scene.request.remedies

    menu, run = window.menus.menus["Takes/Options/Compare with the paper"], window.actions_by_id.run
    assert [row.text() for row in menu.actions() if row.text()] == [
        "As usual",
        *(words for words, _ in REMEDIES.values()),
    ]
    assert menu.toolTipsVisible() and all(row.toolTip() for row in menu.actions() if row.text())
    assert max(len(line) for row in menu.actions() for line in row.toolTip().splitlines()) <= LONGEST_LINE
    assert window.actions_by_id["takes.as_usual"].isChecked()
    run("takes.remedy_attraction")
    run("takes.remedy_blend")
    assert request() == ("blend", "attraction"), "in one order, however they were chosen"
    assert (
        window.actions_by_id["takes.remedy_blend"].isChecked()
        and not window.actions_by_id["takes.as_usual"].isChecked()
    )
    run("takes.generate")
    assert {order.remedies for order in studio.generation.orders} == {("blend", "attraction")}
    run("job.cancel")
    run("takes.remedy_constant")
    assert request() == ("constant",), "none of them stands alone"
    run("takes.remedy_unit_links")
    run("takes.remedy_unit_links")
    assert request() == () and window.actions_by_id["takes.as_usual"].isChecked()
    assert studio.document.history.undoText() == "Without lossless joints"
    studio.document.history.undo()
    studio.document.history.undo()
    assert request() == ("constant",)
    run("takes.as_usual")
    assert request() == ()


def test_a_seed_is_used_again_where_takes_are_compared(window, studio) -> None:
    scene = studio.document.scene
    usual = TakeCard("t1", "Take 01", scene=fingerprint(scene), **scene.request.asked())
    studio.document.edit("Take", take_edits.add_takes(scene, [usual]))
    assert free_seeds(studio.document.scene, 1) == [6]
    window.actions_by_id.run("takes.remedy_blend")
    assert free_seeds(studio.document.scene, 1) == [5], "the same seed by the paper, to be seen side by side"


def test_every_way_to_arrive_is_offered(window, studio) -> None:
    for name in get_args(ArrivalsName):
        window.actions_by_id.run(f"takes.arrivals_{name}")
        assert studio.document.scene.request.arrivals == name


def test_the_fields_fold_into_the_button_where_there_is_no_room(window, studio) -> None:
    bar = window.tool_bar.generate
    window.resize(1280, 720)
    window.tool_bar.resize(1280, window.tool_bar.height())
    assert bar.button.text() == "Generate 3 × 2.0 s"
    window.resize(1600, 900)
    window.tool_bar.resize(1600, window.tool_bar.height())
    assert bar.button.text() == "Generate"


@pytest.mark.parametrize(
    ("hints", "words"), [((0, 1), "No take followed every hint."), ((1, 1), "No take came out quite as asked.")]
)
def test_a_miss_is_called_what_it_is(window, studio, monkeypatch, hints, words) -> None:
    told: list[str] = []
    monkeypatch.setattr(studio.shell, "tell", lambda text, *rest, **more: told.append(text))
    window.actions_by_id.run("takes.generate")
    generation = studio.generation
    for order in generation.orders:
        arrive(generation, order, hints=hints, notes=("it slides a little after it lands",))
    generation.ended.emit()
    assert told == [f"{words} It slides a little after it lands."]


def test_a_press_with_nothing_to_generate_says_why(window, qtbot) -> None:
    """Qt keeps presses on a disabled button from everybody; the artist was left without a word."""
    window.hide_welcome()
    bar = window.findChild(GenerateBar)
    assert not bar.button.isEnabled() and not window.message.isVisible()
    place = bar.button.mapTo(window, bar.button.rect().center())
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert window.message.isVisible() and "nothing here can move" in window.message.label.text()
    window.message.hide()
    window.actions_by_id.run("takes.generate")  # as the button of the empty list of takes asks for it
    assert window.message.isVisible()
