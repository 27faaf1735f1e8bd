"""What is said about exports, where they go and how large they get. Without a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from subjects import falling, subject

from app.export import export_words as words
from app.export import place
from app.export.estimate import Contents, estimated_bytes, points_of
from app.export.outcome import outcome_of
from engine.export.settings import FORMATS, Settings, preset
from engine.export.write import export
from engine.run import backward
from engine.scene.dice import PIPS
from engine.scene.spec import Body, Box, Scene, Sphere


def test_the_summary_reads_as_a_sentence() -> None:
    said = words.summary(45, 108, 24.0, 600_000, words.ending_words(True))
    assert said == "45 bodies, 108 frames at 24 fps, 0.6 MB, ends exactly on your pose"
    assert words.done_words("wall_t07.usdc", said).startswith("Exported wall_t07.usdc · 45 bodies,")
    assert words.summary(1, 1, 24000 / 1001, 900, words.ending_words(False)) == (
        "1 body, 1 frame at 23.976 fps, 1 kB, without the ending"
    )
    assert words.ending_words(False, 0.003) == "ends up to 3 mm off your pose"


@pytest.mark.parametrize(
    ("size", "said"),
    [(10, "1 kB"), (48_200, "48 kB"), (600_000, "0.6 MB"), (12_400_000, "12 MB"), (2_340_000_000, "2.3 GB")],
)
def test_sizes(size: float, said: str) -> None:
    assert words.size_words(size) == said


def test_titles_keep_the_artists_names() -> None:
    assert words.title("Take 07") == "Export take 07"
    assert words.title("Calm one") == "Export Calm one"


def test_names_that_change_are_counted_and_listed() -> None:
    note = words.names_note([("Brick 1", "Brick_1"), ("Table", "Table")], "Maya")
    assert note.words == "1 name is changed for Maya." and note.tip == "Brick 1 → Brick_1"
    many = words.names_note([(f"B {i}", f"B_{i}") for i in range(20)], "Maya")
    assert many.words == "20 names are changed for Maya." and many.tip.endswith("and 8 more")
    assert words.names_note([("Table", "Table")], "Maya").words == "Names fit Maya’s rules"


def test_reasons_become_sentences() -> None:
    assert words.failed_words("the take was made for another scene") == "The take was made for another scene."
    assert words.failed_words("Could not write. The old file is untouched.").endswith("untouched.")


def test_names_of_files() -> None:
    assert place.usual_name("brick_wall", "Take 07", "usd") == "brick_wall_t07.usdc"
    assert place.usual_name("my shot/2", "calm one", "csv") == "my_shot_2_calm_one.csv"
    assert place.with_suffix_of(Path("a/wall.usdc"), "maya") == Path("a/wall.ma")
    assert place.with_suffix_of(Path("a/wall.usda"), "usd") == Path("a/wall.usda"), "a suffix the format knows stays"
    assert place.with_suffix_of(Path("a/wall.v2"), "csv") == Path("a/wall.v2.csv"), "what is no suffix of ours stays"
    assert place.shown(Path.home() / "shots" / "a.csv") == "~/shots/a.csv"


def test_typed_places(tmp_path: Path) -> None:
    assert place.typed("~/a.csv", tmp_path, "csv") == Path.home() / "a.csv"
    assert place.typed("b", tmp_path, "csv") == tmp_path / "b.csv"
    assert words.place_note(place.typed("", tmp_path, "csv")).kind == "error"  # type: ignore[union-attr]
    assert words.place_note(tmp_path / "none" / "a.csv").kind == "error"  # type: ignore[union-attr]
    (tmp_path / "a.csv").write_text("old")
    assert words.place_note(tmp_path / "a.csv").words == "Replaces a.csv."  # type: ignore[union-attr]


MEASURED = {"usd": 292_649, "glb": 173_932, "blender": 199_237, "blend": 436_093, "fbx": 587_948, "maya": 2_583_188,
            "houdini": 187_413, "alembic": 213_646, "csv": 254_315, "json": 192_429, "npz": 44_202}  # fmt: skip
"""Bytes of a take of 60 balls over 49 frames, as it was written."""


@pytest.mark.parametrize("format", MEASURED)
def test_estimates_are_within_a_factor_of_two(format: str) -> None:
    keys = 3751 if FORMATS[format].keys else 0
    points = points_of(Body("ball", Sphere(0.1)))
    guessed = estimated_bytes(Contents(format, 60, 60, 49, keys, 1304, "quaternion", 7.7, 0, 60 * points, points))
    assert 0.5 * MEASURED[format] < guessed < 2.0 * MEASURED[format]


@pytest.mark.parametrize("format", ["usd", "glb", "blender", "maya"])
@pytest.mark.parametrize("extra", [{}, {PIPS: True}], ids=["box", "die"])
def test_a_small_take_is_estimated_too(tmp_path: Path, format: str, extra: dict) -> None:
    """Where one surface is most of the file."""
    body = Body("it", Box((0.05, 0.05, 0.05)), (0.0, 0.0, 0.05), extra=extra)
    path = tmp_path / f"take{FORMATS[format].suffixes[0]}"
    clip = export(backward(Scene([body]), 1.0, 1 / 240, seed=1), path, Settings(format))
    moved = int((np.diff(clip.positions, axis=0) != 0.0).any(axis=-1).sum())
    points = points_of(body)
    assert points == len(clip.actors[0].surface.points)
    guessed = estimated_bytes(Contents(format, 1, 1, clip.frames.count, clip.frames.count, moved, points=points,
                                       shared_points=points))  # fmt: skip
    assert 0.5 * path.stat().st_size < guessed < 2.0 * path.stat().st_size


def test_counts_of_a_take(tmp_path: Path) -> None:
    what = subject()
    found = outcome_of(what, preset("blender", "glb", fps=24.0), "blender", tmp_path / "a.glb")
    assert (found.bodies, found.moving, found.still, found.spinning) == (3, 2, 1, 0)
    assert found.frames is not None and found.frames.count == 49 and found.keys == 98 and found.exact and found.ready
    keyed = outcome_of(what, Settings("glb", still_keys=True), "blender", tmp_path / "a.glb")
    assert keyed.keys == 147
    resting = outcome_of(what, Settings("glb", first=40), "blender", tmp_path / "a.glb")
    assert resting.moving == 0, "they rest from frame 36 on"


def test_fast_spinners_are_counted(tmp_path: Path) -> None:
    what = subject()
    angle = 2.0 * np.pi * 20.0 * what.film.times  # 20 turns per second: 300 degrees per frame
    what.film.orientations[:, 0, 0], what.film.orientations[:, 0, 3] = np.cos(angle / 2), np.sin(angle / 2)
    assert outcome_of(what, Settings("csv"), "data", tmp_path / "a.csv").spinning == 1
    assert outcome_of(what, Settings("csv", fps=60.0), "data", tmp_path / "a.csv").spinning == 0


def test_bodies_that_appear_are_told_where_little_comes_of_it(tmp_path: Path) -> None:
    what = subject(film=replace(falling(), seen=np.array([0.0, 1.0])))

    def told(format: str, target: str, **asked: Any) -> list[tuple[str, str]]:
        notes = outcome_of(what, Settings(format, **asked), target, tmp_path / "a").notes
        return [(note.kind, note.words) for note in notes if "appear" in note.words]

    assert [kind for kind, _ in told("glb", "web")] == ["info"]
    assert "1 body appears after the first frame, by a scale" in told("glb", "web")[0][1]
    assert [kind for kind, _ in told("usd", "blender")] == ["warning"]
    assert told("usd", "houdini") == told("blender", "blender") == told("csv", "data") == []
    assert told("glb", "web", first=30) == [], "it is seen by then"


def test_how_it_ends_is_told(tmp_path: Path) -> None:
    def ends(what, **asked) -> tuple[str, str]:
        note = outcome_of(what, Settings("csv", **asked), "data", tmp_path / "a.csv").notes[0]
        return note.kind, note.words

    what = subject()
    what.card.disorder = 0.003
    assert ends(subject()) == ("ok", "Ends exactly on your pose")
    assert ends(subject(), last=40) == ("warning", "The ending is cut off.")
    assert ends(what) == ("info", "Ends up to 3 mm off your pose: the take has disorder.")
    stale = outcome_of(subject(stale=True), Settings("csv"), "data", tmp_path / "a.csv")
    assert "Take 07 is older than the scene." in [note.words for note in stale.notes] and stale.ready
    assert not outcome_of(subject(), Settings("csv", first=90), "data", tmp_path / "a.csv").ready
