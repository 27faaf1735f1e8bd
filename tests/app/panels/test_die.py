"""Dice: spots on boxes, and the number they end with."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panel_scenes import show_active
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.die_edits import number_up, set_spots, show_number
from app.document.document import Document
from app.look.look import Look
from app.panels.body_panel import BodyPanel
from app.panels.new_bodies import new_body
from app.session.selection import Selection
from engine.scene.colors import PALETTE, body_color
from engine.scene.dice import PIPS, is_die
from engine.scene.spec import Body, Box, Scene
from engine.shapes.turns import about, product, rotation_matrix

DOWN = (0.0, 0.0, -9.81)


def lowest(body: Body) -> float:
    """z of the lowest corner."""
    assert isinstance(body.shape, Box)
    return float(body.position[2] - abs(rotation_matrix(body.orientation)[2]) @ body.shape.half)


def test_a_new_die_shows_six_and_is_white() -> None:
    die = new_body("die")
    assert is_die(die) and number_up(die, DOWN) == 6 and body_color(die, 3) == PALETTE[-1]
    assert lowest(die) == 0.0


@settings(max_examples=60, deadline=None)
@given(st.floats(-3.0, 3.0), st.integers(1, 6), st.integers(1, 6), st.floats(0.0, 1.0))
def test_any_number_comes_up_where_the_die_stands(yaw: float, first: int, then: int, tilt: float) -> None:
    half = (0.05, 0.04, 0.07)
    turn = product(about((0, 0, 1), yaw), about((1, 0, 0), tilt))
    scene, (key,) = edits.add(Scene(), [Body("Die", Box(half), (0.3, -0.2, 1.0), turn, extra={PIPS: True})])
    before = lowest(scene.bodies[0])
    for number in (first, then):
        scene = show_number(scene, [key], number)
        (die,) = scene.bodies
        assert number_up(die, scene.gravity) == number
        assert die.position[:2] == (0.3, -0.2) and lowest(die) == pytest.approx(before, abs=1e-12)
        assert math.hypot(*die.orientation) == pytest.approx(1.0, abs=1e-14)
        assert show_number(scene, [key], number).bodies[0] is die, "nothing is left to do"


def test_up_is_against_gravity_and_edges_show_nothing() -> None:
    scene, (key,) = edits.add(Scene(gravity=(9.81, 0.0, 0.0)), [new_body("die")])
    assert number_up(scene.bodies[0], scene.gravity) == 3
    (die,) = show_number(scene, [key], 6).bodies
    assert number_up(die, scene.gravity) == 6 and number_up(die, DOWN) != 6
    on_edge = edits.changed(new_body("die"), orientation=about((1, 0, 0), math.pi / 4))
    assert number_up(on_edge, DOWN) is None


def test_locked_dice_and_plain_boxes_stay() -> None:
    locked = edits.changed(new_body("die"), locked=True)
    scene, keys = edits.add(Scene(), [locked, new_body("box"), new_body("sphere")])
    assert show_number(scene, keys, 1).bodies == scene.bodies
    spotted = set_spots(scene, keys, True)
    assert [is_die(body) for body in spotted.bodies] == [True, True, False]
    plain = set_spots(spotted, keys, False)
    assert not any(is_die(body) for body in plain.bodies) and PIPS not in plain.bodies[1].extra


def test_the_section_turns_dice(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> None:
    scene, (die, ball, other) = edits.add(Scene(), [new_body("die"), new_body("sphere"), new_body("die")])
    document.new(scene)
    panel = BodyPanel(document, selection, look, lambda item: None)
    qtbot.addWidget(panel)
    panel.resize(280, 900)
    show_active(qtbot, panel)
    section = panel.die
    for chosen in ([ball], [die, ball]):
        selection.set(chosen)
        assert not section.isVisible(), "not all are dice"
    selection.set([die])
    assert section.isVisible() and section.number.current == "6"
    section.number.chosen.emit("2")
    assert number_up(document.scene.bodies[0], DOWN) == 2 and section.number.current == "2"
    selection.set([die, other])
    assert section.number.current is None, "they differ"
    document.history.undo()
    assert section.number.current == "6" and document.history.undoText() == ""
    document.edit("Lock", edits.set_fields(document.scene, [die, other], locked=True))
    assert not section.number.isEnabled()
    document.edit("Plain", set_spots(document.scene, [die], False))
    assert not section.isVisible()
