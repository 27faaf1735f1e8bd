"""Films and sequences on disk: complete or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.errors import ExportError
from engine.export import video
from engine.export.video import Mp4, PngSequence, even_size, frame_name, leftovers

FRAME = np.full((18, 32, 3), 90, np.uint8)


def test_a_film_is_in_place_only_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(b"old")
    with pytest.raises(KeyError), Mp4(path, (32, 18), 24.0) as film:
        film.add(FRAME)
        assert path.read_bytes() == b"old"
        raise KeyError
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    with Mp4(path, (32, 18), 24.0) as film:
        film.add(FRAME)
    assert path.stat().st_size > 300 and list(tmp_path.iterdir()) == [path]


def test_an_encoder_that_dies_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(b"old")
    monkeypatch.setattr(video, "_frames_in", lambda place: 0)
    film = Mp4(path, (32, 18), 24.0)
    film.add(FRAME)
    with pytest.raises(ExportError, match=r"encoder \(ffmpeg\) stopped. The old file is untouched."):
        film.finish()
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_films_that_cannot_be_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExportError, match="even number of pixels"):
        Mp4(tmp_path / "a.mp4", (33, 18), 24.0)
    with pytest.raises(ExportError, match="no folder"):
        Mp4(tmp_path / "none" / "a.mp4", (32, 18), 24.0)
    with pytest.raises(ExportError, match="at least one frame"), Mp4(tmp_path / "a.mp4", (32, 18), 24.0):
        pass
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "no_such_program"))
    with pytest.raises(ExportError, match="not installed here"):
        Mp4(tmp_path / "a.mp4", (32, 18), 24.0)
    assert list(tmp_path.iterdir()) == []


def test_a_frame_of_another_size_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a frame must be"), PngSequence(tmp_path / "a.png", (32, 18)) as pictures:
        pictures.add(FRAME[:9])
    assert list(tmp_path.iterdir()) == []


def test_pictures_come_all_at_once(tmp_path: Path) -> None:
    pictures = PngSequence(tmp_path / "a.png", (32, 18), 8)
    for _ in range(3):
        pictures.add(FRAME)
    assert list(tmp_path.glob("*.png")) == []
    pictures.finish()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.0008.png", "a.0009.png", "a.0010.png"]
    assert [each.name for each in leftovers(tmp_path / "a.png", 8, 2)] == ["a.0010.png"]
    assert frame_name(Path("a.png"), -7) == "a.-007.png" and even_size((1281, 721)) == (1280, 720)
