"""What the timeline says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from stage import film, scene_of

from app.takes.film_colors import worst_tiers
from app.timeline.film_index import FilmIndex
from app.timeline.words import FilmWords, before_ending
from engine.scene.spec import Body, Material, Plane, Scene


def test_marks_in_plain_words() -> None:
    words = FilmWords(film(), scene_of())
    assert words.mark(0) == "Tuned: Brick 1 on the ground bounced with 0.62 instead of 0.45"
    assert words.mark(1) == "Plastic: a dead landing. Brick 2 met the ground at 1.4 m/s and did not bounce"
    assert words.mark(5) == "Ghosted: an ignored contact. Brick 3 was 4 mm inside Brick 4"
    assert words.mark(6) == "Assisted: an outside push of 0.03 m/s"


def test_friction_that_was_tuned() -> None:
    made = film()
    made.mark_value[0] = (0.45, 0.21, 0.0, 0.0)
    words = FilmWords(made, scene_of()).mark(0)
    assert words == "Tuned: Brick 1 on the ground slid with a friction of 0.21 instead of 0.50"


def scene_with_table() -> Scene:
    table = Body("Table", Plane(), static=True, id="b9", material=Material(restitution=0.2, friction=0.32))
    return replace(scene_of(), bodies=[*scene_of().bodies, table])


def test_films_of_earlier_versions_do_not_say_which_static_body_it_was() -> None:
    words = FilmWords(film(), scene_with_table())
    assert words.mark(0) == "Tuned: Brick 1 on what stands still used a bounce of 0.62 and a friction of 0.50"
    assert words.event(0, 0) == "hits what stands still at 2.1 m/s"


def test_static_bodies_have_names_and_materials() -> None:
    made = replace(film(), statics=("b9",))
    made.event_body[0], made.mark_body[0], made.mark_body[1] = (4, 0), (4, 0), (-1, 1)
    words = FilmWords(made, scene_with_table())
    assert words.event(0, 0) == "hits Table at 2.1 m/s" and words.event(1, 1) == "hits the ground at 2.1 m/s"
    assert words.mark(0) == "Tuned: Brick 1 on Table bounced with 0.62 instead of 0.45"
    assert words.mark(1) == "Plastic: a dead landing. Brick 2 met the ground at 1.4 m/s and did not bounce"
    made.mark_value[0] = (0.45, 0.21, 0.0, 0.0)
    assert words.mark(0) == "Tuned: Brick 1 on Table slid with a friction of 0.21 instead of 0.40"
    gone = FilmWords(made, scene_of())
    assert gone.event(0, 0) == "hits a deleted body at 2.1 m/s"
    assert [FilmIndex(made).events(row).tolist() for row in range(2)] == [[0, 4, 7], [1, 4, 5]]
    assert set(worst_tiers(made)) == {"b1", "b2", "b3", "b4"}


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
