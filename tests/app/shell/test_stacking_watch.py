"""The stack is looked at while the panel is open, by the worker, and drawn in the view."""

from __future__ import annotations

from standins import filled

from engine.scene.seat import Seat, Stacking


def test_the_worker_is_asked_while_the_panel_is_open(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    filled(studio.document)
    qtbot.wait(400)
    assert worker.stackings == [], "nobody looks"
    window.inspector.stacking.show()
    qtbot.waitUntil(lambda: len(worker.stackings) == 1, timeout=3000)
    job, scene = worker.stackings[0]
    assert scene is studio.document.scene and not window.inspector.stacking.busy.isHidden()
    upper, lower = (body.id for body in scene.bodies[:2])
    seats = (
        Seat(lower, "lower", False, False, "held", (), (upper,), 0),
        Seat(upper, "upper", True, True, "free", (lower,), (), 1),
    )
    job.finished.emit(Stacking(seats, ()))
    assert window.inspector.stacking.stacking.seats == seats and window.inspector.stacking.busy.isHidden()
    strokes = studio.view.extra_marks["support"].strokes
    assert len(strokes) == 2, "shaft and head"
    places = {body.id: body.position for body in scene.bodies}
    assert tuple(strokes[0].points[0]) == places[upper] and tuple(strokes[0].points[-1]) == places[lower]
    studio.selection.set([upper])
    assert studio.view.extra_marks["support"].strokes[0].color != strokes[0].color
    window.inspector.stacking.hide()
    assert studio.view.extra_marks["support"] is None, "and no longer than somebody looks"


def test_an_edit_asks_again_and_an_old_answer_is_dropped(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    filled(studio.document)
    window.inspector.stacking.show()
    qtbot.waitUntil(lambda: len(worker.stackings) == 1, timeout=3000)
    filled(studio.document)
    qtbot.waitUntil(lambda: len(worker.stackings) == 2, timeout=3000)
    assert worker.stackings[1][1] is studio.document.scene
    worker.stackings[1][0].failed.emit("no")
    assert window.inspector.stacking.busy.isHidden()


def test_other_jobs_have_the_worker_for_themselves(window, qtbot) -> None:
    studio, worker = window.studio, window.studio.worker
    filled(studio.document)
    window.inspector.stacking.show()
    qtbot.waitUntil(lambda: len(worker.stackings) == 1, timeout=3000)
    window.actions_by_id.run("body.settle")
    assert studio.job is not None and window.inspector.stacking.busy.isHidden()
    studio.end_job()
    qtbot.waitUntil(lambda: len(worker.stackings) == 2, timeout=3000)
