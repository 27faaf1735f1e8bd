"""Safety: every command goes to a journal, and work that a crash left is offered at the start."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject

from app.document.autosave import Autosave
from app.document.journal import Journal
from app.document.lost_takes import sweep
from app.session.settings import home
from app.shell.recovery import Recovery, ago
from app.shell.studio import Studio


class Safety(QObject):
    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self._studio = studio
        folder = home() / "recovery"
        self._journal = Journal(studio.document, folder)
        self._autosave = Autosave(studio.document, self._journal, self)
        self.recovery = Recovery(studio.document, self._journal, folder, studio.files, self)
        self.recovery.recovered.connect(studio.view.frame)
        self.recovery.said.connect(studio.shell.say)

    def tell(self) -> None:
        """Offer what was found over the view; the start page has a card for it instead."""
        offer = self.recovery.offer
        if offer is not None:
            self._studio.shell.tell(
                f"Unsaved work found. {offer.title}, {ago(time.time() - offer.when)}.",
                [("Recover", self.recovery.recover), ("Discard", self.recovery.discard)],
                kind="warning",
            )

    def close(self) -> None:
        """A clean end leaves nothing to recover."""
        self._autosave.stop()
        self._journal.close()
        if self.recovery.offer is None:
            sweep(home() / "takes")
