"""OptionsForm: the middle of the dialog. How the take is written, and where to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.export.form_row import form_row
from app.export.format_field import FormatField
from app.export.frame_fields import FrameFields
from app.export.key_fields import KeyFields
from app.export.outcome import Outcome
from app.export.size_fields import SizeFields
from app.export.space_fields import SpaceFields
from app.kit import IconButton, TextField
from app.kit.layouts import column, held, row, wide
from app.kit.painting import space
from app.look.look import Look
from app.makers.dialog_frame import separator
from engine.export.frames import Span
from engine.export.settings import Settings

EDGE = 20  # px


class OptionsForm(QWidget):
    """Signals:
    changed(dict)        fields of Settings that the artist chose
    format_chosen(str)
    place_typed(str)     while it is typed
    place_asked()        the button with the folder
    """

    changed = Signal(object)
    format_chosen = Signal(str)
    place_typed = Signal(str)
    place_asked = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.format = FormatField(look)
        self.place = TextField(look, "Save to")
        self.browse = IconButton(look, "file.open", "Choose a folder and a name…")
        self.frames, self.space_, self.keys, self.size_ = (
            FrameFields(look), SpaceFields(look), KeyFields(look), SizeFields(look)
        )  # fmt: skip
        place = held(row(wide(self.place), self.browse, gap=space("xs")))
        place.setSizePolicy(self.place.sizePolicy())
        whole = column(of=self, gap=space("s"), edge=(EDGE, space("l"), EDGE, space("m")))
        whole.addWidget(form_row(look, "Format", self.format))
        whole.addWidget(form_row(look, "Save to", place))
        self._lines: dict[QWidget, QWidget] = {}
        for group in (self.frames, self.size_, self.space_, self.keys):
            self._lines[group] = held(column(separator(), edge=(0, space("xs"), 0, space("xs"))))
            whole.addWidget(self._lines[group])
            whole.addWidget(group)
            group.changed.connect(self.changed)
        whole.addStretch(1)
        self.format.chosen.connect(self.format_chosen)
        self.place.edited.connect(self.place_typed)
        self.browse.clicked.connect(self.place_asked)

    def show_settings(self, settings: Settings, formats: Sequence[str], span: Span, outcome: Outcome) -> None:
        self.format.show_formats(formats, settings.format)
        self.frames.show_settings(settings, span)
        self.space_.show_settings(settings)
        self.size_.show_settings(settings)
        pictures = settings.kind.pictures
        self.space_.setVisible(not pictures)
        self.size_.setVisible(pictures)
        self.keys.show_settings(settings, outcome)
        if pictures:
            self.keys.hide()
        for group, line in self._lines.items():
            line.setVisible(not group.isHidden())
