"""Films and picture sequences: the frames that the renderer draws, in files that others read."""

from __future__ import annotations

from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image
from subjects import subject

from app.camera import Camera
from app.export.film_export import FilmExport
from app.look.look import Look
from app.viewport.grid import grid_spacing
from app.viewport.offscreen import Offscreen
from app.viewport.renderer import Picture
from app.viewport.scene_cache import SceneCache
from app.viewport.tones import Tones
from engine.export.settings import Settings

CAMERA = Camera((0.5, 0.3, 0.2), 3.0)
SIZE = (160, 90)


def made(qtbot, settings: Settings, path: Path, what=None):
    """What finished the film."""
    run = FilmExport(what or subject(), settings, path, CAMERA, Look(), True)
    with qtbot.waitSignal(run.finished, timeout=30_000) as done:
        pass
    return done.args[0]


def authored() -> np.ndarray:
    """The scene as it was placed, drawn without knowing of any take."""
    look, offscreen = Look(), Offscreen()
    cache = SceneCache(look)
    cache.set_scene(subject().scene)
    spacing = grid_spacing(CAMERA.span() / 720.0)
    picture = Picture(cache.batches, cache.bounds(), CAMERA, *SIZE, spacing, True, Tones(look, 1.0), shadows=True)
    drawn = offscreen.pixels(picture)
    assert drawn is not None
    offscreen.release()
    return drawn.astype(int)


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the reader leaves its pipes to the garbage collector
def test_a_film_decodes_to_what_was_drawn(qtbot, tmp_path: Path) -> None:
    settings = Settings("mp4", fps=24000 / 1001, first=40, hold=2, width=161, height=90)
    told = made(qtbot, settings, tmp_path / "a.mp4")
    assert told.frames == 11 and told.exact and told.size == (tmp_path / "a.mp4").stat().st_size
    exactly = ["-sws_flags", "accurate_rnd+full_chroma_int"]  # else the reader rounds all colours down
    frames = imageio_ffmpeg.read_frames(str(tmp_path / "a.mp4"), output_params=exactly)
    about = next(frames)
    assert about["size"] == SIZE and about["fps"] == pytest.approx(23.976, abs=0.01)
    pictures = [np.frombuffer(data, np.uint8).reshape(90, 160, 3).astype(int) for data in frames]
    assert len(pictures) == 11
    wanted = authored()
    assert np.abs(pictures[-1] - wanted).mean() < 2.0 and wanted.std() > 15.0
    assert [each.name for each in tmp_path.iterdir() if each.name != "home"] == ["a.mp4"]


def test_pictures_are_numbered_by_frame(qtbot, tmp_path: Path) -> None:
    (tmp_path / "wall.0200.png").write_bytes(b"of an earlier export")
    told = made(qtbot, Settings("png", first=45, last=48, start=101, width=160, height=90), tmp_path / "wall.png")
    names = sorted(each.name for each in tmp_path.glob("*.png"))
    assert names == [f"wall.0{n}.png" for n in (101, 102, 103, 104, 200)]
    assert told.path.endswith("wall.0104.png") and "earlier export" in told.notes[0]
    last = np.asarray(Image.open(tmp_path / "wall.0104.png")).astype(int)
    assert (last == authored()).all(), "without any loss"


def test_the_film_moves(qtbot, tmp_path: Path) -> None:
    made(qtbot, Settings("png", last=30, first=30, width=160, height=90), tmp_path / "a.png")
    early = np.asarray(Image.open(tmp_path / "a.0001.png")).astype(int)
    assert np.abs(early - authored()).max() > 40


@pytest.mark.parametrize("format", ["mp4", "png"])
def test_a_stopped_film_leaves_the_old_one(qtbot, tmp_path: Path, format: str) -> None:
    old = tmp_path / ("a.mp4" if format == "mp4" else "a.0001.png")
    old.write_bytes(b"old")
    run = FilmExport(subject(), Settings(format, width=160, height=90), tmp_path / f"a.{format}", CAMERA, Look(), True)
    run.progressed.connect(lambda share, words: share > 0.1 and run.cancel())
    with qtbot.waitSignal(run.cancelled, timeout=30_000):
        pass
    assert run.over and old.read_bytes() == b"old"
    assert [each for each in tmp_path.iterdir() if each.name != "home"] == [old]


def test_a_film_that_cannot_be_written_says_so(qtbot, tmp_path: Path) -> None:
    run = FilmExport(subject(), Settings("mp4"), tmp_path / "none" / "a.mp4", CAMERA, Look(), True)
    with qtbot.waitSignal(run.failed, timeout=30_000) as failed:
        pass
    assert "There is no folder" in failed.args[0]
