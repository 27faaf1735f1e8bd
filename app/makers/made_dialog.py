"""Dialogs whose maker makes new bodies: where they go, and what accepting adds."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.look.look import Look
from app.makers.made import Made, free_place, put
from app.makers.maker_dialog import MakerDialog, Proposal
from app.session.selection import Selection
from app.session.settings import Settings
from engine.scene.spec import Scene, Vector


class MadeDialog(MakerDialog):
    """Subclasses implement `make`. Without a place (`at`), new bodies go where they are clear of the others."""

    def __init__(
        self,
        document: Document,
        selection: Selection,
        settings: Settings,
        look: Look,
        parent: QWidget | None = None,
        at: Vector | None = None,
    ) -> None:
        super().__init__(document, selection, settings, look, parent)
        self.at = at

    def make(self) -> Made:
        raise NotImplementedError

    def propose(self, scene: Scene) -> Proposal:
        made = self.make()
        if made.refused:
            return Proposal(None, refused=made.refused)
        at = self.at if self.at is not None else free_place(scene, made)
        shown, ids = put(scene, made, at)
        return Proposal(shown, tuple(ids), made.summary, made.warnings)
