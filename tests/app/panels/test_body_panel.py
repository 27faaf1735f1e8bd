"""The inspector: fields change bodies by one command each, mixed values, undo, and the tabs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from panel_scenes import key_of, show_active
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from app.document.take_edits import ask_for
from app.kit.color_popover import ColorPopover
from app.kit.number_field import NumberField
from app.look.look import Look
from app.panels.body_model import Angles
from app.panels.help_panel import KeyCaps
from app.panels.inspector import Inspector
from app.panels.problem_item import ProblemItem
from app.session.selection import Selection
from engine.scene.spec import Body
from engine.shapes.turns import about, from_angles, rotation_matrix

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def inspector(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> Inspector:
    made = Inspector(document, selection, look)
    qtbot.addWidget(made)
    made.resize(344, 900)
    show_active(qtbot, made)
    return made


def body(document: Document, name: str) -> Body:
    return next(entry for entry in document.scene.bodies if entry.name == name)


def type_into(field: NumberField, text: str) -> None:
    field.setFocus()
    field.start_typing()
    editor = QApplication.focusWidget()
    assert editor is not None
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def drag(field: NumberField, by: int) -> Callable[[], None]:
    """Press and move; call what is returned to let go."""

    def move(x: int) -> None:
        place = QPointF(30 + x, 14)
        screen = QPointF(field.mapToGlobal(place.toPoint()))
        event = QMouseEvent(QEvent.Type.MouseMove, place, screen, Qt.MouseButton.NoButton, LEFT, NONE)
        QApplication.sendEvent(field, event)

    field.setFocus()
    QTest.mousePress(field, LEFT, NONE, QPoint(30, 14))
    for x in (4, 4 + by // 2, 4 + by):
        move(x)
    return lambda: QTest.mouseRelease(field, LEFT, NONE, QPoint(34 + by, 14))


def test_nothing_selected(inspector: Inspector) -> None:
    assert inspector.body._pages.currentIndex() == 0


def test_a_typed_position_is_exact_and_one_command(
    inspector: Inspector, selection: Selection, document: Document
) -> None:
    selection.set([key_of(document, "Brick 2")])
    before = body(document, "Brick 2")
    type_into(inspector.body.ending.position[2], "1.5 + 7 cm")
    assert body(document, "Brick 2").position == (before.position[0], before.position[1], 1.57)
    assert document.history.count() == 1 and document.history.undoText() == "Move Brick 2"
    document.history.undo()
    assert body(document, "Brick 2") is before
    assert inspector.body.ending.position[2].value == before.position[2]


def test_a_drag_previews_and_ends_in_one_command(
    inspector: Inspector, selection: Selection, document: Document
) -> None:
    selection.set([key_of(document, "Ball")])
    start = document.scene
    release = drag(inspector.body.ending.position[0], 50)
    assert document.scene is start and document.shown is not start
    assert next(entry for entry in document.shown.bodies if entry.name == "Ball").position[0] == 0.5
    release()
    assert document.history.count() == 1 and body(document, "Ball").position == (0.5, 1.0, 0.1)
    assert document.shown is document.scene


def test_escape_leaves_the_document_as_it_was(inspector: Inspector, selection: Selection, document: Document) -> None:
    selection.set([key_of(document, "Ball")])
    start = document.scene
    field = inspector.body.ending.position[0]
    release = drag(field, 50)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    release()
    assert document.scene is start and document.shown is start and document.history.count() == 0
    assert field.value == 0.0


def test_many_bodies_take_the_value_and_keep_the_rest(
    inspector: Inspector, selection: Selection, document: Document
) -> None:
    keys = [key_of(document, name) for name in ("Brick 1", "Brick 2", "Ball")]
    selection.set(keys)
    position = inspector.body.ending.position
    assert [field.mixed for field in position] == [True, True, True]
    assert position[0].text() == "—"
    type_into(position[1], "2")
    assert [b.position for b in selection.bodies()] == [(0.25, 2.0, 0.03), (0.5, 2.0, 0.03), (0.0, 2.0, 0.1)]
    assert document.history.count() == 1 and document.history.undoText() == "Move 3 bodies"
    assert not position[1].mixed and position[0].mixed
    assert not inspector.body.ending._size_block.isVisible()  # box and ball have no size in common


def test_a_locked_body_does_not_move(inspector: Inspector, selection: Selection, document: Document) -> None:
    key = key_of(document, "Brick 1")
    document.edit("Lock", edits.set_fields(document.scene, [key], locked=True))
    selection.set([key])
    assert not inspector.body.ending.position[0].isEnabled()
    selection.set([key, key_of(document, "Brick 2")])
    type_into(inspector.body.ending.position[2], "3")
    assert [b.position[2] for b in selection.bodies()] == [0.03, 3.0]


def test_one_angle_leaves_other_quaternions_alone(
    inspector: Inspector, selection: Selection, document: Document
) -> None:
    authored = about((0.3, 0.5, 0.7), 1.1)
    keys = [key_of(document, "Brick 1"), key_of(document, "Brick 2")]
    document.edit("Turn", edits.set_fields(document.scene, keys[:1], orientation=authored))
    selection.set(keys[:1])
    field = inspector.body.ending.rotation[0]
    type_into(field, str(field.value))
    assert body(document, "Brick 1").orientation == authored
    selection.set(keys[1:])
    type_into(inspector.body.ending.rotation[2], "30")
    assert body(document, "Brick 1").orientation == authored
    assert body(document, "Brick 2").orientation == from_angles((0, 0, 30))


def test_a_body_that_has_the_angle_keeps_its_quaternion_bit_for_bit(document: Document) -> None:
    authored = about((0.3, 0.5, 0.7), 1.1)
    keys = [key_of(document, "Brick 1"), key_of(document, "Brick 2")]
    scene = edits.set_fields(document.scene, keys[:1], orientation=authored)
    angles = Angles()
    turned = angles.turned(scene, keys, 0, angles.of(authored)[0])
    assert turned.bodies[0] is scene.bodies[0] and turned.bodies[1].orientation != scene.bodies[1].orientation


def test_angles_do_not_jump_beyond_ninety_degrees(
    inspector: Inspector, selection: Selection, document: Document
) -> None:
    selection.set([key_of(document, "Brick 1")])
    rotation = inspector.body.ending.rotation
    type_into(rotation[1], "80")
    drag(rotation[1], 40)()
    assert [field.value for field in rotation] == [0.0, 120.0, 0.0]
    assert rotation_matrix(body(document, "Brick 1").orientation) == pytest.approx(
        rotation_matrix(from_angles((0, 120, 0)))
    )
    document.history.undo()
    assert rotation[1].value == 80.0


def test_sizes_by_kind(inspector: Inspector, selection: Selection, document: Document) -> None:
    selection.set([key_of(document, "Ball")])
    sizes = inspector.body.ending.sizes
    assert [field.isVisible() for field in sizes] == [True, False, False] and sizes[0].label == "Radius"
    type_into(sizes[0], "15 cm")
    assert body(document, "Ball").shape.radius == 0.15  # type: ignore[union-attr]
    selection.set([key_of(document, "Brick 1")])
    assert [field.value for field in sizes] == [0.2, 0.1, 0.06]
    type_into(sizes[2], "0")
    assert body(document, "Brick 1").shape.half[2] == 1e-4  # type: ignore[union-attr]


def test_material_preset_values_and_ranges(inspector: Inspector, selection: Selection, document: Document) -> None:
    selection.set([key_of(document, "Brick 1"), key_of(document, "Brick 2")])
    material = inspector.body.material
    assert material.preset.text == "Custom"
    material.preset.chosen.emit("Fired brick")
    assert {b.material.density for b in selection.bodies()} == {1900.0} and material.preset.text == "Fired brick"
    assert material.sliders["friction"].range == (0.0, 0.6)
    type_into(material.values["friction"], "0.5")
    assert material.preset.text == "Custom" and material.sliders["friction"].range == (0.0, 0.5)
    material.ranges.set_open(True)
    type_into(material.ranges.ends["friction"][1], "0.7")
    assert [b.material.friction_range for b in selection.bodies()] == [(0.0, 0.7)] * 2
    type_into(material.values["friction"], "0.9")
    assert [b.material.friction_range for b in selection.bodies()] == [(0.0, 0.9)] * 2
    type_into(material.values["rolling_friction"], "0.2")
    assert [b.material.rolling_friction for b in selection.bodies()] == [0.0002] * 2
    document.history.setIndex(0)
    assert material.preset.text == "Custom" and material.sliders["friction"].range == (0.0, 0.5)


def test_dragging_the_knob_of_bounce(inspector: Inspector, selection: Selection, document: Document) -> None:
    selection.set([key_of(document, "Brick 1")])
    slider = inspector.body.material.sliders["restitution"]
    at = QPoint(round(slider.x_of(0.4)), 13)
    to = QPoint(round(slider.x_of(0.75)), 13)
    QTest.mousePress(slider, LEFT, NONE, at)
    QTest.mouseMove(slider, to)
    QApplication.processEvents()
    QTest.mouseRelease(slider, LEFT, NONE, to)
    value = body(document, "Brick 1").material.restitution
    assert value == pytest.approx(0.75, abs=0.01) and document.history.count() == 1
    assert slider.range == (value, 1.0) and inspector.body.material.values["restitution"].value == value


def test_arrival_static_motion(inspector: Inspector, selection: Selection, document: Document) -> None:
    selection.set([key_of(document, "Brick 1"), key_of(document, "Brick 2")])
    arrival = inspector.body.arrival
    assert not arrival.seconds.isVisible()
    QTest.mouseClick(arrival.timed, LEFT)
    assert [b.arrival for b in selection.bodies()] == [0.5, 0.5] and arrival.seconds.isVisible()
    type_into(arrival.seconds, "250 ms")
    assert [b.arrival for b in selection.bodies()] == [0.25, 0.25]
    document.edit("One", edits.set_fields(document.scene, selection.ids[:1], arrival=None))
    assert arrival.timed.on is None and arrival.seconds.mixed
    QTest.mouseClick(arrival.static, LEFT)
    assert all(b.static for b in selection.bodies()) and not arrival.timed.isEnabled()
    inspector.body.motion.set_open(True)
    type_into(inspector.body.motion.spin[2], "180")
    assert selection.bodies()[0].angular_velocity == pytest.approx((0, 0, 3.141592653589793))
    assert inspector.body.motion.heading.aside.text == "moving"
    assert inspector.body.motion.heading.words.text == "Motion at the ending"
    document.edit("Middle", ask_for(document.scene, after=1.0))
    assert inspector.body.motion.heading.words.text == "Motion in this frame"


def test_name_colour_and_lock(inspector: Inspector, selection: Selection, document: Document, qtbot: QtBot) -> None:
    selection.set([key_of(document, "Ball")])
    panel = inspector.body
    panel.name.setFocus()
    panel.name.line.selectAll()
    QTest.keyClicks(panel.name.line, "Brick 1")
    QTest.keyClick(panel.name.line, Qt.Key.Key_Return)
    assert selection.bodies()[0].name == "Brick 7" and panel.name.text == "Brick 7"
    QTest.mouseClick(panel.chip, LEFT)
    popover = panel.findChild(ColorPopover)
    assert popover is not None and popover.isVisible()
    QTest.mouseClick(popover.chips[3], LEFT)
    assert selection.bodies()[0].color == "#2f9374" and panel.chip.color.name() == "#2f9374"
    QTest.mouseClick(panel.lock, LEFT)
    assert selection.bodies()[0].locked and document.history.count() == 3


def test_the_card_tells_size_and_mass_or_the_problem(
    inspector: Inspector, selection: Selection, document: Document
) -> None:
    key = key_of(document, "Brick 1")
    selection.set([key])
    assert inspector.body.card.title.text == "Box, 1.2 kg"
    assert inspector.body.card.sentence.text == "20 × 10 × 6 cm. A material of its own."
    asked: list[ProblemItem] = []
    ran: list[str] = []
    inspector.fix_requested.connect(asked.append)
    item = ProblemItem(
        "error", "overlap", (key,), "Brick 1 is 4 mm inside Ball.", "Push apart", lambda: ran.append("x")
    )
    inspector.set_problems([item])
    assert inspector.body.card.title.text == item.message
    QTest.mouseClick(inspector.body.card.button, LEFT)
    assert asked == [item] and ran == ["x"]
    inspector.set_problems([])
    assert inspector.body.card.title.text == "Box, 1.2 kg"


def test_a_hidden_panel_does_no_work_and_catches_up(
    inspector: Inspector, selection: Selection, document: Document
) -> None:
    selection.set([key_of(document, "Ball")])
    inspector.show_tab("scene")
    type_into(inspector.scene.vector[2], "-1")
    document.edit("Move", edits.translate(document.scene, selection.ids, (1, 0, 0)))
    assert inspector.body.ending.position[0].value == 0.0
    inspector.show_tab("body")
    assert inspector.body.ending.position[0].value == 1.0


def test_scene_panel(inspector: Inspector, document: Document) -> None:
    QTest.mouseClick(inspector.rail.tabs["scene"], LEFT)
    scene = inspector.scene
    assert inspector.tab == "scene" and scene.gravity.current == "earth"
    QTest.mouseClick(scene.gravity, LEFT, NONE, scene.gravity.area_of(1).center().toPoint())
    assert document.scene.gravity == (0.0, 0.0, -1.62) and document.history.undoText() == "Gravity of the Moon"
    type_into(scene.vector[0], "2")
    assert document.scene.gravity == (2.0, 0.0, -1.62) and scene.gravity.current is None
    QTest.mouseClick(scene.ground, LEFT)
    assert not document.scene.ground and not scene.ground_preset.isVisible()
    QTest.mouseClick(scene.ground, LEFT)
    scene.ground_preset.chosen.emit("Ice")
    assert document.scene.ground_material is not None and scene.ground_values["friction"].value == 0.05
    type_into(scene.ground_values["friction"], "0.1")
    assert document.scene.ground_material.friction == 0.1
    assert [scene.counts[k].text for k in ("Moving bodies", "Static bodies", "Groups", "Hints")] == ["7", "0", "1", "1"]
    document.history.setIndex(0)
    assert scene.gravity.current == "earth" and scene.ground.on


def test_problems_panel(inspector: Inspector, selection: Selection, document: Document) -> None:
    ball = key_of(document, "Ball")
    items = [
        ProblemItem("warning", "floating", (ball,), "Ball hangs 3 cm above the ground.", "Drop"),
        ProblemItem("error", "overlap", (ball, "gone"), "Ball is 4 mm inside Brick 1."),
    ]
    inspector.show_tab("problems")
    assert inspector.problems.empty.words.text == "No problems. This ending can stand."
    inspector.problems.set_checking(True)
    assert inspector.problems.empty.words.text == "Checking…"
    inspector.set_problems(items)
    assert inspector.rail.tabs["problems"].badge == "2"
    assert [card.title.text for card in inspector.problems.cards] == [items[1].message, items[0].message]
    QTest.mouseClick(inspector.problems.cards[0], LEFT, NONE, QPoint(5, 5))
    assert selection.ids == (ball,)
    asked: list[ProblemItem] = []
    inspector.fix_requested.connect(asked.append)
    QTest.mouseClick(inspector.problems.cards[1].button, LEFT)
    assert asked == [items[0]]
    inspector.set_problems([replace(items[0], message=f"Problem {k}") for k in range(80)])
    assert len(inspector.problems.cards) == 60 and inspector.problems._more.text == "20 more. Mend these first."
    inspector.set_problems([])
    assert inspector.rail.tabs["problems"].badge == "" and inspector.problems._pages.currentIndex() == 0


def test_help_and_rail_by_keyboard(inspector: Inspector) -> None:
    table = [("View", [("F", "Frame the selection"), ("", "No key")]), ("Edit", [("Ctrl++", "Grow")])]
    inspector.help.set_shortcuts(table)
    inspector.help.set_shortcuts(table)
    assert sum(len(section.findChildren(KeyCaps)) for section in inspector.help._sections) == 2
    inspector.rail.tabs["problems"].setFocus()
    QTest.keyClick(inspector.rail.tabs["problems"], Qt.Key.Key_Down)
    QTest.keyClick(inspector.rail.tabs["help"], Qt.Key.Key_Return)
    assert inspector.tab == "help"


def test_a_theme_change_recolours(inspector: Inspector, selection: Selection, document: Document, look: Look) -> None:
    selection.set([key_of(document, "Ball")])
    for theme in ("light", "dark"):
        look.set_theme(theme)
        picture = inspector.grab().toImage()
        assert picture.pixelColor(4, inspector.height() - 4) == look.color("panel")


def test_idle_panels_do_not_repaint(
    inspector: Inspector, selection: Selection, document: Document, qtbot: QtBot
) -> None:
    selection.set([key_of(document, "Ball")])
    qtbot.wait(50)
    painted: list[int] = []

    field = inspector.body.ending.position[0]
    original = type(field).paintEvent
    type(field).paintEvent = lambda self, event: (painted.append(1), original(self, event))[1]  # type: ignore[method-assign]
    try:
        inspector.body.refresh()
        qtbot.wait(80)
    finally:
        type(field).paintEvent = original  # type: ignore[method-assign]
    assert painted == []


def noting(painted: dict[str, str], field: NumberField) -> Callable[..., str]:
    """Notes what a field writes into itself."""
    fitting = field._fitting
    return lambda metrics, width: painted.setdefault(field.accessibleName(), fitting(metrics, width))


def test_the_narrowest_tab_shows_positions_to_the_millimetre(
    inspector: Inspector, selection: Selection, document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspector.resize(312, 600)
    body = document.scene.bodies[0]
    document.edit("Move", edits.set_fields(document.scene, [body.id], position=(-0.1, -2.105, 0.1)))
    selection.set([body.id])
    qtbot.wait(50)
    painted: dict[str, str] = {}
    for field in inspector.body.ending.findChildren(NumberField):
        monkeypatch.setattr(field, "_fitting", noting(painted, field))
        field.grab()
    assert [painted[f"Position {axis}"] for axis in "XYZ"] == ["-0.100", "-2.105", "0.100"]
