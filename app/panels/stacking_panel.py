"""StackingPanel: how the ending holds together: who can leave, what holds the others, who carries whom, in which order
they can have come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout

from app.document.document import Document
from app.kit import Card, EmptyState, PanelScroll, Section, Text, WatchedPanel, WordButton, panel_column, show_each
from app.kit.layouts import FILL, row, stacked, wide
from app.look.look import Look
from app.panels.arrival_list import ArrivalList
from app.panels.inspection_panel import BROKEN, BUSY
from app.panels.leaving_section import LeavingSection
from app.panels.pose_section import ArrivalSection
from app.panels.support_graph import SupportGraph
from app.session.selection import Selection, who
from engine.scene.colors import body_color
from engine.scene.seat import Seat, Stacking, Trouble, carriers_of, sequence

EMPTY = "Place bodies to see how they hold each other."
LEGEND = "Lines lead down to what carries a body. A wedge over one says that it can leave; a bar, that it stays."
ORDER = "Any order in which what carries others comes first. Drag a body, or press Alt and an arrow, to ask for one."
ANY_ORDER, AS_ASKED = "one possible", "as you asked"
WHY = "Seen backward, those leave first; then what they held. Select one to see why."
MOST_TROUBLES = 6  # cards; more of them say the same


class StackingPanel(WatchedPanel):
    """What stands above the list of arrivals keeps its height whatever is selected, and what the worker finds while a
    row is held waits: the list stays under the pointer.
    """

    def __init__(self, document: Document, selection: Selection, look: Look) -> None:
        super().__init__()
        self._document, self._selection, self._look = document, selection, look
        self.stacking = Stacking((), ())
        self._waiting: Stacking | None = None
        self.busy = Text(look, BUSY, "text3", "small")
        self.card = Card(look)
        self.troubles = [self._trouble_card(number) for number in range(MOST_TROUBLES)]
        self.more = Text(look, "", "text3", "small", wraps=True)
        self.graph = SupportGraph(look, selection)
        self.list = ArrivalList(look, selection)
        self.leaving = LeavingSection(look, selection)
        self.arrival = ArrivalSection(look, selection)
        self.refusal = Text(look, "", "ghosted", "small", wraps=True)
        self.open_order = WordButton(look, "Leave the order open")
        self.empty = EmptyState(look, "tab.stacking", EMPTY)
        self._pages = stacked(self.empty, PanelScroll(self._content(), keeps_width=True), of=self)
        selection.changed.connect(self._show_card)
        self.list.arranged.connect(self._arrange)
        self.list.refused.connect(self._refuse)
        self.list.let_go.connect(self._catch_up)
        self.open_order.clicked.connect(
            lambda: document.edit("Leave the order open", replace(document.scene, arrival_order=[]))
        )
        document.changed.connect(self._follow)
        look.changed.connect(self._show)
        self.set_busy(False)
        self._refuse("")
        self._show()

    def _content(self) -> QVBoxLayout:
        graph = Section(self._look, "Who carries whom")
        graph.add(self.graph, Text(self._look, LEGEND, "text3", "small", wraps=True))
        self.order = Section(self._look, "Order of arrival", ANY_ORDER)
        self.order.add(Text(self._look, ORDER, "text3", "small", wraps=True), self.open_order, self.list, self.refusal)
        head = row(wide(Text(self._look, "Stacking", "text", "panel_title")), self.busy)
        found = (self.card, self.leaving, *self.troubles, self.more)
        return panel_column(head, *found, graph, self.order, self.arrival, FILL)

    def _trouble_card(self, number: int) -> Card:
        card = Card(self._look, clickable=True)
        card.clicked.connect(lambda: self._select(self.stacking.troubles[number]))
        return card

    def set_busy(self, on: bool) -> None:
        """A quiet word while the worker looks; what it said before stays."""
        self.busy.setVisible(on)
        movable = any(not body.static for body in self._document.scene.bodies)
        self.empty.words.set_text(BUSY if on else BROKEN if movable else EMPTY)

    def set_stacking(self, stacking: Stacking) -> None:
        self.set_busy(False)
        if self.list.held:
            self._waiting = stacking
            return
        self.stacking = stacking
        self._show()

    def _catch_up(self) -> None:
        """With what had to wait while a row was held."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.set_stacking(waiting)
        else:
            self._show_card()

    def _show(self) -> None:
        seats, troubles = self.stacking.seats, self.stacking.troubles
        self._pages.setCurrentIndex(1 if seats else 0)
        self._show_seats()
        show_each(self.troubles, troubles, lambda card, trouble: card.show_words(trouble.words, "", "", "warning"))
        left = len(troubles) - MOST_TROUBLES
        self.more.set_text(f"{left} more of this kind." if left > 0 else "")
        self.more.setVisible(left > 0)
        self._show_card()

    def _follow(self) -> None:
        """An edit may have asked for another arrival; who sits how is told by the worker, later."""
        if self.isVisible() and self._document.scene is self._document.shown:
            self._refuse("")
            self._show_seats()
            self._show_card()

    def _show_seats(self) -> None:
        scene, seats = self._document.scene, self.stacking.seats
        bodies = scene.bodies
        colors = {body.id: QColor(body_color(body, place)) for place, body in enumerate(bodies)}
        axis = max((0, 1), key=lambda axis: _span([float(body.position[axis]) for body in bodies]))
        places = {body.id: float(body.position[axis]) for body in bodies}  # from left to right
        times = {body.id: float(body.arrival) for body in bodies if body.arrival is not None}
        leaves = {body.id: body.leaves for body in bodies}
        self.graph.show_seats(seats, places, colors, leaves)
        self.list.show_seats(sequence(seats, scene), colors, times, leaves, carriers_of(seats, scene))
        self.order.heading.aside.set_text(AS_ASKED if scene.arrival_order else ANY_ORDER)
        self.open_order.setEnabled(bool(scene.arrival_order))

    def _arrange(self, moved: list[str], order: list[str]) -> None:
        scene = self._document.scene
        names = who([body for body in scene.bodies if body.id in moved])
        self._document.edit(f"Move {names} in the order of arrival", replace(scene, arrival_order=order))

    def _refuse(self, words: str) -> None:
        self.refusal.set_text(words)
        self.refusal.setVisible(bool(words))

    def _show_card(self) -> None:
        seats = self.stacking.seats
        chosen = self._selection.bodies()
        self.leaving.show_bodies(chosen)
        if not self.list.held:  # a panel that is scrolled to its end would move
            self.arrival.setVisible(bool(chosen))
            if chosen:
                self.arrival.show_bodies(chosen)
        seat = next((seat for seat in seats if seat.id == self._selection.active), None)
        self.card.keep_room([_of_all(seats), *(_of_one(each) for each in seats)])
        self.card.show_words(*(_of_one(seat) if seat is not None else _of_all(seats)))

    def _select(self, trouble: Trouble) -> None:
        known = {body.id for body in self._document.shown.bodies}
        self._selection.set(key for key in trouble.ids if key in known)


def _span(values: Sequence[float]) -> float:
    return max(values, default=0.0) - min(values, default=0.0)


def _of_all(seats: Sequence[Seat]) -> tuple[str, str]:
    """Title and sentence of the card while none of them is selected."""
    free = sum(seat.free for seat in seats)
    return f"{free} of {len(seats)} bodies can leave" if len(seats) != 1 else "1 body", WHY


def _of_one(seat: Seat) -> tuple[str, str]:
    carries = f" It carries {len(seat.above)} bodies." if len(seat.above) > 1 else ""
    return f"{seat.name} {'can leave' if seat.free else 'is held'}", seat.reason + carries
