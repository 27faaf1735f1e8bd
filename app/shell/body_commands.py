"""What is done to the selected bodies: gestures, group, hide, lock, array, drop."""

from __future__ import annotations

from app.document import edits
from app.shell.action import Action, needs_selection, setting_is, switch
from app.shell.edit_commands import named
from app.shell.studio import Studio


def move(studio: Studio) -> None:
    studio.start_gesture("move")


def rotate(studio: Studio) -> None:
    studio.start_gesture("rotate")


def scale(studio: Studio) -> None:
    studio.start_gesture("scale")


def group(studio: Studio) -> None:
    scene, _ = edits.group(studio.document.scene, studio.selection.ids)
    studio.document.edit(f"Group {named(studio)}", scene)


def ungroup(studio: Studio) -> None:
    studio.document.edit(f"Ungroup {named(studio)}", edits.ungroup(studio.document.scene, studio.selection.ids))


def hide(studio: Studio) -> None:
    label = f"Hide {named(studio)}"
    studio.document.edit(label, edits.set_fields(studio.document.scene, studio.selection.ids, hidden=True))
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
    studio.document.edit(f"Isolate {named(studio)}", edits.set_fields(studio.document.scene, others, hidden=True))


def lock(studio: Studio) -> None:
    scene = edits.set_fields(studio.document.scene, studio.selection.ids, locked=True)
    studio.document.edit(f"Lock {named(studio)}", scene)


def unlock(studio: Studio) -> None:
    scene = edits.set_fields(studio.document.scene, studio.selection.ids, locked=False)
    studio.document.edit(f"Unlock {named(studio)}", scene)


def array(studio: Studio) -> None:
    studio.open_dialog("array")


def drop(studio: Studio) -> None:
    scene = studio.parts.drop(studio.document.scene, studio.selection.ids)
    if not studio.document.edit(f"Drop {named(studio)}", scene):
        studio.shell.say("Nothing to drop: what is selected touches something below, or is locked.")


def to_ground(studio: Studio) -> None:
    scene = studio.parts.to_ground(studio.document.scene, studio.selection.ids)
    if not studio.document.edit(f"Move {named(studio)} to the ground", scene):
        studio.shell.say("Nothing to move: what is selected is on the ground, or is locked.")


def _why_no_ungroup(studio: Studio) -> str:
    grouped = any(body.group for body in studio.selection.bodies())
    return needs_selection(studio) or ("" if grouped else "What is selected is in no group.")


def _why_no_show(studio: Studio) -> str:
    return "" if any(body.hidden for body in studio.document.scene.bodies) else "Nothing is hidden."


def _why_no_isolate(studio: Studio) -> str:
    chosen = set(studio.selection.ids)
    others = any(not body.hidden and body.id not in chosen for body in studio.document.scene.bodies)
    return needs_selection(studio) or ("" if others else "Everything else is hidden.")


def _why_no_lock(studio: Studio) -> str:
    free = any(not body.locked for body in studio.selection.bodies())
    return needs_selection(studio) or ("" if free else "What is selected is locked.")


def _why_no_unlock(studio: Studio) -> str:
    locked = any(body.locked for body in studio.selection.bodies())
    return needs_selection(studio) or ("" if locked else "What is selected is not locked.")


def _refresh(studio: Studio) -> None:
    studio.view.refresh()
    studio.refreshed.emit()


ACTIONS = (
    Action("body.move", "Move", "Edit/Transform", "Move the selection with the mouse; X, Y, Z lock an axis, numbers "
           "set it exactly.", move, ("G",), maya_keys=(), icon="tool.move", why_not=needs_selection, line=True),
    Action("body.rotate", "Rotate", "Edit/Transform", "Turn the selection with the mouse.", rotate, ("R",),
           maya_keys=(), icon="tool.rotate", why_not=needs_selection),
    Action("body.scale", "Scale", "Edit/Transform", "Size the selection with the mouse.", scale, ("S",),
           maya_keys=(), icon="tool.scale", why_not=needs_selection),
    Action("body.drop", "Drop to surface", "Edit/Transform", "Move the selection straight down until it touches.",
           drop, ("Shift+End",), why_not=needs_selection, line=True),
    Action("body.to_ground", "Put on the ground", "Edit/Transform", "Move each selected body down or up until it "
           "touches the ground.", to_ground, ("Ctrl+End",), why_not=needs_selection),
    Action("snap.on", "Snap", "Edit/Transform", "Snap to the grid and to steps of angle while moving; hold Ctrl to do "
           "the opposite.", switch("snap/on", _refresh), ("Shift+M",), icon="tool.snap",
           checked=setting_is("snap/on", True), line=True),
    Action("body.array", "Array…", "Edit", "A row, grid or circle of copies.", array, ("Ctrl+Shift+D",),
           why_not=needs_selection),
    Action("body.group", "Group", "Edit", "Put the selected bodies in a folder of the outliner.", group, ("Ctrl+G",),
           icon="group", why_not=needs_selection, line=True),
    Action("body.ungroup", "Ungroup", "Edit", "Take the selected bodies out of their folder.", ungroup,
           ("Ctrl+Shift+G",), why_not=_why_no_ungroup),
    Action("body.hide", "Hide", "Edit", "Do not show the selected bodies; they still collide.", hide, ("H",),
           maya_keys=("Ctrl+H",), icon="body.hidden", why_not=needs_selection, line=True),
    Action("body.show_all", "Show all", "Edit", "Show what was hidden, and select it.", show_all, ("Alt+H",),
           maya_keys=("Ctrl+Shift+H",), icon="body.visible", why_not=_why_no_show),
    Action("body.isolate", "Isolate", "Edit", "Hide everything but the selection.", isolate, ("Shift+H",),
           why_not=_why_no_isolate),
    Action("body.lock", "Lock", "Edit", "Keep the selected bodies from being moved or deleted.", lock, ("Ctrl+L",),
           icon="body.held", why_not=_why_no_lock),
    Action("body.unlock", "Unlock", "Edit", "Let the selected bodies be moved again.", unlock, ("Ctrl+Shift+L",),
           icon="body.unlocked", why_not=_why_no_unlock),
)  # fmt: skip
