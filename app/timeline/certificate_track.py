"""The certificate strip: how honest each step with contacts is, and a sign above every step that is not exact."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.document.take_edits import exact_of_all, worst_tier
from app.look.fonts import font
from app.look.look import size
from app.look.quantity_words import share_words
from app.look.tier_marks import GLYPH, paint_glyph, paint_stretch
from app.look.tiers import FREE_FLIGHT, NOTHING_TOUCHES, tier_label, tier_sentence
from app.timeline.film_index import Stretch, middle
from app.timeline.shown import Shown
from app.timeline.words import FilmWords, before_ending

STALE = 0.4  # opacity of a certificate that is about another scene
SIGN_REACH = 8.0  # px to each side in which a sign can be clicked
MOST_LINES = 3  # of a tooltip
LOWERED = 12.0  # px across the mark of an instant without an answer
LOWERED_WORDS = "Friction was lowered here: with all of it, rigid bodies have no answer at this instant."


def paint_strip(painter: QPainter, shown: Shown) -> None:
    area = shown.areas.strip
    line = QRectF(area.left(), strip_area(shown).center().y() - 0.75, area.width(), 1.5)
    film = shown.index.film
    line.setLeft(max(line.left(), shown.axis.x(film.first)))
    line.setRight(min(line.right(), shown.axis.x(film.last)))
    painter.save()
    painter.setClipRect(area)
    painter.fillRect(line, shown.look.color("line2"))
    painter.setOpacity(STALE if shown.stale else 1.0)
    strip = strip_area(shown)
    for stretch in shown.stretches:
        place = QRectF(stretch.left, strip.top(), stretch.right - stretch.left, strip.height())
        paint_stretch(painter, stretch.tier, place, shown.look)
    for stretch in shown.signs:
        paint_glyph(painter, stretch.tier, sign_centre(shown, stretch), shown.look)
    for x in lowered_places(shown):
        _paint_lowered(painter, QPointF(x, strip.center().y()), shown)
    painter.restore()


def lowered_places(shown: Shown) -> list[float]:
    """px of the steps in which all of the friction would leave no answer; neighbours count as one."""
    steps = shown.index.film.lowered
    places: list[float] = []
    for step in () if steps is None else steps.tolist():
        x = shown.axis.x(shown.index.step_time(int(step)))
        if not places or x - places[-1] > LOWERED:
            places.append(x)
    return places


def _paint_lowered(painter: QPainter, at: QPointF, shown: Shown) -> None:
    """A ring with a question mark: not a tier, but why friction was tuned."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(shown.look.color("text"), 1.2))
    painter.setBrush(shown.look.color("well"))
    painter.drawEllipse(at, 0.5 * LOWERED, 0.5 * LOWERED)
    letters = font("caption")
    letters.setPixelSize(9)
    letters.setBold(True)
    painter.setFont(letters)
    area = QRectF(at.x() - LOWERED, at.y() - LOWERED, 2 * LOWERED, 2 * LOWERED)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "?")


def strip_area(shown: Shown) -> QRectF:
    area, height = shown.areas.strip, size("certificate_strip")
    return QRectF(area.left(), area.y() + area.height() - height - 4.0, area.width(), height)


def sign_centre(shown: Shown, stretch: Stretch) -> QPointF:
    return QPointF(middle(stretch), strip_area(shown).top() - 0.5 * GLYPH - 2.0)


def stretch_at(shown: Shown, x: float, y: float) -> Stretch | None:
    """The sign at a place, else the stretch under it (the worst of those that are there)."""
    if not shown.areas.strip.contains(int(x), int(y)):
        return None
    if y < strip_area(shown).top():
        near = [stretch for stretch in shown.signs if abs(middle(stretch) - x) <= SIGN_REACH]
        if near:
            return min(near, key=lambda stretch: abs(middle(stretch) - x))
    under = [stretch for stretch in shown.stretches if stretch.left <= x <= stretch.right]
    return under[-1] if under else None


def jump_time(shown: Shown, stretch: Stretch) -> float:
    """The first step that is meant."""
    marks = shown.index.marks(stretch)
    step = int(shown.index.film.mark_step[marks[0]]) if len(marks) else stretch.first
    return shown.index.step_time(step)


def strip_words(shown: Shown, x: float, y: float, words: FilmWords) -> str:
    """What the strip tells at a place; "" beside it."""
    near = any(abs(x - place) <= 0.5 * LOWERED for place in lowered_places(shown))
    if near and shown.areas.strip.contains(int(x), int(y)) and y >= strip_area(shown).top() - 2:
        return LOWERED_WORDS
    stretch = stretch_at(shown, x, y)
    if stretch is not None:
        return stretch_words(shown, stretch, words)
    film = shown.index.film
    inside = shown.areas.strip.contains(int(x), int(y)) and film.first <= shown.axis.time(x) <= film.last
    return f"{FREE_FLIGHT}: {NOTHING_TOUCHES[0].lower()}{NOTHING_TOUCHES[1:]}" if inside else ""


def share_tip(shown: Shown) -> str:
    """What the share beside the strip counts."""
    card = shown.card
    if card is None:
        return ""
    of_all = f"{share_words(exact_of_all(card))} of the steps with contacts are exact"
    if card.exact_in_motion is None:
        return f"{of_all}. Free flight does not count."
    in_motion = f"{share_words(card.exact_in_motion)} of the steps in which a moving body touches something are exact"
    worst = f"\nWorst contact: {card.worst}." if card.worst and worst_tier(card) else ""
    return f"{in_motion}.\nAt rest included, {of_all}. Free flight does not count.{worst}"


def stretch_words(shown: Shown, stretch: Stretch, words: FilmWords) -> str:
    """What happened, in at most a few lines."""
    if stretch.tier == 0:
        return f"{tier_label(0)}: {tier_sentence(0)}"
    found = list(dict.fromkeys(words.mark(int(mark)) for mark in shown.index.marks(stretch)))
    if not found:
        return f"{tier_label(stretch.tier)}: {tier_sentence(stretch.tier)}"
    lines = found[:MOST_LINES]
    if len(found) > MOST_LINES:
        lines.append(f"and {len(found) - MOST_LINES} more like this")
    return "\n".join([*lines, before_ending(shown.playback.ending - jump_time(shown, stretch)).capitalize()])
