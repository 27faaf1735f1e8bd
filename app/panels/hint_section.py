"""The section of the Body tab about the active body's hints."""

from __future__ import annotations

from collections.abc import Sequence

from app.document.hint_edits import hints_of
from app.kit import Section, Segments, Text
from app.look.look import Look
from app.panels.hint_controls import HintControls
from app.session.selection import Selection
from engine.scene.shot import TakeCard
from engine.scene.spec import Body

MOST = 5  # hints of one body to choose from


class HintSection(Section):
    """Hidden unless one body with a hint is selected; several hints can be chosen from by number."""

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, "Hint")
        self._document, self._selection = selection.document, selection
        self.which = Segments(look, [("", "")], "Which hint")
        self.which.chosen.connect(selection.choose_hint)
        self.controls = HintControls(look, selection.document, selection)
        self.met = Text(look, role="text2", size="small", wraps=True)
        self._met: dict[str, str] = {}
        self._take = ""
        self.add(self.which, self.controls, self.met)
        self.hide()  # until there is one: a section that goes away would move those below it

    def show_take(self, card: TakeCard | None) -> None:
        """Say under a hint how closely this take meets it; None without one."""
        told = (each.partition(" ") for each in card.met) if card is not None else ()
        self._met = {key: words for key, _, words in told}
        self._take = card.name if card is not None else ""
        self.show_bodies(self._selection.bodies())

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        hints = hints_of(self._document.shown, bodies[-1].id) if len(bodies) == 1 else []
        self.setVisible(bool(hints))
        if not hints:
            return
        ids = [hint.id for hint in hints]
        shown = self._selection.hint if self._selection.hint in ids else ids[-1]
        self.which.setVisible(len(hints) > 1)
        self.which.set_choices([(hint.id, f"{k} {hint.kind}") for k, hint in enumerate(hints[-MOST:], start=1)])
        self.which.set_current(shown)
        self.controls.show_hint(shown)
        words = self._met.get(shown, "")
        self.met.set_text(f"{self._take}: {words}" if words else "")
        self.met.setVisible(bool(words))
