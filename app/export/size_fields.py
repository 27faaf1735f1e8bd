"""SizeFields: how large the pictures of a film are, in px."""

from __future__ import annotations

from app.export.form_row import Fields, form_row, frames_field
from app.kit import Segments, Text
from app.look.look import Look
from engine.export.settings import SIZES, Settings
from engine.export.video import even_size

USUAL = {"720p": (1280, 720), "1080p": (1920, 1080), "4K": (3840, 2160)}
"""By the names they go by."""


class SizeFields(Fields):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self.width_field = frames_field(look, "", "Width of the picture", *SIZES, "px")
        self.height_field = frames_field(look, "", "Height of the picture", *SIZES, "px")
        self.usual = Segments(look, [(name, name) for name in USUAL], "Usual sizes", fitted=True)
        sides = form_row(look, "", self.width_field, Text(look, "×", "text2"), self.height_field)
        note = Text(look, "Drawn as the view shows it now: its camera, its theme, without marks and ghosts.", "text3",
                    "small", wraps=True)  # fmt: skip
        self.stand(form_row(look, "Size", self.usual), sides, note)
        self.usual.chosen.connect(lambda name: self._tell(USUAL[name]))
        for field in (self.width_field, self.height_field):
            field.committed.connect(self._tell_typed)
        self._even = False

    def show_settings(self, settings: Settings) -> None:
        self._even = settings.format == "mp4"
        size = (settings.width, settings.height)
        self.width_field.set_value(float(size[0]))
        self.height_field.set_value(float(size[1]))
        self.usual.set_current(next((name for name, usual in USUAL.items() if usual == size), None))

    def _tell_typed(self) -> None:
        self._tell((round(self.width_field.value), round(self.height_field.value)))

    def _tell(self, size: tuple[int, int]) -> None:
        """Films have even sides."""
        width, height = even_size(size) if self._even else size
        self.changed.emit({"width": width, "height": height})
