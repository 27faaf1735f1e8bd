"""ItemControls: what the controls of a hint and of a joint share. They are about one thing of the scene, named by its
id; every change is previewed at once and becomes one command."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.kit import IconButton, NumberField, RangeSlider
from app.look.look import Look
from app.panels.editing import bind
from engine.scene.spec import Hint, Joint, Scene

Item = TypeVar("Item", Hint, Joint)


class ItemControls(QWidget, Generic[Item]):
    def __init__(
        self,
        look: Look,
        document: Document,
        word: str,
        changed: Callable[[Scene, str, Callable[[Item], Item]], Scene],
        removed: Callable[[Scene, Collection[str]], Scene],
    ) -> None:
        """`changed` and `removed` make the scene in which the item of an id is another one, or is gone."""
        super().__init__()
        self._look, self._document = look, document
        self._changed: Callable[[Scene, str, Callable[[Item], Item]], Scene] = changed
        self.key = ""
        self.delete = IconButton(look, "edit.delete", f"Delete {word}", "Del")
        self.delete.clicked.connect(
            lambda: document.edit(self._words("Delete"), removed(document.scene, [self.key]))
        )  # fmt: skip

    def _words(self, verb: str) -> str:
        """Name of a command."""
        raise NotImplementedError

    def _edit(self, verb: str, change: Callable[[Item], Item]) -> None:
        self._document.edit(self._words(verb), self._changed(self._document.scene, self.key, change))

    def _bind(self, field: NumberField | RangeSlider, verb: str, change: Callable[[Scene, Item, float], Item]) -> None:
        def edit(scene: Scene, value: float) -> Scene:
            return self._changed(scene, self.key, lambda item: change(scene, item, value))

        bind(field, self._document, lambda: self._words(verb), edit)
