"""Where a body could come from, in the window: asked, watched, stopped, seen otherwise, snapped, undone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from standins import filled

from app.document import edits
from app.panels.reach_panel import OVERTAKEN, SNAP
from engine.scene.reach_map import BEATS, FELL, RESTED, ReachMap, pose_of
from engine.scene.settled import Settled


def reach_map(body, count: int = 40, stays: bool = True) -> ReachMap:
    """Throws that end in a row along x, .1 m to .5 m from the body, and came straight down; a tenth fell away."""
    ending = pose_of(body.position, body.orientation)
    rest = np.tile(ending, (count, 1))
    rest[:, 0] += np.linspace(0.1, 0.5, count)
    way = np.repeat(rest[:, None].astype(np.float32), BEATS + 1, axis=1)
    way[:, :, 2] += 0.05 * np.arange(BEATS + 1, dtype=np.float32)
    fate = np.where(np.arange(count) % 10 == 9, FELL, RESTED).astype(np.int8)
    room = np.stack([ending[:3] - 1.0, ending[:3] + 1.0])
    outlines = {plane: (np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),) for plane in ("top", "front", "side")}
    start = way[:, -1].copy()
    return ReachMap(body.id, body.name, 0, 0.1, room, "all", fate, start, rest, way, ending, stays, outlines)


def asked(window):
    """The active body's job."""
    window.studio.selection.set(filled(window.studio.document, 2))
    window.actions_by_id.run("inspect.reach")
    ((job, _, (body, throws, seed)),) = window.studio.pool.aside().jobs
    assert body == window.studio.selection.active and throws == 10_000 and seed == 0
    return job


@pytest.fixture
def shown(window):
    """A window with a map of the active body."""
    asked(window).finished.emit(reach_map(window.studio.selection.active_body()))
    return window


def test_it_throws_the_active_body_and_tells_how_far_it_is(window) -> None:
    panel, action = window.reach.panel, window.actions_by_id["inspect.reach"]
    assert not action.isEnabled() and "Select a body that can move" in action.toolTip()
    job = asked(window)
    assert window.inspector.tab == "reach" and panel.card.title.text == "Throwing"
    job.progressed.emit(0.31, "3,100 of 10,000 throws")
    assert panel.card.sentence.text.startswith("3,100 of 10,000 throws") and panel.card.button.words == "Stop"
    assert " left" in panel.card.sentence.text
    job.finished.emit(reach_map(window.studio.selection.active_body()))
    assert panel.card.title.text == "Hardly within reach" and "10.0 cm away" in panel.card.sentence.text
    assert panel.counts.text == "36 of 40 throws come to rest, 4 fall away."
    window.studio.selection.set(["b1"])
    assert panel.card.button.words == "Throw Box 1"


def test_the_map_is_seen_from_other_sides_and_at_other_times(shown) -> None:
    panel = shown.reach.panel
    assert len(panel.place.shown.points) == 36 and panel.turn_words.text.startswith("x and turn")
    high = panel.found.ending[2]
    panel.planes.chosen.emit("front")
    assert panel.place.shown.points[:, 1] == pytest.approx(high)
    panel.moments.chosen.emit("0.5 s before")
    assert panel.place.shown.points[:, 1] == pytest.approx(high + 0.5, abs=1e-5)
    panel.moments.chosen.emit("When let go")
    assert panel.place.shown.points[:, 1] == pytest.approx(high + 2.0, abs=1e-5)
    panel.near.toggled.emit(True)
    assert len(panel.place.shown.points) == 20 and "20 throws" in panel.place_words.text
    assert panel.place.shown.points[:, 0].max() < panel.found.ending[0] + 0.35


def test_stopping_ends_the_process(window) -> None:
    job = asked(window)
    window.reach.panel.card.fix_requested.emit()
    assert window.studio.pool.aside().stopped and window.reach.panel.card.title.text == "Box 2"
    job.finished.disconnect()


def test_what_went_wrong_is_told(window) -> None:
    asked(window).failed.emit("Box 2 is held by a joint, and cannot be thrown by itself.")
    assert "held by a joint" in window.reach.panel.card.sentence.text


def test_snapping_is_one_edit_that_undo_takes_back(shown) -> None:
    studio, panel = shown.studio, shown.reach.panel
    body = studio.selection.active_body()
    place, nearest = body.position, panel.found.rest[0]
    assert panel.card.button.words == SNAP
    panel.card.fix_requested.emit()
    _, (job, scene, sent) = studio.pool.aside().jobs
    assert scene is studio.document.scene and len(sent.fate) == 8 and (sent.rest[0] == nearest).all()
    to = tuple(float(c) for c in nearest[:3])
    job.finished.emit(Settled({body.id: (to, body.orientation)}, (), ()))
    assert studio.document.scene.find(body.id).position == to
    assert panel.card.title.text == "Within reach" and panel.card.button.words != SNAP
    shown.actions_by_id.run("edit.undo")
    assert studio.document.scene.find(body.id).position == place and panel.card.title.text == "Hardly within reach"


def test_snapping_throws_first_what_was_not_thrown(window) -> None:
    window.studio.selection.set(filled(window.studio.document, 2))
    window.actions_by_id.run("inspect.snap")
    ((job, _, _),) = window.studio.pool.aside().jobs
    job.finished.emit(reach_map(window.studio.selection.active_body()))
    assert len(window.studio.pool.aside().jobs) == 2 and window.reach.panel.card.title.text == "Throwing"


def test_a_body_that_was_moved_meanwhile_is_not_snapped(shown) -> None:
    studio = shown.studio
    body = studio.selection.active_body()
    shown.actions_by_id.run("inspect.snap")
    _, (job, _, _) = studio.pool.aside().jobs
    studio.document.edit("Move", edits.translate(studio.document.scene, [body.id], (0.0, 0.2, 0.0)))
    moved = studio.document.scene.find(body.id).position
    job.finished.emit(Settled({body.id: ((9.0, 9.0, 9.0), body.orientation)}, (), ()))
    assert studio.document.scene.find(body.id).position == moved


def test_another_body_that_moves_makes_the_map_old(shown) -> None:
    studio, panel = shown.studio, shown.reach.panel
    studio.document.edit("Move", edits.translate(studio.document.scene, ["b1"], (0.0, 0.2, 0.0)))
    assert panel.verdict is None and panel.card.sentence.text == OVERTAKEN


def test_throwing_again_throws_otherwise(shown) -> None:
    shown.reach.panel.again.clicked.emit()
    assert shown.studio.pool.aside().jobs[-1][2][2] == 1


def test_the_picture_is_saved(shown, answers, tmp_path: Path) -> None:
    answers.save = tmp_path / "map.png"
    shown.reach.panel.save_asked.emit()
    assert answers.save.read_bytes().startswith(b"\x89PNG")
    answers.save = tmp_path / "nowhere" / "map.png"
    shown.reach.panel.save_asked.emit()
    assert "could not be written" in shown.message.label.text()
