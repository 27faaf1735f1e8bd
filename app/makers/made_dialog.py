"""Dialogs whose maker makes new bodies: where they go, and what accepting adds."""

from __future__ import annotations

from app.makers.made import Made, free_place, put
from app.makers.maker_dialog import MakerDialog, Proposal
from engine.scene.spec import Scene


class MadeDialog(MakerDialog):
    """Subclasses implement `make`, or `propose` with `placed`."""

    def make(self) -> Made:
        raise NotImplementedError

    def propose(self, scene: Scene) -> Proposal:
        made = self.make()
        if made.refused:
            return Proposal(None, refused=made.refused)
        shown, ids = self.placed(scene, made)
        return Proposal(shown, tuple(ids), made.summary, made.warnings)

    def placed(self, scene: Scene, made: Made) -> tuple[Scene, list[str]]:
        """The scene with what was made, clear of the others, and the ids of the new bodies."""
        return put(scene, made, free_place(scene, made))
