"""The section of the Body tab about the joints of the selected bodies."""

from __future__ import annotations

from collections.abc import Sequence

from app.document.joint_edits import joints_of
from app.document.joint_words import title_of
from app.kit import Choice, Section
from app.look.look import Look
from app.panels.joint_controls import JointControls
from app.session.selection import Selection
from engine.scene.spec import Body, Joint


class JointSection(Section):
    """Hidden unless a selected body has a joint; several can be chosen from."""

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, "Joint")
        self._document, self._selection = selection.document, selection
        self._ids: list[str] = []
        self.which = Choice(look, [], "Which joint")
        self.which.chosen.connect(self._choose)
        self.controls = JointControls(look, selection.document)
        self.add(self.which, self.controls)
        self.hide()  # until there is one: a section that goes away would move those below it

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        scene = self._document.shown
        joints = joints_of(scene, [body.id for body in bodies])
        self.setVisible(bool(joints))
        if not joints:
            return
        self._ids = [joint.id for joint in joints]
        at = self._ids.index(self._selection.joint) if self._selection.joint in self._ids else len(joints) - 1
        titles = [self._title(number, joint) for number, joint in enumerate(joints, start=1)]
        self.heading.rename(f"{len(joints)} joints" if len(joints) > 1 else "Joint")
        self.which.set_entries(titles)
        self.which.set_text(titles[at])
        self.controls.show_joint(self._ids[at])

    def _title(self, number: int, joint: Joint) -> str:
        """Two joints may hold the same bodies, so they are numbered."""
        words = title_of(self._document.shown, joint)
        return f"{number}  {words}" if len(self._ids) > 1 else words

    def _choose(self, title: str) -> None:
        self._selection.choose_joint(self._ids[int(title.split()[0]) - 1] if len(self._ids) > 1 else self._ids[0])
