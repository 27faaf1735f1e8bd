"""What inspectors find, as marks in the view: where hatches lie, how long arrows are, and how many labels there are."""

from __future__ import annotations

import numpy as np
import pytest

from app.look.look import Look
from app.viewport.inspection_marks import LONGEST, MOST_LABELS, Palette, hatching, inspection_marks, teeth
from engine.scene.inspection import Arrow, Drawing, Inspection, Line, Mark, Outline

SQUARE = ((0.0, 0.0, 0.5), (2.0, 0.0, 0.5), (2.0, 1.0, 0.5), (0.0, 1.0, 0.5))


@pytest.fixture
def colors(qtbot) -> Palette:
    return Palette(Look())


def about(drawing: Drawing, level: str = "fine") -> Inspection:
    return Inspection("contact", ("b",), level, "About to tip", "It tips.", drawing=drawing)  # type: ignore[arg-type]


def test_hatches_lie_in_the_patch_from_rim_to_rim() -> None:
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    corners = np.array(SQUARE) @ turn.T
    lines = hatching(corners)
    assert len(lines) >= 5
    for line in lines:
        x, y, z = (line @ turn).T
        assert np.allclose(z, 0.5) and (x > -1e-9).all() and (x < 2.0 + 1e-9).all()
        assert all(min(abs(a), abs(a - 2.0), abs(b), abs(b - 1.0)) < 1e-9 for a, b in zip(x, y, strict=True))
    assert hatching(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], float)) == [], "no area, no hatch"


def test_arrows_are_scaled_to_the_body_and_few_are_named(colors: Palette) -> None:
    arrows = tuple(Arrow("normal", (float(k), 0.0, 0.0), (0.0, 0.0, 10.0 * k), "b") for k in range(6))
    marks = inspection_marks([about(Drawing(arrows=arrows))], 0.3, colors, True, True)
    lengths = [float(np.linalg.norm(stroke.points[1] - stroke.points[0])) for stroke in marks.strokes]
    assert len(lengths) == 5, "a force of nothing has no arrow"
    assert max(lengths) == pytest.approx(LONGEST * 0.3) and lengths[-2] == pytest.approx(0.8 * max(lengths))
    assert sorted(label.text for label in marks.labels) == ["30 N", "40 N", "50 N"] and MOST_LABELS == 3
    assert not inspection_marks([about(Drawing(arrows=arrows))], 0.3, colors, True, False).strokes


def test_reactions_have_arrows_but_no_newtons(colors: Palette) -> None:
    """How hard something wedged is squeezed is open."""
    arrows = tuple(Arrow("reaction", (0.0, 0.0, 0.0), (side, 0.0, 0.0), "b") for side in (1.0, -1.0))
    marks = inspection_marks([about(Drawing(arrows=arrows))], 0.3, colors, True, True)
    assert len(marks.strokes) == 2 and not marks.labels


def test_a_push_ends_where_it_acts_and_is_named_first(colors: Palette) -> None:
    weight = Arrow("load", (0.0, 0.0, 0.0), (0.0, 0.0, -90.0), "b")
    push = Arrow("load", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), "b")
    others = tuple(Arrow("normal", (0.0, 0.0, 0.0), (0.0, 0.0, 40.0), "b") for _ in range(4))
    marks = inspection_marks([about(Drawing(arrows=(*others, weight, push)))], 0.3, colors, True, True)
    pushed = marks.strokes[-1]
    assert pushed.color == colors.push and np.allclose(pushed.points[1], 0.0) and pushed.points[0][0] < 0.0
    assert [label.aside for label in marks.labels if label.aside != "up"] == ["weight", "push"]


def test_the_edge_it_tips_over_points_outward_and_is_told(colors: Palette) -> None:
    edge = Line("tipping edge", ((0.0, 0.0, 0.5), (0.0, 1.0, 0.5)), (-1.0, 0.0, 0.0))
    assert all(tooth[1][0] < tooth[0][0] and tooth[0][0] == 0.0 for tooth in teeth(edge))
    drawing = Drawing(outlines=(Outline("patch", SQUARE),), lines=(edge,), marks=(Mark("unstable", (1.0, 0.5, 1.0)),))
    marks = inspection_marks([about(drawing, "warning")], 0.3, colors, True, True)
    assert [stroke.width for stroke in marks.strokes if stroke.color == colors.warning][0] == 4.5
    assert marks.labels[0].text == "About to tip" and marks.labels[0].icon == "state.warning"
    assert marks.dots[0].dashed, "told by a shape as well as a colour"
    plain = inspection_marks([about(drawing, "warning")], 0.3, colors, False, True)
    assert len(plain.strokes) < len(marks.strokes) and plain.labels, "without the patch the edge stays"
