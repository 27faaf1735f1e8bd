"""Hints: sketching them, and what can be done to the chosen one."""

from __future__ import annotations

from collections.abc import Callable

from app.document.hint_edits import (
    body_of,
    change_hint,
    copy_hint,
    find_hint,
    hints_of,
    move_hint,
    remove_hints,
    with_bodies,
)
from app.document.joint_edits import joints_of
from app.shell.action import Action, Run, counted, needs, setting_is
from app.shell.studio import Studio
from app.shell.tool_commands import in_use
from app.tools.hint_changes import as_kind, straight_down
from app.tools.sketch import SketchTool
from engine.scene.spec import Hint, Scene

PANEL = "hints/panel"  # setting: is the last-operation panel open?


def sketch(studio: Studio) -> None:
    tool = studio.use_tool("sketch")
    if isinstance(tool, SketchTool) and tool.tell is None:
        tool.leave = lambda: studio.use_tool("select")
        tool.tell = lambda words, body: studio.shell.tell(
            words, [("Show", lambda: _show(studio, body))], kind="warning"
        )
    studio.view.setFocus()


def _show(studio: Studio, body: str) -> None:
    studio.selection.set([body])
    studio.view.frame([body])


def current(studio: Studio) -> Hint | None:
    """The chosen hint, else the last one of the active body."""
    chosen = find_hint(studio.document.scene, studio.selection.hint)
    if chosen is not None or studio.selection.active is None:
        return chosen
    return next(reversed(hints_of(studio.document.scene, studio.selection.active)), None)


def whose(studio: Studio, hint: Hint) -> str:
    body = body_of(studio.document.scene, hint)
    return body.name if body is not None else hint.body


def copy(studio: Studio) -> None:
    studio.selection.copy_hint(current(studio))


def paste(studio: Studio) -> None:
    hint = studio.selection.copied_hint
    if hint is None:
        return
    scene, ids = copy_hint(studio.document.scene, hint, studio.selection.ids)
    if not ids:
        studio.shell.say("What is selected is static and never moves.")
        return
    studio.document.edit(f"Copy hint to {counted(len(ids))}", scene)
    studio.selection.choose_hint(ids[-1])
    studio.shell.say(f"Hint copied to {counted(len(ids))}.")


def _movable(studio: Studio) -> Hint | None:
    """The last hint of a body that is selected besides the active one."""
    found = with_bodies(studio.document.scene, studio.selection.ids[:-1])
    return found[-1][0] if found else None


def move(studio: Studio) -> None:
    hint, active = _movable(studio), studio.selection.active
    if hint is not None and active is not None:
        scene = move_hint(studio.document.scene, hint.id, active)
        studio.document.edit(f"Move the hint of {whose(studio, hint)}", scene)
        studio.selection.choose_hint(hint.id)


def _why_no_move(studio: Studio) -> str:
    if _movable(studio) is None:
        return "Select a body with a hint and then, with Shift, the body that shall have it."
    active = studio.document.scene.find(studio.selection.active or "")
    return "The active body is static and never moves." if active is None or active.static else ""


def delete(studio: Studio) -> None:
    hint = current(studio)
    if hint is not None:
        name = whose(studio, hint)
        studio.document.edit(f"Delete the hint of {name}", remove_hints(studio.document.scene, [hint.id]))


def delete_all(studio: Studio) -> None:
    """Of the selected bodies."""
    scene = studio.document.scene
    ids = [hint.id for key in studio.selection.ids for hint in hints_of(scene, key)]
    studio.document.edit(f"Delete {counted(len(ids), 'hint', 'hints')}", remove_hints(scene, ids))


def _changing(words: str, change: Callable[[Scene, Hint], Hint]) -> Run:
    def run(studio: Studio) -> None:
        hint = current(studio)
        if hint is not None:
            scene = studio.document.scene
            label = f"{words} {whose(studio, hint)}"
            studio.document.edit(label, change_hint(scene, hint.id, lambda old: change(scene, old)))
            studio.selection.choose_hint(hint.id)

    return run


def _is(kind: str) -> Callable[[Studio], bool]:
    return lambda studio: (hint := current(studio)) is not None and hint.kind == kind


def toggle_panel(studio: Studio) -> None:
    """Open the panel of the last operation, on what is chosen or the active body's hint or joint; or close it."""
    selection, hint = studio.selection, current(studio)
    open_now = bool(studio.settings.get(PANEL)) and bool(selection.hint or selection.joint)
    studio.settings.set(PANEL, not open_now)
    if not open_now and hint is not None and not selection.joint:
        selection.choose_hint(hint.id)
    elif not open_now and not selection.joint:
        selection.choose_joint(joints_of(studio.document.scene, selection.ids)[-1].id)
    studio.refreshed.emit()


needs_hint = needs(current, "Select a body with a hint first.")


def _why_no_paste(studio: Studio) -> str:
    if studio.selection.copied_hint is None:
        return "Copy a hint first."
    return "" if studio.selection.ids else "Select the bodies that shall get the hint."


ACTIONS = (
    Action("tool.sketch", "Sketch hint", "Hint", "Draw how a body came: an arc bounces, a line slides.", sketch,
           ("D",), icon="tool.sketch", checked=in_use("sketch")),
    Action("hint.bounce", "Bounce", "Hint", "The body comes in through the air and bounces.",
           _changing("Bounce", as_kind("bounce")), icon="hint.bounce", why_not=needs_hint, checked=_is("bounce"),
           line=True),
    Action("hint.slide", "Slide", "Hint", "The body comes in along what it rests on.",
           _changing("Slide", as_kind("slide")), icon="hint.slide", why_not=needs_hint, checked=_is("slide")),
    Action("hint.straight_down", "Straight down", "Hint", "The body drops in from right above.",
           _changing("Drop", straight_down), why_not=needs_hint),
    Action("hint.copy", "Copy hint", "Hint", "Copy the chosen hint, to paste it to other bodies.", copy,
           ("Ctrl+Alt+C",), icon="edit.copy", why_not=needs_hint, line=True),
    Action("hint.paste", "Copy hint to selected bodies", "Hint", "Give the copied hint to every selected body.", paste,
           ("Ctrl+Alt+V",), why_not=_why_no_paste),
    Action("hint.move", "Move hint to active body", "Hint",
           "Give the hint of the other selected body to the active one.", move, why_not=_why_no_move),
    Action("hint.delete", "Delete hint", "Hint", "Remove the chosen hint, or the last one of the active body.", delete,
           ("Ctrl+Del",), icon="edit.delete", why_not=needs_hint),
    Action("hint.delete_all", "Delete hints of selection", "Hint", "Remove all hints of the selected bodies.",
           delete_all, why_not=needs_hint),
    Action("hint.panel", "Last operation", "Hint", "Show or hide the panel that changes the hint just drawn or "
           "the joint just made.", toggle_panel, ("F9",), why_not=needs(
               lambda studio: current(studio) is not None or joints_of(studio.document.scene, studio.selection.ids),
               "Select a body with a hint or a joint first."),
           checked=setting_is(PANEL, True), line=True),
)  # fmt: skip
