"""Inspector: the right dock. A rail of named tabs on the outer edge, the chosen tab's panel beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.document.document import Document
from app.kit import Ground, Rail
from app.kit.layouts import row, wide
from app.look.look import Look
from app.panels.body_panel import BodyPanel
from app.panels.help_panel import HelpPanel
from app.panels.inspection_panel import CONTACT, STABILITY, WEDGED, InspectionPanel
from app.panels.problem_item import ProblemItem
from app.panels.problems_panel import ProblemsPanel
from app.panels.scene_panel import ScenePanel
from app.panels.stacking_panel import StackingPanel
from app.session.selection import Selection


class Inspector(Ground):
    """Signals:
    fix_requested(ProblemItem)   from the list of problems or a body's card
    tab_changed(str)             key of the tab now shown
    """

    fix_requested = Signal(object)
    tab_changed = Signal(str)

    def __init__(self, document: Document, selection: Selection, look: Look) -> None:
        super().__init__(look)
        self._tabs: dict[str, QWidget] = {}
        self.rail = Rail(look)
        self.rail.chosen.connect(self.show_tab)
        self._pages = QStackedWidget()
        row(wide(self._pages), self.rail, of=self, gap=0)
        self.problems = ProblemsPanel(document, selection, look)
        self.problems.fix_requested.connect(self.fix_requested)
        self.body = BodyPanel(document, selection, look, self.problems.fix)
        self.stacking = StackingPanel(document, selection, look)
        self.inspections = tuple(
            InspectionPanel(topic, document, selection, look) for topic in (STABILITY, WEDGED, CONTACT)
        )
        self.scene = ScenePanel(document, look)
        self.help = HelpPanel(look)
        self.add_tab("body", "tab.body", "Body", self.body)
        self.add_tab("stacking", "tab.stacking", "Stacking", self.stacking)
        for panel in self.inspections:
            self.add_tab(panel.topic.key, f"tab.{panel.topic.key}", panel.topic.words, panel)
        self.add_tab("problems", "tab.problems", "Problems", self.problems)
        self.add_tab("scene", "tab.scene", "Scene", self.scene)
        self.add_tab("help", "tab.help", "Help", self.help, at_end=True)
        self.setMinimumWidth(312)
        self.show_tab("body")

    def add_tab(self, key: str, glyph: str, words: str, panel: QWidget, at_end: bool = False, after: str = "") -> None:
        """A further tab: below the others, under the one `after`, or with `at_end` at the foot of the rail."""
        self._tabs[key] = panel
        self._pages.addWidget(panel)
        self.rail.add(key, glyph, words, at_end, after)

    @property
    def tab(self) -> str:
        return next(key for key, panel in self._tabs.items() if panel is self._pages.currentWidget())

    def show_tab(self, key: str) -> None:
        changed = self._pages.currentWidget() is not self._tabs[key]
        self._pages.setCurrentWidget(self._tabs[key])
        self.rail.set_current(key)
        if changed:
            self.tab_changed.emit(key)

    def set_problems(self, items: Sequence[ProblemItem]) -> None:
        """To the list, the card of the body they are about, and the number on the rail."""
        self.problems.set_problems(items)
        self.body.set_problems(items)
        severe = any(item.severity == "error" for item in items)
        self.rail.tabs["problems"].set_badge(len(items), severe)

    def next_problem(self) -> bool:
        """Select what the next one of the list is about; False without any."""
        self.problems.select_next()
        return bool(self.problems.items)

    def sizeHint(self) -> QSize:
        return QSize(344, 640)
