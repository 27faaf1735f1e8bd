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


def test_the_shelf_keeps_its_rows_when_a_take_comes(window_with_take) -> None:
    window = window_with_take
    window.resize(1600, 900)
    window.actions_by_id.run("window.reset_layout")
    document, docks = window.studio.document, window.docks.docks
    for height in (176, 288):
        document.edit("Discard", remove_takes(document.scene, ["t1"])) if height == 176 else document.history.undo()
        window.studio.playback.show("t1" if height == 288 else "")
        QApplication.processEvents()
        assert docks["timeline"].height() == height and docks["shelf"].height() >= 172


def test_a_layout_with_takes_is_not_kept_without_any(window_with_take) -> None:
    window = window_with_take
    layout, document, dock = window.saveState(), window.studio.document, window.docks.docks["timeline"]
    document.edit("Discard", remove_takes(document.scene, ["t1"]))
    QApplication.processEvents()
    assert window.restoreState(layout)
    QApplication.processEvents()
    assert dock.height() == 288
    window.docks.settle()
    QApplication.processEvents()
    assert dock.height() == 176


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
