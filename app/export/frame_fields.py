"""FrameFields: which frames of the take are written, under which numbers, at which rate."""

from __future__ import annotations

from app.export.form_row import Fields, form_row, frames_field
from app.export.rate_field import RateField
from app.kit import Text
from app.look.look import Look
from engine.export.frames import Span, frame_range
from engine.export.settings import MOST_FRAMES, Settings

LONGEST_EXTRA = 10_000  # frames of handles, or of holding


class FrameFields(Fields):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._end = 0
        self.first = frames_field(look, "Start", "First frame of the take", 0, 0)
        self.last = frames_field(look, "End", "Last frame of the take", 0, 0)
        self.start = frames_field(look, "", "Number of the first frame in the file", -MOST_FRAMES, MOST_FRAMES)
        self.handles = frames_field(look, "Handles", "Frames before the first", 0, LONGEST_EXTRA)
        self.hold = frames_field(look, "", "Hold ending", 0, LONGEST_EXTRA, "frames")
        self.rate = RateField(look)
        self.start.setToolTip("The number of the first frame in the file; handles come before it")
        self.stand(
            form_row(look, "Frames", self.first, Text(look, "to", "text2"), self.last),
            form_row(look, "Numbered from", self.start, self._gap(look), self.handles),
            form_row(look, "Hold ending", self.hold),
            form_row(look, "Frame rate", self.rate),
        )
        for field, name in ((self.start, "start"), (self.handles, "handles"), (self.hold, "hold")):
            field.previewed.connect(lambda value, name=name: self.changed.emit({name: round(value)}))
            field.committed.connect(lambda value, name=name: self.changed.emit({name: round(value)}))
        for field in (self.first, self.last):
            field.previewed.connect(self._tell_range)
            field.committed.connect(self._tell_range)
        self.rate.chosen.connect(lambda fps: self.changed.emit({"fps": fps}))

    def show_settings(self, settings: Settings, span: Span) -> None:
        self._end = frame_range(span, settings.fps)[2]
        first = settings.first if settings.first is not None else 0
        last = settings.last if settings.last is not None else self._end
        self.first.set_range(0, last)
        self.last.set_range(first, self._end)
        for field, value in ((self.first, first), (self.last, last), (self.start, settings.start),
                             (self.handles, settings.handles), (self.hold, settings.hold)):  # fmt: skip
            field.set_value(float(value))
        self.rate.set_rate(settings.fps)

    def _tell_range(self) -> None:
        """None for the ends of the take, so that they stay its ends at another rate."""
        first, last = round(self.first.value), round(self.last.value)
        self.changed.emit({"first": first or None, "last": last if last < self._end else None})

    @staticmethod
    def _gap(look: Look) -> Text:
        """As wide as the word between the fields above, so that fields stand below each other."""
        gap = Text(look, "")
        gap.setFixedWidth(Text(look, "to").sizeHint().width())
        return gap
