"""The timeline in the window: its height, and where its labels end."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from app.document.take_edits import add_takes, remove_takes


def test_a_take_makes_room_for_its_tracks(window_with_take) -> None:
    dock = window_with_take.docks.docks["timeline"]
    assert dock.height() == 288 and window_with_take.timeline.header.isVisible()
    assert window_with_take.timeline.header.height() == 44 and window_with_take.timeline.tracks.height() == 244
    assert window_with_take.timeline.tracks.areas.labels == window_with_take.docks.docks["outliner"].width() == 264
    document = window_with_take.studio.document
    document.edit("Discard", remove_takes(document.scene, ["t1"]))
    QApplication.processEvents()
    assert dock.height() == 176 and not window_with_take.timeline.header.isVisible()
    document.history.undo()
    window_with_take.studio.playback.show("t1")
    QApplication.processEvents()
    assert dock.height() == 288 and window_with_take.timeline.header.isVisible()


def test_small_window_with_a_take(window_with_take) -> None:
    window_with_take.resize(1280, 720)
    window_with_take.actions_by_id.run("window.reset_layout")
    QApplication.processEvents()
    assert window_with_take.docks.docks["timeline"].height() == 176
    tracks = window_with_take.timeline.tracks
    assert tracks.areas.labels == 220 and tracks.areas.folded and len(tracks.areas.visible_rows) == 3
    assert window_with_take.timeline.header.energy.isVisible()


def test_previews_and_frames_do_not_refresh_the_actions(window_with_take) -> None:
    heard = []
    window_with_take.studio.refreshed.connect(lambda: heard.append(1))
    window_with_take.studio.playback.go_to_frame(5)
    window_with_take.studio.document.preview(add_takes(window_with_take.studio.document.scene, []))
    window_with_take.studio.document.preview(None)
    assert heard == []
