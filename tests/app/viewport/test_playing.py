"""The view of a take: bodies where the film has them, ghosts, trails, endings, and nothing drawn without need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gliding_films as films
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt

from app.document import edits
from app.session.playback import Playback
from app.tools.select import MoveTool
from app.viewport import past
from app.viewport.ghosts import Ghost
from app.viewport.playing import Playing
from engine.analysis.patch_hull import hull_of
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Sphere

RED, BLUE = "#d04030", "#3060d0"
STRAIGHT = np.array([[1.0, 0.0, 0.0, 0.0]])


def box(name: str, x: float, z: float = 0.5, **fields: Any) -> Body:
    return Body(name, Box((0.1, 0.1, 0.1)), (x, 0.0, z), color=RED, **fields)


class Cinema:
    """A view that shows a take in which every body comes in along x at 1 m/s."""

    def __init__(
        self, studio: Any, velocity: tuple[float, float, float] = (1.0, 0.0, 0.0), seen: tuple[float, ...] = ()
    ) -> None:
        self.studio, self.view, self.document = studio, studio.view, studio.document
        self.playback = Playback(studio.document, studio.view)
        self.playing = Playing(studio.view, self.playback)
        film = films.gliding(studio.document.scene.bodies, velocity)
        self.key = films.with_take(studio.document, film | ({"seen": np.array(seen)} if seen else {}))
        self.playback.show(self.key)
        studio.rest()

    def back(self, frames: int) -> None:
        """Show a frame so long before the ending."""
        self.playback.go_to_frame(self.playback.ending_frame - frames)
        self.studio.rest()

    def ids(self, *names: str) -> list[str]:
        return [body.id for name in names for body in self.document.scene.bodies if body.name == name]

    def select(self, *names: str) -> None:
        self.studio.selection.set(self.ids(*names))
        self.studio.rest()


@pytest.fixture
def cinema(shown: Callable[..., Any]) -> Callable[..., Cinema]:
    def show(*bodies: Body, **fields: Any) -> Cinema:
        return Cinema(shown(*bodies), **fields)

    return show


def redness(color: tuple[int, int, int]) -> int:
    return color[0] - max(color[1], color[2])


# -- poses ---------------------------------------------------------------------------------------------------------


def test_bodies_are_where_the_film_has_them(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.0), box("Two", 0.5, static=True))
    seen.back(12)
    layout = seen.view._cache.layout
    assert np.allclose(layout.place, [[-0.5, 0.0, 0.5], [0.5, 0.0, 0.5]], atol=1e-6)


def test_at_the_ending_the_documents_poses_bit_for_bit(cinema: Callable[..., Cinema]) -> None:
    odd = Body("Odd", Box((0.1, 0.1, 0.1)), (0.1234567890123, 0.0, 0.3), (0.6, 0.0, 0.8, 0.0))
    seen = cinema(odd)
    before = seen.view._cache.layout
    seen.back(7)
    assert not np.array_equal(seen.view._cache.layout.place, before.place)
    seen.playback.go_to_ending()
    assert np.array_equal(seen.view._cache.layout.place, before.place)
    assert np.array_equal(seen.view._cache.layout.turn, before.turn)


def test_arrays_show_the_same_as_a_table_of_poses(shown: Callable[..., Any]) -> None:
    studio = shown(box("One", 0.0), box("Two", 0.5), Body("Pill", Capsule(0.05, 0.1), (0.0, 0.0, 1.0)))
    ids = [body.id for body in studio.document.scene.bodies]
    rng = np.random.default_rng(3)
    at, turns = rng.normal(size=(3, 3)), rng.normal(size=(3, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    studio.view.set_poses(dict(zip(ids[1:], zip(at[1:], turns[1:], strict=True), strict=True)))
    table = [batch.instances.copy() for batch in studio.view._cache.batches]
    studio.view.set_pose_arrays(["nobody", *ids[1:]], at, turns)
    for one, other in zip(table, studio.view._cache.batches, strict=True):
        assert np.array_equal(one, other.instances)


def test_a_body_that_left_the_scene_is_ignored_and_a_new_one_stays(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.0), box("Two", 0.5))
    scene = edits.remove(seen.document.scene, seen.ids("Two"))
    seen.document.edit("Change", edits.add(scene, [box("New", 1.0)])[0])
    seen.back(12)
    assert np.allclose(seen.view._cache.layout.place[:, 0], [-0.5, 1.0], atol=1e-6)


def test_picking_finds_what_is_seen(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.0))
    seen.back(12)
    assert seen.view.pick(*seen.studio.place((-0.5, 0.0, 0.5))) == seen.ids("One")[0]
    assert seen.view.pick(*seen.studio.place((0.0, 0.0, 0.5))) is None


# -- unseen --------------------------------------------------------------------------------------------------------


def test_who_is_unseen_yet_is_neither_drawn_nor_picked(cinema: Callable[..., Cinema]) -> None:
    """A body that appears one second before the ending, where it is then 1 m away from its place."""
    seen = cinema(box("One", 0.5), box("Two", 0.5, 1.2), seen=(0.0, 1.0))
    seen.studio.settings.set("view/ghosts", False)
    first, second = seen.ids("One", "Two")
    seen.back(25)
    there = [seen.studio.place((0.5 - 25 / 24, -0.1, z)) for z in (0.5, 1.2)]
    assert [seen.view.pick(*place) for place in there] == [first, None]
    assert redness(seen.studio.pixel(*there[0])) > 40 > redness(seen.studio.pixel(*there[1]))
    assert seen.view.pick_inside(QRectF(0.0, 0.0, 480.0, 360.0)) == [first]
    seen.select("Two")
    assert len(seen.view._selected) == 0 and seen.view.marks.motion._endings
    seen.view.frame()
    seen.view.set_camera(replace(seen.view.camera, target=(0.0, 0.0, 0.5), distance=4.0))
    seen.back(24)
    there = [seen.studio.place((-0.5, -0.1, z)) for z in (0.5, 1.2)]
    assert [seen.view.pick(*place) for place in there] == [first, second]
    assert redness(seen.studio.pixel(*there[1])) > 40 and len(seen.view._selected) == 1


def test_the_ending_shows_everybody(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5), box("Two", 0.5, 1.2), seen=(0.0, 5.0))
    seen.back(1)
    assert [len(batch.rows) for batch in seen.view._cache.batches] == [1]
    seen.playback.go_to_ending()
    seen.studio.rest()
    assert [len(batch.rows) for batch in seen.view._cache.batches] == [2]


def test_nobody_to_be_seen_is_an_empty_picture(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5), seen=(1.5,))
    seen.back(20)
    assert seen.view._cache.batches == [] and seen.view._cache.bounds() is None
    assert seen.view.pick(*seen.studio.place((0.5 - 20 / 24, 0.0, 0.5))) is None


def test_ghosts_and_trails_begin_where_a_body_is_seen() -> None:
    film = as_film(films.gliding([replace(box("One", 0.5), id="b1"), replace(box("Two", 0.5), id="b2")]))
    film = replace(film, seen=np.array([0.0, 1.0]))
    rows = np.array([0, 1])
    found = past.ghosts(film, rows, 1.1, [(1.05, 0.5), (0.9, 0.4), (1.2, 0.5)])
    assert [list(ghost.ids) for ghost in found] == [["b1", "b2"], ["b1"], ["b1", "b2"]]
    waiting = replace(film, positions=np.repeat(film.positions[-1:], len(film.times), axis=0))
    found = past.ghosts(waiting, rows, 0.8, [(0.7, 0.5), (0.9, 0.5), (1.0, 0.4), (1.1, 0.3)])
    assert [list(ghost.ids) for ghost in found] == [["b2"]] and found[0].opacity == 0.4
    times = np.array([0.0, 0.5, 1.0, 1.5])
    first, second = past.trails(film, [0, 1], times)
    assert first[:, 0] == pytest.approx(0.5 - (2.0 - times), abs=1e-5)
    assert second[:, 0] == pytest.approx([-0.5, -0.5, -0.5, 0.0], abs=1e-5)
    whole = replace(film, seen=None, positions=film.positions + np.float32(0.5))
    assert past.apart(whole, film, 1.5) == ["b1"], "who is unseen there has no ghost"
    assert past.apart(film, replace(film, seen=None), 1.5) == ["b2"], "who is unseen here has one, if only there"


# -- ghosts --------------------------------------------------------------------------------------------------------


def test_ghosts_have_the_bodys_colour_and_fade(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.8))
    seen.studio.settings.set("view/ghost_step", 6)
    seen.select("One")
    seen.back(2)
    shades = [redness(seen.studio.pixel(*seen.studio.place((0.8 - (2 + 6 * k) / 24, 0.0, 0.5)))) for k in range(5)]
    empty = redness(seen.studio.pixel(*seen.studio.place((1.3, 0.0, 0.5))))
    assert shades == sorted(shades, reverse=True)
    assert min(np.diff(shades[::-1])) > 4 and shades[-1] > empty + 8
    assert 0.36 < (shades[1] - empty) / (shades[0] - empty) < 0.56  # the look says 0.46


def test_ghosts_can_be_of_another_colour_and_are_hidden_by_bodies(shown: Callable[..., Any]) -> None:
    studio = shown(box("One", 0.0))
    key = studio.document.scene.bodies[0].id
    ghost = Ghost([key, "nobody"], np.array([[0.15, 0.3, 0.5], [0, 0, 0]]), np.repeat(STRAIGHT, 2, 0), 0.6, BLUE)
    before = studio.pixel(*studio.place((0.0, -0.1, 0.5)))
    studio.view.set_ghosts([ghost])
    studio.rest()
    red, green, blue = studio.pixel(*studio.place((0.22, 0.2, 0.5)))
    assert blue > red + 20 and blue > green
    assert studio.pixel(*studio.place((0.0, -0.1, 0.5))) == before
    studio.view.set_ghosts([])
    studio.rest()
    assert redness(studio.pixel(*studio.place((0.22, 0.2, 0.5)))) < 10


def test_ghosts_cast_no_shadow(shown: Callable[..., Any]) -> None:
    studio = shown(box("One", 0.0))
    key = studio.document.scene.bodies[0].id
    studio.view.look_from("top")
    studio.rest()
    before = studio.view.grabFramebuffer()
    studio.view.set_ghosts([Ghost([key], np.array([[0.8, 0.0, 0.6]]), STRAIGHT, 0.5)])
    studio.rest()
    after = studio.view.grabFramebuffer()
    changed = [(x, y) for x in range(0, 480, 4) for y in range(0, 360, 4) if before.pixel(x, y) != after.pixel(x, y)]
    left, right = studio.place((0.7, 0.0, 0.5))[0], studio.place((0.9, 0.0, 0.7))[0]
    assert changed and all(left - 2 <= x <= right + 2 for x, _ in changed)


def test_everything_has_ghosts_when_few_move_and_nothing_is_selected(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.0), box("Two", 0.5, 1.0), box("Still", 1.0, 1.5, static=True))
    seen.back(6)
    assert sum(len(batch.rows) for batch in seen.view._cache.ghosts) == 8
    seen.select("Two")
    assert sum(len(batch.rows) for batch in seen.view._cache.ghosts) == 4
    seen.studio.settings.set("view/ghosts_after", 2)
    seen.view.apply_settings()
    assert sum(len(batch.rows) for batch in seen.view._cache.ghosts) == 6
    seen.studio.settings.set("view/ghosts", False)
    seen.view.apply_settings()
    assert seen.view._cache.ghosts == []


def test_another_take_is_seen_in_its_colour_at_the_same_moment(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5), box("Two", 0.5, 1.2))
    seen.studio.settings.set("view/ghosts", False)
    slower = as_film(films.gliding(seen.document.scene.bodies[:1], (0.4, 0.0, 0.0), seconds=1.0))
    seen.back(12)
    seen.playing.compare_with(slower, BLUE)
    seen.studio.rest()
    ghosts = seen.view._cache.ghosts
    assert sum(len(batch.rows) for batch in ghosts) == 1
    red, green, blue = seen.studio.pixel(*seen.studio.place((0.3, 0.0, 0.5)))  # 0.5 s before the ending
    assert blue > red + 20 and blue > green
    seen.playback.go_to_ending()
    assert seen.view._cache.ghosts == [], "both end alike"
    seen.back(12)
    seen.playing.compare_with(None)
    assert seen.view._cache.ghosts == []


def test_no_ghosts_of_a_crowd() -> None:
    film = films.gliding([replace(box(f"{k}", 0.1 * k), id=f"b{k}") for k in range(past.MOST_WITHOUT_SELECTION + 1)])
    read = as_film(film)
    moving = past.moving_rows(read)
    assert len(moving) == past.MOST_WITHOUT_SELECTION + 1
    assert len(past.ghost_rows(read, moving, {}, ())) == 0


def test_who_stands_still_has_no_ghosts() -> None:
    body = replace(box("One", 0.0), id="b1")
    film = films.gliding([body])
    film["positions"][:] = film["positions"][-1]
    film["positions"][:100, 0, 0] -= 1.0  # jumps to its ending, then stays
    read = as_film(film)
    times = past.ghost_times(2.0, 1.0 / 24.0, (8, 0), 3, (0.4, 0.2))
    assert past.ghosts(read, np.array([0]), 2.0, times[:4]) == []
    (only,) = past.ghosts(read, np.array([0]), 1.0, times := [(0.9, 0.4), (0.5, 0.3), (0.25, 0.2)])
    assert only.opacity == 0.3  # at 0.9 s it stands where it is seen, at 0.25 s where the ghost of 0.5 s is


def as_film(arrays: dict[str, np.ndarray]) -> Any:
    from engine.scene.film import Film

    plain = {name: float(arrays[name]) for name in ("ending", "step_first", "step_dt")}
    return Film(**{**arrays, **plain, "bodies": tuple(str(key) for key in arrays["bodies"])})  # type: ignore[arg-type]


# -- trails and endings --------------------------------------------------------------------------------------------


def marks_picture(seen: Cinema) -> Any:
    return seen.view.marks.layer.grab().toImage()


def test_a_trail_runs_through_the_middles_and_is_projected_once(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5))
    seen.select("One")
    seen.back(6)
    marks_picture(seen)
    before = seen.view.marks.motion.projections
    (trail,) = seen.view.marks.motion._trails
    assert np.allclose(trail[:, 0], 0.5 - (48 - np.arange(49)) / 24.0, atol=1e-5)
    seen.back(7)
    seen.back(8)
    picture = marks_picture(seen)
    assert seen.view.marks.motion.projections == before
    x, y = seen.studio.place((0.5 - 20 / 24, 0.0, 0.5))
    near = [picture.pixelColor(round(x) + dx, round(y) + dy) for dx in range(-3, 4) for dy in (-1, 0, 1)]
    want = seen.studio.look.view_color("trail")
    assert min(abs(c.red() - want.red()) + abs(c.blue() - want.blue()) for c in near) < 60
    seen.view.set_camera(seen.view.camera.orbited(0.1, 0.0))
    seen.studio.rest()
    assert seen.view.marks.motion.projections == before + 1


def test_the_ending_of_the_selection_is_outlined_while_it_is_away(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5), box("Two", 0.5, 1.2))
    seen.select("One")
    assert seen.view.marks.motion.outlines == []
    seen.back(12)
    marks_picture(seen)
    ((name, outline),) = seen.view.marks.motion.outlines
    assert name == "One"
    low, high = seen.studio.place((0.4, -0.1, 0.6)), seen.studio.place((0.6, -0.1, 0.4))
    assert np.allclose(outline.low, low, atol=3.0) and np.allclose(outline.high, high, atol=3.0)
    seen.playback.go_to_ending()
    assert not seen.view.marks.motion._endings


def test_the_outline_is_dashed_and_faintly_filled(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5))
    seen.studio.settings.set("view/trail", False)
    seen.studio.settings.set("view/ghosts", False)
    seen.select("One")
    seen.back(24)
    dark, light = look_at_edge(seen)
    assert dark > 2 and light > 2, "a dashed line has gaps"


def look_at_edge(seen: Cinema) -> tuple[int, int]:
    """Pixels along the lower edge of the outline that are not painted, and that are."""
    seen.view.marks.layer.grab()
    (_, outline), *_ = seen.view.marks.motion.outlines
    from PySide6.QtGui import QImage, QPainter

    picture = QImage(480, 360, QImage.Format.Format_ARGB32)
    picture.fill(0)
    painter = QPainter(picture)
    seen.view.marks.motion.paint(painter, seen.view.camera, seen.view.extent)
    painter.end()
    (left, _), (right, bottom) = outline.low, outline.high
    alpha = [picture.pixelColor(x, int(bottom)).alphaF() for x in range(round(left), round(right))]
    inside = picture.pixelColor(round(0.5 * (left + right)) + 3, round(bottom) - 8).alphaF()
    assert 0.05 < inside < 0.2
    return sum(a < 0.3 for a in alpha), sum(a > 0.4 for a in alpha)


@pytest.mark.parametrize(
    "shape",
    [
        Sphere(0.2),
        Box((0.2, 0.1, 0.3)),
        Capsule(0.1, 0.2),
        Cylinder(0.15, 0.2),
        Hull(np.random.default_rng(5).normal(size=(20, 3)) * 0.15),
        Compound([(Box((0.2, 0.02, 0.02)), (0.0, 0.0, 0.2)), (Sphere(0.1), (0.0, 0.0, -0.1))]),
    ],
)
def test_outlines_hold_the_picture_of_every_shape(shown: Callable[..., Any], shape: Any) -> None:
    """The box round the outline is the box round the pixels that the body colours."""
    from app.viewport.layout import layout_of
    from app.viewport.silhouette import silhouette
    from engine.shapes.turns import from_angles

    body = Body("One", shape, (0.0, 0.0, 0.6), from_angles((20.0, 35.0, 50.0)), color="#2020ff")
    studio = shown(body, ground=False)
    studio.settings.set("view/shadows", False)
    studio.view.apply_settings()
    studio.rest()
    outline = silhouette(layout_of(studio.document.scene), studio.view.camera, studio.view.extent)
    assert outline is not None
    picture = studio.view.grabFramebuffer()
    colors = {(x, y): picture.pixelColor(x, y) for x in range(480) for y in range(360)}
    blue = np.array([place for place, c in colors.items() if c.blue() - max(c.red(), c.green()) > 30])
    assert np.abs(blue.min(axis=0) - outline.low).max() < 2.5
    assert np.abs(blue.max(axis=0) + 1 - outline.high).max() < 2.5


def test_a_convex_outline_is_the_hull() -> None:
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [1.0, 1.0], [1.0, 0.0]])
    assert {tuple(p) for p in hull_of(square).corners} == {(0, 0), (2, 0), (2, 2), (0, 2)}


# -- pills ---------------------------------------------------------------------------------------------------------


def test_pills_come_with_a_take_and_switch(cinema: Callable[..., Cinema], shown: Callable[..., Any]) -> None:
    seen = cinema(box("One", 0.5))
    pills = seen.view.overlay.motion
    assert not pills.ghosts.isHidden() and pills.ghosts.text() == "Ghosts 4" and pills.ghosts.isChecked()
    seen.studio.qtbot.mouseClick(pills.trail, Qt.MouseButton.LeftButton)
    assert seen.studio.settings.get("view/trail") is False and not pills.trail.isChecked()
    seen.studio.qtbot.mouseClick(pills.ghosts, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert seen.studio.settings.get("view/ghosts") is False
    eight = next(a for a in pills.ghosts.menu().actions() if a.text() == "8")
    eight.trigger()
    assert seen.studio.settings.get("view/ghost_count") == 8 and pills.ghosts.text() == "Ghosts 8"
    seen.playback.show("")
    assert pills.ghosts.isHidden() and pills.freshness.isHidden()


def test_an_edit_makes_the_take_older_than_the_scene(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5))
    pill = seen.view.overlay.motion.freshness
    assert pill.text() == "Take 07 matches the scene"
    moved = edits.translate(seen.document.scene, seen.ids("One"), (0.1, 0.0, 0.0))
    seen.document.edit("Move", moved)
    seen.studio.rest()
    assert pill.text().startswith("Take 07 is older than the scene")
    assert seen.view._cache.ghosts == []
    with seen.studio.qtbot.waitSignal(seen.view.again_requested, timeout=1000):
        seen.studio.qtbot.mouseClick(pill, Qt.MouseButton.LeftButton)
    seen.document.history.undo()
    assert pill.text() == "Take 07 matches the scene"


# -- editing away from the ending ----------------------------------------------------------------------------------


def test_a_gesture_begins_at_the_ending(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5))
    said: list[str] = []
    seen.view.said.connect(said.append)
    seen.view.set_tool(MoveTool(seen.view))
    seen.select("One")
    seen.back(12)
    seen.view.setFocus()
    seen.studio.qtbot.keyClick(seen.view, Qt.Key.Key_G)
    assert seen.view.tool.busy() and seen.playback.at_ending
    assert said == ["Back at the ending: that is what you edit."]
    seen.studio.qtbot.keyClick(seen.view, Qt.Key.Key_Escape)
    seen.studio.qtbot.keyClick(seen.view, Qt.Key.Key_G)
    assert len(said) == 1, "at the ending there is nothing to say"
    seen.studio.qtbot.keyClick(seen.view, Qt.Key.Key_Escape)


# -- cost ----------------------------------------------------------------------------------------------------------


def test_a_frame_is_one_picture_and_rest_one_more(cinema: Callable[..., Cinema]) -> None:
    seen = cinema(box("One", 0.5), box("Two", 0.5, 1.2))
    seen.select("One")
    seen.back(10)
    before = seen.view.draws
    seen.back(11)
    assert seen.view.draws - before <= 2, "one picture, and one with smooth edges"
    before = seen.view.draws
    seen.studio.qtbot.wait(200)
    seen.playback.changed.emit()
    seen.studio.qtbot.wait(50)
    assert seen.view.draws == before, "at rest nothing is drawn"
