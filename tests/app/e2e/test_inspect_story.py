"""The story of a box about to tip, with the real worker: its problem is listed, the tabs tell why, a push is dragged,
one click moves it back, and everything is fine."""

from __future__ import annotations

import numpy as np
from hand import LONG

from tests.bench.scenes import wall


def test_a_box_about_to_tip_is_found_explained_and_moved_back(program) -> None:
    hand = program(example="shelf_tip")
    window, studio = hand.window, hand.window.studio
    inspector, view = window.inspector, window.studio.view
    hand.wait(lambda: inspector.rail.tabs["problems"].badge == "1", LONG)
    hand.click(view)  # the keys go to the view
    hand.keys("Escape", "N")
    (box,) = [body for body in studio.document.scene.bodies if body.id in studio.selection.ids]
    assert box.name == "Long box"

    contact = inspector.inspections[2]
    hand.keys("Alt+6")
    hand.wait(lambda: contact.card.title.text == "About to tip", LONG)
    assert contact.plots and contact.states.state == "sticking" and view.overlay.found.patches.isVisible()
    assert not view.marks.layer.area.isEmpty(), "patch, edge and force are drawn"

    stability = inspector.inspections[0]
    hand.keys("Alt+4")
    hand.wait(lambda: stability.main is not None and stability.checks.isVisible())
    assert stability.card.title.text == "Stands"
    hand.click(stability.pushing.drag)
    (start,), _ = view.camera.project(np.array([box.position]), *view.extent)
    hand.drag(view, start, start - (200.0, 0.0))
    hand.wait(lambda: stability.card.title.text == "Does not hold")
    hand.click(stability.pushing.none)
    hand.wait(lambda: stability.card.title.text == "Stands")

    hand.keys("Alt+6")
    hand.wait(lambda: contact.card.title.text == "About to tip")
    hand.click(contact.card.button)
    hand.wait(lambda: contact.card.title.text == "Rests")
    hand.wait(lambda: inspector.rail.tabs["problems"].badge == "")


def test_every_tab_answers_for_a_wall_of_33_bricks(program, tmp_path) -> None:
    """`foregone bench inspectors` has the figures."""
    wall().save(tmp_path / "wall.foregone")
    hand = program(tmp_path / "wall.foregone")
    inspector, studio = hand.window.inspector, hand.window.studio
    body = studio.document.scene.bodies[16]
    studio.selection.set([body.id])
    for panel in inspector.inspections:
        inspector.show_tab(panel.topic.key)
        hand.wait(lambda panel=panel: panel.main is not None, LONG)
        assert panel.name.text == body.name and panel.card.title.text
