"""Selection: which bodies, and which hint or joint of theirs, the next command is for. Not part of the document, not
undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Concatenate, ParamSpec

from PySide6.QtCore import QObject, Signal

from app.document.difference import Difference
from app.document.document import Document
from app.document.hint_edits import body_of, find_hint
from app.document.joint_edits import bodies_of, find_joint
from engine.scene.spec import Body, Hint, Joint, Scene

P = ParamSpec("P")


def who(bodies: Sequence[Body]) -> str:
    """Whom a command is about, for its name in the history."""
    return bodies[0].name if len(bodies) == 1 else f"{len(bodies)} bodies"


class Selection(QObject):
    """Ids in the order they were chosen; the last one is the active body, whose values panels show.

    Signals:
        changed()    another set, or another active body
        hovered()    the body under the mouse is another one
        hint_chosen()   another hint of the active body, or none
        hint_copied()   a hint was put aside, or is there no longer
        joint_chosen()  another joint of the selected bodies, or none
    """

    changed = Signal()
    hovered = Signal()
    hint_chosen = Signal()
    hint_copied = Signal()
    joint_chosen = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self._ids: tuple[str, ...] = ()
        self._hover: str | None = None
        self._hint = self._joint = ""
        self._copied_hint: Hint | None = None
        self._found: tuple[Scene, tuple[str, ...], list[Body]] | None = None  # what `bodies` answered last
        document.changed.connect(self._follow)

    @property
    def ids(self) -> tuple[str, ...]:
        return self._ids

    @property
    def active(self) -> str | None:
        return self._ids[-1] if self._ids else None

    @property
    def hover(self) -> str | None:
        return self._hover

    @property
    def hint(self) -> str:
        """Id of the chosen hint; "" when there is none."""
        return self._hint

    def chosen_hint(self) -> Hint | None:
        """The chosen hint as shown."""
        return find_hint(self.document.shown, self._hint)

    def bodies(self) -> list[Body]:
        """The selected bodies as shown, in the order they were chosen. Asked many times about the same scene."""
        scene = self.document.shown
        if self._found is None or self._found[0] is not scene or self._found[1] is not self._ids:
            by_id = {body.id: body for body in scene.bodies}
            self._found = (scene, self._ids, [by_id[key] for key in self._ids if key in by_id])
        return list(self._found[2])

    def called(self) -> str:
        """How commands speak of what is selected."""
        return who(self.bodies())

    def edit(self, words: str, change: Callable[Concatenate[Scene, tuple[str, ...], P], Scene], *args: P.args,
             **fields: P.kwargs) -> bool:  # fmt: skip
        """One command about the selected bodies; {} in its words stands for them. Was anything changed?"""
        return self.document.edit(words.format(self.called()), change(self.document.scene, self._ids, *args, **fields))

    def active_body(self) -> Body | None:
        return next((body for body in self.document.shown.bodies if body.id == self.active), None)

    def set(self, ids: Iterable[str]) -> None:
        fresh = tuple(dict.fromkeys(ids))
        if fresh != self._ids:
            self._ids = fresh
            self._drop_foreign_hint()
            self._drop_foreign_joint()
            self.changed.emit()

    def add(self, ids: Iterable[str]) -> None:
        more = list(dict.fromkeys(ids))
        self.set([key for key in self._ids if key not in set(more)] + more)

    def toggle(self, key: str) -> None:
        """Add a body, make it active if it is not, or take it out if it is."""
        if key == self.active:
            self.set(self._ids[:-1])
        else:
            self.add([key])

    def clear(self) -> None:
        self.set(())

    def choose_hint(self, hint_id: str) -> None:
        """Choose a hint, and with it its body; "" chooses none."""
        hint = find_hint(self.document.shown, hint_id)
        body = body_of(self.document.shown, hint) if hint is not None else None
        if body is not None and body.id != self.active:
            self.set([body.id])
        if body is not None:
            self._set_joint("")
        self._set_hint(hint_id if body is not None else "")

    @property
    def joint(self) -> str:
        """Id of the chosen joint; "" when there is none. Never together with a hint."""
        return self._joint

    def chosen_joint(self) -> Joint | None:
        """The chosen joint as shown."""
        return find_joint(self.document.shown, self._joint)

    def choose_joint(self, joint_id: str) -> None:
        """Choose a joint, and with it its bodies unless one of them is selected already; "" chooses none."""
        joint = find_joint(self.document.shown, joint_id)
        held = [body.id for body in bodies_of(self.document.shown, joint)] if joint is not None else []
        if held and not set(held) & set(self._ids):
            self.set(reversed(held))
        if held:
            self._set_hint("")
        self._set_joint(joint_id if held else "")

    @property
    def copied_hint(self) -> Hint | None:
        """A hint put aside, to be given to other bodies."""
        return self._copied_hint

    def copy_hint(self, hint: Hint | None) -> None:
        if hint is not self._copied_hint:
            self._copied_hint = hint
            self.hint_copied.emit()

    def _set_hint(self, hint_id: str) -> None:
        if hint_id != self._hint:
            self._hint = hint_id
            self.hint_chosen.emit()

    def _drop_foreign_hint(self) -> None:
        """A hint stays chosen only as long as its body is the active one."""
        hint = self.chosen_hint()
        body = body_of(self.document.shown, hint) if hint is not None else None
        if body is None or body.id != self.active:
            self._set_hint("")

    def _set_joint(self, joint_id: str) -> None:
        if joint_id != self._joint:
            self._joint = joint_id
            self.joint_chosen.emit()

    def _drop_foreign_joint(self) -> None:
        """A joint stays chosen only as long as one of its bodies is selected."""
        joint = self.chosen_joint()
        held = bodies_of(self.document.shown, joint) if joint is not None else []
        if not any(body.id in self._ids for body in held):
            self._set_joint("")

    def set_hover(self, key: str | None) -> None:
        if key != self._hover:
            self._hover = key
            self.hovered.emit()

    def _follow(self, change: Difference) -> None:
        """Bodies, hints and joints that left the scene leave the selection."""
        if change.removed:
            gone = set(change.removed)
            if self._hover in gone:
                self.set_hover(None)
            self.set(key for key in self._ids if key not in gone)
        if change.hints and self._hint:
            self._drop_foreign_hint()
        if change.joints and self._joint:
            self._drop_foreign_joint()
