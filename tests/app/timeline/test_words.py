"""What the timeline says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from stage import film, scene_of

from app.timeline.words import FilmWords, before_ending
from engine.scene.spec import Body, Plane


def test_marks_in_plain_words() -> None:
    words = FilmWords(film(), scene_of())
    assert words.mark(0) == "Tuned: Brick 1 on the ground bounced with 0.62 instead of 0.45"
    assert words.mark(1) == "Dead landing: Brick 2 met the ground at 1.4 m/s and did not bounce"
    assert words.mark(5) == "Ignored contact: Brick 3 was 4 mm inside Brick 4"
    assert words.mark(6) == "Assisted: an outside push of 0.03 m/s"


def test_friction_that_was_tuned() -> None:
    made = film()
    made.mark_value[0] = (0.45, 0.21, 0.0, 0.0)
    words = FilmWords(made, scene_of()).mark(0)
    assert words == "Tuned: Brick 1 on the ground slid with a friction of 0.21 instead of 0.50"


def test_which_static_body_it_was_is_not_known() -> None:
    scene = scene_of()
    scene = replace(scene, bodies=[*scene.bodies, Body("Wall", Plane(), static=True)])
    words = FilmWords(film(), scene).mark(0)
    assert words == "Tuned: Brick 1 on what stands still used a bounce of 0.62 and a friction of 0.50"


def test_events() -> None:
    words = FilmWords(film(), scene_of())
    assert words.event(0, 0) == "hits the ground at 2.1 m/s"
    assert words.event(4, 0) == "touches Brick 2" and words.event(4, 1) == "touches Brick 1"
    gone = FilmWords(film(), replace(scene_of(), bodies=scene_of().bodies[:1]))
    assert gone.event(4, 0) == "touches a deleted body"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1.4583, "1.46 s before the ending"), (0.0, "at the ending"), (-0.25, "0.25 s after the ending")],
)
def test_moments(seconds: float, words: str) -> None:
    assert before_ending(seconds) == words
