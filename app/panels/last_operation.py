"""LastOperation: a float over the view that changes the hint just drawn or the joint just made, or the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.document.document import Document
from app.document.hint_edits import body_of
from app.document.joint_words import title_of
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size
from app.panels.control import space
from app.panels.free_corner import corners, free_corner
from app.panels.hint_controls import HintControls
from app.panels.joint_controls import JointControls
from app.panels.text import Text
from app.session.selection import Selection

WIDTH = 284  # px


class _Mark(QWidget):
    """The pink pencil, or the sign of joints."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self.glyph = look, "hint.mark"
        self.setFixedSize(QSize(size("icon"), size("icon")))
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        role = "hint" if self.glyph == "hint.mark" else "accent"
        icon(self._look, self.glyph, role).paint(QPainter(self), QRect(QPoint(0, 0), self.size()))


class LastOperation(QFrame):
    """At the lower left of the widget it lies over, or in another corner where it would cover what it is about. Shown
    while a hint or a joint is chosen and `wanted`."""

    def __init__(self, look: Look, document: Document, selection: Selection, over: QWidget) -> None:
        super().__init__(over)
        self._document, self._selection, self._over = document, selection, over
        self._wanted, self._corner = True, 0
        self.setProperty("surface", "float")
        self.setObjectName("last_operation")
        self.setAccessibleName("Last operation")
        self.setFixedWidth(WIDTH)
        self.title = Text(look, "", "text", "body", strong=True)
        self.controls = HintControls(look, document, selection)
        self.joint_controls = JointControls(look, document)
        self._mark = _Mark(look)
        cap = QLabel("F9", self)
        cap.setProperty("role", "keycap")
        cap.setFont(font("caption"))
        cap.setToolTip("Hide this panel (F9)")
        head = QHBoxLayout()
        head.setSpacing(space("s"))
        head.addWidget(self._mark)
        head.addWidget(self.title, 1)
        head.addWidget(cap)
        column = QVBoxLayout(self)
        column.setContentsMargins(space("m"), space("m") - 2, space("m"), space("s"))
        column.setSpacing(space("m") - 2)
        column.addLayout(head)
        column.addWidget(self.controls)
        column.addWidget(self.joint_controls)
        document.changed.connect(self.refresh)
        selection.hint_chosen.connect(self.refresh)
        selection.joint_chosen.connect(self.refresh)
        self.hide()

    @property
    def wanted(self) -> bool:
        return self._wanted

    def set_wanted(self, wanted: bool) -> None:
        if wanted != self._wanted:
            self._wanted = wanted
            self.refresh()

    def refresh(self) -> None:
        title = self._show_chosen() if self._wanted else ""
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
        self._mark.glyph = "hint.mark" if joint is None else "joint"
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
