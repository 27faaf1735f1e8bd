"""Whose key Space is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.kit.toggle import Toggle
from app.panels.outliner_panel import OutlinerPanel
from app.panels.transport import TransportButton


def space(window) -> None:
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)


def test_space_plays_wherever_the_focus_is(window_with_take) -> None:
    playback = window_with_take.studio.playback
    for place in (window_with_take.studio.view, window_with_take.timeline.tracks):
        place.setFocus()
        space(window_with_take)
        assert playback.direction == 1
        space(window_with_take)
        assert playback.direction == 0
    QTest.keyClick(window_with_take.studio.view, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    assert playback.direction == -1


def test_space_is_not_stolen_from_a_text_field(window_with_take) -> None:
    line = window_with_take.outliner.findChild(QLineEdit)
    line.setFocus()
    QTest.keyClicks(line, "a b")
    assert line.text() == "a b" and window_with_take.studio.playback.direction == 0


def test_space_presses_a_button_that_was_reached_by_tab_and_only_that(window_with_take) -> None:
    window, playback = window_with_take, window_with_take.studio.playback
    loop = window.timeline.header.findChild(TransportButton, "play.loop")
    first = window.timeline.header.findChild(TransportButton, "play.start")
    first.setFocus()
    assert window.focusWidget() is first
    QTest.keyClick(first, Qt.Key.Key_Tab)
    while window.focusWidget() is not loop:
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    before = playback.loop
    space(window)
    assert playback.loop is not before and playback.direction == 0
    QTest.mouseClick(window.studio.view, Qt.MouseButton.LeftButton)
    loop.setFocus(Qt.FocusReason.MouseFocusReason)
    space(window)
    assert playback.direction == 1 and playback.loop is not before


def test_space_switches_a_toggle_that_was_reached_by_tab_and_only_that(window_with_take) -> None:
    window, playback = window_with_take, window_with_take.studio.playback
    toggle = Toggle(window.studio.look, "Static")
    toggle.setParent(window.inspector)
    toggle.resize(200, 28)
    toggle.show()
    heard: list[bool] = []
    toggle.toggled.connect(heard.append)
    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)
    assert window.focusWidget() is toggle and len(heard) == 1
    space(window)
    assert playback.direction == 1 and len(heard) == 1
    playback.stop()
    window.studio.view.setFocus()
    toggle.setFocus(Qt.FocusReason.TabFocusReason)
    space(window)
    assert playback.direction == 0 and len(heard) == 2


def test_space_selects_in_the_outliner_that_was_reached_by_tab_and_plays_after_a_click(window_with_take) -> None:
    studio = window_with_take.studio
    panel = OutlinerPanel(studio.document, studio.selection, studio.look)
    panel.setParent(window_with_take.inspector)
    panel.resize(240, 300)
    panel.show()
    tree, (first, second, *_) = panel.view, studio.document.scene.bodies
    studio.selection.set([first.id])
    panel.filter.setFocus()
    while window_with_take.focusWidget() is not tree:
        QTest.keyClick(window_with_take.focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(tree, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    space(window_with_take)
    assert studio.playback.direction == 0 and second.id in studio.selection.ids
    QTest.mouseClick(studio.view, Qt.MouseButton.LeftButton)
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(tree.currentIndex()).center())
    assert window_with_take.focusWidget() is tree
    space(window_with_take)
    assert studio.playback.direction == 1
