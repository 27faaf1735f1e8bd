"""What a hand does with bodies is told apart from their own motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter
from stage import Stage, film, scene_of

from app.timeline.body_rows import bar_area, hand_area, paint_rows
from app.timeline.film_index import FilmIndex, glyphs
from app.timeline.in_hand import in_hand, let_go
from app.timeline.time_axis import TimeAxis
from app.timeline.tracks_words import words_at
from app.timeline.words import FilmWords
from engine.scene.film import Film

HELD, GHOSTED = 5, 3


def in_hands() -> Film:
    """Brick 1 is under way from the first moment; Brick 2 is carried in, 3 laid, 4 brought to its place and held."""
    return replace(
        film(),
        begin=np.array([0.0, 0.3, 0.4, 0.2]),
        rest=np.array([1.0, 1.6, 1.0, 0.8]),
        seen=np.array([0.0, 0.3, 0.4, 0.2]),
        release=np.array([0.0, 1.2, 1.0, 1.4]),
        how=("flight", "carried", "placed", "placed"),
    )


def test_words_of_hands() -> None:
    made = in_hands()
    found = [in_hand(made, row) for row in range(4)]
    assert [each and each.words for each in found] == [
        None,
        "carried in until 1.2 s",
        "laid by a hand",
        "held until 1.4 s",
    ]
    assert [(each.first, each.last) for each in found if each] == [(0.3, 1.2), (0.4, 1.0), (0.2, 1.4)]


def test_what_hangs_in_the_air_is_held() -> None:
    made = replace(in_hands(), begin=np.array([0.0, 1.2, 0.4, 0.2]))
    told = in_hand(made, 1)
    assert told is not None and told.words == "held until 1.2 s"


def test_who_appears_when_let_go_was_in_no_hand_and_older_films_know_none() -> None:
    made = in_hands()
    assert made.release is not None
    assert in_hand(replace(made, seen=made.release), 1) is None
    assert in_hand(film(), 1) is None and let_go(film(), 1) == pytest.approx(0.1)
    assert let_go(made, 1) == 1.2


@pytest.fixture
def stage(stage: Stage) -> Stage:
    stage.document.takes._films["t1"] = in_hands()
    stage.playback.show("t2")
    stage.playback.show("t1")
    return stage


def test_a_bar_begins_where_the_hand_lets_go(stage: Stage) -> None:
    shown = stage.tracks.shown
    places = [shown.areas.row(number) for number in range(4)]
    bars = [bar_area(shown, shown.rows[n], places[n]) for n in range(4)]
    hands = [hand_area(shown, shown.rows[n], places[n]) for n in range(4)]
    assert hands[0] is None and bars[0].left() == shown.axis.x(0.0)
    assert hands[1] is not None and hands[1].left() == shown.axis.x(0.3)
    assert hands[1].right() == pytest.approx(bars[1].left()) and bars[1].left() == shown.axis.x(1.2)
    assert bars[2].width() == bars[3].width() == 0.0, "a hand had them until they rested"
    assert hands[3] is not None and hands[3].right() == pytest.approx(shown.axis.x(1.4))


def test_the_line_is_thin_and_the_bar_is_not(stage: Stage) -> None:
    shown = stage.tracks.shown
    picture = QImage(shown.areas.width, shown.areas.height, QImage.Format.Format_RGB32)
    picture.fill(shown.look.color("well"))
    painter = QPainter(picture)
    paint_rows(painter, shown)
    painter.end()

    def height(time: float) -> int:
        x, place = round(shown.axis.x(time)), shown.areas.row(1)
        ground = shown.look.color("well").rgb()
        return sum(picture.pixel(x, y) != ground for y in range(place.top(), place.bottom() + 1))

    assert height(0.2) == 0 and 1 <= height(0.7) <= 3 and height(1.5) >= 10


def test_tooltips_say_whose_motion_it_is(stage: Stage) -> None:
    shown = stage.tracks.shown

    def told(number: int, time: float) -> str:
        place = QPoint(round(shown.axis.x(time)), shown.areas.row(number).center().y())
        return words_at(shown, place, stage.document.shown)

    assert told(1, 0.65) == "Brick 2 is carried in until 1.2 s\nLet go at frame 29"
    assert told(1, 1.4) == "Brick 2 moves from frame 29 to 38"
    assert told(2, 0.65).startswith("Brick 3 is laid by a hand")
    assert told(3, 1.1).startswith("Brick 4 is held until 1.4 s")
    assert told(1, 0.1) == ""


def test_marks_name_who_is_held() -> None:
    made = in_hands()
    made.mark_tier[:3] = HELD
    made.mark_step[:3] = (576, 600, 960)  # 1.2 s, 1.25 s, 2 s
    made.mark_body[:3] = ((1, 3), (3, -1), (-1, -1))
    words = FilmWords(made, scene_of())
    assert words.mark(0) == "Held: a hand holds Brick 4 where Brick 2 touches it"
    assert words.mark(1) == "Held: a hand holds Brick 4 where the ground touches it"
    assert words.mark(2) == "Held: by a hand"
    made.mark_step[0] = 480
    assert words.mark(0) == "Held: a hand holds Brick 2 and Brick 4 where they touch"


def test_on_the_strip_ignored_contacts_are_worse_than_hands() -> None:
    made = film()
    made.step_tier[:] = -1
    made.step_tier[480:490], made.step_tier[485] = HELD, GHOSTED
    stretches = FilmIndex(made).stretches(TimeAxis(0.0, 2.0, 0.0, 48.0))  # 20 steps a pixel: 480 to 499 are one
    assert [(stretch.tier, stretch.first, stretch.last) for stretch in stretches] == [(GHOSTED, 480, 499)]
    fine = FilmIndex(made).stretches(TimeAxis(0.0, 2.0, 0.0, 960.0))
    assert [stretch.tier for stretch in fine] == [HELD, HELD, GHOSTED], "the worst is painted last"
    assert [stretch.tier for stretch in glyphs(fine, 11.0)] == [GHOSTED], "and gets the sign where there is one place"
