"""Undo, clipboard, duplicate, delete, and what the selection is."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from app.document import edits
from app.shell import clipboard, hint_commands, joint_commands
from app.shell.action import Action, counted, needs, needs_bodies, needs_selection
from app.shell.studio import Studio
from engine.errors import ProjectError


def undo(studio: Studio) -> None:
    words = studio.document.history.undoText()
    studio.document.history.undo()
    studio.shell.say(f"Undone: {words}.")


def redo(studio: Studio) -> None:
    words = studio.document.history.redoText()
    studio.document.history.redo()
    studio.shell.say(f"Done again: {words}.")


def cut(studio: Studio) -> None:
    studio.selection.copy_hint(None)
    count = copy_selection(studio)
    _remove(studio, "Cut")
    studio.shell.say(f"{counted(count)} cut.")


def copy(studio: Studio) -> None:
    """The chosen hint, else the bodies."""
    if studio.selection.hint:
        hint_commands.copy(studio)
        return
    studio.selection.copy_hint(None)  # what was copied last is what will be pasted
    studio.shell.say(f"{counted(copy_selection(studio))} copied.")


def copy_selection(studio: Studio) -> int:
    text = clipboard.to_text(studio.document.scene, studio.selection.ids)
    data = QMimeData()
    data.setData(clipboard.MIME, text.encode("utf-8"))
    data.setText(text)
    QGuiApplication.clipboard().setMimeData(data)
    return len(studio.selection.ids)


def paste(studio: Studio) -> None:
    """A hint that was copied last goes to the selected bodies; else bodies join the scene."""
    if studio.selection.copied_hint is not None and studio.selection.ids:
        hint_commands.paste(studio)
        return
    data = QGuiApplication.clipboard().mimeData()
    text = bytes(data.data(clipboard.MIME).data()).decode("utf-8", "replace") if data.hasFormat(clipboard.MIME) else ""
    try:
        copied = clipboard.from_text(text or data.text())
    except ProjectError as error:
        reason = str(error)
        studio.shell.tell(f"Nothing to paste: {reason}. Copy bodies first (Ctrl+C).", kind="warning")
        return
    scene, ids = clipboard.pasted(copied, studio.document.scene)
    studio.document.edit(f"Paste {counted(len(ids))}", scene)
    studio.selection.set(ids)
    studio.shell.say(f"{counted(len(ids))} pasted where {'it was' if len(ids) == 1 else 'they were'}.")


def duplicate(studio: Studio) -> None:
    """Copies in the same place, at once on the move."""
    label = f"Duplicate {studio.selection.called()}"
    scene, ids = edits.duplicate(studio.document.scene, studio.selection.ids)
    gesture = f"duplicate {ids[0]}"  # the copies and their first move are one command
    studio.document.edit(label, scene, gesture)
    studio.selection.set(ids)
    studio.start_gesture("move", gesture)


def delete(studio: Studio) -> None:
    """The chosen hint or joint, else the bodies."""
    if studio.selection.hint:
        hint_commands.delete(studio)
    elif studio.selection.joint:
        joint_commands.delete(studio)
    else:
        _remove(studio, "Delete")


def _remove(studio: Studio, verb: str) -> None:
    free = edits.movable(studio.document.scene, studio.selection.ids)
    locked = len(studio.selection.ids) - len(free)
    if locked and not free:
        studio.shell.say(f"{studio.selection.called()} {'is' if locked == 1 else 'are'} locked. Unlock first.")
        return
    label = f"{verb} {studio.selection.called()}"
    studio.document.edit(label, edits.remove(studio.document.scene, free))
    if locked:
        studio.shell.say(f"{counted(locked)} locked and kept.")


def select_all(studio: Studio) -> None:
    studio.selection.set(body.id for body in studio.document.scene.bodies if not body.hidden)


def invert_selection(studio: Studio) -> None:
    chosen = set(studio.selection.ids)
    studio.selection.set(b.id for b in studio.document.scene.bodies if not b.hidden and b.id not in chosen)


ACTIONS = (
    Action("edit.undo", "Undo", "Edit", "Take back the last change.", undo, ("Ctrl+Z",), icon="edit.undo",
           why_not=needs(lambda studio: studio.document.history.canUndo(), "Nothing to undo."),
           label=lambda studio: f"Undo {studio.document.history.undoText()}".rstrip()),
    Action("edit.redo", "Redo", "Edit", "Make the change again that was taken back.", redo,
           ("Ctrl+Shift+Z", "Ctrl+Y"), icon="edit.redo",
           why_not=needs(lambda studio: studio.document.history.canRedo(), "Nothing to redo."),
           label=lambda studio: f"Redo {studio.document.history.redoText()}".rstrip()),
    Action("edit.cut", "Cut", "Edit", "Copy the selected bodies and remove them.", cut, ("Ctrl+X",),
           why_not=needs_selection, line=True),
    Action("edit.copy", "Copy", "Edit", "Copy the chosen hint, or the selected bodies, also for another window.",
           copy, ("Ctrl+C",), icon="edit.copy", why_not=needs_selection),
    Action("edit.paste", "Paste", "Edit", "Add the copied bodies where they were, or give the copied hint to the "
           "selected bodies.", paste, ("Ctrl+V",)),
    Action("edit.duplicate", "Duplicate", "Edit", "Copy the selected bodies and move the copies.", duplicate,
           ("Shift+D",), maya_keys=("Ctrl+D", "Shift+D"), why_not=needs_selection),
    Action("edit.delete", "Delete", "Edit", "Remove the chosen hint or joint, or the selected bodies; locked ones "
           "stay.", delete, ("Del", "X"), maya_keys=("Del", "Backspace"), icon="edit.delete", why_not=needs_selection),
    Action("select.all", "Select all", "Edit", "Select every visible body.", select_all, ("A", "Ctrl+A"),
           maya_keys=("Ctrl+A",), why_not=needs_bodies, line=True),
    Action("select.none", "Select none", "Edit", "Select nothing.", lambda studio: studio.selection.clear(),
           ("Alt+A", "Ctrl+Shift+A"), maya_keys=("Ctrl+Shift+A",), why_not=needs_selection),
    Action("select.invert", "Invert selection", "Edit", "Select what is not selected.", invert_selection,
           ("Ctrl+I",), why_not=needs_bodies),
)  # fmt: skip
