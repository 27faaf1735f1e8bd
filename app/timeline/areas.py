"""Areas: where the tracks lie in the widget, in px. Labels at the left, time at the right; only rows scroll."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect

from app.look.look import size

FEWEST_ROWS = 2  # with less room than for these the energy track gives way, and is a number in the header


def tracks_height(rows: int, folded: bool) -> int:
    """px that the tracks need to show some rows."""
    fixed = size("ruler") + size("certificate_track") + (0 if folded else size("energy_track"))
    return fixed + rows * size("track_row")


@dataclass(frozen=True)
class Areas:
    width: int
    height: int
    labels: int  # px, width of the column of labels
    rows: int  # how many there are
    scroll: int = 0  # px

    @property
    def folded(self) -> bool:
        """Is there no room for the energy track?"""
        return self.height < tracks_height(FEWEST_ROWS, folded=False)

    @property
    def ruler(self) -> QRect:
        return self._track(0, size("ruler"))

    @property
    def energy(self) -> QRect:
        return self._track(size("ruler"), 0 if self.folded else size("energy_track"))

    @property
    def strip(self) -> QRect:
        energy = self.energy
        return self._track(energy.y() + energy.height(), size("certificate_track"))

    @property
    def body_rows(self) -> QRect:
        """Of all rows, across labels and time."""
        top = self.strip.y() + self.strip.height()
        return QRect(0, top, self.width, max(0, self.height - top))

    @property
    def farthest(self) -> int:
        """px that rows can be scrolled by."""
        return max(0, self.rows * size("track_row") - self.body_rows.height())

    @property
    def visible_rows(self) -> range:
        area, row = self.body_rows, size("track_row")
        return range(self.scroll // row, min(self.rows, -(-(self.scroll + area.height()) // row)))

    def row(self, number: int) -> QRect:
        return QRect(0, self.body_rows.y() + number * size("track_row") - self.scroll, self.width, size("track_row"))

    def row_at(self, y: int) -> int | None:
        area = self.body_rows
        if not area.y() <= y < area.y() + area.height():
            return None
        number = (y - area.y() + self.scroll) // size("track_row")
        return number if number < self.rows else None

    def label(self, track: QRect) -> QRect:
        """The place beside a track, or at the left of a row."""
        return QRect(0, track.y(), self.labels, track.height())

    def _track(self, top: int, height: int) -> QRect:
        return QRect(self.labels, top, max(1, self.width - self.labels), height)
