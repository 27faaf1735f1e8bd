"""The frame of all maker dialogs: a form beside the view, which shows at once what would be made.

Not modal: the artist may orbit, select and undo meanwhile. What is shown is always built on the document as it is.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QCloseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.document.document import Document
from app.look.icons import icon
from app.look.look import Look, size
from app.makers.dialog_frame import MovingHeader, round_corners, separator
from app.makers.dialog_style import style_sheet
from app.session.selection import Selection
from app.session.settings import Settings
from engine.scene.spec import Scene

WIDTH = 360  # px: about that of the right dock, which the dialog covers so that the view stays free
LABELS = 96  # px, column of labels
SOON = 30  # ms to wait for more changes before building again


@dataclass(frozen=True)
class Proposal:
    """What accepting would do."""

    scene: Scene | None  # None: nothing to accept
    ids: tuple[str, ...] = ()  # to select afterwards
    summary: str = ""
    warnings: tuple[str, ...] = ()
    refused: str = ""  # why there is nothing
    ready: bool = True  # False: shown for now, but not to be accepted yet


class MakerDialog(QDialog):
    """Subclasses make their fields and rows in `fill`, name in it the signals that change something, and say in
    `propose` what the document would become."""

    title = ""
    verb = "Add"  # on the button
    command = ""  # in the history

    def __init__(
        self, document: Document, selection: Selection, settings: Settings, look: Look, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.document, self.selection, self.settings, self.look = document, selection, settings, look
        self._ours: Scene | None = None  # what we put on show
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SOON)
        self._timer.timeout.connect(self.rebuild)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowTitle(self.title)
        self.setAccessibleName(self.title)
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

    def add_row(self, label: str, field: QWidget) -> None:
        row = self._form.rowCount()
        text = QLabel(label)
        text.setObjectName("makerLabel")
        text.setBuddy(field)
        self._form.addWidget(text, row, 0)
        self._form.addWidget(field, row, 1)

    def add_wide(self, field: QWidget) -> None:
        self._form.addWidget(field, self._form.rowCount(), 0, 1, 2)

    def rebuild_on(self, *changes: SignalInstance) -> None:
        """Build again when one of these signals comes."""
        for change in changes:
            change.connect(self.rebuild_soon)

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
        self._withdraw()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._leave()
        self._withdraw()
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        parent = self.parentWidget()
        if parent is not None:
            window = parent.window()
            corner = window.mapToGlobal(window.rect().topRight())
            self.move(corner.x() - self.width() - 12, corner.y() + size("menu_bar") + size("tool_bar") + 12)
        self.rebuild()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        round_corners(self)

    def _leave(self) -> None:
        """The dialog goes: nothing may come later. Subclasses stop here what they started."""
        self._timer.stop()

    def _withdraw(self) -> None:
        """Take back what we put on show, and nothing that another gesture shows."""
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
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        frame = QFrame()
        frame.setObjectName("makerFrame")
        outer.addWidget(frame)
        column = QVBoxLayout(frame)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        self._form = QGridLayout()
        self._form.setContentsMargins(16, 14, 16, 14)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(8)
        self._form.setColumnMinimumWidth(0, LABELS)
        self._form.setColumnStretch(1, 1)
        column.addWidget(self._make_header())
        column.addWidget(separator())
        column.addLayout(self._form)
        self._remark_box = self._make_remark()
        column.addWidget(self._remark_box)
        column.addWidget(separator())
        column.addLayout(self._make_footer())
        self.setFixedWidth(WIDTH)

    def _make_header(self) -> QWidget:
        header = MovingHeader()
        header.setFixedHeight(size("timeline_header") + 4)
        row = QHBoxLayout(header)
        row.setContentsMargins(16, 0, 10, 0)
        title = QLabel(self.title)
        title.setObjectName("makerTitle")
        self._close = QToolButton()
        self._close.setObjectName("makerClose")
        self._close.setToolTip("Close (Esc)")
        self._close.setAccessibleName("Close")
        self._close.clicked.connect(self.reject)
        row.addWidget(title, 1)
        row.addWidget(self._close)
        return header

    def _make_remark(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(16, 0, 16, 14)
        row.setSpacing(8)
        self._remark.setObjectName("makerRemark")
        self._remark.setWordWrap(True)
        row.addWidget(self._remark_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._remark, 1)
        box.hide()
        return box

    def _make_footer(self) -> QVBoxLayout:
        footer = QVBoxLayout()
        footer.setContentsMargins(16, 12, 16, 14)
        footer.setSpacing(10)
        self._summary.setObjectName("makerSummary")
        self._summary.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(8)
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self._accept = QPushButton(self.verb)
        self._accept.setObjectName("makerAccept")
        self._accept.setDefault(True)
        self._accept.clicked.connect(self.accept)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self._accept)
        footer.addWidget(self._summary)
        footer.addLayout(row)
        return footer

    def _restyle(self) -> None:
        self.setStyleSheet(style_sheet(self.look))
        self._recolor()

    def _recolor(self) -> None:
        side = size("icon")
        self._close.setIcon(icon(self.look, "close"))
        self._close.setIconSize(QSize(side, side))
        role = "assisted" if self._remark_icon_name == "state.error" else "ghosted"
        self._remark_icon.setPixmap(icon(self.look, self._remark_icon_name, role).pixmap(side, side))
