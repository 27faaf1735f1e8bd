"""The axis in closed form: places and moments, zoom about the mouse, numbers on whole frames."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.session.playback import RATES
from app.timeline.time_axis import (
    MARGIN,
    NUMBER_APART,
    SHORTEST,
    TICK_APART,
    TimeAxis,
    fitted,
    number_step,
    tick_step,
)

spans = st.tuples(st.floats(-5, 5), st.floats(0.1, 60))
widths = st.floats(200, 3000)


@given(spans, widths, st.floats(0, 1))
def test_there_and_back(span, width, share) -> None:
    axis = TimeAxis(span[0], span[0] + span[1], 264.0, width)
    time = span[0] + share * span[1]
    assert axis.time(axis.x(time)) == pytest.approx(time, abs=1e-9)
    assert axis.x(axis.first) == 264.0 and axis.x(axis.last) == pytest.approx(264.0 + width)
    both = np.array([axis.first, time])
    assert np.allclose(axis.x(both), [axis.x(axis.first), axis.x(time)])


@given(spans, widths)
def test_a_fitted_film_has_margins_and_a_hold(span, width) -> None:
    axis = fitted(span[0], span[0] + span[1], 264.0, width)
    assert axis.x(span[0]) == pytest.approx(264.0 + MARGIN)
    assert axis.x(span[0] + 1.12 * span[1]) == pytest.approx(264.0 + width - MARGIN)


@given(spans, widths, st.floats(0.05, 0.95), st.floats(1.01, 3.0))
def test_zooming_in_keeps_what_is_under_the_mouse(span, width, share, factor) -> None:
    whole = fitted(span[0], span[0] + span[1], 264.0, width)
    x = 264.0 + share * width
    near = whole.zoomed(factor, x, whole, 24.0)
    if near.last - near.first > SHORTEST / 24.0 * 1.001:
        assert near.time(x) == pytest.approx(whole.time(x), abs=1e-9)
        assert near.scale == pytest.approx(factor * whole.scale)
    back = near.zoomed(1e-9, x, whole, 24.0)
    assert (back.first, back.last) == (pytest.approx(whole.first), pytest.approx(whole.last))


@given(spans, st.floats(-1e5, 1e5))
def test_panning_stays_inside(span, px) -> None:
    whole = fitted(span[0], span[0] + span[1], 264.0, 900.0)
    near = whole.zoomed(4.0, 700.0, whole, 24.0).moved(px, whole)
    assert near.first >= whole.first - 1e-9 and near.last <= whole.last + 1e-9
    length = whole.last - whole.first
    assert near.last - near.first == pytest.approx(min(length, max(length / 4.0, SHORTEST / 24.0)))


@given(st.floats(0.001, 400), st.sampled_from(RATES))
def test_numbers_do_not_crowd_and_ticks_divide_them(px, fps) -> None:
    step = number_step(px, fps)
    assert step * px >= NUMBER_APART or step == 600 * round(fps)
    second = round(fps)
    assert second % step == 0 or step % second == 0
    tick = tick_step(step, px)
    assert step % tick == 0 and (tick * px >= TICK_APART or tick == step)
    assert number_step(80 / 12, 24.0) == 12 and number_step(80 / 10, 30.0) == 10
