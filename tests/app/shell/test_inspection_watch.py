"""Inspectors are asked while their tab is open, about the selected body at the frame that is shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from standins import filled, with_take

from app.document import take_edits
from app.tools.tool import Pointer
from engine.scene.fingerprint import fingerprint
from engine.scene.inspection import Arrow, Drawing, Fix, Inspection, Mark
from engine.scene.take_files import TAPE


def stands(body: str, **more) -> Inspection:
    arrow = Arrow("normal", (0.0, 0.0, 0.0), (0.0, 0.0, 5.0), body)
    return Inspection("stability", (body,), "fine", "Stands", "It stands.", drawing=Drawing(arrows=(arrow,)), **more)


def tab(window, key: str):
    return next(panel for panel in window.inspector.inspections if panel.topic.key == key)


def test_the_selected_body_is_asked_about_while_the_tab_is_open(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    qtbot.wait(300)
    assert worker.questions == [], "nobody looks"
    panel = tab(window, "stability")
    panel.show()
    qtbot.waitUntil(lambda: len(worker.questions) == 1, timeout=3000)
    job, scene, question = worker.questions[0]
    assert scene is studio.document.scene and not panel.busy.isHidden()
    assert (question.body, question.topics, question.take) == (ids[0], ("stability",), None)
    job.finished.emit((stands(ids[0]),))
    assert panel.card.title.text == "Stands" and panel.busy.isHidden() and panel.moment.text == "ending"
    marks = studio.view.extra_marks["inspection"]
    assert [stroke.arrow for stroke in marks.strokes] == [1.0] and marks.labels[0].text == "5 N"
    studio.selection.set(ids[1:2])
    assert studio.view.extra_marks["inspection"] is None, "arrows are of another body"
    qtbot.waitUntil(lambda: len(worker.questions) == 2, timeout=3000)
    assert worker.questions[1][2].body == ids[1]
    panel.hide()
    assert window.inspecting.panel is None and panel.busy.isHidden()


def test_without_a_selection_it_says_what_to_do(window, qtbot) -> None:
    filled(window.studio.document)
    panel = tab(window, "contact")
    panel.show()
    qtbot.wait(300)
    assert window.studio.worker.questions == []
    assert panel.empty.words.text == "Select a body to see where it presses."


def test_a_push_is_asked_about_as_it_is_dragged(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    studio.selection.set(filled(studio.document)[:1])
    panel = tab(window, "stability")
    panel.show()
    qtbot.waitUntil(lambda: len(worker.questions) == 1, timeout=3000)
    worker.questions[0][0].finished.emit(())
    panel.pushing.set_push((0.0, 3.0, 4.0))
    qtbot.waitUntil(lambda: len(worker.questions) == 2, timeout=3000)
    push = worker.questions[1][2].push
    assert abs(push[1] - 3.0) < 1e-9 and abs(push[2] - 4.0) < 1e-9
    worker.questions[1][0].finished.emit(())
    panel.pushing.none.clicked.emit()
    qtbot.waitUntil(lambda: len(worker.questions) == 3, timeout=3000)
    assert worker.questions[2][2].push == (0.0, 0.0, 0.0)


def test_at_a_frame_the_record_of_the_take_is_asked(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    ids = filled(studio.document)
    with_take(studio, "t1")
    studio.playback.go(1.0)
    studio.selection.set(ids[:1])
    panel = tab(window, "contact")
    panel.show()
    qtbot.waitUntil(lambda: panel.empty.words.text.startswith("This take is older"), timeout=3000)
    card = studio.document.scene.takes[0]
    fresh = replace(card, scene=fingerprint(studio.document.scene))
    studio.document.edit("Generate", replace(studio.document.scene, takes=[fresh]))
    assert take_edits.card_of(studio.document.scene, "t1") == fresh and not studio.playback.stale
    studio.playback.go(0.5)
    qtbot.waitUntil(lambda: panel.empty.words.text.startswith("The record"), timeout=3000)
    (studio.document.takes.folder / TAPE.format("t1")).write_bytes(b"tape")
    studio.playback.go(0.75)
    qtbot.waitUntil(lambda: len(worker.questions) == 1, timeout=3000)
    question = worker.questions[0][2]
    assert question.take.card == fresh and question.time == 0.75 and not question.after
    assert question.take.files.fresh(TAPE.format("t1")) is not None
    assert question.topics == ("contact", "consistency") and panel.moment.text.startswith("frame ")


def test_other_poses_are_sent_for_a_take_that_is_older_than_the_scene(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    ids = filled(studio.document)
    with_take(studio, "t1")
    studio.playback.go(1.0)
    studio.selection.set(ids[:1])
    tab(window, "wedged").show()
    qtbot.waitUntil(lambda: len(worker.questions) == 1, timeout=3000)
    scene = worker.questions[0][1]
    film = studio.playback.film
    assert tuple(scene.bodies[0].position) == tuple(film.at(1.0)[0][film.row_of(ids[0])].tolist())


def test_the_fix_moves_the_body_and_is_undone(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    panel = tab(window, "stability")
    panel.show()
    qtbot.waitUntil(lambda: len(worker.questions) == 1, timeout=3000)
    before = studio.document.scene.bodies[0].position
    worker.questions[0][0].finished.emit((stands(ids[0], fix=Fix("Move it 5 cm", ids[:1], (0.05, 0.0, 0.0))),))
    panel.card.fix_requested.emit()
    assert studio.document.scene.bodies[0].position[0] == before[0] + 0.05
    studio.document.history.undo()
    assert studio.document.scene.bodies[0].position == before


def test_the_motion_swings_and_comes_back(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    panel = tab(window, "stability")
    panel.show()
    qtbot.waitUntil(lambda: len(worker.questions) == 1, timeout=3000)
    falling = stands(ids[0], motion=((0.0, 0.0, -1.0), (0.0, 2.0, 0.0)))
    worker.questions[0][0].finished.emit((falling,))
    panel.play.clicked.emit()
    qtbot.waitUntil(lambda: bool(getattr(studio.view, "poses", None)), timeout=3000)
    assert set(studio.view.poses) == {ids[0]}
    qtbot.waitUntil(lambda: not window.inspecting.layer._timer.isActive(), timeout=5000)
    assert studio.view.poses is None, "the ending is as it was"


def test_problems_are_joined_by_bodies_that_do_not_stand(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    ids = filled(studio.document)
    qtbot.waitUntil(lambda: len(worker.checks) == 1, timeout=3000)
    worker.checks[0][0].finished.emit([])
    assert window.inspector.items == [] and len(worker.surveys) == 1
    falls = Inspection("stability", (ids[1],), "bad", "Does not stand", "It would tip over.",
                       drawing=Drawing(marks=(Mark("unstable", (0, 0, 0), ids[1]),)))  # fmt: skip
    worker.surveys[0][0].finished.emit((falls,))
    assert [(item.message, item.bodies) for item in window.inspector.items] == [("It would tip over.", (ids[1],))]
    assert studio.view.problems == {ids[1]: "unstable"}


def test_every_tab_has_a_key(window, qtbot) -> None:
    keys = {entry: window.actions_by_id[f"inspect.{entry}"].shortcut().toString() for entry in ("stability", "contact")}
    assert keys == {"stability": "Alt+4", "contact": "Alt+6"}
    window.actions_by_id.run("inspect.wedged")
    assert window.inspector.tab == "wedged"


def test_a_push_is_dragged_in_the_view(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    panel = tab(window, "stability")
    panel.show()
    qtbot.waitUntil(lambda: len(worker.questions) == 1, timeout=3000)
    weight = Arrow("load", (0.0, 0.0, 0.0), (0.0, 0.0, -40.0), ids[0])
    found = Inspection("stability", (ids[0],), "fine", "Stands", "It stands.", drawing=Drawing(arrows=(weight,)))
    worker.questions[0][0].finished.emit((found,))
    panel.pushing.drag.clicked.emit()
    tool = studio.view.tool
    assert tool.name == "push" and [expect.key for expect in tool.expects()][0] == "Drag"
    body = studio.document.scene.bodies[0]
    (pixel,), _ = studio.view.camera.project(np.array([body.position]), *studio.view.extent)
    tool.press(Pointer(pixel[0], pixel[1], Qt.MouseButton.LeftButton))
    tool.move(Pointer(pixel[0], pixel[1] - 30.0, Qt.MouseButton.LeftButton))
    assert panel.push[2] > 0.0, "the mouse went up"
    level = Pointer(pixel[0] + 30.0, pixel[1] - 10.0, Qt.MouseButton.LeftButton, shift=True)
    tool.move(level)
    assert abs(panel.push[2]) < 1e-9 and tool.marks().labels[0].aside == "push"
    qtbot.waitUntil(lambda: worker.questions[-1][2].push == panel.push, timeout=3000)
    tool.release(level)
    qtbot.waitUntil(lambda: studio.view.tool is not tool, timeout=3000)
    assert any(panel.push), "what was found stays until it is let go"


def test_answers_come_while_a_push_is_dragged(window, qtbot) -> None:
    """The job under way is let finish: cancelling it with every movement would never give an answer."""
    studio, worker = window.studio, window.studio.worker
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    panel = tab(window, "stability")
    panel.show()
    qtbot.waitUntil(lambda: len(worker.questions) == 1, timeout=3000)
    job = worker.questions[0][0]
    cancelled = []
    job.cancelled.connect(lambda: cancelled.append(True))
    panel.pushing.set_push((1.0, 0.0, 0.0))
    qtbot.wait(200)
    assert not cancelled and len(worker.questions) == 1
    job.finished.emit((stands(ids[0]),))
    qtbot.waitUntil(lambda: len(worker.questions) == 2, timeout=3000)
    studio.selection.set(ids[1:2])
    qtbot.waitUntil(lambda: len(worker.questions) == 3, timeout=3000)
    assert worker.questions[2][2].body == ids[1], "another body is asked about at once"
