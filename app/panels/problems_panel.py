"""ProblemsPanel: what keeps the ending from standing, each with the one-click fix if there is one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.kit import Card, EmptyState, PanelScroll, Text, panel_column, show_each
from app.kit.layouts import FILL, stacked
from app.look.look import Look
from app.panels.problem_item import ProblemItem
from app.session.selection import Selection

PREPARING = "The engine is being prepared. Then this ending is checked."
MOST_CARDS = 60  # a list nobody reads to its end is cut here, and says so


def show_problem(card: Card, item: ProblemItem) -> None:
    card.show_words(item.message, item.advice, item.fix_words, item.severity)


class ProblemsPanel(QWidget):
    """Signals:
    fix_requested(ProblemItem)   the button of a problem; when the item has a `fix` of its own, that has run already
    """

    fix_requested = Signal(object)

    def __init__(self, document: Document, selection: Selection, look: Look) -> None:
        super().__init__()
        self._document, self._selection, self._look = document, selection, look
        self.items: list[ProblemItem] = []
        self._checking = self._preparing = False
        self.cards: list[Card] = []
        self.title = Text(look, "", "text", "panel_title")
        self.checking = Text(look, "Checking…", "text3", "small")
        self.checking.hide()
        self._more = Text(look, "", "text3", "small", wraps=True)
        self._column = panel_column(self.title, self.checking, self._more, FILL)
        self.empty = EmptyState(look, "state.ok", "")
        self._pages = stacked(self.empty, PanelScroll(self._column), of=self)
        self.set_problems([])

    def set_problems(self, items: Sequence[ProblemItem]) -> None:
        """Errors come first, otherwise in the order given. Ends the checking."""
        ordered = sorted(items, key=lambda item: item.severity != "error")
        self.set_checking(False)
        if ordered == self.items and self.cards:
            return
        self.items = ordered
        self._show_cards(ordered[:MOST_CARDS])
        left = len(ordered) - MOST_CARDS
        self._more.set_text(f"{left} more. Mend these first." if left > 0 else "")
        self._more.setVisible(left > 0)
        self.title.set_text("1 problem" if len(ordered) == 1 else f"{len(ordered)} problems")
        self._pages.setCurrentIndex(1 if ordered else 0)

    def set_checking(self, on: bool) -> None:
        """A quiet word while the worker looks; the old list stays until it answers."""
        self._checking = on
        self._show_state()

    def set_preparing(self, on: bool) -> None:
        """The engine is not there yet: checks wait."""
        self._preparing = on
        self._show_state()

    def _show_state(self) -> None:
        on, words = self._checking, PREPARING if self._preparing else "Checking…"
        self.checking.set_text(words)
        self.checking.setVisible(on)
        self.empty.glyph.show_icon("take.stale" if on else "state.ok")
        self.empty.words.set_text(words if on else "No problems. This ending can stand.")

    def _show_cards(self, items: Sequence[ProblemItem]) -> None:
        while len(self.cards) < len(items):
            self.cards.append(self._new_card(len(self.cards)))
        show_each(self.cards, items, show_problem)

    def _new_card(self, number: int) -> Card:
        card = Card(self._look, clickable=True)
        card.clicked.connect(lambda: self._select(number))
        card.fix_requested.connect(lambda: self.fix(self.items[number]))
        self._column.insertWidget(2 + number, card)
        return card

    def _select(self, number: int) -> None:
        known = {body.id for body in self._document.shown.bodies}
        self._selection.set(key for key in self.items[number].bodies if key in known)

    def select_next(self) -> None:
        """Those about what is selected now are passed over."""
        if self.items:
            chosen = set(self._selection.ids)
            here = [n for n, item in enumerate(self.items) if chosen and chosen == set(item.bodies)]
            self._select((here[-1] + 1) % len(self.items) if here else 0)

    def fix(self, item: ProblemItem) -> None:
        if item.fix is not None:
            item.fix()
        self.fix_requested.emit(item)
