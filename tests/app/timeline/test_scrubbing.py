"""Time under the mouse: scrub, zoom, pan, fit, the range; and the same with the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from stage import SECONDS, Stage

from app.document.take_edits import ask_for
from app.timeline.certificate_track import sign_centre
from app.timeline.film_index import middle

SHIFT = Qt.KeyboardModifier.ShiftModifier
MIDDLE = Qt.MouseButton.MiddleButton
RULER = 6.0  # px from the top: above the handles of the range


@pytest.mark.parametrize("track", ["ruler", "energy", "strip"])
def test_a_press_shows_the_moment_and_a_drag_follows(stage: Stage, track: str) -> None:
    y = RULER if track == "ruler" else getattr(stage.shown.areas, track).y() + 3.0
    assert stage.playback.at_ending
    stage.press(stage.x(10), y)
    assert stage.playback.frame == 10
    seen = []
    stage.playback.moved.connect(lambda: seen.append(stage.playback.frame))
    for frame in (11, 15, 30):
        stage.move(stage.x(frame), y)
    stage.move(5.0, y)  # far to the left, over the labels
    stage.move(5000.0, y)
    stage.release(5000.0, y)
    assert seen == [11, 15, 30, 0, 48]
    assert stage.playback.at_ending and stage.document.history.count() == 0
    stage.move(stage.x(3), y, Qt.MouseButton.NoButton)
    assert stage.playback.at_ending, "the drag is over"


@pytest.mark.parametrize("fps", [24000 / 1001, 25.0, 120.0])
def test_every_frame_can_be_reached_at_any_rate(stage: Stage, fps: float) -> None:
    stage.document.edit("Rate", ask_for(stage.document.scene, fps=fps))
    assert stage.playback.time_of(stage.playback.ending_frame) == SECONDS
    for frame in (1, 7, stage.playback.ending_frame):
        stage.click(stage.x(frame), RULER)
        assert stage.playback.frame == frame
    assert stage.playback.at_ending


def test_scrubbing_stops_playing(stage: Stage) -> None:
    stage.playback.play()
    stage.click(stage.x(20), RULER)
    assert stage.playback.direction == 0 and stage.playback.frame == 20


def test_the_wheel_zooms_at_the_mouse_and_shift_pans(stage: Stage) -> None:
    x = stage.x(12)
    before = stage.tracks.axis
    stage.wheel(x, 40.0, 3)
    near = stage.tracks.axis
    assert near.scale == pytest.approx(before.scale * 1.2**3) and near.x(0.5) == pytest.approx(x)
    stage.wheel(x, 40.0, -1, SHIFT)
    assert stage.tracks.axis.x(0.5) == pytest.approx(x - 80.0)
    stage.press(600.0, 40.0, button=MIDDLE)
    stage.move(650.0, 40.0, MIDDLE)
    stage.release(650.0, 40.0, MIDDLE)
    assert stage.tracks.axis.x(0.5) == pytest.approx(x - 30.0)
    stage.double_click(stage.x(20), RULER)
    assert stage.tracks.axis == before


def test_a_resized_panel_keeps_all_or_what_was_zoomed_to(stage: Stage) -> None:
    stage.panel.resize(1000, 288)
    assert stage.x(48) < 1000 and stage.x(0) == pytest.approx(284.0)
    stage.wheel(600.0, 40.0, 4)
    span = (stage.tracks.axis.first, stage.tracks.axis.last)
    stage.panel.resize(1256, 288)
    assert (stage.tracks.axis.first, stage.tracks.axis.last) == span


def test_the_playhead_is_followed_when_it_leaves_the_sight(stage: Stage) -> None:
    stage.wheel(stage.x(2), 40.0, 12)
    stage.playback.go_to_frame(40)
    assert stage.shown.areas.labels <= stage.x(40) <= stage.tracks.width()


def test_the_range_is_dragged_as_one_command(stage: Stage) -> None:
    low = stage.shown.areas.ruler.height() - 3.0
    stage.press(stage.x(0), low)
    stage.move(stage.x(5), low)
    stage.move(stage.x(12), low)
    assert stage.playback.range == (0.5, 2.0) and stage.document.scene.request.first is None, "a preview"
    stage.release(stage.x(12), low)
    assert stage.document.scene.request.first == 0.5
    stage.drag((stage.x(48), low), (stage.x(6), low))
    assert stage.playback.range == (0.5, pytest.approx(13 / 24)), "at least one frame"
    history = stage.document.history
    assert [history.text(k) for k in range(history.count())] == ["Change the range"] * 2
    history.undo()
    assert stage.playback.range == (0.5, 2.0)
    stage.drag((stage.x(12), low), (100.0, low))
    assert stage.document.scene.request.first is None, "at the end of the film nothing is asked"


def test_escape_cancels_a_drag(stage: Stage) -> None:
    low = stage.shown.areas.ruler.height() - 3.0
    stage.tracks.setFocus()
    stage.press(stage.x(0), low)
    stage.move(stage.x(12), low)
    stage.key(Qt.Key.Key_Escape)
    assert stage.playback.range == (0.0, 2.0) and not stage.tracks.busy
    stage.move(stage.x(20), low)
    stage.release(stage.x(20), low)
    assert stage.playback.range == (0.0, 2.0) and stage.document.history.count() == 0


def test_a_sign_jumps_to_its_step(stage: Stage) -> None:
    for sign in stage.shown.signs:
        at = sign_centre(stage.shown, sign)
        stage.click(at.x() + 5.0, at.y())
        mark = stage.shown.index.marks(sign)[0]
        time = stage.shown.index.step_time(int(stage.shown.index.film.mark_step[mark]))
        assert stage.playback.frame == stage.playback.frame_at(time)
    assert {sign.tier for sign in stage.shown.signs} == {1, 2, 3, 4}
    assert all(abs(middle(sign) - sign_centre(stage.shown, sign).x()) < 1e-9 for sign in stage.shown.signs)


def test_arrow_keys_go_through_time(stage: Stage) -> None:
    stage.tracks.setFocus()
    stage.key(Qt.Key.Key_Left)
    assert stage.playback.frame == 47
    stage.key(Qt.Key.Key_Left, SHIFT)
    assert stage.playback.frame == 37
    stage.key(Qt.Key.Key_Right)
    assert stage.playback.frame == 38
    stage.key(Qt.Key.Key_Home)
    assert stage.playback.frame == 0
    stage.key(Qt.Key.Key_Left)
    assert stage.playback.frame == 0
    stage.key(Qt.Key.Key_End)
    assert stage.playback.at_ending
