"""The outliner: rows, selection both ways, filter, rename, drags, menu, and that it follows edits row by row."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from panel_scenes import brick_scene, key_of, show_active
from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from app.look.look import Look
from app.panels import outliner_view
from app.panels.outliner_delegate import EYE, LOCK
from app.panels.outliner_model import ROWS_MIME, OutlinerModel
from app.panels.outliner_panel import OutlinerPanel
from app.panels.outliner_rows import dissolved, dropped
from app.session.selection import Selection
from engine.scene.spec import Body, Group, Scene, Sphere


@pytest.fixture
def panel(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> OutlinerPanel:
    made = OutlinerPanel(document, selection, look)
    qtbot.addWidget(made)
    made.resize(264, 420)
    show_active(qtbot, made)
    return made


def names(model: QAbstractItemModel, parent: QModelIndex | None = None, depth: int = 0) -> list[str]:
    """All rows, indented by their depth."""
    parent = parent or QModelIndex()
    found: list[str] = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        found += ["  " * depth + str(index.data()), *names(model, index, depth + 1)]
    return found


def click(
    panel: OutlinerPanel, index: QModelIndex, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    place = panel.view.visualRect(index).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, modifiers, place)


def row(panel: OutlinerPanel, name: str) -> QModelIndex:
    model = panel.model
    body = next((body for body in model.scene.bodies if body.name == name), None)
    if body is not None:
        return model.find(body.id)
    return model.find_group(next(group.id for group in model.scene.groups if group.name == name))


# Rows


def test_groups_are_folders_with_counts(panel: OutlinerPanel) -> None:
    assert names(panel.model) == ["Wall", *(f"  Brick {k}" for k in range(1, 7)), "Ball"]
    assert panel.model.row_of(row(panel, "Wall")).count == 6
    assert panel.model.is_hinted(key_of(panel._document, "Brick 2"))


def test_nested_groups(document: Document, panel: OutlinerPanel) -> None:
    scene, _ = edits.group(document.scene, [key_of(document, "Brick 1"), key_of(document, "Brick 2")], "Pair")
    document.edit("Group", scene)
    assert names(panel.model)[:4] == ["Wall", "  Pair", "    Brick 1", "    Brick 2"]
    assert panel.model.row_of(row(panel, "Wall")).count == 6


def test_a_group_inside_itself_is_still_shown(document: Document, panel: OutlinerPanel) -> None:
    document.edit("Loop", replace(document.scene, groups=[Group("x", "Loop", parent="x")]))
    assert "Loop" in names(panel.model)[0]


def test_nothing_there(panel: OutlinerPanel, document: Document) -> None:
    document.new()
    assert panel._pages.currentWidget() is panel._nothing
    assert panel._nothing.words.text == "Bodies you add appear here."
    document.edit("Add", edits.add(document.scene, [Body("Ball", Sphere(0.1))])[0])
    assert panel._pages.currentWidget() is panel.view


# Selection


def test_clicks_select_in_the_window(panel: OutlinerPanel, selection: Selection, document: Document) -> None:
    click(panel, row(panel, "Brick 2"))
    assert selection.ids == (key_of(document, "Brick 2"),)
    click(panel, row(panel, "Ball"), Qt.KeyboardModifier.ControlModifier)
    assert selection.active == key_of(document, "Ball") and len(selection.ids) == 2
    click(panel, row(panel, "Brick 1"))
    click(panel, row(panel, "Brick 4"), Qt.KeyboardModifier.ShiftModifier)
    assert set(selection.ids) == {key_of(document, f"Brick {k}") for k in (1, 2, 3, 4)}
    assert selection.active == key_of(document, "Brick 4")


def test_the_window_s_selection_selects_rows(panel: OutlinerPanel, selection: Selection, document: Document) -> None:
    wanted = {"Brick 1", "Brick 2", "Brick 5", "Ball"}
    selection.set(key_of(document, name) for name in sorted(wanted))
    assert {index.data() for index in panel.view.selectionModel().selectedIndexes()} == wanted
    assert panel.view.currentIndex().data() == "Brick 5"
    selection.clear()
    assert panel.view.selectionModel().selectedIndexes() == []


def test_a_folder_stands_for_what_is_in_it(panel: OutlinerPanel, selection: Selection, document: Document) -> None:
    click(panel, row(panel, "Wall"))
    assert set(selection.ids) == {key_of(document, f"Brick {k}") for k in range(1, 7)}
    assert len(panel.view.selectionModel().selectedIndexes()) == 6
    selection.set([key_of(document, "Ball")])
    click(panel, row(panel, "Wall"), Qt.KeyboardModifier.ControlModifier)
    assert len(selection.ids) == 7


def test_keys_walk_and_extend(panel: OutlinerPanel, selection: Selection, document: Document) -> None:
    click(panel, row(panel, "Brick 2"))
    QTest.keyClick(panel.view, Qt.Key.Key_Down)
    assert selection.ids == (key_of(document, "Brick 3"),)
    QTest.keyClick(panel.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert set(selection.ids) == {key_of(document, "Brick 3"), key_of(document, "Brick 4")}


def test_the_mouse_over_a_row_is_the_hover(
    qtbot: QtBot, panel: OutlinerPanel, selection: Selection, document: Document
) -> None:
    QTest.mouseMove(panel.view.viewport(), panel.view.visualRect(row(panel, "Brick 3")).center())
    qtbot.waitUntil(lambda: selection.hover == key_of(document, "Brick 3"))  # the X server answers when it can


def test_selection_survives_folding_and_rebuilding(
    panel: OutlinerPanel, selection: Selection, document: Document
) -> None:
    selection.set([key_of(document, "Brick 2")])
    panel.view.collapse(row(panel, "Wall"))
    document.edit("Order", edits.reorder(document.scene, [key_of(document, "Ball")], key_of(document, "Brick 1")))
    assert not panel.view.isExpanded(row(panel, "Wall"))
    assert selection.ids == (key_of(document, "Brick 2"),)
    assert [index.data() for index in panel.view.selectionModel().selectedIndexes()] == ["Brick 2"]


def test_rows_that_go_leave_the_rest_of_the_selection_alone(
    panel: OutlinerPanel, selection: Selection, document: Document
) -> None:
    wanted = [key_of(document, name) for name in ("Brick 4", "Brick 2", "Ball", "Brick 1")]
    selection.set(wanted)
    document.edit("Delete", edits.remove(document.scene, [key_of(document, "Brick 3"), wanted[1]]))
    assert selection.ids == (wanted[0], wanted[2], wanted[3])
    chosen = {index.data() for index in panel.view.selectionModel().selectedIndexes()}
    assert chosen == {"Brick 4", "Ball", "Brick 1"}
    document.edit("Delete", edits.remove(document.scene, [wanted[3]]))
    assert selection.ids == (wanted[0], wanted[2]) and selection.active == wanted[2]
    click(panel, row(panel, "Brick 5"))
    assert selection.ids == (key_of(document, "Brick 5"),)


# Eye, lock, filter, rename


@pytest.mark.parametrize(("slot", "field"), [(EYE, "hidden"), (LOCK, "locked")])
def test_eye_and_lock(panel: OutlinerPanel, selection: Selection, document: Document, slot: str, field: str) -> None:
    area = panel.view.delegate.slots(panel.view.visualRect(row(panel, "Brick 3")))[slot]
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, area.center())
    changed = [body.name for body in document.scene.bodies if getattr(body, field)]
    assert changed == ["Brick 3"] and document.history.count() == 1 and selection.ids == ()
    document.history.undo()
    assert not any(getattr(body, field) for body in document.scene.bodies)


def test_filter_and_clear(panel: OutlinerPanel) -> None:
    panel.filter.setFocus()
    QTest.keyClicks(panel.filter.line, "rick 3")
    assert names(panel.model) == ["Wall", "  Brick 3"]
    QTest.keyClicks(panel.filter.line, "x")
    assert panel._pages.currentWidget() is panel._unfound
    assert panel._unfound.words.text == "No body is called 'rick 3x'."
    QTest.mouseClick(panel._unfound.button, Qt.MouseButton.LeftButton)
    assert len(names(panel.model)) == 8 and panel.filter.text == ""
    QTest.keyClicks(panel.filter.line, "ball")
    QTest.keyClick(panel.filter.line, Qt.Key.Key_Escape)
    assert len(names(panel.model)) == 8


def test_filter_follows_edits(panel: OutlinerPanel, document: Document) -> None:
    panel.model.set_filter(text="ball")
    assert names(panel.model) == ["Ball"]
    document.edit("Rename", edits.rename(document.scene, key_of(document, "Brick 1"), "Balloon"))
    assert names(panel.model) == ["Wall", "  Balloon", "Ball"]


def test_filter_by_kind(panel: OutlinerPanel, document: Document) -> None:
    panel.model.set_problems({key_of(document, "Ball"): "Ball hangs."})
    for action in panel.filters_menu().actions():
        if action.text() == "With a problem":
            action.trigger()
    assert names(panel.model) == ["Ball"]
    panel.model.set_problems({})
    assert panel._pages.currentWidget() is panel._unfound
    panel.clear_filter()
    assert len(names(panel.model)) == 8


def test_rename_in_place(panel: OutlinerPanel, document: Document) -> None:
    click(panel, row(panel, "Brick 2"))
    QTest.keyClick(panel.view, Qt.Key.Key_F2)
    editor = panel.view.viewport().findChild(QLineEdit)
    assert editor is not None and editor.text() == "Brick 2"
    editor.selectAll()
    QTest.keyClicks(editor, "Corner stone")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()  # Qt closes the editor a moment later
    assert "Corner stone" in [body.name for body in document.scene.bodies]
    assert document.scene.hints[0].body == "Corner stone" and document.history.count() == 1


def test_rename_by_double_click_and_escape(panel: OutlinerPanel, document: Document) -> None:
    place = panel.view.visualRect(row(panel, "Ball")).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseDClick(panel.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseRelease(panel.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    editor = panel.view.viewport().findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "Marble")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert document.history.count() == 0


def test_rename_a_group(panel: OutlinerPanel, document: Document) -> None:
    assert panel.model.setData(row(panel, "Wall"), "Tower")
    assert document.scene.groups[0].name == "Tower" and names(panel.model)[0] == "Tower"
    assert not panel.model.setData(row(panel, "Tower"), "  ")


# Dragging


def drop(panel: OutlinerPanel, data: QMimeData, place: QPoint) -> None:
    """What the system sends when rows are dragged over the list and let go."""
    viewport = panel.view.viewport()
    action, button, none = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(viewport, QDragEnterEvent(place, action, data, button, none))
    QApplication.sendEvent(viewport, QDragMoveEvent(place, action, data, button, none))
    QApplication.sendEvent(viewport, QDropEvent(QPointF(place), action, data, button, none))


def test_drag_into_a_group(panel: OutlinerPanel, document: Document) -> None:
    data = panel.model.mimeData([row(panel, "Ball")])
    drop(panel, data, panel.view.visualRect(row(panel, "Wall")).center())
    assert names(panel.model) == ["Wall", *(f"  Brick {k}" for k in range(1, 7)), "  Ball"]
    assert document.history.count() == 1
    document.history.undo()
    assert names(panel.model)[-1] == "Ball"


def test_drag_to_another_place_and_out_of_the_group(panel: OutlinerPanel, document: Document) -> None:
    upper_edge = panel.view.visualRect(row(panel, "Brick 2")).topLeft() + QPoint(30, 1)
    drop(panel, panel.model.mimeData([row(panel, "Brick 5"), row(panel, "Brick 6")]), upper_edge)
    order = ["Brick 1", "Brick 5", "Brick 6", "Brick 2", "Brick 3", "Brick 4"]
    assert [body.name for body in document.scene.bodies][:6] == order
    drop(panel, panel.model.mimeData([row(panel, "Brick 1")]), QPoint(100, 400))
    assert names(panel.model)[-2:] == ["Brick 1", "Ball"] and document.history.count() == 2


def test_dragging_starts_with_the_selected_rows(
    panel: OutlinerPanel, selection: Selection, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried: list[bytes] = []

    class Drag:
        def __init__(self, source: object) -> None: ...

        def setMimeData(self, data: QMimeData) -> None:
            carried.append(bytes(data.data(ROWS_MIME).data()))

        def exec(self, action: Qt.DropAction) -> None: ...

    monkeypatch.setattr(outliner_view, "QDrag", Drag)
    selection.set([key_of(document, "Brick 1"), key_of(document, "Brick 3")])
    viewport, place = panel.view.viewport(), panel.view.visualRect(row(panel, "Brick 3")).center()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    for y in (6, 14, 30):
        QTest.mouseMove(viewport, place + QPoint(0, y))
        QApplication.processEvents()
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place + QPoint(0, 30))
    assert carried and all(key_of(document, name).encode() in carried[0] for name in ("Brick 1", "Brick 3"))
    assert document.history.count() == 0


def scenes_with_groups() -> st.SearchStrategy[Scene]:
    def build(groups: list[int], parents: list[int]) -> Scene:
        made = [Group(f"g{k}", f"G{k}", "" if p >= k else f"g{p}") for k, p in enumerate(parents)]
        bodies = [Body(f"B{i}", Sphere(1.0), group=f"g{g}" if g < len(made) else "") for i, g in enumerate(groups)]
        return Scene(bodies=bodies, groups=made)

    return st.builds(build, st.lists(st.integers(0, 5), max_size=12), st.lists(st.integers(0, 4), max_size=4))


@given(scenes_with_groups(), st.data())
def test_a_drop_loses_no_body_and_makes_no_circle(scene: Scene, data: st.DataObject) -> None:
    ids = [body.id for body in scene.bodies]
    groups = [group.id for group in scene.groups]
    moved = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
    folders = data.draw(st.lists(st.sampled_from(groups), unique=True)) if groups else []
    target = data.draw(st.sampled_from(["", *groups]))
    before = data.draw(st.sampled_from([None, "", *ids]))
    after = dropped(scene, moved, folders, target, before)
    assert sorted(body.id for body in after.bodies) == sorted(ids)
    assert {body.id for body in after.bodies if body.group == target} >= set(moved)
    parent = {group.id: group.parent for group in after.groups}
    for key in parent:
        steps = 0
        while key:
            key, steps = parent.get(key, ""), steps + 1
            assert steps <= len(parent)
    rest = [body.id for body in scene.bodies if body.id not in moved]
    assert [body.id for body in after.bodies if body.id not in moved] == rest


def test_a_dissolved_group_leaves_its_content_where_it_was() -> None:
    groups = [Group("a", "A"), Group("b", "B", "a"), Group("c", "C", "b")]
    scene = Scene(bodies=[Body("1", Sphere(1.0), group="b"), Body("2", Sphere(1.0), group="c")], groups=groups)
    after = dissolved(scene, "b")
    assert [body.group for body in after.bodies] == ["a", "c"]
    assert {group.id: group.parent for group in after.groups} == {"a": "", "c": "a"}


# Menu


def run(panel: OutlinerPanel, name: str, words: str) -> None:
    menu = panel.menu_for(row(panel, name))
    next(action for action in menu.actions() if action.text() == words).trigger()


def test_menu_acts_on_all_that_is_selected(panel: OutlinerPanel, selection: Selection, document: Document) -> None:
    selection.set([key_of(document, "Brick 1"), key_of(document, "Brick 2")])
    run(panel, "Brick 2", "Hide")
    assert [body.name for body in document.scene.bodies if body.hidden] == ["Brick 1", "Brick 2"]
    run(panel, "Brick 2", "Show")
    run(panel, "Brick 2", "Lock")
    menu = panel.menu_for(row(panel, "Brick 1"))
    assert not next(action for action in menu.actions() if action.text() == "Delete").isEnabled()
    run(panel, "Brick 2", "Unlock")
    run(panel, "Ball", "Delete")
    assert names(panel.model)[-1] == "  Brick 6"
    run(panel, "Brick 1", "Group")
    assert names(panel.model)[:4] == ["Wall", "  Group", "    Brick 1", "    Brick 2"]
    run(panel, "Group", "Select group members")
    assert len(selection.ids) == 2
    run(panel, "Wall", "Ungroup")
    assert names(panel.model)[0] == "Group"


# Following edits


def test_3000_bodies_follow_row_by_row(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> None:
    document.new(brick_scene(3000))
    panel = OutlinerPanel(document, selection, look)
    qtbot.addWidget(panel)
    panel.resize(264, 600)
    panel.show()
    told: list[str] = []
    model: OutlinerModel = panel.model
    model.dataChanged.connect(lambda *_: told.append("data"))
    model.rowsInserted.connect(lambda *_: told.append("in"))
    model.rowsRemoved.connect(lambda *_: told.append("out"))
    model.restyled.connect(lambda: told.append("paint"))
    model.modelReset.connect(lambda: told.append("reset"))
    ids = [body.id for body in document.scene.bodies]

    def after(edit: Scene) -> list[str]:
        told.clear()
        document.edit("Edit", edit)
        return sorted(told)

    assert after(edits.translate(document.scene, ids[:1], (0, 0, 1))) == ["data"]
    assert after(edits.translate(document.scene, ids, (0, 0, 1))) == ["paint"]
    assert after(edits.remove(document.scene, [ids[5]])) == ["data", "out"]
    assert after(edits.add(document.scene, [Body("New", Sphere(0.1))])[0]) == ["data", "in"]
    assert model.find(document.scene.bodies[-1].id).row() == 2
    for _ in range(2):
        told.clear()
        document.history.undo()
    assert sorted(told) == ["data", "in"]
    assert after(edits.remove(document.scene, ids[:100])) == [], "thousands of rows do not hold up the command"
    assert after(edits.translate(document.scene, ids[200:], (0, 0, 1))) == []
    QApplication.processEvents()
    assert told == ["reset"] and model.body_count() == len(document.scene.bodies)


def test_rows_match_a_fresh_tree_after_any_edits(
    document: Document, selection: Selection, look: Look, qtbot: QtBot
) -> None:
    panel = OutlinerPanel(document, selection, look)
    qtbot.addWidget(panel)
    for step in range(30):
        ids = [body.id for body in document.scene.bodies]
        scene = document.scene
        if step % 5 == 0:
            scene, _ = edits.duplicate(scene, ids[step % len(ids) :][:3])
        elif step % 5 == 1:
            scene = edits.remove(scene, ids[step % len(ids) :][:2])
        elif step % 5 == 2:
            scene = edits.reorder(scene, ids[:2], ids[-1])
        elif step % 5 == 3:
            scene, _ = edits.group(scene, ids[1:4])
        else:
            document.history.undo()
            scene = document.scene
        document.edit("Edit", scene)
        assert names(panel.model) == names(OutlinerModel(document))
        for body in document.scene.bodies:
            assert panel.model.find(body.id).data() == body.name


def test_a_change_among_3000_is_quick(document: Document, selection: Selection, look: Look, qtbot: QtBot) -> None:
    """Far below what would be felt, even on a machine ten times slower than usual."""
    document.new(brick_scene(3000))
    panel = OutlinerPanel(document, selection, look)
    qtbot.addWidget(panel)
    panel.show()
    selection.set([document.scene.bodies[7].id])
    start = time.process_time()
    for k in range(10):
        document.edit("Move", edits.translate(document.scene, selection.ids, (0, 0, 0.01 * (k + 1))))
    assert (time.process_time() - start) / 10 < 0.3
