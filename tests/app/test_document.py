"""The document: edits, undo, merging of gestures, saving."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

from projects import open_project, save_project

from app.document import edits
from app.document.document import Document
from app.session.selection import Selection
from engine.scene.spec import Body, Box, Scene, Sphere


def two_boxes(document: Document) -> list[str]:
    scene, ids = edits.add(document.scene, [Body("Box", Box((0.1, 0.1, 0.1))), Body("Box", Sphere(0.1))])
    document.edit("Add", scene)
    return ids


def test_undo_goes_back_to_the_very_scene(qapp: object) -> None:
    document = Document()
    start = document.scene
    ids = two_boxes(document)
    assert [body.name for body in document.scene.bodies] == ["Box", "Box 1"]
    document.edit("Move", edits.translate(document.scene, ids, (0, 0, 1)))
    document.history.undo()
    document.history.undo()
    assert document.scene is start and not document.dirty
    document.history.redo()
    document.history.redo()
    assert [body.position for body in document.scene.bodies] == [(0, 0, 1)] * 2


def test_a_gesture_is_one_command_and_none_when_it_comes_back(qapp: object) -> None:
    document = Document()
    ids = two_boxes(document)
    for _ in range(3):
        document.edit("Move", edits.translate(document.scene, ids, (0, 0, 1)), gesture="drag 1")
    assert document.history.count() == 2
    document.edit("Move", edits.translate(document.scene, ids, (0, 0, -3)), gesture="drag 1")
    assert document.history.count() == 1


def test_a_preview_is_shown_but_is_no_command(qapp: object) -> None:
    document = Document()
    ids = two_boxes(document)
    told = []
    document.changed.connect(told.append)
    document.preview(edits.translate(document.scene, ids[:1], (1, 0, 0)))
    assert document.shown.bodies[0].position == (1, 0, 0) and document.scene.bodies[0].position == (0, 0, 0)
    document.preview(None)
    assert [change.changed for change in told] == [(ids[0],), (ids[0],)] and document.history.count() == 1


def test_selection_forgets_what_is_gone(qapp: object) -> None:
    document = Document()
    selection = Selection(document)
    ids = two_boxes(document)
    selection.set(ids)
    document.edit("Delete", edits.remove(document.scene, ids[1:]))
    assert selection.ids == (ids[0],)


def test_locked_bodies_stay(qapp: object) -> None:
    scene = Scene(bodies=[Body("a", Sphere(0.1), locked=True), Body("b", Sphere(0.1))])
    moved = edits.translate(scene, ["b1", "b2"], (1, 0, 0))
    assert moved.bodies[0] is scene.bodies[0] and moved.bodies[1].position == (1, 0, 0)
    assert [body.name for body in edits.remove(scene, ["b1", "b2"]).bodies] == ["a"]


def test_saved_is_clean_and_comes_back_the_same(qapp: object, tmp_path: Path) -> None:
    document = Document()
    ids = two_boxes(document)
    scene, _ = edits.group(document.scene, ids, "Pair")
    document.edit("Group", scene)
    save_project(document, tmp_path / "a.foregone")
    assert not document.dirty and document.title == "a"
    other = Document()
    open_project(other, tmp_path / "a.foregone")
    assert other.scene == document.scene and other.scene.groups[0].name == "Pair"


def test_edits_while_saving_stay_unsaved(qapp: object, tmp_path: Path) -> None:
    document = Document()
    ids = two_boxes(document)
    saving = document.begin_save(tmp_path / "a.foregone")
    document.edit("Move", edits.translate(document.scene, ids, (0, 0, 1)))
    saving.write()
    document.end_save(saving)
    assert document.dirty and document.title == "a"
    document.history.undo()
    assert not document.dirty and Scene.load(tmp_path / "a.foregone") == document.scene
    document.history.undo()
    assert document.dirty


def test_a_save_that_ends_under_another_document_says_nothing_about_it(qapp: object, tmp_path: Path) -> None:
    document = Document()
    two_boxes(document)
    saving = document.begin_save(tmp_path / "a.foregone")
    document.new()
    two_boxes(document)
    document.end_save(saving)
    assert document.dirty and document.path is None


def test_a_gesture_goes_back_to_the_saved_scene_but_not_over_it(qapp: object, tmp_path: Path) -> None:
    document = Document()
    ids = two_boxes(document)

    def drag(length: float) -> None:
        document.edit("Move", edits.translate(document.scene, ids, (0, 0, length)), gesture="drag")

    save_project(document, tmp_path / "a.foregone")
    drag(1)
    drag(-1)
    assert not document.dirty and document.history.count() == 1
    drag(2)
    save_project(document)
    drag(1)
    assert document.dirty and document.history.count() == 3
    document.history.undo()
    assert not document.dirty, "the saved scene can be reached"


def test_bodies_read_from_a_file_share_what_is_equal(qapp: object, tmp_path: Path) -> None:
    path = tmp_path / "a.foregone"
    halves = [(0.1, 0.1, 0.1), (0.1, 0.1, 0.1), (0.1, 0.1, 0.2), (0.0, 0.1, 0.1), (-0.0, 0.1, 0.1)]
    scene = Scene(bodies=[Body(f"Box {k}", Box(half)) for k, half in enumerate(halves)])
    scene.bodies[1].shape.extra["of another version"] = 1
    scene.bodies[2].material = replace(scene.bodies[2].material, friction=0.9)
    scene.bodies.append(Body("Box 5", Box(halves[2])))
    scene.save(path)
    document = Document()
    open_project(document, path)
    assert document.scene == scene and not document.dirty
    shapes, materials = ([getattr(body, name) for body in document.scene.bodies] for name in ("shape", "material"))
    assert [shapes.index(shape) if shape.extra else next(k for k, s in enumerate(shapes) if s is shape)
            for shape in shapes] == [0, 1, 2, 3, 4, 2]  # fmt: skip
    assert len({id(material) for material in materials}) == 2


def test_documents_that_are_dropped_do_not_crash_the_program(qapp: object) -> None:
    """The undo stack deletes its commands; a cycle through them once made the garbage collector do it again."""
    for _ in range(200):
        document = Document()
        for _ in range(25):
            two_boxes(document)
        del document
    gc.collect()


def test_wishes_about_the_arrival_go_with_their_bodies(qapp: object) -> None:
    document = Document()
    one, two = two_boxes(document)
    scene = edits.set_fields(replace(document.scene, arrival_order=["Box 1", one]), [two], leaves="never")
    renamed = edits.rename(scene, two, "Crate")
    assert renamed.arrival_order == [two, one], "a name is followed, as its id"
    copied, (fresh,) = edits.duplicate(renamed, [two])
    assert copied.find(fresh).leaves == "never" and copied.arrival_order == [two, one]
    assert edits.remove(copied, [two]).arrival_order == [one]
    document.edit("Wish", scene)
    document.history.undo()
    assert document.scene.arrival_order == []
