"""StatusBar: at the left what the tool expects, as key caps and words; at the right counts and whether all is saved."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStatusBar, QWidget

from app.document.document import Document
from app.look.fonts import font
from app.look.look import size
from app.session.selection import Selection
from app.shell.action import counted
from app.shell.ages import age_words
from app.tools.tool import Expect

MESSAGE_TIME = 4000  # ms


class Expectations(QWidget):
    """Key caps with words; entries that do not fit are left out from the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: list[Expect] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(6, 0, 0, 0)
        self._row.setSpacing(6)
        self._row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def shown(self) -> list[Expect]:
        return self._shown

    def show_all(self, expects: Sequence[Expect]) -> None:
        if list(expects) == self._shown:
            return
        self._shown = list(expects)
        while self._row.count() > 1:
            item = self._row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        for number, (key, words) in enumerate(self._shown):
            pair = QWidget(self)
            inside = QHBoxLayout(pair)
            inside.setContentsMargins(0, 0, 10, 0)
            inside.setSpacing(6)
            cap, label = QLabel(key, pair), QLabel(words, pair)
            cap.setProperty("role", "keycap")
            cap.setFont(font("caption"))
            label.setProperty("role", "second")
            label.setFont(font("small"))
            inside.addWidget(cap)
            inside.addWidget(label)
            self._row.insertWidget(number, pair)


class StatusBar(QStatusBar):
    def __init__(self, document: Document, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self.setSizeGripEnabled(False)
        self.setContentsMargins(6, 0, 0, 0)
        self.setFixedHeight(size("status_bar"))
        self.setFont(font("small"))
        self.expectations = Expectations(self)
        self._counts, self._saved = QLabel(self), QLabel(self)
        for label in (self._counts, self._saved):
            label.setProperty("role", "second")
            label.setFont(font("small"))
        self._saved.setContentsMargins(8, 0, 12, 0)
        self._saved.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.addWidget(self.expectations, 1)
        self.addPermanentWidget(self._counts)
        self.addPermanentWidget(self._saved)
        document.changed.connect(self._count)
        selection.changed.connect(self._count)
        document.named.connect(self._mark_saved)
        self._count()
        self._mark_saved()

    def say(self, message: str) -> None:
        self.showMessage(message, MESSAGE_TIME)

    @property
    def counts(self) -> str:
        return self._counts.text()

    @property
    def saved(self) -> str:
        return self._saved.text()

    def _count(self) -> None:
        bodies, chosen = len(self._document.shown.bodies), len(self._selection.ids)
        self._counts.setText(counted(bodies) + (f" · {chosen} selected" if chosen else ""))

    def _mark_saved(self) -> None:
        path = self._document.path
        if self._document.dirty:
            words = "Not saved"
        elif path is None:
            words = "New"
        else:
            words = f"Saved {age_words(path, time.time()).removeprefix('today, ')}"
        self._saved.setText(words)
