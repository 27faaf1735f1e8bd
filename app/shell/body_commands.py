"""What is done to the selected bodies: gestures, group, hide, lock, array, drop."""

from __future__ import annotations

from collections.abc import Callable

from app.document import edits
from app.shell.action import Action, Reason, Run, changes, needs, needs_selection, setting_is, switch
from app.shell.studio import Studio
from engine.scene.spec import Body


def gesture(kind: str) -> Run:
    return lambda studio: studio.start_gesture(kind)


def _needs_one(test: Callable[[Body], object], state: str) -> Reason:
    """One of the selected bodies must pass the test; else all are in this state."""
    return needs(lambda studio: any(test(body) for body in studio.selection.bodies()), f"What is selected is {state}.",
                 needs_selection)  # fmt: skip


def group(studio: Studio) -> None:
    scene, _ = edits.group(studio.document.scene, studio.selection.ids)
    studio.document.edit(f"Group {studio.selection.called()}", scene)


def hide(studio: Studio) -> None:
    studio.selection.edit("Hide {}", edits.set_fields, hidden=True)
    studio.selection.clear()
    studio.shell.say("Hidden bodies still collide. Edit > Show all brings them back.")


def show_all(studio: Studio) -> None:
    hidden = [body.id for body in studio.document.scene.bodies if body.hidden]
    studio.document.edit("Show all", edits.set_fields(studio.document.scene, hidden, hidden=False))
    studio.selection.set(hidden)


def isolate(studio: Studio) -> None:
    """Hide everything else."""
    chosen = set(studio.selection.ids)
    others = [body.id for body in studio.document.scene.bodies if body.id not in chosen]
    scene = edits.set_fields(studio.document.scene, others, hidden=True)
    studio.document.edit(f"Isolate {studio.selection.called()}", scene)


def drop(studio: Studio) -> None:
    if not studio.selection.edit("Drop {}", studio.parts.drop):
        studio.shell.say("Nothing to drop: what is selected touches something below, or is locked.")


def to_ground(studio: Studio) -> None:
    if not studio.selection.edit("Move {} to the ground", studio.parts.to_ground):
        studio.shell.say("Nothing to move: what is selected is on the ground, or is locked.")


def _why_no_isolate(studio: Studio) -> str:
    chosen = set(studio.selection.ids)
    others = any(not body.hidden and body.id not in chosen for body in studio.document.scene.bodies)
    return needs_selection(studio) or ("" if others else "Everything else is hidden.")


def _refresh(studio: Studio) -> None:
    studio.view.refresh()
    studio.refreshed.emit()


ACTIONS = (
    Action("body.move", "Move", "Edit/Transform", "Move the selection with the mouse; X, Y, Z lock an axis, numbers "
           "set it exactly.", gesture("move"), ("G",), maya_keys=(), icon="tool.move", why_not=needs_selection,
           line=True),
    Action("body.rotate", "Rotate", "Edit/Transform", "Turn the selection with the mouse.", gesture("rotate"), ("R",),
           maya_keys=(), icon="tool.rotate", why_not=needs_selection),
    Action("body.scale", "Scale", "Edit/Transform", "Size the selection with the mouse.", gesture("scale"), ("S",),
           maya_keys=(), icon="tool.scale", why_not=needs_selection),
    Action("body.drop", "Drop to surface", "Edit/Transform", "Move the selection straight down until it touches.",
           drop, ("Shift+End",), why_not=needs_selection, line=True),
    Action("body.to_ground", "Put on the ground", "Edit/Transform", "Move each selected body down or up until it "
           "touches the ground.", to_ground, ("Ctrl+End",), why_not=needs_selection),
    Action("snap.on", "Snap", "Edit/Transform", "Snap to the grid and to steps of angle while moving; hold Ctrl to do "
           "the opposite.", switch("snap/on", _refresh), ("Shift+M",), icon="tool.snap",
           checked=setting_is("snap/on", True), line=True),
    Action("body.array", "Array…", "Edit", "A row, grid or circle of copies.",
           lambda studio: studio.open_dialog("array"), ("Ctrl+Shift+D",), why_not=needs_selection),
    Action("body.group", "Group", "Edit", "Put the selected bodies in a folder of the outliner.", group, ("Ctrl+G",),
           icon="group", why_not=needs_selection, line=True),
    Action("body.ungroup", "Ungroup", "Edit", "Take the selected bodies out of their folder.",
           changes("Ungroup {}", edits.ungroup), ("Ctrl+Shift+G",),
           why_not=_needs_one(lambda body: body.group, "in no group")),
    Action("body.hide", "Hide", "Edit", "Do not show the selected bodies; they still collide.", hide, ("H",),
           maya_keys=("Ctrl+H",), icon="body.hidden", why_not=needs_selection, line=True),
    Action("body.show_all", "Show all", "Edit", "Show what was hidden, and select it.", show_all, ("Alt+H",),
           maya_keys=("Ctrl+Shift+H",), icon="body.visible",
           why_not=needs(lambda studio: any(body.hidden for body in studio.document.scene.bodies),
                         "Nothing is hidden.")),
    Action("body.isolate", "Isolate", "Edit", "Hide everything but the selection.", isolate, ("Shift+H",),
           why_not=_why_no_isolate),
    Action("body.lock", "Lock", "Edit", "Keep the selected bodies from being moved or deleted.",
           changes("Lock {}", edits.set_fields, locked=True), ("Ctrl+L",), icon="body.held",
           why_not=_needs_one(lambda body: not body.locked, "locked")),
    Action("body.unlock", "Unlock", "Edit", "Let the selected bodies be moved again.",
           changes("Unlock {}", edits.set_fields, locked=False), ("Ctrl+Shift+L",), icon="body.unlocked",
           why_not=_needs_one(lambda body: body.locked, "not locked")),
)  # fmt: skip
