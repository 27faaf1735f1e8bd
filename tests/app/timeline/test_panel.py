"""The panel around the tracks: header, what folds, empty states, tooltips; playing in time; thousands of bodies."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu
from stage import Actions, Stage

from app.document.take_edits import ask_for, remove_takes
from app.panels.transport import BUTTONS, TransportButton
from app.session.playback import RATES
from app.timeline.certificate_track import lowered_places, sign_centre, strip_area
from app.timeline.tracks_words import words_at


def words(stage: Stage, x: float, y: float) -> str:
    return words_at(stage.shown, QPoint(round(x), round(y)), stage.document.shown)


def test_tooltips_say_what_happened(stage: Stage) -> None:
    found = {sign.tier: words(stage, sign_centre(stage.shown, sign).x(), sign_centre(stage.shown, sign).y())
             for sign in stage.shown.signs}  # fmt: skip
    assert found[1].startswith("Tuned: Brick 1 on the ground bounced with 0.62 instead of 0.45\n")
    assert found[2].startswith("Plastic: a dead landing. Brick 2")
    assert found[3].startswith("Ghosted: an ignored contact. Brick 3 was 4 mm")
    assert found[4] == "Assisted: an outside push of 0.03 m/s\n1.27 s before the ending"
    x = stage.shown.axis.x
    assert words(stage, x(0.5), stage.row_y(0)) == "Brick 1 hits the ground at 2.1 m/s\nFrame 12"
    assert words(stage, x(0.65), stage.row_y(0)) == "Brick 1 moves from frame 0 to 24"
    assert words(stage, x(1.2), stage.row_y(1)) == "Brick 2 comes to rest at frame 29\nDrag to say when."
    assert words(stage, 50, stage.row_y(1)) == "Brick 2\nHas a hint"
    assert words(stage, x(0.0), 22) == "Start of the range that plays. Drag it."
    assert words(stage, x(0.0), stage.shown.areas.energy.center().y()).endswith(" J at frame 0")


def test_an_instant_without_an_answer_has_a_mark(stage: Stage) -> None:
    """Steps 250 and 251 lie in one mark; older films have none."""
    (place,) = lowered_places(stage.shown)
    y = strip_area(stage.shown).center().y()
    assert "no answer at this instant" in words(stage, place, y)
    assert "no answer" not in words(stage, place + 30.0, y)
    whole = stage.panel.grab().toImage()
    at = stage.panel.tracks.mapTo(stage.panel, QPoint(round(place), round(y)))
    assert whole.pixelColor(at.x() - 6, at.y()) != whole.pixelColor(at.x() - 14, at.y()), "it is seen on the strip"


def test_the_strip_tells_of_free_flight_and_what_it_counts(stage: Stage) -> None:
    strip, x = stage.shown.areas.strip, stage.shown.axis.x
    assert words(stage, x(1.5), strip.center().y()) == "Free flight: nothing touches."
    assert words(stage, x(stage.shown.index.film.last) + 30, strip.center().y()) == ""
    share = "94 % of the steps with contacts are exact. Free flight does not count."
    assert words(stage, 40, strip.center().y()) == share
    table = stage.panel.header.legend_button.popover.findChildren(QLabel)
    assert {"Free flight", "Nothing touches."} <= {label.text() for label in table}
    assert "Free flight" in stage.panel.header.legend.accessibleName()


def test_the_frame_can_be_typed(stage: Stage) -> None:
    moment = stage.panel.header.moment
    QTest.mouseClick(moment, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    line = moment.findChild(QLineEdit)
    QTest.keyClicks(line, "17")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert stage.playback.frame == 17 and moment.frame_words == "17 / 48"
    assert moment.words == "1.29 s before the ending"
    moment.type_frame()
    line = moment.findChildren(QLineEdit)[-1]
    QTest.keyClicks(line, "nonsense")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert stage.playback.frame == 17
    QApplication.sendPostedEvents(None, 0)


def test_rates_are_chosen_or_typed(stage: Stage) -> None:
    rate = stage.panel.header.rate
    assert rate.words == "24 fps"
    offered = [float(entry.data()) for entry in rate.menu_.actions() if entry.isCheckable()]
    assert offered == list(RATES)
    next(entry for entry in rate.menu_.actions() if entry.text() == "23.976 fps").trigger()
    assert rate.words == "23.976 fps" and stage.playback.fps == 24000 / 1001
    for typed, fps in (("29.97", 30000 / 1001), ("15", 15.0), ("0", 15.0), ("12,5 fps", 12.5)):
        rate.type_rate()
        line = rate.findChildren(QLineEdit)[-1]
        line.selectAll()
        QTest.keyClicks(line, typed)
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert stage.playback.fps == fps
    stage.document.history.undo()
    assert stage.playback.fps == 15.0


def test_the_rate_is_never_cut(stage: Stage) -> None:
    rate = stage.panel.header.rate
    stage.document.edit("Rate", ask_for(stage.document.scene, fps=24000 / 1001))
    for width in (1200, 640, 420):
        stage.panel.resize(width, 288)
        QApplication.processEvents()
        assert rate.words == "23.976 fps" and rate.width() >= rate.sizeHint().width()


def test_takes_are_listed_calmest_first(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    take = stage.panel.header.take
    assert take.words == "Take 01 96 J"
    take.menu_.aboutToShow.emit()
    listed = [entry.text() for entry in take.menu_.actions()]
    assert listed == ["Take 02   12 J", "Take 03   50 J   older than the scene", "Take 01   96 J"]
    take.menu_.actions()[0].trigger()
    assert stage.playback.key == "t2" and take.words == "Take 02 12 J"


def test_the_take_chooser_warns_of_what_is_not_as_asked(stage: Stage) -> None:
    take, scene = stage.panel.header.take, stage.document.scene
    assert take._glyph == ""
    cards = [replace(card, notes=("Brick 1 is too late",)) if card.id == "t1" else card for card in scene.takes]
    stage.document.edit("Notes", replace(scene, takes=cards))
    assert take._glyph == "state.warning" and take.toolTip().endswith("Brick 1 is too late.")
    take.menu_.aboutToShow.emit()
    assert take.menu_.actions()[-1].toolTip() == "Brick 1 is too late." and take.menu_.toolTipsVisible()


def test_a_take_that_cannot_be_read_says_so(stage: Stage) -> None:
    actions = Actions(stage)
    stage.panel.set_actions(actions)
    stage.playback.show("t3")
    told = stage.panel.empty.words.text()
    assert not stage.panel.is_filled and told.startswith("The motion of the take cannot be read")
    QTest.mouseClick(stage.panel.empty.button, Qt.MouseButton.LeftButton)
    assert actions.triggered == ["takes.again"]
    stage.document.edit("Discard", remove_takes(stage.document.scene, ["t1", "t2", "t3"]))
    assert stage.panel.empty.words.text() == "Generate a take to see how it got here."
    assert not stage.panel.empty.button.isVisible() and stage.tracks.shown is None


def test_while_takes_are_under_way_nobody_is_told_to_ask_for_some(stage: Stage) -> None:
    stage.playback.show("")
    assert stage.panel.empty.words.text() == "Generate a take to see how it got here."
    stage.panel.set_generating(True)
    assert stage.panel.empty.words.text() == "Generating. Takes appear here as they finish."
    stage.panel.set_generating(False)
    assert stage.panel.empty.words.text() == "Generate a take to see how it got here."


def test_the_take_can_be_made_again_from_its_menu(stage: Stage) -> None:
    actions = Actions(stage)
    stage.panel.set_actions(actions)
    stage.panel.header.take.menu_.aboutToShow.emit()
    stage.panel.header.take.menu_.actions()[-1].trigger()
    assert actions.triggered == ["takes.again"]


def test_transport_buttons_are_actions(stage: Stage) -> None:
    actions = Actions(stage)
    stage.panel.set_actions(actions)
    buttons = stage.panel.findChildren(TransportButton)
    assert [button.objectName() for button in buttons] == list(BUTTONS)
    for button in buttons:
        assert button.accessibleName() and button.toolTip() and min(button.width(), button.height()) >= 24
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert actions.triggered == list(BUTTONS)


def test_what_has_no_room_folds(stage: Stage) -> None:
    header = stage.panel.header
    stage.panel.set_actions(Actions(stage))
    assert header.legend.isVisible() and not header.legend_button.isVisible() and not header.energy.isVisible()
    stage.panel.resize(820, 176)
    QApplication.processEvents()
    assert not header.legend.isVisible() and header.legend_button.isVisible()
    assert header.energy.isVisible() and stage.shown.areas.energy.height() == 0
    stage.playback.go_to_frame(0)
    assert header.energy.text() == "39 J" and len(stage.shown.areas.visible_rows) >= 3
    QTest.mouseClick(header.legend_button, Qt.MouseButton.LeftButton)
    popover = header.legend_button.findChild(QMenu)
    assert popover is not None and popover.isVisible()
    popover.close()
    stage.panel.resize(620, 176)
    QApplication.processEvents()
    right = header.take.geometry().right()
    assert right < header.width() and header.moment.geometry().right() < header.rate.geometry().left()


def test_playing_keeps_time_though_a_slot_is_slow(stage: Stage, qtbot) -> None:
    """Frames are dropped, time is not: after half a second half a second of the take is over."""
    stage.playback.go_to_frame(0)
    slow = [0.1, 0.1]

    def dawdle() -> None:
        if slow:
            time.sleep(slow.pop())

    stage.playback.moved.connect(dawdle)
    began = time.monotonic()
    stage.playback.play()
    qtbot.wait(500)
    gone = time.monotonic() - began
    assert not slow and abs(stage.playback.time - gone) <= 1.5 / 24 + 0.03
    stage.playback.toggle()
    assert stage.playback.direction == 0


def test_only_what_moved_is_painted_again(stage: Stage, qtbot) -> None:
    QApplication.processEvents()
    picture = stage.tracks._picture
    stage.playback.go_to_frame(20)
    QApplication.processEvents()
    assert picture is not None and stage.tracks._picture is picture
    stage.document.preview(stage.document.scene)
    assert stage.tracks._picture is picture
    stage.selection.set(["b1"])
    QApplication.processEvents()
    assert stage.tracks._picture is not picture


def test_both_themes_paint_the_playhead_in_accent(stage: Stage) -> None:
    for theme in ("dark", "light"):
        stage.look.set_theme(theme)
        stage.playback.go_to_frame(20)
        image = stage.tracks.grab().toImage()
        y = stage.shown.areas.strip.y() + 3
        colors = [image.pixelColor(round(stage.x(20)) + k, y) for k in (-1, 0, 1)]
        accent = stage.look.color("accent")
        assert min(abs(c.red() - accent.red()) + abs(c.blue() - accent.blue()) for c in colors) < 60


def test_three_thousand_bodies(qtbot, tmp_path) -> None:
    stage = Stage(tmp_path, 3000)
    qtbot.addWidget(stage.panel)
    stage.panel.resize(1256, 288)
    stage.panel.show()
    qtbot.waitExposed(stage.panel)
    assert len(stage.shown.rows) == 3000 and len(stage.shown.areas.visible_rows) <= 7
    stage.selection.set(["b2000"])
    assert 1999 in stage.shown.areas.visible_rows
    stage.wheel(50.0, stage.row_y(1999), 1)
    assert stage.shown.areas.scroll > 0
    QApplication.processEvents()
    took = []
    for frame in range(48):
        began = time.process_time()  # of this process: other work on the machine does not count
        stage.playback.go_to_frame(frame)
        QApplication.processEvents()
        took.append(time.process_time() - began)
    print(f"frame change in the timeline, 3000 bodies: median {1000 * np.median(took):.2f} ms")
    assert np.median(took) < 0.005
