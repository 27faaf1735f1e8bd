"""Read a drawn stroke: an arc means "it bounced in", a line means "it slid in" (Twigg and James 2008, sec. 4).

A second-degree polynomial is fitted in the stroke's own chord frame: x runs along the chord from the first end (where
the body came from, x = 0) to the last (where it rests, x = 1), y to the left of it, both in units of the chord. So what
is read depends neither on zoom nor on rotation, and not on how fast the hand was: the stroke is first resampled by its
length. The window imports this file; it needs numpy only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from engine.algebra import norm, norms, solve, times
from engine.functions import exponential, mapped

BOUNCE_COEFFICIENT = 0.34
"""Strokes bent more than this are arcs. y = c x (1 - x) is c/4 chords high, so this is a bow of 8.5 % of the chord.

Of 10 000 strokes of tests/engine/drawn_strokes.py, with 2 % tremor, 99.8 % of the lines (bowed up to 4 %) lie
below 0.27 and 99.8 % of the arcs (12 to 80 % high) above 0.43; 0.34 splits that gap in equal ratios."""

RESAMPLED = 128  # points along the stroke that the fit sees
END_SHARE = 0.05  # of the stroke's length at either end that the fit does not see: pens hook when they touch and leave
SMOOTHING = 4  # samples: standard deviation of the window that takes tremor out before asking where the hand turned
FARTHEST_END = 0.04  # chords: the chord is turned to the fitted curve's ends as far as hooks and tremor move its ends
OUTLIER = 2.0  # residuals beyond this many typical ones count less
LONGEST_LOOP = 0.15  # a chord shorter than this share of the stroke's reach is that of a loop
WORST_RESIDUAL, PER_HEIGHT = 0.06, 0.12
"""A fit that misses by more than this share of the stroke's reach, plus so much per chord of height, explains nothing.
Tremor of 2 % leaves 0.025; high arcs are drawn round, and a circle as high as its chord is 0.17 from any parabola."""
MOST_BACKWARD = 0.3  # chords: way back along the chord that an overhanging arc may have, a stroke that turns back not

StrokeKind = Literal["bounce", "slide"]


class StrokeError(ValueError):
    """A stroke that says nothing, in words for artists."""


@dataclass(frozen=True)
class Stroke:
    """What a stroke says. Points are in the caller's unit and axes; y may point up or down, the kind is the same."""

    kind: StrokeKind
    coefficient: float  # |c| of y = a + b x + c x^2 in the chord frame: four times the height of an arc in chords
    direction: tuple[float, float]  # unit vector along the chord, toward the resting end (the last point)
    height: float  # chords, of the fitted curve over the middle of the chord; positive to the left of the direction
    chord: float  # length of the chord, caller's unit
    residual: float  # root mean square distance of the stroke to the fitted curve, in chords
    start: tuple[float, float]  # the chord's ends: where it came from
    end: tuple[float, float]  # and where it rests
    polynomial: tuple[float, float, float]  # a, b, c

    def curve(self, count: int = 33) -> npt.NDArray[np.float64]:
        """Points (count, 2) of the fitted curve from start to end, caller's unit."""
        return _curve(np.array(self.start), np.array(self.end), np.array(self.polynomial), count)


def read_stroke(points: npt.ArrayLike) -> Stroke:
    """The meaning of drawn points (n, 2), first to last as drawn, in any unit. Raises StrokeError."""
    drawn = resampled(_distinct(points), RESAMPLED)
    reach = float(norms(drawn - drawn[0]).max())
    start, end, seen = drawn[0], drawn[-1], _without_ends(drawn)
    polynomial = np.zeros(3)
    for last in (False, True):
        if norm(end - start) < LONGEST_LOOP * reach:
            raise StrokeError("The stroke ends where it began. Draw it from where the body comes to where it rests.")
        polynomial = _fit(*_in_frame(seen, start, end))
        if not last:
            start, end = _out_of_frame(_ends(polynomial), start, end)
    chord = norm(end - start)
    residual = _distance(seen, _curve(start, end, polynomial, 4 * RESAMPLED)) / chord
    height = float(times(polynomial, (1.0, 0.5, 0.25)))
    missed = residual * chord / max(reach, chord) - PER_HEIGHT * min(abs(height), 1.0)
    _refuse_scribbles(_in_frame(_smooth(drawn), start, end)[0], missed)
    bend = abs(float(polynomial[2]))
    along = (end - start) / chord
    return Stroke(
        kind="bounce" if bend > BOUNCE_COEFFICIENT else "slide",
        coefficient=bend,
        direction=(float(along[0]), float(along[1])),
        height=height,
        chord=chord,
        residual=residual,
        start=(float(start[0]), float(start[1])),
        end=(float(end[0]), float(end[1])),
        polynomial=(float(polynomial[0]), float(polynomial[1]), float(polynomial[2])),
    )


def _distinct(points: npt.ArrayLike) -> np.ndarray:
    """The points as an array without repetitions in a row."""
    try:
        drawn = np.array(points, dtype=np.float64)
    except (TypeError, ValueError):
        raise StrokeError("A stroke is a list of points with two coordinates each.") from None
    if drawn.size == 0:
        raise StrokeError("The stroke is empty.")
    if drawn.ndim != 2 or drawn.shape[1] != 2:
        raise StrokeError("A stroke is a list of points with two coordinates each.")
    if not np.isfinite(drawn).all():
        raise StrokeError("The stroke has a point that is nowhere (not a finite number).")
    drawn = drawn[np.concatenate([[True], np.any(np.diff(drawn, axis=0) != 0.0, axis=1)])]
    size = float(np.abs(drawn - drawn[0]).max())
    if len(drawn) < 2 or size <= 1e-9 * float(np.abs(drawn).max()):
        raise StrokeError("The stroke is only a dot. Draw it from where the body comes to where it rests.")
    return drawn


def resampled(drawn: np.ndarray, count: int) -> np.ndarray:
    """`count` points evenly spaced along the length of a polyline (n, k)."""
    way = np.concatenate([[0.0], np.cumsum(norms(np.diff(drawn, axis=0)))])
    places = np.linspace(0.0, way[-1], count)
    return np.stack([np.interp(places, way, drawn[:, k]) for k in range(drawn.shape[1])], axis=1)


def _without_ends(drawn: np.ndarray) -> np.ndarray:
    skipped = round(END_SHARE * len(drawn))
    return drawn[skipped : len(drawn) - skipped]


def _in_frame(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x along the chord and y to its left, in chords."""
    chord = end - start
    scaled = (points - start) / times(chord, chord)
    return times(scaled, chord), times(scaled, np.array([-chord[1], chord[0]]))


def _out_of_frame(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    chord = end - start
    return start + points[:, :1] * chord + points[:, 1:] * np.array([-chord[1], chord[0]])


def _curve(start: np.ndarray, end: np.ndarray, polynomial: np.ndarray, count: int) -> np.ndarray:
    x = np.linspace(0.0, 1.0, count)
    y = np.polynomial.polynomial.polyval(x, polynomial)
    return _out_of_frame(np.stack([x, y], axis=1), start, end)


def _ends(polynomial: np.ndarray) -> np.ndarray:
    """Where the fitted curve ends, in the chord frame, if that is near the drawn ends. Tremor and hooks move those, so
    a line's direction is that of the fit; a steep arc's fit is less sure of its ends than the hand."""
    heights = np.clip([polynomial[0], polynomial.sum()], -FARTHEST_END, FARTHEST_END)
    return np.array([[0.0, heights[0]], [1.0, heights[1]]])


def _fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """a, b, c of the polynomial with the least squares of distances, not of heights (so that the steep ends of an arc
    count no more than its top), outliers (hooks, jerks) with less weight (Huber's)."""
    powers = np.stack([np.ones_like(x), x, x * x], axis=1)
    weight = np.ones_like(x)
    solution = np.zeros(3)
    for _ in range(6):
        heavy = powers * np.square(weight)[:, None]
        solution = solve(times(heavy.T, powers), times(heavy.T, y))
        steep = np.sqrt(1.0 + np.square(solution[1] + 2.0 * solution[2] * x))
        off = np.abs(y - times(powers, solution)) / steep
        limit = OUTLIER * 1.4826 * float(np.median(off)) + 1e-12
        weight = np.sqrt(np.minimum(1.0, limit / np.maximum(off, 1e-300))) / steep
    return solution


def _distance(points: np.ndarray, curve: np.ndarray) -> float:
    """Root mean square distance of points to a curve given by many."""
    squares = np.square(points[:, None, :] - curve[None, :, :]).sum(axis=2)
    return float(np.sqrt(squares.min(axis=1).mean()))


def _smooth(drawn: np.ndarray) -> np.ndarray:
    """Without tremor; the ends are kept by mirroring the stroke at them."""
    span = 3 * SMOOTHING
    window = mapped(exponential, -0.5 * np.square(np.arange(-span, span + 1) / SMOOTHING))
    window /= window.sum()
    before = 2.0 * drawn[0] - drawn[span:0:-1]
    after = 2.0 * drawn[-1] - drawn[-2 : -span - 2 : -1]
    longer = np.concatenate([before, drawn, after])
    seen = np.lib.stride_tricks.sliding_window_view(longer, len(window), axis=0)  # (k, 2, window)
    return np.asarray(np.add.reduce(seen * window, axis=-1))


def _refuse_scribbles(along: np.ndarray, missed: float) -> None:
    """along: smoothed x of the stroke; missed: by the fit, share of its reach beyond what its height excuses."""
    backward = float(-np.minimum(np.diff(along), 0.0).sum())
    if backward > MOST_BACKWARD:
        raise StrokeError("The stroke turns back on itself. Draw one arc or one line, toward where the body rests.")
    if missed > WORST_RESIDUAL:
        raise StrokeError("The stroke is neither an arc nor a line. Draw one of them, toward where the body rests.")
