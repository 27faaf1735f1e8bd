"""From a field's gesture to the document: previews while it lasts, one command at its end, nothing when cancelled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from app.document.document import Document
from app.kit import NumberField, RangeSlider
from app.session.selection import Selection
from engine.scene.spec import Scene


def bind(
    field: NumberField | RangeSlider,
    document: Document,
    label: Callable[[], str],
    edit: Callable[[Scene, float], Scene],
) -> None:
    """`edit` makes a new scene of the document's own; `label` names the command in the history."""
    field.previewed.connect(lambda value: document.preview(edit(document.scene, value)))
    field.committed.connect(lambda value: document.edit(label(), edit(document.scene, value)))
    field.cancelled.connect(lambda: document.preview(None))


def bind_selected(
    field: NumberField | RangeSlider,
    selection: Selection,
    words: str,
    edit: Callable[[Scene, Collection[str], float], Scene],
) -> None:
    """The same about the selected bodies, whose ids `edit` gets; {} in the words stands for them."""
    bind(field, selection.document, lambda: words.format(selection.called()),
         lambda scene, value: edit(scene, selection.ids, value))  # fmt: skip


def bind_axes(
    fields: Sequence[NumberField],
    selection: Selection,
    words: str,
    edit: Callable[[Scene, Collection[str], int, float], Scene],
) -> None:
    """Fields of the parts of something; `edit` is told which of them it is."""
    for axis, field in enumerate(fields):
        bind_selected(field, selection, words, _along(axis, edit))


def _along(axis: int, edit: Callable[..., Scene]) -> Callable[[Scene, Collection[str], float], Scene]:
    return lambda scene, ids, value: edit(scene, ids, axis, value)


def bind_range(
    slider: RangeSlider, selection: Selection, words: str, edit: Callable[[Scene, Collection[str], Any], Scene]
) -> None:
    """The same for the ends of a slider's lit part; `edit` gets both."""
    document = selection.document
    slider.range_previewed.connect(lambda *ends: document.preview(edit(document.scene, selection.ids, ends)))
    slider.range_committed.connect(lambda *ends: selection.edit(words, edit, ends))
