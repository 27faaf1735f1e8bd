"""Contact statistics in the window: asked from the menu, watched, stopped, shown in words, saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from standins import filled

from app.document import edits
from engine.scene.contact_states import NOTHING, ContactStates


def states(apart: float = 0.043) -> ContactStates:
    table = np.tile(np.arange(480) // 120, (20, 1))
    table[0, 300:] = NOTHING
    return ContactStates(1 / 480, table, table[:12], apart, 0.06, b"\x89PNG")


def asked(window):
    """The active body's job."""
    window.studio.selection.set(filled(window.studio.document, 2))
    window.actions_by_id.run("takes.statistics")
    ((job, scene, body),) = window.studio.pool.aside().jobs
    assert body == window.studio.selection.active and [each.id for each in scene.bodies] == ["b1", "b2"]
    return job


def test_it_measures_the_active_body_and_tells_how_far_it_is(window) -> None:
    panel, action = window.contacts.panel, window.actions_by_id["takes.statistics"]
    assert not action.isEnabled() and "Select a body that can move" in action.toolTip()
    job = asked(window)
    assert window.inspector.tab == "landings" and panel.card.title.text == "Measuring"
    job.progressed.emit(0.31, "93 of 100 drops")
    assert panel.card.sentence.text == "31 % · 93 of 100 drops" and panel.card.button.words == "Stop"
    job.finished.emit(states())
    assert panel.verdict.text == "Backward runs land nearly like real drops."
    assert "4 %" in panel.words.text and "Total variation 0.043" in panel.term.toolTip()
    assert panel.forward_words.text == "Forward: 20 drops of Box 2" and panel.card.title.text == "Box 2"
    window.studio.selection.set(["b1"])
    assert panel.card.button.words == "Measure Box 1"


def test_stopping_ends_the_process(window) -> None:
    job = asked(window)
    window.contacts.panel.card.fix_requested.emit()
    assert window.studio.pool.aside().stopped and window.contacts.panel.card.title.text == "Box 2"
    assert window.contacts.panel.states is None
    job.finished.disconnect()


def test_what_went_wrong_is_told(window) -> None:
    asked(window).failed.emit("Box 2 is round and never comes to rest.")
    assert window.contacts.panel.card.sentence.text == "Box 2 is round and never comes to rest."


def test_static_bodies_are_not_measured(window) -> None:
    ids = filled(window.studio.document, 1)
    window.studio.document.edit("Static", edits.set_fields(window.studio.document.scene, ids, static=True))
    window.studio.selection.set(ids)
    assert not window.actions_by_id["takes.statistics"].isEnabled() and window.contacts.panel.body is None


def test_the_picture_is_saved(window, answers, tmp_path: Path) -> None:
    asked(window).finished.emit(states())
    answers.save = tmp_path / "states.png"
    window.contacts.panel.save_asked.emit()
    assert answers.save.read_bytes() == b"\x89PNG"
    answers.save = tmp_path / "nowhere" / "states.png"
    window.contacts.panel.save_asked.emit()
    assert "could not be written" in window.message.label.text()


def test_verdicts() -> None:
    assert states(0.01).verdict == "Backward runs land like real drops."
    assert states(0.2).verdict == "Backward runs land unlike real drops."
    assert "0.4 %" in states(0.004).words
