"""Autosave: gives the journal its time. Portions of large copies between events, a sync after work, a full copy every
few minutes of it. Without work no timer runs."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.document.document import Document
from app.document.journal import Journal

SYNC_AFTER = 1000  # ms
COPY_EVERY = 3 * 60 * 1000  # ms of work


class Autosave(QObject):
    def __init__(self, document: Document, journal: Journal, parent: QObject | None = None) -> None:
        """Make it after the journal: it looks at what the journal did with a change."""
        super().__init__(parent)
        self._journal = journal
        self._portions = self._timer(0, self._write_portion, once=False)
        self._sync = self._timer(SYNC_AFTER, journal.sync)
        self._copy = self._timer(COPY_EVERY, self._make_copy)
        document.changed.connect(self._worked)
        document.named.connect(self._worked)

    def stop(self) -> None:
        """Before the journal is closed."""
        for timer in (self._portions, self._sync, self._copy):
            timer.stop()

    def _timer(self, wait: int, action: object, once: bool = True) -> QTimer:
        timer = QTimer(self, interval=wait, singleShot=once)
        timer.timeout.connect(action)
        return timer

    def _worked(self, *_: object) -> None:
        if self._journal.pending:
            self._portions.start()
        if self._journal.changes and not self._journal.trouble:
            if not self._sync.isActive():
                self._sync.start()
            if not self._copy.isActive():
                self._copy.start()

    def _write_portion(self) -> None:
        if not self._journal.work() or self._journal.trouble:
            self._portions.stop()

    def _make_copy(self) -> None:
        self._journal.copy()
        if self._journal.pending:
            self._portions.start()
