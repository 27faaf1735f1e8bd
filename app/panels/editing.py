"""From a field's gesture to the document: previews while it lasts, one command at its end, nothing when cancelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.document.document import Document
from app.panels.number_field import NumberField
from app.panels.slider import RangeSlider
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


def bind_range(
    slider: RangeSlider,
    document: Document,
    label: Callable[[], str],
    edit: Callable[[Scene, Any], Scene],
) -> None:
    """The same for the ends of a slider's lit part; `edit` gets both."""
    slider.range_previewed.connect(lambda low, high: document.preview(edit(document.scene, (low, high))))
    slider.range_committed.connect(lambda low, high: document.edit(label(), edit(document.scene, (low, high))))
