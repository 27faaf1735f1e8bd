"""Probes of the picture itself: what colour is where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import scenes
from PySide6.QtGui import QColor

from app.camera import Camera
from app.viewport import gl_needs
from engine.scene.colors import rgb
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Scene, Sphere

RED = "#c02020"
Show = Callable[..., "object"]


def near(pixel: tuple[int, int, int], color: str | tuple[float, ...], room: int = 6) -> bool:
    wanted = np.array(rgb(color) if isinstance(color, str) else color) * 255.0
    return bool(np.abs(np.array(pixel) - wanted).max() <= room)


def ball(**fields: object) -> Body:
    return Body("Ball", Sphere(0.5), (0.0, 0.0, 0.6), color=RED, **fields)  # type: ignore[arg-type]


def test_background_runs_from_top_to_bottom_in_both_themes(studio) -> None:
    studio.show()
    studio.view.set_camera(Camera((0.0, 0.0, 50.0), 4.0).looking("front"))  # the ground far below
    for theme in ("dark", "light"):
        studio.look.set_theme(theme)
        studio.rest()
        assert near(studio.pixel(200, 1), studio.look.view("background_top"))
        assert near(studio.pixel(200, 358), studio.look.view("background_bottom"))


def test_bodies_have_their_colour_under_the_light(shown: Show) -> None:
    studio = shown(Body("Box", Box((0.5, 0.5, 0.5)), (0.0, 0.0, 0.5), color=RED))
    light = studio.look.view("light")
    to_light = np.array(light["direction_to_light"]) / np.linalg.norm(light["direction_to_light"])
    front = light["ambient"] + 0.5 * light["sky_extra"] + light["key"] * -to_light[1]
    assert near(studio.pixel(*studio.place((0.1, -0.5, 0.45))), tuple(front * c for c in rgb(RED)))


def test_every_shape_is_where_picking_says(shown: Show) -> None:
    studio = shown(ball())
    octahedron = Hull(np.array(scenes.OCTAHEDRON) * 0.4)
    for shape in (Sphere(0.4), Box((0.3, 0.3, 0.3)), Capsule(0.2, 0.2), Cylinder(0.3, 0.3), octahedron):
        studio.document.new(Scene(bodies=[Body("It", shape, (0.2, 0.0, 0.7), color=RED)]))
        studio.rest()
        picture = studio.view.grabFramebuffer()
        wrong = 0
        for x in range(4, 480, 12):
            for y in range(44, 360, 12):
                color = picture.pixelColor(x, y)
                red = color.red() > 2 * max(color.green(), color.blue()) + 10
                wrong += red != (studio.view.pick(x + 0.5, y + 0.5) is not None)
        assert wrong <= 2, shape  # the outline itself may fall either way


def test_hidden_bodies_are_neither_drawn_nor_picked(shown: Show) -> None:
    studio = shown(ball())
    x, y = studio.place((0.0, 0.0, 0.6))
    assert studio.pixel(x, y)[0] > 80 and studio.view.pick(x, y) == studio.document.scene.bodies[0].id
    studio.document.edit("Hide", Scene(bodies=[replace(studio.document.scene.bodies[0], hidden=True)]))
    studio.rest()
    assert studio.pixel(x, y)[0] < 80 and studio.view.pick(x, y) is None


def test_selection_has_an_outline_and_a_halo_over_what_is_in_front(shown: Show) -> None:
    screen_ = Body("Screen", Box((2.0, 0.05, 2.0)), (0.0, -1.0, 0.5), color="#808080")
    studio = shown(ball(), screen_)
    left = next(x for x in range(480) if picked_without(studio, x) is not None)  # where the ball begins
    before = [studio.pixel(left + k, studio.place((0.0, 0.0, 0.6))[1]) for k in range(-6, 7)]
    studio.selection.set([studio.document.scene.bodies[0].id])
    studio.rest()
    row = [studio.pixel(left + k, studio.place((0.0, 0.0, 0.6))[1]) for k in range(-6, 7)]
    assert any(near(pixel, studio.look.view("selection"), 12) for pixel in row[4:9])
    assert any(sum(now) < 0.65 * sum(old) for now, old in zip(row, before, strict=True))  # the dark halo
    assert row[0] == before[0] and row[-1] == before[-1]  # nothing beyond them
    studio.selection.clear()
    studio.rest()
    assert [studio.pixel(left + k, studio.place((0.0, 0.0, 0.6))[1]) for k in range(-6, 7)] == before


def test_a_dragged_selection_leaves_no_line_where_it_was(shown: Show) -> None:
    studio = shown(ball())
    body = studio.document.scene.bodies[0]
    studio.selection.set([body.id])
    studio.rest()
    wanted = rgb(studio.look.view("selection"))
    for step in range(1, 4):
        z = 0.6 - 0.15 * step
        studio.document.preview(Scene(bodies=[replace(body, position=(0.0, 0.0, z))]))
        picture = studio.view.grabFramebuffer()
        middle, top = (round(c) for c in studio.place((0.0, 0.0, z + 0.5)))
        rows = range(top - 60, top - 5)
        left = [y for y in rows if near(picture.pixelColor(middle, y).getRgb()[:3], wanted, 60)]
        assert not left, (step, top, left)
    studio.document.preview(None)


def picked_without(studio, x: int) -> str | None:
    in_front = frozenset({studio.document.scene.bodies[1].id})
    surface = studio.view.surface_at(x, studio.place((0.0, 0.0, 0.6))[1], in_front)
    return surface.body if surface is not None else None


def test_hover_has_a_thin_outline_of_its_own(shown: Show) -> None:
    studio = shown(ball())
    y = studio.place((0.0, 0.0, 0.6))[1]
    left = next(x for x in range(480) if studio.view.pick(x, y))
    studio.selection.set_hover(studio.document.scene.bodies[0].id)
    studio.rest()
    assert any(near(studio.pixel(left + k, y), studio.look.view("hover_outline"), 40) for k in range(-2, 3))


def test_shadows_darken_the_ground_and_can_be_switched_off(shown: Show) -> None:
    studio = shown(ball())
    studio.view.set_camera(Camera((0.0, 0.0, 0.3), 6.0))
    light = np.array(studio.look.view("light")["direction_to_light"])
    fallen = np.array([0.0, 0.0, 0.6]) - 0.6 / light[2] * light + (0.13, 0.07, 0.0)  # off the grid lines
    studio.rest()
    x, y = studio.place(tuple(fallen))
    assert studio.view.pick(x, y) is None
    dark = studio.pixel(x, y)
    studio.settings.set("view/shadows", False)
    studio.view.apply_settings()
    studio.rest()
    bright = studio.pixel(x, y)
    assert sum(dark) < 0.75 * sum(bright)
    studio.settings.set("view/shadows", True)
    studio.document.edit("No ground", replace(studio.document.scene, ground=False))
    studio.rest()
    assert near(studio.pixel(x, y), tuple(c / 255 for c in bright))


def test_one_body_shades_another(shown: Show) -> None:
    # Between the middle of the table and the light.
    roof = Body("Roof", Box((0.4, 0.4, 0.02)), (-0.42, -0.86, 1.7), color=RED)
    table = Body("Table", Box((2.0, 2.0, 0.3)), (0.0, 0.0, 0.3), color="#c0c0c0")
    studio = shown(roof, table)
    studio.view.set_camera(Camera((0.0, 0.0, 0.6), 5.0, azimuth=0.9, elevation=0.9))
    studio.rest()
    under, beside = studio.pixel(*studio.place((0.0, 0.0, 0.6))), studio.pixel(*studio.place((1.2, 0.6, 0.6)))
    assert sum(under) < 0.75 * sum(beside)


def test_a_die_shows_six_on_top_and_one_below(shown: Show) -> None:
    die = Body("Die", Box((0.5, 0.5, 0.5)), (0.0, 0.0, -1.5), color="#eaeaeb", extra={"pips": True})
    studio = shown(die)
    for side, middle_dark, column_dark in (("top", False, True), ("bottom", True, False)):
        # Seen from above through the ground, whose lines run beside the probes.
        studio.view.set_camera(Camera((0.11, 0.07, -1.5), 4.0).looking(side))
        studio.rest()
        z = -1.0 if side == "top" else -2.0
        assert (sum(studio.pixel(*studio.place((0.0, 0.0, z)))) < 150) == middle_dark
        spots = [(x, y) for x in (-0.25, 0.25) for y in (-0.25, 0.25)]
        assert all((sum(studio.pixel(*studio.place((x, y, z)))) < 150) == column_dark for x, y in spots)


def test_colours_follow_values_and_the_rest_is_grey(shown: Show) -> None:
    bodies = [Body(f"Box {k}", Box((0.25, 0.25, 0.25)), (k - 1.0, 0.0, 0.5), color=RED) for k in range(3)]
    studio = shown(*bodies)
    ids = [body.id for body in studio.document.scene.bodies]
    studio.view.set_body_values("certificate", {ids[0]: "exact", ids[1]: 4})
    studio.view.set_color_by("certificate")
    studio.rest()

    def hue(k: int) -> QColor:
        return QColor(*studio.pixel(*studio.place((k - 1.0, -0.25, 0.55))))

    assert hue(0).green() > 1.2 * hue(0).red()
    assert hue(1).red() > 1.5 * hue(1).green()
    assert hue(2).saturation() < 20
    x, y = (round(c) for c in studio.place((0.0, -0.25, 0.5)))
    picture = studio.view.grabFramebuffer()
    lightness = {picture.pixelColor(x + k, y + k // 3).lightness() // 8 for k in range(-12, 12)}
    assert len(lightness) > 1  # hatched: never by colour alone
    assert [entry.words for entry in studio.view._cache.legend("certificate")][:2] == ["Exact", "Tuned"]
    assert studio.view.overlay.legend.isVisible()
    studio.view.set_color_by("material")
    assert not studio.view.overlay.legend.isVisible()


def test_smooth_edges_are_smoother(shown: Show) -> None:
    studio = shown(Body("Box", Box((0.5, 0.5, 0.5)), (0.0, 0.0, 0.9), (0.98, 0.0, 0.199, 0.0), color="#eaeaeb"))

    def tones() -> int:
        picture = studio.view.grabFramebuffer()
        return len({picture.pixelColor(x, y).rgb() for x in range(120, 360, 3) for y in range(60, 250, 3)})

    fine = tones()
    studio.settings.set("view/smooth_edges", False)
    studio.view.apply_settings()
    studio.rest()
    assert fine > tones()


@pytest.mark.parametrize(("height", "elevation"), [(0.7, 0.4), (0.1, 0.4), (0.7, -0.4)])
def test_a_kept_backdrop_makes_the_same_picture(shown: Show, height: float, elevation: float) -> None:
    """Above the ground, half below it, and seen from below: the grid is where it belongs."""
    studio = shown(ball())
    studio.settings.set("view/smooth_edges", False)
    studio.view.set_camera(Camera((0.0, 0.0, 0.5), 4.0, 0.5, elevation))
    key = studio.document.scene.bodies[0].id
    for x in (0.3, 0.0):
        studio.view.set_poses({key: ((x, 0.0, height), (1.0, 0.0, 0.0, 0.0))})
        kept = studio.view.grabFramebuffer()
    studio.view._renderer._drawn = None  # as if nothing had been drawn before
    studio.view.set_poses({key: ((0.0, 0.0, height), (1.0, 0.0, 0.0, 0.0))})
    assert studio.view.grabFramebuffer() == kept


def test_problem_bodies_get_a_glyph(shown: Show) -> None:
    studio = shown(ball())
    x, y = studio.place((0.0, 0.0, 1.1))

    def warned() -> int:
        picture, wanted = studio.view.grab().toImage(), QColor(studio.look.view("warning"))
        return sum(
            abs(picture.pixelColor(round(x) + i, round(y) + j).hue() - wanted.hue()) < 12
            and picture.pixelColor(round(x) + i, round(y) + j).saturation() > 90
            for i in range(-12, 13)
            for j in range(-40, 0)
        )

    assert warned() == 0
    studio.view.marks.set_problems({studio.document.scene.bodies[0].id: "floating"})
    assert warned() > 20
    studio.view.marks.set_problems({})
    assert warned() == 0


def test_without_gl_there_is_a_message_and_no_crash(studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl_needs, "is_enough", lambda context: False)
    said: list[str] = []
    studio.view.said.connect(said.append)
    studio.view.show()
    studio.qtbot.waitUntil(lambda: bool(studio.view.failure))
    assert "OpenGL 3.3" in said[0] and studio.view.overlay.failure_note.isVisible()
    studio.document.new(scenes.every_shape())
    studio.selection.set(["b1"])
    studio.view.frame()
    studio.view.grab()
    assert studio.view.draws == 0 and not studio.view.overlay.axis_ball.isVisible()


def test_a_view_that_moves_to_another_window_draws_again(shown: Show) -> None:
    from PySide6.QtWidgets import QMainWindow

    studio = shown(ball())
    window = QMainWindow()
    studio.qtbot.addWidget(window)
    window.resize(500, 400)
    window.setCentralWidget(studio.view)
    window.show()
    studio.qtbot.waitUntil(lambda: studio.view._renderer is not None and studio.view.isVisible())
    studio.view._redraw()
    studio.rest()
    assert studio.pixel(*studio.place((0.0, 0.0, 0.6)))[0] > 80
    window.takeCentralWidget()
    studio.view.setParent(None)
    window.close()
