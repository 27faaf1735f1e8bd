"""Text: outlines, convex pieces, and three kinds of bodies that stand on the ground and do not overlap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.makers.convex_pieces import clipped_above, convex_pieces
from app.makers.made import LIMIT
from app.makers.masonry import planks_of
from app.makers.regions import Region, regions_of, signed_area
from app.makers.text_bodies import TextSpec, make_text
from app.makers.text_letters import centroid, distance_along
from app.makers.text_outline import Typeface, outline, uncrossed
from engine.rules import scene_problems
from engine.scene.spec import Body, Box, Hull, Scene
from engine.shapes.components import components
from engine.shapes.extent import body_extent
from engine.shapes.mass import mass_properties

FACES = [Typeface(), Typeface("DejaVu Serif", 400), Typeface("DejaVu Sans Mono", 700)]


def star(radii: list[float]) -> np.ndarray:
    angle = np.arange(len(radii)) * 2 * np.pi / len(radii)
    return np.array(radii)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def apart(a: np.ndarray, b: np.ndarray, boxes_only: bool = False) -> float:
    """Largest gap between two convex polygons over axes and edge normals; negative: how deep they overlap."""
    best = float(np.maximum(b.min(axis=0) - a.max(axis=0), a.min(axis=0) - b.max(axis=0)).max())
    if best > 0.0 or boxes_only:
        return best
    for one, two in ((a, b), (b, a)):
        along = np.roll(one, -1, axis=0) - one
        normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
        best = max(best, float((np.min(normal @ two.T, axis=1) - np.sum(normal * one, axis=1)).max()))
    return best


def area_of(region: Region) -> float:
    return sum(map(signed_area, region.loops))


def check_pieces(region: Region) -> None:
    pieces = convex_pieces(region)
    assert sum(map(signed_area, pieces)) == pytest.approx(area_of(region), rel=1e-5)
    for k, piece in enumerate(pieces):
        along = np.roll(piece, -1, axis=0) - piece
        after = np.roll(along, -1, axis=0)
        assert (along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0] >= -1e-12).all()
        assert all(apart(piece, other) > -1e-9 for other in pieces[:k])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.5, 2.0), min_size=3, max_size=24), st.lists(st.floats(0.05, 0.2), min_size=0, max_size=9))
def test_convex_pieces_fill_a_region_without_overlap(outer: list[float], inner: list[float]) -> None:
    hole = [star(inner)[::-1]] if len(inner) >= 3 else []
    (region,) = regions_of([star(outer), *hole])
    assert len(region.holes) == len(hole)
    check_pieces(region)


def test_a_convex_outline_stays_one_piece() -> None:
    (region,) = regions_of([star([1.0] * 12)])
    assert len(convex_pieces(region)) == 1


def test_strokes_laid_over_each_other_become_one_outline(qapp: object) -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * 100.0
    (region,) = regions_of(uncrossed([square, square + 50.0]))
    assert area_of(region) == pytest.approx(17500.0) and region.holes == ()
    ring = uncrossed([square, square[::-1] * 0.5 + 25.0])  # nothing crosses: left as it is
    assert area_of(regions_of(ring)[0]) == pytest.approx(7500.0)


def test_a_seam_inside_is_no_hole() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    (region,) = regions_of([square, square * 0.5 + 0.25])
    assert area_of(region) == 1.0 and region.holes == ()


def test_clipping_cuts_exactly() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    assert signed_area(clipped_above(square, 0.25)) == 0.75
    assert clipped_above(square, 0.3)[:, 1].min() == 0.3
    assert len(clipped_above(square, 2.0)) == 0


def test_holes_and_dots(qapp: object) -> None:
    for letter, regions, holes in (("B", 1, 2), ("8", 1, 2), ("i", 2, 0), ("L", 1, 0)):
        (found,) = outline(letter, Typeface(), 1.0).letters
        assert len(found.regions) == regions and sum(len(region.holes) for region in found.regions) == holes


def test_capitals_have_the_height_that_was_asked_for(qapp: object) -> None:
    (letter,) = outline("H", Typeface(), 0.5).letters
    assert np.ptp(letter.regions[0].outer[:, 1]) == pytest.approx(0.5, rel=0.01)
    assert letter.regions[0].outer[:, 1].min() == pytest.approx(0.0, abs=1e-6)


def test_pieces_of_letters(qapp: object) -> None:
    for face in FACES:
        for letter in outline("B8@&gQ%Ä", face, 0.5).letters:
            for region in letter.regions:
                check_pieces(region)


def plane_pieces(body: Body, upright: bool) -> list[np.ndarray]:
    """The convex polygons of a letter in its plane, in the world."""
    axes = (0, 2) if upright else (0, 1)
    found = []
    for part in components(body.shape):
        assert isinstance(part.shape, Hull)
        corners = (part.shape.points + np.array(body.position))[::2]
        found.append(corners[:, axes])
    return found


TEXTS = ["AVATAR", "fjord gyp", "Ä@8", "i:=\"'", "\u0645\u0631\u062d\u0628"]


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("face", FACES[:2])
def test_letters_touch_the_ground_and_nothing_else(qapp: object, face: Typeface, upright: bool) -> None:
    for text in TEXTS:
        made = make_text(TextSpec(text, face, "letters", upright=upright))
        assert len(made.bodies) > 0 and not made.refused
        assert [batch.name for batch in made.batches] == text.split()
        assert len({body.name for body in made.bodies}) == len(made.bodies)
        check_letters(made.bodies, upright)


def check_letters(bodies: list[Body], upright: bool) -> None:
    for body in bodies:
        low, _ = body_extent(body)  # type: ignore[misc]
        assert low[2] == 0.0
    center = mass_properties(bodies[0].shape, 1.0).center
    assert np.abs(center).max() < 1e-9  # a body turns about its centre of mass
    shapes = [plane_pieces(body, upright) for body in bodies]
    for k, shape in enumerate(shapes):
        for other in shapes[:k]:
            if apart(np.concatenate(shape), np.concatenate(other), boxes_only=True) <= 0.0:
                assert all(apart(p, q) > 0.0 for p in shape for q in other)
    assert [p for p in scene_problems(Scene(bodies=bodies)) if p.severity == "error"] == []


def over_its_foot(body: Body) -> bool:
    """Is the centre of mass, where the body's origin is, at least a centimetre inside what touches the ground?"""
    corners = np.concatenate(plane_pieces(body, True))
    touching = corners[np.abs(corners[:, 1]) < 1e-9, 0]
    return bool(touching.min() + 0.01 < body.position[0] < touching.max() - 0.01)


@pytest.mark.parametrize("face", FACES[:2])
def test_letters_that_would_tip_over_get_a_serif(qapp: object, face: Typeface) -> None:
    made = make_text(TextSpec("Foregone FPYfr7", face))
    assert made.warnings == () and all(over_its_foot(body) for body in made.bodies)
    check_letters(made.bodies, True)


def test_only_letters_that_need_a_serif_get_one(qapp: object) -> None:
    for text, upright, thinnest in (("F", True, 0.015), ("H", True, 0.05), ("F", False, 0.05)):
        (body,) = make_text(TextSpec(text, upright=upright)).bodies
        least = min(np.ptp(piece[:, 1]) for piece in plane_pieces(body, upright))
        assert least == pytest.approx(thinnest) if thinnest < 0.02 else least > thinnest


def test_round_letters_get_a_flat_foot(qapp: object) -> None:
    (body,) = make_text(TextSpec("O", height=1.0)).bodies
    corners = np.concatenate(plane_pieces(body, True))
    foot = corners[corners[:, 1] == 0.0, 0]
    assert np.ptp(foot) > 0.1


def test_equal_letters_are_numbered(qapp: object) -> None:
    names = [body.name for body in make_text(TextSpec("noon")).bodies]
    assert names == ["n", "o", "o 2", "n 2"]


def boxes_apart(bodies: list[Body]) -> bool:
    low = np.array([np.array(b.position) - b.shape.half for b in bodies])  # type: ignore[union-attr]
    high = np.array([np.array(b.position) + b.shape.half for b in bodies])  # type: ignore[union-attr]
    depth = (np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])).min(axis=2)
    np.fill_diagonal(depth, -1.0)
    return bool((depth <= 0.0).all())


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("filled", [True, False])
def test_boxes_stand_on_the_ground_or_on_boxes(qapp: object, upright: bool, filled: bool) -> None:
    for text in ("Foregone", "gy Ti", "E8@"):
        made = make_text(TextSpec(text, style="boxes", upright=upright, filled=filled))
        assert made.bodies and boxes_apart(made.bodies)
        tops = {body.position[2] + body.shape.half[2] for body in made.bodies if isinstance(body.shape, Box)}
        for body in made.bodies:
            assert isinstance(body.shape, Box)
            bottom = body.position[2] - body.shape.half[2]
            assert bottom == 0.0 or (upright and bottom in tops)
        assert bool(made.warnings) == (upright and not filled)
        assert made.summary == f"{len(made.bodies)} boxes"


def test_a_plank_carries_an_arch_and_the_arms_of_a_t() -> None:
    def stands(*rows: str) -> list[bool]:
        cells = np.array([[c == "#" for c in row] for row in reversed(rows)])
        return [plank.stands for plank in planks_of(cells)]

    assert all(stands("###", "# #", "# #"))
    assert all(stands("###", " # ", " # "))
    assert not all(stands("###", "#  ", "#  "))  # an arm too long for its column
    assert all(stands("#  ", "#  ", "## ", "#  "))  # what stands on the plank holds its arm down
    assert stands("#", " ", "#") == [True, False]  # the dot of an i


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=6))
def test_planks_cover_every_cell_once(picture: list[list[bool]]) -> None:
    cells = np.array(picture)
    seen = np.zeros_like(cells, int)
    for plank in planks_of(cells):
        seen[plank.row, plank.first : plank.last + 1] += 1
    assert (seen == cells).all()


@pytest.mark.parametrize("filled", [True, False])
def test_every_ball_rests_in_a_bin_of_its_own(qapp: object, filled: bool) -> None:
    made = make_text(TextSpec("AB c", style="balls", filled=filled))
    trays = [body for body in made.bodies if body.static]
    balls = [body for body in made.bodies if not body.static]
    assert len(trays) == 2 and made.summary == f"{len(balls)} balls, 2 trays"
    walls = [
        (part.place + np.array(tray.position), np.array(part.shape.half))  # type: ignore[union-attr]
        for tray in trays
        for part in components(tray.shape)
    ]
    assert min(place[2] - half[2] for place, half in walls) == 0.0
    for ball in balls:
        radius = ball.shape.radius  # type: ignore[union-attr]
        assert ball.position[2] == radius
        for place, half in walls:
            outside = np.maximum(np.abs(np.array(ball.position) - place) - half, 0.0)
            assert np.linalg.norm(outside) > radius
    places = {ball.position for ball in balls}
    assert len(places) == len(balls)


def test_nothing_to_write_is_refused(qapp: object) -> None:
    for text in ("", "   ", "\n\t"):
        for style in ("letters", "boxes", "balls"):
            assert make_text(TextSpec(text, style=style)).refused == "Type a text."  # type: ignore[arg-type]


def test_characters_without_a_glyph_are_told(qapp: object) -> None:
    nobody_has = "\U0010fffd"
    made = make_text(TextSpec(f"A{nobody_has}", upright=False))
    assert [body.name for body in made.bodies] == ["A"]
    assert made.warnings == (f"No font here can draw {nobody_has}. Left out.",)
    assert make_text(TextSpec(nobody_has)).refused.startswith("No font here")


def test_spacing_moves_letters_apart(qapp: object) -> None:
    def width(spacing: float) -> float:
        bodies = make_text(TextSpec("abc", spacing=spacing)).bodies
        return bodies[-1].position[0] - bodies[0].position[0]

    assert width(0.1) - width(0.0) == pytest.approx(0.2, abs=1e-9)


def test_too_many_are_refused_before_they_are_made(qapp: object) -> None:
    made = make_text(TextSpec("W" * 200, style="boxes", rows=100))
    assert made.bodies == [] and f"{LIMIT // 1000} 000" in made.refused


def test_distance_along_meets_corners() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    wedge = np.array([[3.0, 0.5], [4.0, 0.2], [4.0, 0.8]])
    assert distance_along([square], [wedge]) == 2.0
    assert distance_along([square], [wedge + (0.0, 5.0)]) == 1e9
    assert centroid([square, square + (2.0, 0.0)]) == pytest.approx([1.5, 0.5])
