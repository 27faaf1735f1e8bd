"""Edits of bodies and groups keep entrances sensible: they leave with whom they are for, follow names, are copied; undo
brings them back, and the journal knows them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.document import edits
from app.document.changes import change, changed_scene
from app.document.difference import difference
from app.document.document import Document
from app.document.fixes import about_value, fixed
from app.shell import clipboard
from engine.rules import scene_problems
from engine.scene.entrance import Camera, Entrance, Stage, Stagger
from engine.scene.spec import Body, Box, Group, Scene

BOX = Box((0.05, 0.05, 0.05))


def scene(*entrances: Entrance) -> Scene:
    """Two on the table, one of them in the tray on it."""
    bodies = [Body("die", BOX), Body("cup", BOX, (1, 0, 0), group="g1"), Body("pen", BOX, (2, 0, 0), group="g2")]
    return Scene(bodies, groups=[Group("g1", "Table"), Group("g2", "Tray", parent="g1")], entrances=list(entrances))


def asked(made: Scene) -> list[tuple[str, str]]:
    return [(entrance.who, entrance.kind) for entrance in made.entrances]


ALL = (Entrance(kind="drop"), Entrance("die", "toss"), Entrance("b3", "roll"), Entrance("Tray", "slide"))


def test_entrances_leave_with_their_bodies_and_groups() -> None:
    assert asked(edits.remove(scene(*ALL), ["b1"])) == [("", "drop"), ("b3", "roll"), ("Tray", "slide")]
    assert asked(edits.remove(scene(*ALL), ["b3"])) == [("", "drop"), ("die", "toss")], "the tray is empty now"
    assert asked(edits.ungroup(scene(*ALL), ["b3"])) == [("", "drop"), ("die", "toss"), ("b3", "roll")]
    locked = edits.set_fields(scene(*ALL), ["b1"], locked=True)
    assert asked(edits.remove(locked, ["b1"])) == asked(scene(*ALL))


def test_entrances_of_nobody_are_left_to_the_artist() -> None:
    odd = scene(Entrance("nobody"), Entrance("die"))
    assert asked(edits.remove(odd, ["b1"])) == [("nobody", "auto")]
    (problem,) = [each for each in scene_problems(odd) if each.severity == "error"]
    item = about_value(odd, problem)
    assert item.fix == "Delete entrance"
    mended = fixed(odd, item)
    assert mended is not None and asked(mended) == [("die", "auto")] and fixed(mended, item) is None


def test_entrances_follow_names() -> None:
    renamed = edits.rename(scene(*ALL), "b1", "cube")
    assert renamed.bodies[0].name == "cube" and renamed.entrance_of(renamed.bodies[0]).kind == "toss"
    renamed = edits.rename_group(scene(*ALL[:2], ALL[3]), "g2", "Dish")
    assert renamed.groups[1].name == "Dish" and renamed.entrance_of(renamed.bodies[2]).kind == "slide"
    assert scene_problems(renamed) == []


def test_others_of_the_same_name_keep_theirs() -> None:
    twins = scene(Entrance("die", "toss"))
    twins.bodies[1].name = "die"
    renamed = edits.rename(twins, "b1", "cube")
    assert [renamed.entrance_of(body).kind for body in renamed.bodies] == ["toss", "toss", "auto"]


def test_copies_come_in_like_their_originals() -> None:
    copied, (first, second) = edits.duplicate(scene(*ALL), ["b1", "b2"], (0, 1, 0))
    assert copied.entrance_of(copied.find(first)).kind == "toss"
    assert copied.entrance_of(copied.find(second)).kind == "drop" and len(copied.entrances) == len(ALL) + 1
    pasted, _ = clipboard.pasted(clipboard.from_text(clipboard.to_text(copied, [first])), copied)
    assert pasted.entrances == copied.entrances


def test_undo_brings_entrances_back(qapp: object) -> None:
    document = Document()
    document.edit("Begin", scene(*ALL))
    told = []
    document.changed.connect(told.append)
    document.edit("Delete", edits.remove(document.scene, ["b1", "b3"]))
    assert asked(document.scene) == [("", "drop")] and told[-1].settings
    document.history.undo()
    assert asked(document.scene) == asked(scene(*ALL))


@pytest.mark.parametrize(
    "fields",
    [
        {"entrances": [Entrance(side="left")]},
        {"stagger": Stagger("at once")},
        {"stage": Stage((0, 0, 0), (1, 1, 1))},
        {"camera": Camera(lens=35)},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_the_journal_and_the_panels_are_told(fields: dict) -> None:
    before = scene()
    after = replace(before, **fields)
    assert difference(before, after) and not difference(after, replace(after))
    for old, new in ((before, after), (after, before)):
        row = change(old, new, lambda arrays: "")
        assert changed_scene(old, row, lambda name, where: {}) == new != old
