"""The table of actions: complete, free of clashes, and every row runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QDialog
from standins import MakerDialog, filled, with_take

from app.document import edits
from app.document.hint_edits import add_hint
from app.document.joint_edits import add_joint
from app.export.wish import Wish
from app.look.look import size, tokens
from app.shell.actions import ACTIONS, MENUS
from app.shell.window_commands import PRESETS
from engine.export.settings import Settings
from engine.scene.spec import Hint, Joint

ENDS_THE_WINDOW = {"file.quit"}
LEAVES_THE_PROGRAM = {"help.folder"}


@pytest.mark.parametrize("preset", PRESETS)
def test_no_two_actions_share_a_shortcut(preset: str) -> None:
    keys = Counter(QKeySequence(key).toString() for entry in ACTIONS for key in entry.shortcuts(preset))
    assert "" not in keys  # a key that Qt does not understand
    assert [key for key, count in keys.items() if count > 1] == []


def test_every_action_says_what_it_does() -> None:
    ids = [entry.id for entry in ACTIONS]
    assert len(set(ids)) == len(ids)
    for entry in ACTIONS:
        assert entry.tip.endswith(".") and entry.text and entry.menu.split("/")[0] in MENUS, entry.id
        assert not entry.icon or entry.icon in tokens()["icons"], entry.id
        assert "!" not in entry.tip + entry.text


@pytest.mark.parametrize("menu", MENUS)
def test_every_action_runs(menu: str, window, monkeypatch, tmp_path, answers) -> None:
    from PySide6.QtGui import QDesktopServices

    opened: list = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    answers.save, answers.mesh = tmp_path / "a.foregone", tmp_path / "a.obj"
    for entry in [entry for entry in ACTIONS if entry.menu.split("/")[0] == menu]:
        prepare(window, entry.id)
        action = window.actions_by_id[entry.id]
        assert action.isEnabled(), action.toolTip()
        assert entry.tip in action.toolTip().replace("\n", " ")
        action.trigger()
        for widget in [*MakerDialog.opened, window.menus.add_menu, window.palette_float]:
            widget.close()
        MakerDialog.opened.clear()
        close_dialogs()
        assert window.isVisible() == (entry.id not in ENDS_THE_WINDOW)
        assert bool(opened) == (entry.id in LEAVES_THE_PROGRAM), entry.id
        opened.clear()


def prepare(window, key: str) -> None:
    """A scene with four bodies, two of them selected, one hidden, one locked, with something to undo and to redo."""
    studio = window.studio
    window.hide_welcome()
    if studio.job is not None:
        studio.job.cancel()
    studio.end_passing_tool()
    studio.files.finish()
    studio.document.new()
    ids = filled(studio.document, 4)
    studio.document.edit("Hide", edits.set_fields(studio.document.scene, ids[3:], hidden=True))
    studio.document.edit("Group", edits.group(studio.document.scene, ids[:1])[0])
    studio.document.edit("Lock", edits.set_fields(studio.document.scene, ids[1:2], locked=True))
    for take in ("t90", "t91", "t92"):
        with_take(studio, take)
    studio.playback.show("t91")
    studio.browsing.set_threshold(-1.0)  # J: all are above it
    window.enlarge_takes(False)
    studio.document.edit("Rename", edits.rename(studio.document.scene, ids[0], "Die"))
    studio.document.history.undo()
    studio.selection.set(ids[:2])
    if key.startswith("hint."):
        owner = ids[0] if key == "hint.move" else ids[1]
        hint = Hint("bounce", owner, (0.0, 0.6, -0.8), 2.0, (0.0, 1.2, -1.6), height=0.13, distance=0.4)
        studio.document.edit("Sketch", add_hint(studio.document.scene, hint)[0])
        window.actions_by_id.run("hint.copy")
    if key.startswith("joint.delete"):
        studio.document.edit("Join", add_joint(studio.document.scene, Joint("ball", ids[0], ids[1]))[0])
    if key == "edit.paste":
        window.actions_by_id.run("edit.copy")
    if key == "file.export_again":
        studio.exporting.last = Wish("data", Settings("csv"), Path("a.csv"))
    if key == "job.cancel":
        window.actions_by_id.run("body.settle")
    studio.settings.set("files/recent", ["x"])
    studio.refreshed.emit()


def close_dialogs() -> None:
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, QDialog):
            widget.close()


def test_menus_hold_every_action(window) -> None:
    found = {action.objectName() for menu in window.menus.menus.values() for action in menu.actions()}
    assert {entry.id for entry in ACTIONS} <= found


def test_actions_that_cannot_run_say_why(window) -> None:
    paste, delete = window.actions_by_id["edit.copy"], window.actions_by_id["edit.delete"]
    assert not paste.isEnabled() and "Select a body first." in paste.toolTip()
    filled(window.studio.document)
    window.actions_by_id.run("select.all")
    assert delete.isEnabled() and "first" not in delete.toolTip()


def test_undo_is_called_after_what_it_undoes(window) -> None:
    filled(window.studio.document)
    window.actions_by_id.run("select.all")
    window.actions_by_id.run("edit.delete")
    assert window.actions_by_id["edit.undo"].text() == "Undo Delete 3 bodies"
    window.actions_by_id.run("edit.undo")
    assert window.actions_by_id["edit.redo"].text() == "Redo Delete 3 bodies"
    assert len(window.studio.document.scene.bodies) == 3


def test_key_presets_change_the_shortcuts_at_once(window) -> None:
    window.actions_by_id.run("window.keys_maya")
    keys = window.actions_by_id["tool.move"].shortcuts()
    assert [key.toString() for key in keys] == ["W"]
    assert window.actions_by_id["body.move"].shortcuts() == []
    window.actions_by_id.run("window.keys_blender")
    assert window.actions_by_id["body.move"].shortcut().toString() == "G"


def test_previews_do_not_refresh_actions(window) -> None:
    ids = filled(window.studio.document)
    seen: list = []
    window.studio.refreshed.connect(lambda: seen.append(1))
    for k in range(5):
        window.studio.document.preview(edits.translate(window.studio.document.scene, ids, (0.0, 0.0, 0.1 * k + 0.1)))
    window.studio.document.preview(None)
    assert seen == []


def test_every_menu_fits_on_a_small_screen(window) -> None:
    """Under the bar of a window 720 px high; a higher menu would fold into two columns."""
    for name in MENUS:
        menu = window.menus.menus[name]
        height = sum(menu.actionGeometry(action).height() for action in menu.actions())
        assert 28 < height < 720 - size("menu_bar"), name
    takes = [action.text() for action in window.menus.menus["Takes"].actions() if action.text()]
    assert takes[:4] == ["Generate", "Generate this take again", "Options", "Play"] and takes[-1] == "Discard"
