"""Recovery: what a crash left is offered once, kept until somebody decides, and never in the way."""

from __future__ import annotations

import time
from concurrent.futures import Future
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.document.document import Document
from app.document.file_work import FileWork
from app.document.journal import Journal
from app.document.rescue import Orphan, Rescued, RescueError, discard, find_orphans, rescue
from app.kit.layouts import FILL, row
from app.look.icons import icon
from app.look.look import Look, size, tokens

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


def ago(seconds: float) -> str:
    """How long ago, as people say it."""
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{seconds // MINUTE:.0f} min ago"
    if seconds < DAY:
        return f"{seconds // HOUR:.0f} h ago"
    return "yesterday" if seconds < 2 * DAY else f"{seconds // DAY:.0f} days ago"


class Recovery(QObject):
    """Unsaved work of sessions that are gone; the newest is offered first.

    Signals:
        changed()        another offer, or none
        recovered()      the document shows the work
        said(message)    for the status bar
    """

    changed = Signal()
    recovered = Signal()
    said = Signal(str)

    def __init__(
        self, document: Document, journal: Journal, folder: Path, files: FileWork, parent: QObject | None = None
    ) -> None:
        """`folder`: where journals are, the same that `journal` writes to."""
        super().__init__(parent)
        self._document, self._journal, self._folder, self._files = document, journal, folder, files
        self._orphans: list[Orphan] = []
        self.lost: Path | None = None  # folder of work that could not be recovered just now

    @property
    def offer(self) -> Orphan | None:
        return self._orphans[0] if self._orphans else None

    def look_for_work(self) -> None:
        """At the start of the program."""
        self._orphans = find_orphans(self._folder)
        self.changed.emit()

    def recover(self) -> None:
        """Open the offered work in place of the document, once it is read. What cannot be read is told."""
        if self._orphans and self._may_leave():
            orphan = self._orphans.pop(0)
            self.changed.emit()
            self._files.read("Recovering…", partial(rescue, orphan.folder), partial(self._arrived, orphan))

    def _may_leave(self) -> bool:
        if self._document.dirty:
            self.said.emit("Save your work first, then recover.")
        return not self._document.dirty

    def _arrived(self, orphan: Orphan, answer: Future[Rescued]) -> None:
        try:
            rescued = answer.result()
        except RescueError as error:
            self.lost = error.folder
            self.changed.emit()
            return
        if not self._may_leave():  # meanwhile
            self._orphans.insert(0, orphan)
            self.changed.emit()
            return
        self._journal.tries = rescued.tries
        self._document.recover(rescued.scene, rescued.path)
        self._journal.inherit(orphan.folder)
        self.said.emit(rescued.complaint or f"{rescued.title} is recovered. Save it to keep it.")
        self.recovered.emit()
        self.changed.emit()

    def discard(self) -> None:
        """Delete the offered work."""
        if self._orphans:
            discard(self._orphans.pop(0).folder)
            self.changed.emit()

    def forget_lost(self) -> None:
        self.lost = None
        self.changed.emit()


class RecoveryCard(QFrame):
    """The offer as a card: hidden when there is none. Discarding asks once more, in the same place."""

    def __init__(self, recovery: Recovery, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recovery, self._look, self._asking = recovery, look, False
        self.setObjectName("recoveryCard")
        self.setAccessibleName("Unsaved work")
        self._mark = QLabel(self)
        self._title, self._text = _Elided(self), _Elided(self)
        self._title.setObjectName("title")
        self._yes, self._no = QPushButton(self), QPushButton(self)
        self._no.setObjectName("quiet")
        for button in (self._yes, self._no):
            button.setFixedHeight(size("button"))
        self._yes.clicked.connect(self._agreed)
        self._no.clicked.connect(self._refused)
        self._arrange()
        recovery.changed.connect(self._show)
        look.changed.connect(self._paint)
        self._paint()
        self._show()

    def _arrange(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 10, 12, 12)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(1)
        grid.addWidget(self._mark, 0, 0, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self._title, 0, 1)
        grid.addWidget(self._text, 1, 1)
        grid.setRowMinimumHeight(2, 8)
        grid.addLayout(row(self._yes, self._no, FILL, gap=4), 3, 1)
        grid.setColumnStretch(1, 1)

    def _show(self) -> None:
        """What the card says now."""
        offer, lost = self._recovery.offer, self._recovery.lost
        self.setVisible(offer is not None or lost is not None)
        if lost is not None:
            words = ("Could not be recovered", "What is left is in a folder.", "Open folder", "Close")
        elif offer is None:
            return
        elif self._asking:
            words = ("Discard it for good?", self._named(offer), "Discard", "Keep")
        else:
            words = ("Unsaved work found", self._named(offer), "Recover", "Discard")
        self._title.set(words[0])
        self._text.set(words[1])
        self._yes.setText(words[2])
        self._no.setText(words[3])

    def _named(self, offer: Orphan) -> str:
        return f"{offer.title}, {ago(time.time() - offer.when)}"

    def _agreed(self) -> None:
        if self._recovery.lost is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._recovery.lost)))
            self._recovery.forget_lost()
        elif self._asking:
            self._asking = False
            self._recovery.discard()
        else:
            self._recovery.recover()

    def _refused(self) -> None:
        if self._recovery.lost is not None:
            self._recovery.forget_lost()
            return
        self._asking = not self._asking
        self._show()
        if self._asking:
            self._no.setFocus(Qt.FocusReason.OtherFocusReason)

    def _paint(self) -> None:
        hex_, fonts = self._look.hex, tokens()["font"]["sizes"]
        self._mark.setPixmap(icon(self._look, "take.stale", "ghosted").pixmap(QSize(size("icon"), size("icon"))))
        card, button = tokens()["radius"]["card"], tokens()["radius"]["button"]
        self.setStyleSheet(
            f"#recoveryCard {{ background: {hex_('raised')}; border-radius: {card}px; }}"
            f"QLabel {{ color: {hex_('text2')}; font-size: {fonts['small']['px']}px; }}"
            f"QLabel#title {{ color: {hex_('text')}; font-weight: {fonts['body_strong']['weight']}; }}"
            f"QPushButton {{ color: {hex_('text')}; background: {hex_('panel')}; font-size: {fonts['small']['px']}px;"
            f" border: 1px solid {hex_('line2')}; border-radius: {button}px; padding: 0 10px; }}"
            f"QPushButton#quiet {{ color: {hex_('text2')}; background: transparent; border-color: transparent; }}"
            f"QPushButton:hover, QPushButton#quiet:hover {{ background: {hex_('hover')}; }}"
            f"QPushButton:focus, QPushButton#quiet:focus {{ border: 2px solid {hex_('focus')}; padding: 0 9px; }}"
        )


class _Elided(QLabel):
    """A line that ends in an ellipsis where it has no room, and then shows all of it in its tooltip."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(60)

    def set(self, text: str) -> None:
        self._whole = text
        self._fit()

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def _fit(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")
        self.setAccessibleName(self._whole)
