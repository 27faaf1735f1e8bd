"""The picture of the tracks: what stays when only the moment changes, and what goes with the playhead."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QRegion

from app.document.take_edits import exact_words
from app.kit import MEDIUM, letters, measures
from app.kit.painting import MIDDLE, RIGHT, write
from app.look.quantity_words import energy_words
from app.look.tier_marks import hatch
from app.timeline.body_rows import LABEL_LEFT, paint_row_labels, paint_rows
from app.timeline.certificate_track import paint_strip
from app.timeline.energy_track import energy_point, paint_energy
from app.timeline.ruler import (
    ending_pill,
    numbered_frames,
    paint_ending,
    paint_pills,
    paint_ruler,
    playhead_pen,
    playhead_pill,
)
from app.timeline.shown import Shown

VALUE_WIDTH = 96  # px, of a number in the column of labels
NUMBER = 40  # px to each side of a pill within which a number may have to go
DOT = 3.0  # px, radius of the playhead's dot on the energy curve
HATCH_APART = 8.0  # px


def paint_still(painter: QPainter, shown: Shown) -> None:
    """Everything but playhead, pills and the energy's value."""
    areas, look = shown.areas, shown.look
    painter.fillRect(0, 0, areas.width, areas.height, look.color("well"))
    painter.save()
    painter.setClipRect(QRect(areas.labels, 0, areas.width - areas.labels, areas.height))
    paint_ruler(painter, shown)
    painter.setPen(QPen(look.color("line"), 1.0))
    for frame in numbered_frames(shown):
        x = round(shown.axis.x(shown.playback.time_of(frame))) + 0.5
        painter.drawLine(QPointF(x, areas.ruler.height()), QPointF(x, areas.height))
    _paint_hold(painter, shown)
    painter.restore()
    painter.fillRect(0, 0, areas.labels, areas.height, look.color("panel"))
    paint_rows(painter, shown)
    paint_energy(painter, shown)
    paint_strip(painter, shown)
    paint_ending(painter, shown)
    _paint_labels(painter, shown)
    for track in (areas.ruler, areas.energy, areas.strip):
        painter.fillRect(0, track.y() + track.height() - 1, areas.width, 1, look.color("line"))
    painter.fillRect(areas.labels - 1, 0, 1, areas.height, look.color("line"))


def _paint_hold(painter: QPainter, shown: Shown) -> None:
    """After the film everything stays as it is: hatched."""
    left, top = shown.axis.x(shown.playback.last), float(shown.areas.ruler.height())
    area = QRectF(left, top, shown.areas.width - left, shown.areas.height - top)
    if area.width() > 0.0:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hatch(painter, area, QPen(shown.look.color("line2"), 1.0), HATCH_APART, (45.0,))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_labels(painter: QPainter, shown: Shown) -> None:
    areas, look = shown.areas, shown.look
    energy, strip = areas.label(areas.energy), areas.label(areas.strip)
    text, strong = look.color("text"), letters("body", MEDIUM)
    if energy.height():
        write(painter, QRect(LABEL_LEFT, energy.y() + 10, areas.labels, 18), "Energy", text, MIDDLE, strong)
        write(painter, QRect(LABEL_LEFT, energy.y() + 28, areas.labels, 16), "whole scene",
              look.color("text2"), MIDDLE, letters("caption"))  # fmt: skip
    write(painter, strip.adjusted(LABEL_LEFT, 0, 0, 0), "Certificate", text, MIDDLE, strong)
    write(painter, strip.adjusted(0, 0, -12, 0), _share_words(shown, strip.width()), text, RIGHT)
    paint_row_labels(painter, shown)


def _share_words(shown: Shown, room: int) -> str:
    """Beside "Certificate": in a narrow column without "in motion", which the tooltip says."""
    if shown.card is None:
        return ""
    words = exact_words(shown.card)
    taken = measures("body", MEDIUM).horizontalAdvance("Certificate") + LABEL_LEFT + 12 + 12
    fits = measures("body").horizontalAdvance(words) <= room - taken
    return words if fits else words.removesuffix(" in motion")


def value_area(shown: Shown) -> QRect:
    """Where the energy at the playhead is written."""
    label = shown.areas.label(shown.areas.energy)
    return QRect(label.width() - VALUE_WIDTH - 12, label.y() + 1, VALUE_WIDTH, max(0, label.height() - 2))


def paint_moving(painter: QPainter, shown: Shown) -> None:
    """What goes with the moment: the playhead, its number, the dot on the energy curve and the energy's value."""
    areas, playback = shown.areas, shown.playback
    x = shown.axis.x(playback.time)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if x >= areas.labels:
        painter.setPen(playhead_pen(shown.look))
        painter.drawLine(QPointF(x, areas.ruler.height() - 4.0), QPointF(x, areas.height))
        if areas.energy.height():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shown.look.color("accent"))
            painter.drawEllipse(energy_point(shown, playback.time), DOT, DOT)
    paint_pills(painter, shown)
    if areas.energy.height():
        words = energy_words(shown.index.film.energy_at(playback.time))
        write(painter, value_area(shown), words, shown.look.color("text"), RIGHT, letters("body", MEDIUM))


def moving_region(shown: Shown) -> QRegion:
    """What `paint_moving` touches now."""
    x = shown.axis.x(shown.playback.time)
    line = QRect(int(x - DOT) - 2, 0, int(2 * DOT) + 5, shown.areas.height)
    region = QRegion(line)
    for pill in (playhead_pill(shown), ending_pill(shown)):
        region += pill.toAlignedRect().adjusted(-NUMBER, -2, NUMBER, 2)
    return region + value_area(shown)
