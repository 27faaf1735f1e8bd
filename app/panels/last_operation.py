"""LastOperation: a float over the view that changes the hint just drawn or the joint just made, or the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from app.document.document import Document
from app.document.hint_edits import body_of
from app.document.joint_words import title_of
from app.kit import Glyph, Text, corners, free_corner, label
from app.kit.layouts import column, row, wide
from app.kit.painting import space
from app.look.look import Look
from app.panels.hint_controls import HintControls
from app.panels.joint_controls import JointControls
from app.session.selection import Selection

WIDTH = 284  # px


class LastOperation(QFrame):
    """At the lower left of the widget it lies over, or in another corner where it would cover what it is about. Shown
    while a hint or a joint is chosen and `wanted`."""

    def __init__(self, look: Look, document: Document, selection: Selection, over: QWidget) -> None:
        super().__init__(over)
        self._document, self._selection, self._over = document, selection, over
        self.wanted, self._corner = True, 0
        self.setProperty("surface", "float")
        self.setObjectName("last_operation")
        self.setAccessibleName("Last operation")
        self.setFixedWidth(WIDTH)
        self.title = Text(look, "", "text", "body", strong=True)
        self.controls = HintControls(look, document, selection)
        self.joint_controls = JointControls(look, document)
        self._mark = Glyph(look, "hint.mark", "hint")
        cap = label("F9", "caption", "keycap")
        cap.setToolTip("Hide this panel (F9)")
        head = row(self._mark, wide(self.title), cap, gap=space("s"))
        edge = (space("m"), space("m") - 2, space("m"), space("s"))
        column(head, self.controls, self.joint_controls, of=self, gap=space("m") - 2, edge=edge)
        document.changed.connect(self.refresh)
        selection.hint_chosen.connect(self.refresh)
        selection.joint_chosen.connect(self.refresh)
        self.hide()

    def set_wanted(self, wanted: bool) -> None:
        if wanted != self.wanted:
            self.wanted = wanted
            self.refresh()

    def refresh(self) -> None:
        title = self._show_chosen() if self.wanted else ""
        if not title:
            self.hide()
            return
        self.title.set_text(title)
        if not self.isVisible():
            self.show()
        self.place()
        self.raise_()

    def _show_chosen(self) -> str:
        """Show what is chosen; returns what it is called, "" when nothing is."""
        scene, hint, joint = self._document.shown, self._selection.chosen_hint(), self._selection.chosen_joint()
        self._mark.show_icon(*(("hint.mark", "hint") if joint is None else ("joint", "accent")))
        self.controls.setVisible(joint is None)
        self.joint_controls.setVisible(joint is not None)
        if joint is not None:
            self.joint_controls.show_joint(joint.id)
            return title_of(scene, joint)
        body = body_of(scene, hint) if hint is not None else None
        if hint is None or body is None:
            return ""
        self.controls.show_hint(hint.id)
        return f"Hint on {body.name}"

    def place(self) -> None:
        """As far as there is room. While the hand is in it, or something is dragged, it stays in its corner."""
        self.adjustSize()
        if not self._in_use and self._document.shown is self._document.scene:
            self._corner = free_corner(self.size(), self._over.size(), self.busy())
        self.move(corners(self.size(), self._over.size())[self._corner])

    def busy(self) -> list[QRectF]:
        """px of what it is about, which it should not cover."""
        return []

    @property
    def _in_use(self) -> bool:
        focus = QApplication.focusWidget()
        return self.underMouse() or (focus is not None and self.isAncestorOf(focus))

    def hideEvent(self, event: QHideEvent) -> None:
        self._corner = 0
        super().hideEvent(event)
