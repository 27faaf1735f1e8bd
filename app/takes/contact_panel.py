"""ContactPanel: contact states before rest of the selected body, falling above and run backward below."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.kit import Card, EmptyState, Question, Text, WordButton, panel_column
from app.kit.layouts import FILL, Put, at_left, column, held, row, stacked, wide
from app.kit.painting import space
from app.look.look import Look
from app.session.selection import Selection
from app.takes.raster import Raster, RasterKey
from engine.scene.contact_states import ContactStates
from engine.scene.spec import Body

EMPTY = "Select a body that can move to see how it lands."
ABOUT = "Lets it fall many times and tries as many landings backward. This may take a minute."


class ContactPanel(QWidget):
    """Signals:
    measure_asked()   for the active body
    stop_asked()
    save_asked()      the picture
    """

    measure_asked = Signal()
    stop_asked = Signal()
    save_asked = Signal()

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__()
        self._look, self._selection = look, selection
        self._measured: Body | None = None
        self._running: str | None = None  # words of what is under way
        self._failure = ""
        self.states: ContactStates | None = None
        self.card = Card(look)
        self.card.fix_requested.connect(self._press)
        self.forward, self.backward = Raster(look, "Forward drops"), Raster(look, "Backward runs")
        self.forward_words, self.backward_words = (Text(look, "", "text2", "small") for _ in range(2))
        self.verdict = Text(look, "", "text", "body", wraps=True, strong=True)
        self.words = Text(look, "", "text2", "small", wraps=True)
        self.term = Question(look)
        self.save = WordButton(look, "Save picture…")
        self.save.clicked.connect(self.save_asked)
        self._lay_out()
        selection.changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        self._earliest = Text(self._look, "", "text3", "caption", align=Qt.AlignmentFlag.AlignRight)
        drops = (self.forward_words, wide(self.forward), self.backward_words, wide(self.backward))
        times = row(Text(self._look, "rest", "text3", "caption"), FILL, self._earliest)
        told = (row(self.verdict, self.term, gap=space("xs")), self.words, at_left(self.save))
        self._result = held(column(RasterKey(self._look), *drops, times, *told, gap=space("xs")))
        title = Text(self._look, "Contacts before rest", "text", "panel_title")
        content = held(panel_column(title, self.card, wide(self._result), Put(None)))
        self._pages = stacked(EmptyState(self._look, "tab.contact", EMPTY), content, of=self)

    @property
    def body(self) -> Body | None:
        """The body that would be measured."""
        body = self._selection.active_body()
        return body if body is not None and not body.static else None

    def show_running(self, words: str) -> None:
        self._running, self._failure = words, ""
        self._show()

    def show_stopped(self, failure: str = "") -> None:
        """Nothing is under way any more; `failure` says why nothing came of it."""
        self._running, self._failure = None, failure
        self._show()

    def show_states(self, body: Body, states: ContactStates) -> None:
        self._measured, self.states, self._running, self._failure = body, states, None, ""
        self.forward.show_table(states.forward)
        self.backward.show_table(states.backward)
        self.forward_words.set_text(f"Forward: {len(states.forward)} drops of {body.name}")
        self.backward_words.set_text(f"Backward: {len(states.backward)} runs found")
        self._earliest.set_text(f"{states.seconds:.1f} s before")
        self.verdict.set_text(states.verdict)
        self.words.set_text(states.words)
        self.term.show_term(states.term)
        self._show()

    def _press(self) -> None:
        (self.stop_asked if self._running is not None else self.measure_asked).emit()

    def _show(self) -> None:
        body = self.body
        known = self._running is not None or self.states is not None or body is not None
        self._pages.setCurrentIndex(1 if known else 0)
        self._result.setVisible(self.states is not None)
        if self._running is not None:
            self.card.show_words("Measuring", self._running, "Stop")
        elif self._failure:
            self.card.show_words("Not measured", self._failure, f"Measure {body.name}" if body else "", "warning")
        elif body is not None and (self._measured is None or body.id != self._measured.id or body != self._measured):
            self.card.show_words(body.name, ABOUT, f"Measure {body.name}")
        elif self._measured is not None:
            material = self._measured.material
            told = f"Friction {material.friction:g}, bounce {material.restitution:g}."
            self.card.show_words(self._measured.name, told, "Measure again" if body is not None else "")
