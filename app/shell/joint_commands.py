"""Joints: holding one or two selected bodies, and taking a joint away."""

from __future__ import annotations

from app.document.joint_edits import add_joint, find_joint, joints_of, remove_joints
from app.document.joint_words import KINDS, MEANINGS, called
from app.shell.action import Action, Run, counted, needs
from app.shell.hint_commands import PANEL
from app.shell.studio import Studio
from app.tools.joining import joined
from engine.scene.spec import Joint

MENU = "Add/Join"


def join(kind: str) -> Run:
    """Hold the selected bodies together, or the only one by the world; F9 changes what came of it."""

    def run(studio: Studio) -> None:
        scene, key = add_joint(studio.document.scene, joined(studio.document.scene, kind, studio.selection.ids))
        made = scene.joints[-1]
        studio.document.edit(f"Join with {called(scene, made)}", scene)
        studio.settings.set(PANEL, True)
        studio.selection.choose_joint(key)
        studio.refreshed.emit()
        studio.shell.say("Move the anchor with G, or change the joint in its panel (F9).")

    return run


def current(studio: Studio) -> Joint | None:
    """The chosen joint, else the last one of the selected bodies."""
    scene, selection = studio.document.scene, studio.selection
    return find_joint(scene, selection.joint) or next(reversed(joints_of(scene, selection.ids)), None)


def delete(studio: Studio) -> None:
    joint = current(studio)
    if joint is not None:
        scene = studio.document.scene
        studio.document.edit(f"Delete {called(scene, joint)}", remove_joints(scene, [joint.id]))


def delete_all(studio: Studio) -> None:
    """Of the selected bodies."""
    scene = studio.document.scene
    ids = [joint.id for joint in joints_of(scene, studio.selection.ids)]
    studio.document.edit(f"Delete {counted(len(ids), 'joint', 'joints')}", remove_joints(scene, ids))


def _why_not(studio: Studio) -> str:
    bodies = studio.selection.bodies()
    if not 1 <= len(bodies) <= 2:
        return "Select two bodies to join, or one to hang on the world."
    if all(body.static for body in bodies):
        return "What is selected is static and never moves."
    return ""


needs_joint = needs(current, "Select a body with a joint first.")


def _tip(kind: str) -> str:
    return f"A joint that {MEANINGS[kind]}. Of two bodies, it goes with the one selected last or the static one."


ACTIONS = (
    *(
        Action(f"joint.{kind}", f"Join with a {words.lower()}", MENU, _tip(kind), join(kind), icon="joint",
               why_not=_why_not, line=kind == "ball")
        for kind, words in KINDS.items()
    ),
    Action("joint.delete", "Delete joint", MENU, "Remove the chosen joint, or the last one of the selected bodies.",
           delete, icon="edit.delete", why_not=needs_joint, line=True),
    Action("joint.delete_all", "Delete joints of selection", MENU, "Remove all joints of the selected bodies.",
           delete_all, why_not=needs_joint),
)  # fmt: skip
