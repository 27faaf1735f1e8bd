"""Every edit, undo, redo, save and load in any order: the document never diverges from a plain list of scenes."""

from __future__ import annotations

import inspect
import math
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from projects import open_project, save_project

from app.document import edits, hint_edits, joint_edits, take_edits
from app.document.difference import difference
from app.document.document import Document
from app.document.material_presets import PRESETS
from app.session.selection import Selection
from app.tools.joining import joined
from app.tools.snapping import drop, to_ground
from engine.scene.shot import TakeCard
from engine.scene.spec import JOINT_KINDS, Body, Box, Capsule, Compound, Cylinder, Hint, Hull, Scene, Sphere
from engine.shapes.turns import about

SHAPES = (
    Box((0.1, 0.2, 0.05)),
    Sphere(0.1),
    Capsule(0.05, 0.1),
    Cylinder(0.1, 0.05),
    Hull([(0, 0, 0), (0.3, 0, 0), (0, 0.3, 0), (0, 0, 0.3)]),
    Compound([(Sphere(0.1), (0, 0, 0.1)), (Box((0.1, 0.1, 0.1)), (0, 0, -0.1))]),
)
LENGTHS = st.floats(-2.0, 2.0).map(lambda value: round(value, 3))
VECTORS = st.tuples(LENGTHS, LENGTHS, LENGTHS)
FACTORS = st.tuples(*[st.floats(0.3, 3.0)] * 3)
WORDS = st.sampled_from(["Brick", "Brick 2", "Ball", "a name with blanks ", "ä", ""])

KINDS = st.sampled_from(["bounce", "slide"])
TIMES = st.none() | st.floats(0.0, 4.0)


def some_hint(body: str, draw: Any) -> Hint:
    return Hint(draw(KINDS), body, (1.0, 0.0, 0.0), 2.0, time=draw(TIMES), stroke=[draw(VECTORS), (0.0, 0.0, 0.0)])


def hint_id(scene: Scene, draw: Any) -> str:
    return draw(st.sampled_from([hint.id for hint in scene.hints] or ["none"]))


def joint_id(scene: Scene, draw: Any) -> str:
    return draw(st.sampled_from([joint.id for joint in scene.joints] or ["none"]))


def joined_pair(scene: Scene, ids: list[str], draw: Any) -> Scene:
    if not ids:
        return scene
    return joint_edits.add_joint(scene, joined(scene, draw(st.sampled_from(JOINT_KINDS)), tuple(ids[:2])))[0]


Picked = list[str]


def _new_takes(scene: Scene, energies: list[float]) -> tuple[Scene, list[TakeCard]]:
    after, given = take_edits.reserve(scene, len(energies))
    rows = zip(given, energies, strict=True)
    return after, [TakeCard(key, name, energy=energy, notes=("a note",)) for (key, name), energy in rows]


def _some_takes(scene: Scene, draw: Any) -> list[str]:
    keys = [card.id for card in scene.takes]
    return draw(st.lists(st.sampled_from(keys), unique=True)) if keys else []


EDITS: dict[str, Callable[[Scene, Picked, Any], Scene]] = {
    "with_bodies": lambda scene, ids, draw: edits.with_bodies(scene, scene.bodies[::-1]),
    "alter": lambda scene, ids, draw: edits.alter(scene, ids, lambda body: edits.changed(body, arrival=0.5)),
    "set_fields": lambda scene, ids, draw: edits.set_fields(
        scene, ids, **draw(st.sampled_from([{"hidden": True}, {"locked": True}, {"static": True}, {"locked": False}]))
    ),
    "set_material": lambda scene, ids, draw: edits.set_material(scene, ids, friction=draw(st.floats(0.0, 2.0))),
    "assign_material": lambda scene, ids, draw: edits.assign_material(scene, ids, draw(st.sampled_from(PRESETS))),
    "place": lambda scene, ids, draw: edits.place(
        scene, {key: (draw(VECTORS), about((0, 0, 1), draw(LENGTHS))) for key in ids}
    ),
    "translate": lambda scene, ids, draw: edits.translate(scene, ids, draw(VECTORS)),
    "turn": lambda scene, ids, draw: edits.turn(scene, ids, draw(VECTORS), about((1, 2, 3), draw(LENGTHS))),
    "scale": lambda scene, ids, draw: edits.scale(scene, ids, draw(VECTORS), draw(FACTORS)),
    "add": lambda scene, ids, draw: edits.add(
        scene, [Body(draw(WORDS) or "Body", draw(st.sampled_from(SHAPES)), draw(VECTORS))]
    )[0],
    "remove": lambda scene, ids, draw: edits.remove(scene, ids[:1]),
    "duplicate": lambda scene, ids, draw: edits.duplicate(scene, ids[:3], draw(VECTORS))[0],
    "array": lambda scene, ids, draw: edits.array(scene, ids[:1], (2, 1, 2), (0.5, 0.5, 0.5))[0],
    "group": lambda scene, ids, draw: edits.group(scene, ids, draw(WORDS) or "Group")[0] if ids else scene,
    "ungroup": lambda scene, ids, draw: edits.ungroup(scene, ids),
    "rename_group": lambda scene, ids, draw: (
        edits.rename_group(scene, scene.groups[0].id, draw(WORDS)) if scene.groups else scene
    ),
    "without_empty_groups": lambda scene, ids, draw: edits.without_empty_groups(scene),
    "rename": lambda scene, ids, draw: edits.rename(scene, ids[0], draw(WORDS)) if ids else scene,
    "reorder": lambda scene, ids, draw: edits.reorder(scene, ids, draw(st.sampled_from([None, *ids]))),
    "reserve": lambda scene, ids, draw: take_edits.reserve(scene, draw(st.integers(0, 3)))[0],
    "add_takes": lambda scene, ids, draw: take_edits.add_takes(
        *_new_takes(scene, draw(st.lists(st.floats(0.0, 1e6), max_size=3)))
    ),
    "change_takes": lambda scene, ids, draw: take_edits.change_takes(
        scene, _some_takes(scene, draw), **draw(st.sampled_from([{"pinned": True}, {"rejected": True}, {"note": "!"}]))
    ),
    "remove_takes": lambda scene, ids, draw: take_edits.remove_takes(scene, _some_takes(scene, draw)),
    "thin_takes": lambda scene, ids, draw: take_edits.thin_takes(scene, draw(st.integers(0, 2))),
    "promote": lambda scene, ids, draw: take_edits.promote(scene, (["", *(c.id for c in scene.takes)])[-1]),
    "ask_for": lambda scene, ids, draw: take_edits.ask_for(
        scene, **draw(st.sampled_from([{"takes": 4}, {"seed": 9}, {"fps": 25.0}, {"first": 0.5}, {"first": None}]))
    ),
    "add_hint": lambda scene, ids, draw: hint_edits.add_hint(scene, some_hint(ids[0], draw))[0] if ids else scene,
    "put_hint": lambda scene, ids, draw: hint_edits.put_hint(scene, some_hint(ids[0], draw))[0] if ids else scene,
    "change_hint": lambda scene, ids, draw: hint_edits.change_hint(
        scene, hint_id(scene, draw), lambda hint: replace(hint, time=draw(TIMES))
    ),
    "remove_hints": lambda scene, ids, draw: hint_edits.remove_hints(scene, [hint_id(scene, draw)]),
    "move_hint": lambda scene, ids, draw: hint_edits.move_hint(scene, hint_id(scene, draw), ids[0]) if ids else scene,
    "copy_hint": lambda scene, ids, draw: hint_edits.copy_hint(scene, some_hint("", draw), ids)[0],
    "with_copies": lambda scene, ids, draw: hint_edits.with_copies(scene, scene, {key: ids[:1] for key in ids}),
    "add_joint": joined_pair,
    "change_joint": lambda scene, ids, draw: joint_edits.change_joint(
        scene, joint_id(scene, draw), lambda joint: joint_edits.moved_to(joint, draw(VECTORS))
    ),
    "remove_joints": lambda scene, ids, draw: joint_edits.remove_joints(scene, [joint_id(scene, draw)]),
    "with_copied_joints": lambda scene, ids, draw: joint_edits.with_copied_joints(
        scene, scene, dict(zip(ids, reversed(ids), strict=True))
    ),
    "add_copies": lambda scene, ids, draw: edits.add_copies(
        scene, scene.bodies[:2], [edits.changed(body, position=draw(VECTORS)) for body in scene.bodies[:2]]
    )[0],
    "drop": lambda scene, ids, draw: drop(scene, ids[:2]),
    "to_ground": lambda scene, ids, draw: to_ground(scene, ids),
}


def test_the_machine_knows_every_edit() -> None:
    makers = {
        name
        for module in (edits, hint_edits, joint_edits, take_edits)
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and "Scene" in str(inspect.signature(function).return_annotation)
    }
    assert makers <= set(EDITS)


class History(RuleBasedStateMachine):
    """The model: scenes in the order they came, and which of them is shown."""

    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.document = Document()
        self.selection = Selection(self.document)
        self.scenes, self.at, self.saved = [self.document.scene], 0, 0
        self.files = 0

    @rule(name=st.sampled_from(sorted(EDITS)), data=st.data())
    def edit(self, name: str, data: st.DataObject) -> None:
        scene = self.document.scene
        ids = [body.id for body in scene.bodies]
        picked = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
        before = [vars(entry).copy() for entry in (*scene.bodies, *scene.hints, *scene.joints)]
        after = EDITS[name](scene, picked, data.draw)
        left = [vars(entry) for entry in (*scene.bodies, *scene.hints, *scene.joints)]
        assert left == before, f"{name} changed the scene it was given"
        if self.document.edit(name, after):
            if self.saved > self.at:
                self.saved = -1  # undone and left behind
            self.scenes[self.at + 1 :] = [after]
            self.at += 1
        else:
            assert not difference(scene, after)

    @precondition(lambda self: self.document.scene.bodies)
    @rule(steps=st.lists(VECTORS, min_size=1, max_size=4), cancel=st.booleans())
    def drag(self, steps: list[tuple[float, float, float]], cancel: bool) -> None:
        """A gesture: previews, then one command or none."""
        start = self.document.scene
        ids = [start.bodies[0].id]
        for step in steps:
            self.document.preview(edits.translate(start, ids, step))
        if cancel:
            self.document.preview(None)
            assert self.document.shown is start
        elif self.document.edit("Move", edits.translate(start, ids, steps[-1])):
            if self.saved > self.at:
                self.saved = -1
            self.scenes[self.at + 1 :] = [self.document.scene]
            self.at += 1

    @rule()
    def undo(self) -> None:
        self.document.history.undo()
        self.at = max(0, self.at - 1)

    @rule()
    def redo(self) -> None:
        self.document.history.redo()
        self.at = min(len(self.scenes) - 1, self.at + 1)

    @rule(count=st.integers(0, 3))
    def select(self, count: int) -> None:
        self.selection.set(body.id for body in self.document.scene.bodies[:count])

    @precondition(lambda self: self.document.scene.hints)
    @rule(data=st.data())
    def choose_hint(self, data: st.DataObject) -> None:
        self.selection.choose_hint(hint_id(self.document.scene, data.draw))

    @precondition(lambda self: self.document.scene.joints)
    @rule(data=st.data())
    def choose_joint(self, data: st.DataObject) -> None:
        self.selection.choose_joint(joint_id(self.document.scene, data.draw))

    @rule()
    def save(self) -> None:
        self.files += 1
        path = Path(self.folder.name) / f"{self.files}.foregone"
        save_project(self.document, path)
        self.saved = self.at
        assert Scene.load(path) == self.document.scene

    @precondition(lambda self: self.document.path is not None)
    @rule()
    def load(self) -> None:
        open_project(self.document, self.document.path)
        self.scenes, self.at, self.saved = [self.document.scene], 0, 0

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "document"):
            return
        document = self.document
        assert document.scene is self.scenes[self.at] and document.shown is document.scene
        assert document.dirty == (self.at != self.saved)
        assert document.history.count() == len(self.scenes) - 1 and document.history.index() == self.at
        ids = [body.id for body in document.scene.bodies]
        assert len(set(ids)) == len(ids) and set(self.selection.ids) <= set(ids)
        takes = [card.id for card in document.scene.takes]
        assert len(set(takes)) == len(takes) and document.scene.shot in ("", *takes)
        hints = [hint.id for hint in document.scene.hints]
        assert "" not in hints and len(set(hints)) == len(hints)
        chosen = self.selection.chosen_hint()
        assert (chosen is None) == (self.selection.hint == "")
        assert chosen is None or hint_edits.body_of(document.scene, chosen).id == self.selection.active
        joints = [joint.id for joint in document.scene.joints]
        assert "" not in joints and len(set(joints)) == len(joints)
        for joint in document.scene.joints:
            held = joint_edits.bodies_of(document.scene, joint)
            assert len(held) == 1 + bool(joint.b) and all(math.isfinite(c) for c in (*joint.anchor, *joint.axis))
        linked = self.selection.chosen_joint()
        assert (linked is None) == (self.selection.joint == "") and not (linked and chosen)
        held = joint_edits.bodies_of(document.scene, linked) if linked is not None else []
        assert linked is None or {body.id for body in held} & set(self.selection.ids)
        assert all(math.isfinite(c) for body in document.scene.bodies for c in (*body.position, *body.orientation))

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()


@pytest.mark.usefixtures("qapp")
class TestHistory(History.TestCase):
    settings = settings(max_examples=200, stateful_step_count=30, deadline=None)
