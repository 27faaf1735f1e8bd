"""The section of the stacking panel in which the artist overrides who can leave."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from app.document import edits
from app.kit import Section, Segments, Text
from app.look.look import Look
from app.panels.body_model import common, samples
from app.session.selection import Selection, who
from engine.scene.spec import Body

CHOICES = (("auto", "As found"), ("free", "May leave"), ("never", "Stays"))
LABELS = {"auto": "Leave {} as found", "free": "Let {} leave", "never": "Let {} stay"}
MEANINGS = {
    "auto": "It comes in when everything that carries it is there, before what stands on it.",
    "free": "It may come in later than what stands on it, if that stands without it. Takes say where it could not.",
    "never": "It rests through the whole take, and so does what carries it.",
}
SEVERAL = "The selected bodies differ in this."
NOBODY = "Select a body to say whether it leaves."


class LeavingSection(Section):
    """Gray when nothing that moves is selected. It is always there and always as high, so that a list below it does not
    move away under the pointer that selects."""

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, "In takes")
        self._selection = selection
        self.choice = Segments(look, CHOICES, "Whether it leaves")
        self.choice.chosen.connect(self._choose)
        self.meaning = Text(look, "", "text3", "small", wraps=True)
        self.meaning.keep_room((*MEANINGS.values(), SEVERAL, NOBODY))
        self.add(self.choice, self.meaning)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        moving = [body for body in bodies if not body.static]
        self.choice.setEnabled(bool(moving))
        if not moving:
            self.choice.set_current(None)
            self.meaning.set_text(NOBODY)
            return
        leaves = common(samples(moving, attrgetter("leaves")), attrgetter("leaves"))
        self.choice.set_current(None if leaves.mixed else leaves.value)
        self.meaning.set_text(SEVERAL if leaves.mixed else MEANINGS.get(leaves.value, ""))

    def _choose(self, key: str) -> None:
        chosen = [body for body in self._selection.bodies() if not body.static]
        document = self._selection.document
        scene = edits.set_fields(document.scene, [body.id for body in chosen], leaves=key)
        document.edit(LABELS[key].format(who(chosen)), scene)
