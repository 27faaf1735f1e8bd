"""StatusBar: at the left what the tool expects, as key caps and words; at the right what there is to say, counts, and
whether all is saved. A message never takes the place of the keys: it often comes in the middle of a gesture."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStatusBar, QWidget

from app.document.document import Document
from app.kit import label
from app.kit.layouts import FILL, held, row
from app.look.fonts import font
from app.look.look import size
from app.session.selection import Selection
from app.shell.action import counted
from app.shell.ages import age_words
from app.tools.tool import Expect

MESSAGE_TIME = 4000  # ms
MESSAGE_SHARE = 0.5  # of the bar, at most
PREPARING_TIP = "Needed once on this machine. You can work meanwhile; settling and checking wait for it."


class Expectations(QWidget):
    """Key caps with words; entries that do not fit are left out from the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: list[Expect] = []
        self._pairs: list[QWidget] = []
        self._row = row(FILL, of=self, gap=6, edge=(6, 0, 0, 0))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_all(self, expects: Sequence[Expect]) -> None:
        if list(expects) == self.shown:
            return
        self.shown = list(expects)
        for pair in self._pairs:
            self._row.removeWidget(pair)
            pair.hide()
            pair.deleteLater()
        self._pairs.clear()
        for number, (key, words) in enumerate(self.shown):
            cap, meaning = label(key, "caption", "keycap"), label(words, "small", "second")
            pair = held(row(cap, meaning, gap=6, edge=(0, 0, 10, 0)))
            self._row.insertWidget(number, pair)
            self._pairs.append(pair)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        left = self.width() - self._row.contentsMargins().left()
        for number, pair in enumerate(self._pairs):
            left -= pair.sizeHint().width()
            pair.setVisible(number == 0 or left >= 0)
            left -= self._row.spacing()


class StatusBar(QStatusBar):
    def __init__(self, document: Document, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self.setSizeGripEnabled(False)
        self.setContentsMargins(6, 0, 0, 0)
        self.setFixedHeight(size("status_bar"))
        self.setFont(font("small"))
        self.expectations = Expectations(self)
        self._message = label("", "small", parent=self)
        self._preparing, self.counts, self.saved = (label("", "small", "second", self) for _ in range(3))
        for told in (self._message, self._preparing):
            told.setContentsMargins(8, 0, 8, 0)
            told.hide()
        self._preparing.setToolTip(PREPARING_TIP)
        self.said = self._file_work = ""
        self._silence = QTimer(self, singleShot=True, interval=MESSAGE_TIME)
        self._silence.timeout.connect(lambda: self._write(""))
        self.saved.setContentsMargins(8, 0, 12, 0)
        self.saved.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.addWidget(self.expectations, 1)
        for told in (self._message, self._preparing, self.counts, self.saved):
            self.addPermanentWidget(told)
        document.changed.connect(self._count)
        selection.changed.connect(self._count)
        document.named.connect(self._mark_saved)
        self._count()
        self._mark_saved()

    def say(self, message: str) -> None:
        """For a few seconds."""
        self._write(message)
        self._silence.start()

    def show_preparing(self, how_far: str) -> None:
        """How much of the engine is prepared for its first run; without words it is."""
        self._preparing.setText(f"Preparing the engine · {how_far}")
        self._preparing.setVisible(bool(how_far))

    def show_file_work(self, words: str) -> None:
        """Instead of whether all is saved, while a file is read or written; "" when none is."""
        self._file_work = words
        self._mark_saved()

    @property
    def preparing(self) -> bool:
        return not self._preparing.isHidden()

    def _write(self, message: str) -> None:
        self.said = message
        room = int(MESSAGE_SHARE * self.width())
        shown = self._message.fontMetrics().elidedText(message, Qt.TextElideMode.ElideRight, room)
        self._message.setText(shown)
        self._message.setToolTip(message if shown != message else "")
        self._message.setVisible(bool(message))

    def _count(self) -> None:
        bodies, chosen = len(self._document.shown.bodies), len(self._selection.ids)
        self.counts.setText(counted(bodies) + (f" · {chosen} selected" if chosen else ""))

    def _mark_saved(self) -> None:
        path = self._document.path
        if self._file_work:
            words = self._file_work
        elif self._document.dirty:
            words = "Not saved"
        elif path is None:
            words = "New"
        else:
            words = f"Saved {age_words(path, time.time()).removeprefix('today, ')}"
        self.saved.setText(words)
