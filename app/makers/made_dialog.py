"""Dialogs whose maker makes new bodies: where they go, and what accepting adds."""

from __future__ import annotations

from abc import abstractmethod

from app.makers.made import Made, put_clear
from app.makers.maker_dialog import MakerDialog, Proposal
from engine.scene.spec import Scene


class MadeDialog(MakerDialog):
    """Subclasses say in `make` what their fields mean."""

    @abstractmethod
    def make(self) -> Made:
        """The new bodies, about the origin."""

    def propose(self, scene: Scene) -> Proposal:
        made = self.make()
        if made.refused:
            return Proposal(None, refused=made.refused)
        shown, ids = put_clear(scene, made)
        return Proposal(shown, tuple(ids), made.summary, made.warnings)
