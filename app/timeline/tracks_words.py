"""Tooltips of the tracks: what is under the mouse, in plain words."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from app.look.quantity_words import energy_words
from app.timeline.body_rows import bar_area, handle_at
from app.timeline.certificate_track import share_tip, strip_words
from app.timeline.in_hand import in_hand, let_go
from app.timeline.ruler import range_end_at
from app.timeline.shown import Row, Shown
from app.timeline.words import FilmWords
from engine.scene.spec import Scene

NOTCH_REACH = 4.0  # px


def words_at(shown: Shown, place: QPoint, scene: Scene) -> str:
    x, y = float(place.x()), float(place.y())
    if place.x() >= shown.areas.labels:
        end = range_end_at(shown, x, y)
        if end is not None:
            return f"{'End' if end else 'Start'} of the range that plays. Drag it."
        told = strip_words(shown, x, y, FilmWords(shown.index.film, scene))
        if told:
            return told
        if shown.areas.energy.contains(place):
            time = min(max(shown.axis.time(x), shown.playback.first), shown.playback.last)
            return f"{energy_words(shown.index.film.energy_at(time))} at frame {shown.playback.frame_at(time)}"
    elif shown.areas.label(shown.areas.strip).contains(place):
        return share_tip(shown)
    number = shown.areas.row_at(place.y())
    return row_words(shown, number, x, y, scene) if number is not None else ""


def row_words(shown: Shown, number: int, x: float, y: float, scene: Scene) -> str:
    row = shown.rows[number]
    if x < shown.areas.labels:
        return f"{row.name}\nHas a hint" if row.hinted else row.name
    if handle_at(shown, x, y) is not None:
        return handle_words(shown, row)
    time, reach = shown.axis.time(x), NOTCH_REACH / shown.axis.scale
    event = shown.index.event_near(row.film, time, reach)
    if event is not None:
        frame = shown.playback.frame_at(float(shown.index.film.event_time[event]))
        return f"{row.name} {FilmWords(shown.index.film, scene).event(event, row.film)}\nFrame {frame}"
    bar = bar_area(shown, row, shown.areas.row(number))
    held = in_hand(shown.index.film, row.film)
    if held is not None and shown.axis.x(held.first) <= x < max(shown.axis.x(held.last), bar.left()):
        return f"{row.name} is {held.words}\nLet go at frame {shown.playback.frame_at(held.last)}"
    if bar.left() <= x <= bar.right():
        begin = shown.playback.frame_at(let_go(shown.index.film, row.film))
        return f"{row.name} moves from frame {begin} to {shown.rest_frame(row)}"
    return ""


def handle_words(shown: Shown, row: Row) -> str:
    words = f"{row.name} comes to rest at frame {shown.rest_frame(row)}"
    if row.arrival is None:
        return f"{words}\nDrag to say when."
    asked = shown.playback.frame_at(shown.playback.ending - row.arrival)
    if asked != shown.rest_frame(row):
        words += f"\nYou asked for frame {asked}"
    return f"{words}\nDouble-click to leave it to Generate."
