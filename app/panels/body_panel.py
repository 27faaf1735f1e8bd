"""BodyPanel: all about the selected bodies: name, card, ending pose, die, hint, joints, arrival, motion, material."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor

from app.document import edits
from app.document.difference import Difference
from app.document.document import Document
from app.kit import Card, Chip, ColorPopover, EmptyState, IconButton, LazyPanel, PanelScroll, TextField, panel_column
from app.kit.layouts import FILL, row, stacked, wide
from app.kit.painting import space
from app.look.look import Look
from app.panels.body_model import common, summary
from app.panels.die_section import DieSection
from app.panels.hint_section import HintSection
from app.panels.joint_section import JointSection
from app.panels.material_section import MaterialSection
from app.panels.pose_section import ArrivalSection, EndingSection, MotionSection
from app.panels.problem_item import ProblemItem
from app.panels.problems_panel import show_problem
from app.session.selection import Selection, who
from engine.scene.colors import body_color
from engine.scene.spec import Body

MANY = 500  # bodies; what more have in common is found out between other events, not in the middle of a command
PAUSE = 150  # ms without a movement of so many before their numbers follow


class BodyPanel(LazyPanel):
    """Follows the selection; reads what is shown, writes commands. Hidden, it waits until it is shown again."""

    def __init__(
        self, document: Document, selection: Selection, look: Look, fix: Callable[[ProblemItem], None]
    ) -> None:
        """`fix` is called with the problem whose button on the card was pressed."""
        super().__init__()
        self._document, self._selection, self._look = document, selection, look
        self.problems: dict[str, ProblemItem] = {}
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self.refresh)
        self.name = TextField(look, "Name", framed=False, lettering="panel_title")
        self.name.committed.connect(self._rename)
        self.chip = Chip(look, look.color("text3"), "Colour")
        self.chip.clicked.connect(self._open_palette)
        self.lock = IconButton(look, "body.unlocked", "Lock")
        self.lock.clicked.connect(self._toggle_lock)
        self.card = Card(look)
        self.card.fix_requested.connect(lambda: self._with_problem(fix))
        self.ending = EndingSection(look, selection)
        self.die = DieSection(look, selection)
        self.arrival = ArrivalSection(look, selection)
        self.hint = HintSection(look, selection)
        self.joint = JointSection(look, selection)
        self.motion = MotionSection(look, selection)
        self.material = MaterialSection(look, selection)
        self._sections = (self.ending, self.die, self.hint, self.joint, self.arrival, self.motion, self.material)
        head = row(self.chip, wide(self.name), self.lock, gap=space("xs"))
        content = PanelScroll(panel_column(head, self.card, space("xs"), *self._sections, FILL))
        self._pages = stacked(EmptyState(look, "tab.body", "Select a body to see its ending."), content, of=self)
        document.changed.connect(self._follow)
        selection.changed.connect(self._refresh_in_time)
        selection.hint_chosen.connect(self.refresh)
        selection.joint_chosen.connect(self.refresh)
        look.changed.connect(self.refresh)

    def set_problems(self, items: Sequence[ProblemItem]) -> None:
        """The first problem of the active body is shown on its card."""
        self.problems = {}
        for item in items:
            for key in item.bodies:
                self.problems.setdefault(key, item)
        bodies = self._selection.bodies()
        if not self.isVisible():
            self.stale = True
        elif bodies:
            self._show_head(bodies)  # the sections below it tell nothing of problems

    def show_now(self) -> None:
        """The selected bodies."""
        self._soon.stop()
        bodies = self._selection.bodies()
        self._pages.setCurrentIndex(1 if bodies else 0)
        if bodies:
            self._show_head(bodies)
            for section in self._sections:
                section.show_bodies(bodies)

    def _follow(self, change: Difference) -> None:
        touched = set(change.changed) | set(change.added)
        whole = change.order or change.removed or change.hints or change.joints or change.request
        if whole or not touched.isdisjoint(self._selection.ids):
            self._refresh_in_time()

    def _refresh_in_time(self) -> None:
        """At once, or soon when there is much to look at; while a gesture moves so many, when it pauses."""
        if len(self._selection.ids) <= MANY:
            self.refresh()
        else:
            self._soon.start(0 if self._document.shown is self._document.scene else PAUSE)

    def _show_head(self, bodies: Sequence[Body]) -> None:
        single = len(bodies) == 1
        active = bodies[-1]
        self.name.set_text(active.name if single else f"{len(bodies)} bodies")
        self.name.setEnabled(single)
        place = next(i for i, body in enumerate(self._document.shown.bodies) if body.id == active.id)
        self.chip.set_color(QColor(body_color(active, place)))
        locked = all(body.locked for body in bodies)
        self.lock.set_glyph("body.held" if locked else "body.unlocked")
        self.lock.set_words(f"{'Unlock' if locked else 'Lock'} {who(bodies)}")
        problem = self.problems.get(active.id) if single else None
        if problem is not None:
            show_problem(self.card, problem)
        else:
            self.card.show_words(*summary(bodies))

    def _rename(self, name: str) -> None:
        active = self._selection.active_body()
        if active is None:
            return
        if not self._document.edit(f"Rename to {name.strip()}", edits.rename(self._document.scene, active.id, name)):
            self.name.set_text(active.name)

    def _toggle_lock(self) -> None:
        bodies = self._selection.bodies()
        locked = common(bodies, lambda body: body.locked)
        on = locked.mixed or not locked.value
        self._selection.edit("Lock {}" if on else "Unlock {}", edits.set_fields, locked=on)

    def _open_palette(self) -> None:
        active = self._selection.active_body()
        if active is not None:
            popover = ColorPopover(self._look, active.color, self)
            popover.chosen.connect(lambda color: self._selection.edit("Colour {}", edits.set_fields, color=color))
            popover.open_under(self.chip)

    def _with_problem(self, fix: Callable[[ProblemItem], None]) -> None:
        item = self.problems.get(self._selection.active or "")
        if item is not None:
            fix(item)
