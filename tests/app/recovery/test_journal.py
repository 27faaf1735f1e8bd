"""The journal: whatever was done to a document is there again after a crash."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from projects import finish, open_project, save_project

from app.document import edits
from app.document import journal as journal_module
from app.document.autosave import Autosave
from app.document.document import Document
from app.document.journal import Journal
from app.document.rescue import RescueError, discard, find_orphans, rescue, set_aside
from engine.scene.spec import Body, Hint, Hull, Scene, Sphere, TriangleMesh

ROOT = Path(__file__).resolve().parents[3]
CORNERS = np.array([[0, 0, 0.1], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.0]])


def leave(journal: Journal) -> Path:
    """As if the program had been killed: the system lets go of the lock, the files stay."""
    assert journal.folder is not None and journal._lock is not None
    journal._lock.release()
    for epoch in journal._epochs:
        epoch.close()
    return journal.folder


def ball(x: float = 0.0) -> Body:
    return Body("Ball", Sphere(0.1), (x, 0, 1 / 3))


def add_ball(document: Document, x: float = 0.0) -> None:
    document.edit("Add", edits.add(document.scene, [ball(x)])[0])


def pick(scene: Scene, number: int) -> list[str]:
    ids = [body.id for body in scene.bodies]
    return ids[number % len(ids) :][:2] if ids else []


STEPS: dict[str, Callable[[Scene, int], Scene]] = {
    "ball": lambda s, n: edits.add(s, [ball(n / 7)])[0],
    "hull": lambda s, n: edits.add(s, [Body("Hull", Hull(CORNERS * (1 + n)))])[0],
    "mesh": lambda s, n: edits.add(s, [Body("Mesh", TriangleMesh(np.eye(3) * n, [[0, 1, 2]]), static=True)])[0],
    "move": lambda s, n: edits.translate(s, pick(s, n), (0.1 * n, 1e-17, -1 / 3)),
    "scale": lambda s, n: edits.scale(s, pick(s, n), (0, 0, 0), (1.5, 1, 1)),
    "remove": lambda s, n: edits.remove(s, pick(s, n)),
    "group": lambda s, n: edits.group(s, pick(s, n))[0] if pick(s, n) else s,
    "ungroup": lambda s, n: edits.ungroup(s, pick(s, n)),
    "order": lambda s, n: edits.reorder(s, pick(s, n), pick(s, n + 1)[0] if pick(s, n + 1) else None),
    "first": lambda s, n: replace(s, bodies=[*edits.add(s, [ball()])[0].bodies[-1:], *s.bodies]),
    "rename": lambda s, n: edits.rename(s, pick(s, n)[0], "Ünïcode \ud83d 🎲") if pick(s, n) else s,
    "lock": lambda s, n: edits.set_fields(s, pick(s, n), locked=True),
    "material": lambda s, n: edits.set_material(s, pick(s, n), friction=0.01 * n),
    "hint": lambda s, n: replace(s, hints=[*s.hints, Hint("bounce", "b1", time=0.1 * n)]),
    "gravity": lambda s, n: replace(s, gravity=(0, 0, -float(n))),
    "extra": lambda s, n: replace(s, extra={"future": [n, {"deep": None}]}),
    "twice": lambda s, n: replace(s, bodies=[*s.bodies, replace(ball(), id="b1"), replace(ball(), id="b1")]),
}
PROGRAM = st.lists(st.tuples(st.sampled_from([*STEPS, "undo", "redo", "undo"]), st.integers(0, 9)), max_size=25)


def run(document: Document, program: list[tuple[str, int]]) -> None:
    for name, number in program:
        if name in ("undo", "redo"):
            getattr(document.history, name)()
        else:
            document.edit(name, STEPS[name](document.scene, number), gesture="drag" if name == "move" else "")


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PROGRAM, st.sampled_from([400, 400, 3, 0]), st.sampled_from([200, 200, 2, 0]))
def test_what_is_rescued_is_what_was_shown(
    qapp: object, tmp_path_factory: pytest.TempPathFactory, program: list[tuple[str, int]], often: int, at_once: int
) -> None:
    """Any commands, with undo and redo, with full copies at any rate, and with copies that are written in portions."""
    recovery = tmp_path_factory.mktemp("r")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal_module, "MOST_CHANGES", often)
        patch.setattr(journal_module, "AT_ONCE", at_once)
        document = Document()
        journal = Journal(document, recovery)
        for step in program:
            run(document, [step])
            journal.work()
        assert journal.trouble == ""
        if not document.dirty:
            journal.close()
            assert find_orphans(recovery) == [] and list(recovery.iterdir()) == []
            return
        finish(journal)
    leave(journal)
    (orphan,) = find_orphans(recovery)
    rescued = rescue(orphan.folder)
    assert rescued.scene == document.scene and rescued.complaint == ""
    assert rescued.title == "Untitled" and rescued.path is None


def test_cut_off_at_any_byte_a_journal_gives_what_came_before(qapp: object, tmp_path: Path) -> None:
    document = Document()
    journal = Journal(document, tmp_path)
    states = [document.scene]
    ends = []
    for step in [("ball", 1), ("hull", 2), ("move", 0), ("group", 0), ("undo", 0), ("gravity", 3), ("remove", 1)]:
        run(document, [step])
        states.append(document.scene)
        assert journal.folder is not None
        ends.append((journal.folder / "changes-1").stat().st_size)
    pristine = leave(journal)
    whole = (pristine / "changes-1").read_bytes()
    for cut in range(0, len(whole), 23):
        copy = tmp_path / "copies" / str(cut)
        shutil.copytree(pristine, copy)
        (copy / "changes-1").write_bytes(whole[:cut])
        orphans = find_orphans(copy.parent)
        complete = sum(end <= cut for end in ends)
        assert len(orphans) == (1 if cut else 0)
        for orphan in orphans:
            rescued = rescue(orphan.folder)
            assert rescued.scene in (states[complete], states[min(complete + 1, len(ends))]), cut
            discard(orphan.folder)


@pytest.mark.parametrize("damage", ["flip", "swap", "garbage"])
def test_damage_in_the_middle_is_told_and_costs_only_what_follows(qapp: object, tmp_path: Path, damage: str) -> None:
    document = Document()
    journal = Journal(document, tmp_path)
    for i in range(6):
        add_ball(document, i)
    file = leave(journal) / "changes-1"
    rows = file.read_bytes().splitlines(keepends=True)
    middle = len(rows) - 3
    rows[middle] = {"flip": rows[middle].replace(b"Ball", b"Bell"), "swap": rows[middle][1:], "garbage": b"\x00\xff\n"}[
        damage
    ]
    file.write_bytes(b"".join(rows))
    rescued = rescue(find_orphans(tmp_path)[0].folder)
    assert rescued.complaint == "The last changes were damaged and are missing."
    assert [body.position[0] for body in rescued.scene.bodies] == [0, 1, 2]


def test_a_damaged_copy_gives_the_bodies_before_the_damage(qapp: object, tmp_path: Path) -> None:
    document = Document()
    document.new(Scene(bodies=[replace(ball(i), name=f"Ball {i}") for i in range(150)], gravity=(0, 0, -2)))
    journal = Journal(document, tmp_path)
    add_ball(document)
    base = leave(journal) / "base-1"
    base.write_bytes(base.read_bytes()[:-3000])
    rescued = rescue(find_orphans(tmp_path)[0].folder)
    assert len(rescued.scene.bodies) == 100 and rescued.scene.gravity == (0, 0, -2)
    assert rescued.complaint == "Part of the scene was damaged and is missing."


def test_what_cannot_be_rescued_twice_is_moved_aside(qapp: object, tmp_path: Path) -> None:
    document = Document()
    journal = Journal(document, tmp_path)
    add_ball(document)
    folder = leave(journal)
    (folder / "base-1").write_bytes(b"nonsense")
    for _ in range(2):
        (orphan,) = find_orphans(tmp_path)
        with pytest.raises(RescueError) as caught:
            rescue(orphan.folder)
    assert find_orphans(tmp_path) == [] and caught.value.folder == tmp_path / "damaged" / folder.name
    assert (caught.value.folder / "changes-1").exists()


def test_a_rescue_that_crashes_the_program_is_not_offered_for_ever(qapp: object, tmp_path: Path) -> None:
    """The rescued scene itself kills the program, before any command: every new session inherits the count."""
    document = Document()
    journal = Journal(document, tmp_path)
    add_ball(document)
    leave(journal)
    offered = 0
    while orphans := find_orphans(tmp_path):
        offered += 1
        assert offered <= 2
        rescued = rescue(orphans[0].folder)
        document = Document()
        journal = Journal(document, tmp_path)
        journal.tries = rescued.tries
        document.recover(rescued.scene, rescued.path)
        finish(journal)
        discard(orphans[0].folder)
        leave(journal)
    assert offered == 2 and len(list((tmp_path / "damaged").iterdir())) == 1


def test_saved_work_is_not_offered_and_later_work_is(qapp: object, tmp_path: Path) -> None:
    document = Document()
    journal = Journal(document, tmp_path / "r")
    add_ball(document)
    save_project(document, tmp_path / "a.foregone")
    leave(journal)
    assert find_orphans(tmp_path / "r") == [] and not any((tmp_path / "r").iterdir())
    document = Document()
    open_project(document, tmp_path / "a.foregone")
    journal = Journal(document, tmp_path / "r")
    assert not any((tmp_path / "r").iterdir()), "nothing is written before there is something to lose"
    add_ball(document, 2.0)
    leave(journal)
    (orphan,) = find_orphans(tmp_path / "r")
    assert (orphan.title, orphan.path) == ("a", tmp_path / "a.foregone")
    assert rescue(orphan.folder).scene == document.scene


def test_a_running_window_is_not_rescued_and_a_clean_exit_leaves_nothing(qapp: object, tmp_path: Path) -> None:
    document = Document()
    journal = Journal(document, tmp_path)
    add_ball(document)
    assert find_orphans(tmp_path) == [] and journal.folder is not None
    journal.close()
    assert list(tmp_path.iterdir()) == []
    add_ball(document)
    assert list(tmp_path.iterdir()) == []


def test_previews_are_not_journaled(qapp: object, tmp_path: Path) -> None:
    document = Document()
    journal = Journal(document, tmp_path)
    document.preview(edits.add(document.scene, [ball()])[0])
    document.preview(None)
    assert journal.folder is None and list(tmp_path.iterdir()) == []
    journal.close()


def test_trouble_with_the_disk_costs_nothing_once_it_is_over(qapp: object, tmp_path: Path) -> None:
    recovery = tmp_path / "r"
    recovery.write_text("a file where the folder should be")
    document = Document()
    journal = Journal(document, recovery)
    add_ball(document)
    assert journal.trouble and len(document.scene.bodies) == 1
    recovery.unlink()
    add_ball(document, 1.0)
    assert journal.trouble == ""
    leave(journal)
    assert rescue(find_orphans(recovery)[0].folder).scene == document.scene


def test_a_large_command_is_written_in_portions(qtbot: object, tmp_path: Path) -> None:
    document = Document()
    document.new(Scene(bodies=[replace(ball(i), name=f"Ball {i}") for i in range(450)]))
    journal = Journal(document, tmp_path)
    autosave = Autosave(document, journal)
    document.edit("Move", edits.translate(document.scene, [body.id for body in document.scene.bodies], (0, 0, 1)))
    add_ball(document)
    assert journal.pending
    qtbot.waitUntil(lambda: not journal.pending)  # type: ignore[attr-defined]
    autosave.stop()
    leave(journal)
    assert rescue(find_orphans(tmp_path)[0].folder).scene == document.scene


def test_set_aside_keeps_the_files(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    assert set_aside(tmp_path / "s") == tmp_path / "damaged" / "s"


def test_a_killed_program_loses_at_most_one_command(qapp: object, tmp_path: Path) -> None:
    program = [sys.executable, str(Path(__file__).with_name("editing_program.py")), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(program, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout is not None
        told = 0
        while told < 60:
            told = int(process.stdout.readline())
        found = find_orphans(tmp_path)
        process.send_signal(signal.SIGKILL)
        assert found == [], "it still lived"
        told = max([told, *(int(line) for line in process.stdout.read().split())])
    (orphan,) = find_orphans(tmp_path)
    rescued = rescue(orphan.folder)
    made = round(-rescued.scene.gravity[2])
    assert told <= made <= told + 1 and len(rescued.scene.bodies) == made, (told, made)
    assert orphan.title == "Untitled" and rescued.complaint == ""
