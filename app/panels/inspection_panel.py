"""InspectionPanel: what an inspector found out about the selected body: a sentence, a picture, checks, numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout

from app.document.document import Document
from app.kit import (
    Card,
    EmptyState,
    Painted,
    PanelScroll,
    Section,
    Text,
    WatchedPanel,
    WordButton,
    paint_chip,
    panel_column,
)
from app.kit.layouts import FILL, at_left, row, stacked, wide
from app.kit.painting import space
from app.look.look import Look
from app.panels.check_list import CheckList
from app.panels.load_section import LoadSection
from app.panels.number_tiles import NumberTiles
from app.panels.push_section import NO_PUSH, PushSection
from app.panels.state_strip import StateStrip
from app.session.selection import Selection
from engine.scene.colors import body_color
from engine.scene.inspection import Drawing, Fix, Inspection

if TYPE_CHECKING:
    from app.panels.inspection_plot import InspectionPlot

CHIP = 14  # px
BUSY = "Looking…"
BROKEN = "Mend the problems of this ending first."
SEVERITY = {"fine": "fine", "warning": "warning", "bad": "error", "unknown": "info"}


class Topic(NamedTuple):
    """What a tab asks about."""

    key: str  # of the tab
    words: str
    topics: tuple[str, ...]  # of inspections; the first one is the tab's own
    nobody: str  # while nothing is selected
    nothing: str  # when there is nothing to say about the selected body
    play: str = ""  # on the button that plays the motion
    pushes: bool = False  # the artist may try a push


STABILITY = Topic("stability", "Stability", ("stability",), "Select a body to see whether it stands.",
                  "This body touches nothing at this frame.", "Show how it falls", pushes=True)  # fmt: skip
WEDGED = Topic("wedged", "Wedged", ("wedged",), "Select a body to see whether it is wedged.",
               "Nothing touches this body on two sides.", "Show how it was pushed in")  # fmt: skip
CONTACT = Topic("contact", "Contact", ("contact", "consistency"), "Select a body to see where it presses.",
                "This body touches nothing at this frame.")  # fmt: skip


class _Chip(Painted):
    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.color = QColor()
        self.setFixedSize(CHIP, CHIP)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_chip(painter, QRectF(self.rect()), self.color, self._look)


class InspectionPanel(WatchedPanel):
    """Signals:
    fix_asked(Fix)      the button of the card
    play_asked()        show the motion of which the card speaks
    push_changed()      another push is tried
    drag_asked()        and is to be dragged in the view
    """

    fix_asked = Signal(object)
    play_asked = Signal()
    push_changed = Signal()
    drag_asked = Signal()

    def __init__(self, topic: Topic, document: Document, selection: Selection, look: Look) -> None:
        super().__init__()
        self.topic = topic
        self._document, self._look = document, look
        self.inspections: tuple[Inspection, ...] = ()
        self.chip, self.name = _Chip(look), Text(look, "", "text", "panel_title")
        self.moment = Text(look, "", "text3", "small", align=Qt.AlignmentFlag.AlignRight)  # "frame 96"
        self.busy = Text(look, BUSY, "text3", "small")
        self.card, self.second = Card(look), Card(look)
        self.play = WordButton(look, topic.play)
        self.states = StateStrip(look)
        self.checks, self.tiles = CheckList(look), NumberTiles(look)
        self.pushing = PushSection(look) if topic.pushes else None
        self.loads = LoadSection(look) if topic.pushes else None
        self.plots: list[InspectionPlot] = []
        self._plot_sections: list[tuple[Section, Text]] = []
        self.empty = EmptyState(look, f"tab.{topic.key}", topic.nobody)
        self._pages = stacked(self.empty, PanelScroll(self._content()), of=self)
        self.card.fix_requested.connect(self._ask_fix)
        self.play.clicked.connect(self.play_asked)
        selection.changed.connect(self._show_name)
        look.changed.connect(self._show_name)
        self.set_busy(False)
        self._show()

    def _content(self) -> QVBoxLayout:
        self._check_section = Section(self._look, "Does it stand?" if self.topic is STABILITY else "Checks")
        self._check_section.add(self.checks)
        self._number_section = Section(self._look, "Numbers")
        self._number_section.add(self.tiles)
        self._plot_places = QVBoxLayout(), QVBoxLayout()  # the first one, and others
        first, others = self._plot_places
        head = row(self.chip, wide(self.name), self.busy, self.moment, gap=space("s"))
        pushing: list[Section] = []
        if self.pushing is not None and self.loads is not None:
            pushing = [self.pushing, self.loads]
            self.pushing.changed.connect(self.push_changed)
            self.pushing.drag_asked.connect(self.drag_asked)
        found = (self.card, self.second, at_left(self.play), self._check_section, first, self.states, others)
        return panel_column(head, *found, *pushing, self._number_section, FILL)

    # -- what there is to show ---------------------------------------------------------------------------------------

    def set_busy(self, on: bool) -> None:
        """A quiet word while the worker looks; what it said before stays."""
        self.busy.setVisible(on)
        self.moment.setVisible(not on)
        if on and not self.inspections:
            self.empty.words.set_text(BUSY)

    def clear(self, words: str) -> None:
        """Nothing to say but this."""
        self.inspections = ()
        self.set_busy(False)
        self.empty.words.set_text(words)
        self._show()

    def set_inspections(self, inspections: Sequence[Inspection]) -> None:
        """Of the tab's topics; none of them: the scene is broken."""
        self.inspections = tuple(inspections)
        self.set_busy(False)
        if not self.inspections:
            self.empty.words.set_text(BROKEN)
        elif self.main is not None and not _tells(self.main):
            self.clear(self.topic.nothing)
        self._show()

    @property
    def push(self) -> tuple[float, float, float]:
        """N, at the middle of the body."""
        return self.pushing.push if self.pushing is not None else NO_PUSH

    @property
    def weight(self) -> float:
        """N, of the body that is shown; 0 when it is not known."""
        loads = [arrow for arrow in self.main.drawing.arrows if arrow.role == "load"] if self.main is not None else []
        return math.hypot(*loads[0].along) if loads else 0.0

    @property
    def main(self) -> Inspection | None:
        return next((found for found in self.inspections if found.topic == self.topic.topics[0]), None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        main = self.main
        self._pages.setCurrentIndex(1 if main is not None else 0)
        if main is None:
            return
        self._show_name()
        show_card(self.card, main)
        other = next((found for found in self.inspections if found is not main and found.level != "fine"), None)
        self.second.setVisible(other is not None)
        if other is not None:
            show_card(self.second, other)
        self.play.setVisible(main.motion is not None and bool(self.topic.play))
        self.states.setVisible(bool(main.state))
        self.states.show_state(main.state)
        self._check_section.setVisible(bool(main.checks))
        self.checks.show_checks(main.checks)
        self._number_section.setVisible(bool(main.numbers))
        self.tiles.show_numbers(main.numbers)
        self._show_plots(main)

    def _show_name(self) -> None:
        scene, key = self._document.shown, self.main.ids[0] if self.main is not None and self.main.ids else ""
        for place, body in enumerate(scene.bodies):
            if body.id == key:
                self.name.set_text(body.name)
                self.chip.color = QColor(body_color(body, place))
                self.chip.update()

    def _show_plots(self, main: Inspection) -> None:
        """Made when first needed: the library takes a while to load."""
        shown = main.plots if self.isVisible() else main.plots[: len(self.plots)]
        while len(self.plots) < len(shown):
            self._add_plot()
        for number, (section, caption) in enumerate(self._plot_sections):
            section.setVisible(number < len(shown))
            if number < len(shown):
                plot = self.plots[number]
                plot.show_plot(shown[number])
                section.heading.rename(shown[number].title)
                caption.set_text(plot.caption())
                caption.setVisible(bool(caption.text))

    def _add_plot(self) -> None:
        from app.panels.inspection_plot import InspectionPlot

        plot, section = InspectionPlot(self._look), Section(self._look, "")
        caption = Text(self._look, "", "text3", "caption", align=Qt.AlignmentFlag.AlignHCenter)
        section.add(plot, caption)
        self._plot_places[1 if self.plots else 0].addWidget(section)
        self.plots.append(plot)
        self._plot_sections.append((section, caption))

    def _ask_fix(self) -> None:
        fix: Fix | None = self.main.fix if self.main is not None else None
        if fix is not None:
            self.fix_asked.emit(fix)


def _tells(found: Inspection) -> bool:
    """Is there anything but that there is nothing?"""
    return found.level != "fine" or bool(found.numbers or found.checks or found.plots or found.drawing != Drawing())


def show_card(card: Card, found: Inspection) -> None:
    card.show_words(found.title, found.sentence, found.fix.words if found.fix is not None else "",
                    SEVERITY[found.level])  # fmt: skip
