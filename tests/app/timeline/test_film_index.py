"""What is looked up in a film: events of a body, stretches of the strip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from stage import film

from app.timeline.film_index import NARROWEST, FilmIndex, glyphs, middle
from app.timeline.time_axis import TimeAxis, fitted


def test_events_of_a_body_in_order() -> None:
    made = film()
    index = FilmIndex(made)
    assert index.events(0).tolist() == [0, 4, 7]  # ground, with b2 as the first, with b4 as the second
    assert np.all(np.diff(made.event_time[index.events(2)]) >= 0)
    assert index.event_near(0, 0.49, 0.02) == 0 and index.event_near(0, 0.6, 0.02) is None


def test_every_bad_step_is_seen_from_afar() -> None:
    index = FilmIndex(film())
    axis = fitted(0.0, 2.0, 264.0, 400.0)
    found = index.stretches(axis)
    bad = {stretch.tier: stretch for stretch in found if stretch.tier > 0}
    assert sorted(bad) == [1, 2, 3, 4]
    assert all(stretch.right - stretch.left >= NARROWEST for stretch in bad.values())
    assert [stretch.tier for stretch in found] == sorted(stretch.tier for stretch in found), "worse ones on top"
    for tier, step in ((1, 120), (3, 300), (4, 350)):
        assert bad[tier].left <= axis.x(index.step_time(step)) <= bad[tier].right
        assert bad[tier].first <= step <= bad[tier].last
        assert [int(index.film.mark_step[m]) for m in index.marks(bad[tier])] == [step]
    assert len(index.marks(bad[2])) == 4


def test_without_contacts_there_is_no_stretch() -> None:
    index = FilmIndex(film())
    exact = [stretch for stretch in index.stretches(TimeAxis(0.0, 2.0, 0.0, 480.0)) if stretch.tier == 0]
    assert (exact[0].left, exact[-1].right) == (50.0, 200.0)  # two steps per px
    assert (exact[0].first, exact[-1].last) == (100, 399)


@given(st.lists(st.integers(-1, 4), min_size=1, max_size=400), st.floats(30, 900), st.floats(0.05, 1.0))
def test_the_worst_step_of_a_pixel_wins(tiers, width, zoom) -> None:
    made = replace(film(), step_tier=np.array(tiers, np.int8), step_dt=2.0 / len(tiers))
    axis = TimeAxis(0.0, 2.0 * zoom, 10.0, float(int(width)))
    found = FilmIndex(made).stretches(axis)
    for x in np.linspace(10.5, 9.5 + axis.width, 17):
        low, high = (axis.time(np.floor(x) + k) for k in (0, 1))
        steps = [k for k in range(len(tiers)) if k * made.step_dt < high - 1e-9 and (k + 1) * made.step_dt > low + 1e-9]
        worst = max((tiers[k] for k in steps), default=-1)
        seen = max((stretch.tier for stretch in found if stretch.left <= x <= stretch.right), default=-1)
        assert seen >= worst  # widened neighbours may cover it, but nothing worse is ever hidden


def test_signs_never_cover_each_other_and_the_worst_stays() -> None:
    index = FilmIndex(film())
    axis = fitted(0.0, 2.0, 0.0, 60.0)
    stretches = index.stretches(axis)
    signs = glyphs(stretches, 11.0)
    places = sorted(middle(sign) for sign in signs)
    assert all(b - a >= 11.0 for a, b in zip(places, places[1:], strict=False))
    assert max(sign.tier for sign in signs) == 4
