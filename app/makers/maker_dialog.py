"""The frame of all maker dialogs: a form beside the view, which shows at once what would be made.

Not modal: the artist may orbit, select and undo meanwhile. What is shown is always built on the document as it is.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.document.document import Document
from app.kit.layouts import FILL, Put, column, row, wide
from app.look.icons import icon
from app.look.look import Look, size
from app.makers.dialog_frame import FramelessDialog, separator
from app.makers.dialog_style import style_sheet
from app.makers.fields import change_of
from app.session.selection import Selection
from engine.scene.spec import Scene

WIDTH = 360  # px: about that of the right dock, which the dialog covers so that the view stays free
LABELS = 96  # px, column of labels
SOON = 30  # ms to wait for more changes before building again
Field = TypeVar("Field", bound=QWidget)


@dataclass(frozen=True)
class Proposal:
    """What accepting would do."""

    scene: Scene | None  # None: nothing to accept
    ids: tuple[str, ...] = ()  # to select afterwards
    summary: str = ""
    warnings: tuple[str, ...] = ()
    refused: str = ""  # why there is nothing
    ready: bool = True  # False: shown for now, but not to be accepted yet


class MakerDialog(FramelessDialog):
    """Subclasses make their fields and rows in `fill`, and say in `propose` what the document would become."""

    title = ""
    verb = "Add"  # on the button
    command = ""  # in the history

    def __init__(self, document: Document, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(self.title, parent)
        self.document, self.selection, self.look = document, selection, look
        self._ours: Scene | None = None  # what we put on show
        self._timer = QTimer(self, singleShot=True, interval=SOON)
        self._timer.timeout.connect(self.rebuild)
        self._summary, self._remark, self._remark_icon = QLabel(), QLabel(), QLabel()
        self._remark_icon_name = "state.warning"
        self._lay_out()
        self._restyle()
        look.changed.connect(self._restyle)
        document.changed.connect(self._document_changed)
        document.replaced.connect(self._document_replaced)
        self.fill()

    @abstractmethod
    def fill(self) -> None:
        """Make the fields and their rows."""

    @abstractmethod
    def propose(self, scene: Scene) -> Proposal:
        """What accepting would make of this scene."""

    # -- rows ------------------------------------------------------------------------------------------------------

    def add_row(self, label: str, field: Field) -> Field:
        """A field and what it is called; it builds again when it is changed."""
        line = self._form.rowCount()
        text = QLabel(label)
        text.setObjectName("makerLabel")
        text.setBuddy(field)
        self._form.addWidget(text, line, 0)
        self._form.addWidget(field, line, 1)
        return self._watched(field)

    def add_wide(self, field: Field) -> Field:
        self._form.addWidget(field, self._form.rowCount(), 0, 1, 2)
        return self._watched(field)

    def _watched(self, field: Field) -> Field:
        for change in change_of(field):
            change.connect(self.rebuild_soon)
        return field

    def add_line(self) -> None:
        self.add_wide(separator())

    def show_row(self, field: QWidget, shown: bool) -> None:
        """Show or hide a field and its label."""
        row = self._form.getItemPosition(self._form.indexOf(field))[0]  # type: ignore[index]
        item = self._form.itemAtPosition(row, 0)
        for widget in (field, item.widget() if item is not None else None):
            if widget is not None:
                widget.setVisible(shown)

    # -- what is shown -----------------------------------------------------------------------------------------------

    def rebuild_soon(self) -> None:
        if self.isVisible():
            self._timer.start()

    def rebuild(self) -> None:
        """Show what accepting would do now."""
        self._timer.stop()
        proposal = self.propose(self.document.scene)
        self._tell(proposal)
        self._ours = proposal.scene
        self.document.preview(proposal.scene)

    def accept(self) -> None:
        self._timer.stop()
        proposal = self.propose(self.document.scene)
        self._tell(proposal)
        if proposal.scene is None or not proposal.ready:
            return
        self._ours = None
        self._leave()
        self.document.edit(self.command, proposal.scene)
        self.selection.set(proposal.ids)
        super().accept()

    def reject(self) -> None:
        self._leave()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._leave()
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        parent = self.parentWidget()
        if parent is not None:
            window = parent.window()
            corner = window.mapToGlobal(window.rect().topRight())
            self.move(corner.x() - self.width() - 12, corner.y() + size("menu_bar") + size("tool_bar") + 12)
        self.rebuild()

    def _leave(self) -> None:
        """The dialog goes: nothing may come later, and what we put on show is taken back, unless another gesture shows
        something by now. Subclasses stop here what they started."""
        self._timer.stop()
        if self._ours is not None and self.document.shown is self._ours:
            self.document.preview(None)
        self._ours = None

    def _document_changed(self) -> None:
        """An undo or another gesture took our preview away: build on what is there now, after everybody was told."""
        if self.isVisible() and self.document.shown is self.document.scene and self._ours is not None:
            self._timer.start()

    def _document_replaced(self) -> None:
        if self.isVisible():
            self._ours = None
            self.reject()

    def _tell(self, proposal: Proposal) -> None:
        self._summary.setText(proposal.summary)
        self._accept.setEnabled(proposal.scene is not None and proposal.ready)
        remarks = [proposal.refused] if proposal.refused else list(proposal.warnings)
        self._remark.setText("\n".join(remarks))
        self._remark_icon_name = "state.error" if proposal.refused else "state.warning"
        self._remark_box.setVisible(bool(remarks))
        self._recolor()
        self.adjustSize()

    # -- layout ------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._title.setObjectName("makerTitle")
        self._close.setObjectName("makerClose")
        column = self._framed("makerFrame", size("timeline_header") + 4, (16, 0, 10, 0), self.reject)
        self._form = QGridLayout()
        self._form.setContentsMargins(16, 14, 16, 14)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(8)
        self._form.setColumnMinimumWidth(0, LABELS)
        self._form.setColumnStretch(1, 1)
        column.addLayout(self._form)
        self._remark_box = self._make_remark()
        column.addWidget(self._remark_box)
        column.addWidget(separator())
        column.addLayout(self._make_footer())
        self.setFixedWidth(WIDTH)

    def _make_remark(self) -> QWidget:
        box = QWidget()
        self._remark.setObjectName("makerRemark")
        self._remark.setWordWrap(True)
        sign = Put(self._remark_icon, align=Qt.AlignmentFlag.AlignTop)
        row(sign, wide(self._remark), of=box, gap=8, edge=(16, 0, 16, 14))
        box.hide()
        return box

    def _make_footer(self) -> QVBoxLayout:
        self._summary.setObjectName("makerSummary")
        self._summary.setWordWrap(True)
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self._accept = QPushButton(self.verb)
        self._accept.setObjectName("makerAccept")
        self._accept.setDefault(True)
        self._accept.clicked.connect(self.accept)
        buttons = row(FILL, cancel, self._accept, gap=8)
        return column(self._summary, buttons, gap=10, edge=(16, 12, 16, 14))

    def _restyle(self) -> None:
        self.setStyleSheet(style_sheet(self.look))
        self._recolor()

    def _recolor(self) -> None:
        side = size("icon")
        self._close.setIcon(icon(self.look, "close"))
        self._close.setIconSize(QSize(side, side))
        role = "assisted" if self._remark_icon_name == "state.error" else "ghosted"
        self._remark_icon.setPixmap(icon(self.look, self._remark_icon_name, role).pixmap(side, side))
