"""Takes in the document: cards are part of undo, motions come along when saved, nothing is lost in between."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from projects import open_project, save_project

from app.document import take_edits
from app.document.document import Document
from app.document.lost_takes import sweep
from app.session.playback import Playback, best_take, rate_words
from engine.errors import ProjectError
from engine.scene.file import member_names
from engine.scene.film import read_film
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Scene
from engine.scene.take_files import FILM
from tests.app.films import film_arrays, film_bytes


def card(number: int, **fields: object) -> TakeCard:
    return TakeCard(f"t{number}", f"Take {number:02d}", energy=float(number), tiers=(1.0, 0, 0, 0, 0), **fields)  # type: ignore[arg-type]


def with_takes(document: Document, *numbers: int) -> None:
    for number in numbers:
        (document.takes.folder / FILM.format(f"t{number}")).write_bytes(film_bytes(seconds=1.0 + number))
    document.edit("Generate", take_edits.add_takes(document.scene, [card(number) for number in numbers]))


@pytest.fixture
def document(qapp: object, tmp_path: Path) -> Document:
    document = Document(scratch=tmp_path / "scratch")
    document.new(Scene(bodies=[Body("Box", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))]))
    return document


def test_motions_are_saved_and_come_back(document: Document, tmp_path: Path) -> None:
    with_takes(document, 1, 2)
    path = tmp_path / "a.foregone"
    save_project(document, path)
    assert [name for name in member_names(path) if name.startswith("films/")] == ["films/t1.npz", "films/t2.npz"]
    other = Document(scratch=tmp_path / "other")
    open_project(other, path)
    assert other.scene == document.scene
    film = other.takes.film("t2")
    assert film is not None and film.last == 3.0
    save_project(other, tmp_path / "b.foregone")
    assert member_names(tmp_path / "b.foregone") == member_names(path), "save as takes them along"


def test_a_discarded_take_leaves_the_file_but_undo_still_has_it(document: Document, tmp_path: Path) -> None:
    with_takes(document, 1, 2)
    path = tmp_path / "a.foregone"
    save_project(document, path)
    open_project(document, path)
    document.edit("Discard", take_edits.remove_takes(document.scene, ["t1"]))
    save_project(document)
    assert "films/t1.npz" not in member_names(path) and "films/t2.npz" in member_names(path)
    document.history.undo()
    film = document.takes.film("t1")
    assert document.dirty and film is not None and film.last == 2.0
    save_project(document)
    assert "films/t1.npz" in member_names(path)


def test_a_new_document_forgets_the_motions_of_the_old_one(document: Document) -> None:
    with_takes(document, 1)
    folder = document.takes.folder
    assert folder.is_dir()
    document.new()
    assert not folder.exists() and document.takes.film("t1") is None


def test_a_damaged_motion_is_told_not_shown(document: Document) -> None:
    with_takes(document, 1)
    (document.takes.folder / FILM.format("t1")).write_bytes(b"PK nothing")
    playback = Playback(document)
    playback.show("t1")
    assert playback.film is None and "cannot be read" in playback.trouble
    playback.show("t9")
    assert "is gone" in playback.trouble


def test_motions_of_a_program_that_died_are_found_by_their_hash(document: Document, tmp_path: Path) -> None:
    root = tmp_path / "scratch"
    dead = root / "takes-dead"
    for name in ("takes", "films"):
        (dead / name).mkdir(parents=True)
    for key, hash_ in (("t1", "abc"), ("t2", "of another project")):
        np.savez(dead / f"takes/{key}.npz", hash=np.array(hash_))
        (dead / f"films/{key}.npz").write_bytes(film_bytes())
    cards = [card(1, hash="abc"), card(2, hash="def")]
    document.recover(Scene(takes=cards), None)
    assert document.takes.film("t1") is not None and document.takes.film("t2") is None
    own = document.takes.folder
    sweep(root)
    assert own.is_dir() and not dead.exists(), "the living keep theirs"


BROKEN = {
    "a name is missing": lambda arrays: arrays.pop("energy"),
    "bodies and poses differ": lambda arrays: arrays.update(bodies=np.array(["b1", "b2", "b3"])),
    "not a number": lambda arrays: arrays["positions"].__setitem__((0, 0, 0), np.nan),
    "time runs back": lambda arrays: arrays.update(times=arrays["times"][::-1].copy()),
    "a row that is not there": lambda arrays: arrays.update(event_body=np.full((3, 2), 7, np.int32)),
    "a static body that is not there": lambda arrays: arrays.update(
        statics=np.array(["b9"]), event_body=np.array([[0, 2]], np.int32)
    ),
    "statics that are no names": lambda arrays: arrays.update(statics=np.zeros(2)),
    "objects": lambda arrays: arrays.update(times=np.array([object()] * 121)),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_film_that_does_not_fit_is_refused(fault: str) -> None:
    arrays = film_arrays(1.0)
    BROKEN[fault](arrays)
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    with pytest.raises(ProjectError, match="cannot be read"):
        read_film(stream.getvalue())


def test_films_know_their_static_bodies_and_earlier_ones_need_not() -> None:
    arrays = film_arrays(1.0) | {"statics": np.array(["b9"]), "event_body": np.array([[0, 1]], np.int32)}
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    assert read_film(stream.getvalue()).statics == ("b9",) and read_film(film_bytes()).statics is None


def test_between_samples_bodies_move_straight_and_turn_the_short_way() -> None:
    arrays = film_arrays(1.0)
    arrays["positions"][:, 0, 0] = arrays["times"]
    arrays["orientations"][:, 0] = (1, 0, 0, 0)
    arrays["orientations"][1::2, 0] = (-1, 0, 0, 0)  # the same turn, written the other way
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    film = read_film(stream.getvalue())
    for time in (0.0, 0.0123, 0.5001, 1.0):
        x, q = film.at(time)
        assert x[0, 0] == pytest.approx(time, abs=1e-6) and abs(q[0, 0]) == pytest.approx(1.0)
    assert film.at(-5.0)[0][0, 0] == 0.0 and film.at(5.0)[0][0, 0] == pytest.approx(1.0)


def test_ids_and_names_of_new_takes_are_free() -> None:
    scene = Scene(next_id=4, takes=[card(5), replace(card(9), name="Take 02")])
    after, given = take_edits.reserve(scene, 3)
    assert [key for key, _ in given] == ["t4", "t6", "t7"] and after.next_id == 8
    assert [name for _, name in given] == ["Take 03", "Take 04", "Take 06"]


def test_orders() -> None:
    honest = replace(card(8), tiers=(1.0, 0, 0, 0, 0), seconds=2.0)
    tuned = replace(card(3), tiers=(0.9, 0.1, 0, 0, 0), seconds=4.0)
    ghosted = replace(card(1), tiers=(0.95, 0, 0, 0.05, 0), seconds=3.0)
    broken = replace(card(0), stopped="diverges")
    cards = [honest, broken, tuned, ghosted]
    assert take_edits.ranked(cards) == [ghosted, tuned, honest, broken]
    assert take_edits.ranked(cards, "certificate") == [honest, tuned, ghosted, broken]
    assert take_edits.ranked(cards, "length")[:2] == [tuned, ghosted]


def test_thinning_keeps_the_calmest_the_pinned_and_the_shot() -> None:
    cards = [card(i, pinned=i == 6, rejected=i == 1) for i in range(1, 9)]
    scene = Scene(takes=cards, shot="t8")
    assert [c.id for c in take_edits.thin_takes(scene, 2).takes] == ["t2", "t3", "t6", "t8"]


@pytest.mark.parametrize("fps", [24000 / 1001, 24.0, 25.0, 30000 / 1001, 60.0, 120.0])
def test_the_authored_pose_falls_on_a_frame(document: Document, fps: float) -> None:
    with_takes(document, 1)
    document.edit("Rate", take_edits.ask_for(document.scene, fps=fps))
    playback = Playback(document)
    playback.show("t1")
    assert playback.at_ending and playback.time_of(playback.ending_frame) == playback.ending == 2.0
    assert playback.frame == playback.ending_frame == playback.last_frame == int(np.ceil(2.0 * fps - 1e-6))
    for frame in (0, 7, playback.last_frame):
        playback.go_to_frame(frame)
        assert playback.frame == frame
    playback.go_to_frame(3)
    assert not playback.at_ending
    playback.go_to_frame(10_000)
    assert playback.at_ending, "held at the end, bit for bit"


def test_who_edits_the_ending_sees_the_ending(document: Document) -> None:
    with_takes(document, 1)
    playback = Playback(document)
    playback.show("t1")
    playback.go(0.5)
    body = document.scene.bodies[0]
    assert not playback.stale or document.scene.takes[0].scene == ""
    document.edit("Move", replace(document.scene, bodies=[replace(body, position=(1, 0, 0.1))]))
    assert playback.at_ending and playback.stale
    document.edit("Discard", take_edits.remove_takes(document.scene, ["t1"]))
    assert playback.key == "" and playback.film is None


def test_a_reopened_project_shows_the_shot_else_the_calmest_take_that_matches() -> None:
    scene = Scene(bodies=[Body("Box", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))])
    own = fingerprint(scene)
    calm_but_old, wild, calm = card(1), card(9, scene=own), card(3, scene=own)
    assert best_take(replace(scene, takes=[calm_but_old, wild, calm])) is calm
    assert best_take(replace(scene, takes=[wild, replace(calm, rejected=True)])) is wild
    assert best_take(replace(scene, takes=[card(5), card(2)])).id == "t2", "none matches: the calmest of all"


def test_opening_shows_the_calmest(document: Document, tmp_path: Path) -> None:
    with_takes(document, 2, 1)
    save_project(document, tmp_path / "a.foregone")
    playback = Playback(document)
    document.new()
    open_project(document, tmp_path / "a.foregone")
    assert playback.key == "t1"
    document.edit("Shot", take_edits.promote(document.scene, "t2"))
    save_project(document, tmp_path / "a.foregone")
    open_project(document, tmp_path / "a.foregone")
    assert playback.key == "t2"


def test_rates_in_words() -> None:
    assert [rate_words(fps) for fps in (24000 / 1001, 24.0, 29.97)] == ["23.976 fps", "24 fps", "29.97 fps"]
