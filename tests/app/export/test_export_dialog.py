"""The dialog in a window: what it shows, what it asks for, and what it does while an export runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from subjects import subject

from app.export.export_words import FOOTER, STOPPED
from engine.export import settings as export_settings


def numbers(dialog) -> list[tuple[str, str]]:
    return [(figure.value.text, figure.words.text) for figure in dialog.panel.figures]


def said(dialog) -> list[str]:
    return [note.words for note in dialog.panel.notes.notes]


def test_it_shows_what_comes_of_it(dialog, tmp_path: Path, qtbot) -> None:
    assert dialog.windowTitle() == "Export take 07" and dialog.said.text == FOOTER
    assert dialog.target == "blender" and dialog.settings.format == "usd" and dialog.settings.fps == 24.0
    assert dialog.path == tmp_path / "brick_wall_t07.usdc"
    first, second, third, fourth = numbers(dialog)
    assert first == ("3", "bodies, 2 move") and second == ("49", "frames at 24 fps")
    assert third == ("98", "rotation keys") and fourth[0].endswith("kB") and fourth[1] == "one file, estimated"
    assert said(dialog)[:2] == ["Ends exactly on your pose", "1 name is changed for USD."]
    assert "Run Bake Action" in said(dialog)[2]
    assert dialog.form.keys.still._effect == "1 body never moves"
    qtbot.waitUntil(lambda: dialog.panel.picture.image is not None)
    image = dialog.panel.picture.image
    assert len({image.pixel(x, image.height() // 2) for x in range(0, image.width(), 4)}) > 5, "bodies are in it"


def test_a_target_brings_its_habits(dialog) -> None:
    assert dialog.form.format.formats == ["usd", "glb", "blender", "alembic"], "without Blender nothing it must write"
    dialog.targets.setFocus()
    dialog.choose_target("maya")
    assert (dialog.settings.format, dialog.settings.unit, dialog.settings.up) == ("maya", "cm", "y")
    assert dialog.path.suffix == ".ma" and dialog.form.place.text.endswith("brick_wall_t07.ma")
    assert dialog.form.space_.choices["unit"].text == "Centimetres"
    assert not dialog.form.space_.rotation.isEnabled() and "Set by Maya ASCII" in dialog.form.space_.rotation.toolTip()
    dialog.choose_target("web")
    for key, words in (("unit", "Metres"), ("up", "Y up"), ("hand", "Right-handed")):
        choice = dialog.form.space_.choices[key]
        assert choice.text == words and not choice.isEnabled() and choice.toolTip() == "Set by glTF"
    dialog.choose_target("data")
    assert dialog.form.space_.choices["unit"].isEnabled() and dialog.settings.start == 0
    assert dialog.form.space_.isVisible() and not dialog.form.keys.still.isVisible()
    dialog.choose_target("video")
    assert dialog.form.size_.isVisible() and not dialog.form.space_.isVisible()
    assert numbers(dialog)[2] == ("2.0 s", "1280 × 720 px")


def test_formats_that_need_blender_come_with_it(open_dialog, monkeypatch) -> None:
    monkeypatch.setattr("app.export.export_dialog.find_blender", lambda: object())
    dialog = open_dialog()
    assert dialog.form.format.formats == ["usd", "glb", "blender", "blend", "fbx", "alembic"]
    assert dialog.form.format.currentWidget() is dialog.form.format.choice, "too many to stand side by side"
    dialog.choose_format("fbx")
    assert "Written by the Blender on this machine." in said(dialog)


def test_what_is_missing_is_said(dialog, monkeypatch) -> None:
    finder = export_settings.importlib.util
    found = finder.find_spec
    monkeypatch.setattr(finder, "find_spec", lambda name: None if name == "pxr" else found(name))
    dialog.refresh()
    assert not dialog.export_button.isEnabled()
    (lacking,) = (note for note in said(dialog) if "usd-core, which is not installed here." in note)
    assert lacking.endswith("Install it and start Foregone again, or choose another format.")
    dialog.choose_format("glb")
    assert dialog.export_button.isEnabled()


def test_frames_follow_the_fields(dialog, qtbot) -> None:
    fields = dialog.form.frames
    dialog.change({"last": 24, "handles": 2, "hold": 3})
    assert (fields.first.value, fields.last.value) == (0, 24) and numbers(dialog)[1][0] == "30"
    assert said(dialog)[0] == "The ending is cut off."
    assert "2 frames of the handles stand still: the take begins after them." in said(dialog)
    dialog.change({"fps": 48.0})
    assert dialog.settings.last == 48 and fields.rate.choice.text == "48 fps", "the same moment at another rate"
    dialog.change({"last": None})
    assert fields.last.value == 96 and said(dialog)[0] == "Ends exactly on your pose"


def test_a_frame_is_typed(dialog, qtbot) -> None:
    field = dialog.form.frames.last
    field.start_typing("12")
    qtbot.keyClick(field._editor, Qt.Key.Key_Return)
    assert dialog.settings.last == 12 and dialog.settings.first is None
    assert dialog.run is None, "Enter ends the typing of a number, and starts nothing"
    rate = dialog.form.frames.rate
    rate._choose("Another rate…")
    rate.line._editor.setText("23.976")
    qtbot.keyClick(rate.line._editor, Qt.Key.Key_Return)
    assert dialog.settings.fps == 24000 / 1001 and rate.choice.text == "23.976 fps"


def test_thinning_has_its_error(dialog) -> None:
    keys = dialog.form.keys
    assert not keys.error.isVisible()
    keys.thin._switch_over()
    assert dialog.settings.thin == pytest.approx(1e-4) and keys.error.isVisible()
    keys.error.committed.emit(0.5)
    assert dialog.settings.thin == pytest.approx(5e-4) and numbers(dialog)[2][1] == "keys at most"


def test_where_it_goes(dialog, artist, tmp_path: Path) -> None:
    (tmp_path / "old.usdc").write_text("old")
    dialog.form.place.line.setText("old")
    dialog.form.place.line.textEdited.emit("old")
    assert dialog.path == tmp_path / "old.usdc" and "Replaces old.usdc." in said(dialog)
    dialog.type_place(str(tmp_path / "nowhere" / "a.usdc"))
    assert "There is no such folder." in said(dialog) and not dialog.export_button.isEnabled()
    artist.place = tmp_path / "chosen"
    dialog.form.browse.clicked.emit()
    assert artist.asked[0][1] == "USD (*.usdc *.usda *.usd)"
    assert dialog.path == tmp_path / "chosen.usdc" and dialog.export_button.isEnabled()


def test_settings_are_remembered_per_target(open_dialog, artist) -> None:
    dialog = open_dialog()
    dialog.choose_target("data")
    dialog.choose_format("npz")
    dialog.change({"unit": "mm", "fps": 30.0, "first": 3})
    dialog.accept()
    artist.run.finished.emit(None)
    again = open_dialog()
    assert again.target == "data" and again.settings.format == "npz" and again.settings.unit == "mm"
    assert again.settings.fps == 24.0 and again.settings.first is None, "these belong to the take"
    again.choose_target("maya")
    assert again.settings.unit == "cm"


def test_running_stopping_failing(dialog, artist) -> None:
    dialog.accept()
    (wish,) = artist.wishes
    assert wish.path == dialog.path and wish.settings == dialog.settings
    assert dialog.strip.isVisible() and not dialog.export_button.isVisible() and not dialog.form.isEnabled()
    artist.run.progressed.emit(0.5, "Exporting · 50 %")
    assert dialog.strip.part == 0.5
    dialog.reject()
    assert dialog.isVisible() and dialog.export_button.isVisible() and dialog.said.text == STOPPED
    dialog.accept()
    artist.run.failed.emit("Could not write to this folder. The old file is untouched.")
    assert dialog.said.text == "Could not write to this folder. The old file is untouched." and dialog.form.isEnabled()
    dialog.change({"hold": 1})
    assert dialog.said.text == FOOTER, "another try"
    dialog.reject()
    assert not dialog.isVisible()


def test_it_is_gone_when_it_is_done(dialog, artist) -> None:
    window: QWidget = dialog.parentWidget()
    scrim = dialog._scrim
    assert scrim is not None and scrim.isVisible() and scrim.size() == window.size()
    dialog.accept()
    artist.run.finished.emit(None)
    assert not dialog.isVisible() and not scrim.isVisible()


def test_nothing_starts_while_something_runs(dialog, artist) -> None:
    artist.busy = "Generating is under way."
    dialog.refresh()
    assert not dialog.export_button.isEnabled() and dialog.export_button.toolTip() == "Generating is under way."
    assert dialog.said.text == "Generating is under way. Export when it has ended."
    artist.busy = ""
    dialog.hands_changed()
    assert dialog.export_button.isEnabled() and dialog.said.text == FOOTER
    dialog.accept()
    artist.run.failed.emit("Could not write to this folder.")
    dialog.hands_changed()
    assert dialog.said.text.startswith("Could not write"), "nothing has changed: what was said stays"


def test_no_words_are_cut_in_a_small_window(dialog) -> None:
    for target in ("blender", "maya", "unreal", "video", "data"):
        dialog.choose_target(target)
        for key, choice in dialog.form.space_.choices.items():
            if choice.isVisible():
                assert choice.fontMetrics().horizontalAdvance(choice.text) <= choice.width() - 34, (target, key)
        assert dialog.form.width() <= dialog.form.parentWidget().width(), target


def test_a_stale_take_is_told(open_dialog) -> None:
    dialog = open_dialog(subject(stale=True))
    assert "Take 07 is older than the scene." in said(dialog)


def test_enter_in_the_place_exports_there(dialog, tmp_path: Path, qtbot, monkeypatch) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(dialog, "accept", lambda: asked.append(dialog.path))
    dialog.export_button.clicked.disconnect()
    dialog.export_button.clicked.connect(dialog.accept)
    assert dialog.export_button.isDefault() and not dialog.cancel_button.isDefault()
    line = dialog.form.place.line
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "shot01")
    assert dialog.path == tmp_path / "shot01.usdc", "names without a folder are in the one that was offered"
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert asked == [tmp_path / "shot01.usdc"] and dialog.form.place.text.endswith("shot01.usdc")


def test_folders_and_suffixes_that_are_typed(dialog, tmp_path: Path, qtbot) -> None:
    line = dialog.form.place.line
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "sub/shot01.fbx")
    assert dialog.path == tmp_path / "sub" / "shot01.usdc" and "There is no such folder." in said(dialog)
    line.editingFinished.emit()  # the focus goes elsewhere
    assert dialog.form.place.text.endswith("shot01.usdc"), "the field says what will be written"
