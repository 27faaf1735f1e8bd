"""The story of a die over a hole, with the real worker: where throws of it end is looked at, it is snapped there, and
put back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hand import LONG

from engine.scene.reach_map import pose_of
from tests.bench.scenes_reach import HOLE, die_by_a_hole

THROWS = 150


def test_a_die_over_a_hole_is_snapped_where_a_throw_ends(program, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("app.shell.reach_watch.THROWS", THROWS)
    scene = die_by_a_hole()
    scene.bodies[0] = replace(scene.bodies[0], position=(0.0, 0.0, 0.05))
    scene.save(tmp_path / "die.foregone")
    hand = program(tmp_path / "die.foregone")
    window, studio = hand.window, hand.window.studio
    panel = window.reach.panel
    (die,) = [body for body in studio.document.scene.bodies if not body.static]
    studio.selection.set([die.id])
    window.actions_by_id.run("inspect.reach")
    hand.wait(lambda: panel.has_map, LONG)
    assert panel.card.title.text == "Not at rest" and len(panel.found.fate) == THROWS
    assert panel.place.isVisible() and len(panel.place.shown.points) == len(panel.found.rested) > 10
    hand.click(panel.card.button)
    hand.wait(lambda: studio.document.scene.find(die.id).position != die.position, LONG)
    put = studio.document.scene.find(die.id)
    assert np.abs(put.position[:2]).max() > HOLE - 0.05 and panel.card.title.text == "Within reach"
    assert panel.found.distances(pose_of(put.position, put.orientation)).min() < 0.005
    window.actions_by_id.run("edit.undo")
    assert studio.document.scene.find(die.id).position == die.position
