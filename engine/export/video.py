"""Videos and picture sequences from frames that somebody drew: written aside, and in their place only when complete.

Needs no window: frames are arrays, (height, width, 3) bytes, first row on top.
"""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from PIL import Image

from engine.errors import ExportError
from engine.export.aside import check_place, reason, unharmed, written_aside
from engine.export.settings import FORMATS, Settings, missing, rate_fraction

QUALITY = 18  # crf of x264: the eye sees no loss
DIGITS = 4  # of frame numbers in names
HD = ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709",
      "-color_trc", "bt709", "-color_range", "tv"]  # fmt: skip
"""Say which colours are meant: players guess wrong otherwise."""
LITTLE_ROOM = 4 << 20  # bytes: a disk with less is why a video was not finished


class FrameWriter:
    """Something that takes frames one by one. `finish` puts what was made in its place, `abandon` leaves what was
    there; as a context it does the one or the other."""

    def add(self, rgb: np.ndarray) -> None:
        raise NotImplementedError

    def finish(self) -> None:
        raise NotImplementedError

    def abandon(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self.finish()
        else:
            self.abandon()


class Mp4(FrameWriter):
    """H.264 that every player shows. Sides must be even: colours are kept for two by two pixels."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float) -> None:
        """`size` is width and height in px. Raises ExportError where no video can be written."""
        lacking = missing(FORMATS["mp4"])
        if lacking:
            raise ExportError(lacking)
        if size != even_size(size):
            raise ExportError(f"a film must be an even number of pixels wide and high, not {size[0]} x {size[1]}")
        self.path, self.size, self.count = Path(path), size, 0
        self._stack = contextlib.ExitStack()
        self._place = self._stack.enter_context(written_aside(self.path))
        try:
            self._pipe = _encoder(self._place, size, fps)
        except (RuntimeError, OSError) as error:  # no program, or one that does not start
            self.abandon()
            raise ExportError("The film encoder (ffmpeg) is not installed here, or does not start.") from error

    def add(self, rgb: np.ndarray) -> None:
        try:
            self._pipe.send(_checked(rgb, self.size))
        except (OSError, StopIteration) as error:
            words = self._why()
            self.abandon()
            raise ExportError(words) from error
        self.count += 1

    def finish(self) -> None:
        """Raises ExportError when the encoder did not write all of it."""
        self._pipe.close()  # waits until the encoder is done
        if not self.count or _frames_in(self._place) != self.count:
            words = self._why() if self.count else "A film needs at least one frame."
            self.abandon()
            raise ExportError(words)
        self._stack.close()

    def abandon(self) -> None:
        if hasattr(self, "_pipe"):
            self._pipe.close()
        self._stack.__exit__(ExportError, ExportError(), None)

    def _why(self) -> str:
        free = shutil.disk_usage(self.path.parent).free
        because = "the disk is full" if free < LITTLE_ROOM else "the film encoder (ffmpeg) stopped"
        return f"Could not write {self.path}: {because}. {unharmed(self.path.exists())}"


class PngSequence(FrameWriter):
    """wall.png is written as wall.0001.png and so on, numbered by frame."""

    def __init__(self, path: Path, size: tuple[int, int], first: int = 1) -> None:
        """`first` is the number of the first frame. Raises ExportError where nothing can be written."""
        self.path, self.size, self.first, self.count = Path(path), size, first, 0
        check_place(self.path)
        try:
            self._folder = Path(tempfile.mkdtemp(prefix=f".{self.path.name}.", suffix=".part", dir=self.path.parent))
        except OSError as error:
            words = f"Could not write to {self.path.parent}: {reason(error)}. Nothing was written."
            raise ExportError(words) from error

    def add(self, rgb: np.ndarray) -> None:
        picture = Image.fromarray(_checked(rgb, self.size))
        try:
            picture.save(self._folder / frame_name(self.path, self.first + self.count))
        except OSError as error:
            self.abandon()
            raise ExportError(self._why(error)) from error
        self.count += 1

    def finish(self) -> None:
        try:
            for name in self.names():
                os.replace(self._folder / name, self.path.parent / name)
        except OSError as error:
            raise ExportError(self._why(error)) from error
        finally:
            self.abandon()

    def abandon(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def names(self) -> list[str]:
        """Of the files so far, in order."""
        return [frame_name(self.path, self.first + k) for k in range(self.count)]

    def _why(self, error: OSError) -> str:
        old = (self.path.parent / frame_name(self.path, self.first)).exists()
        return f"Could not write {self.path}: {reason(error)}. {unharmed(old)}"


def picture_size(settings: Settings) -> tuple[int, int]:
    """Width and height in px, as they can be written."""
    size = settings.width, settings.height
    return even_size(size) if settings.format == "mp4" else size


def frame_writer(path: Path, settings: Settings, first: int) -> FrameWriter:
    """For pictures of `picture_size`; `first` is the number of the first frame."""
    size = picture_size(settings)
    return Mp4(path, size, settings.fps) if settings.format == "mp4" else PngSequence(path, size, first)


def frame_name(path: Path, number: int) -> str:
    """ "wall.0007.png"."""
    return f"{path.stem}.{number:0{DIGITS}d}{path.suffix}"


def leftovers(path: Path, first: int, count: int) -> list[Path]:
    """Frames of an earlier, longer export beside those that were just written."""
    own = {frame_name(path, first + k) for k in range(count)}
    found = (each for each in path.parent.glob(f"{glob.escape(path.stem)}.*{path.suffix}") if each.name not in own)
    return sorted(each for each in found if each.stem.rpartition(".")[2].lstrip("-").isdigit())


def even_size(size: tuple[int, int]) -> tuple[int, int]:
    """The next smaller size with even sides."""
    return size[0] // 2 * 2, size[1] // 2 * 2


def _encoder(place: Path, size: tuple[int, int], fps: float) -> Generator[None, Any, None]:
    import imageio_ffmpeg

    pipe: Generator[None, Any, None] = imageio_ffmpeg.write_frames(
        str(place), size, fps=Fraction(*rate_fraction(fps)), quality=None, codec="libx264", macro_block_size=2,
        ffmpeg_log_level="error", output_params=["-crf", str(QUALITY), *HD, "-movflags", "+faststart"],
    )  # fmt: skip
    pipe.send(None)
    return pipe


def _frames_in(place: Path) -> int:
    """0 for what is no video."""
    import imageio_ffmpeg

    reading = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(place)]
    told = subprocess.run(
        [*reading, "-map", "0:v:0", "-c", "copy", "-f", "framecrc", "-"], stdin=subprocess.DEVNULL, capture_output=True
    )
    return sum(1 for line in told.stdout.splitlines() if line[:1].isdigit()) if told.returncode == 0 else 0


def _checked(rgb: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    if rgb.shape != (size[1], size[0], 3) or rgb.dtype != np.uint8:
        raise ValueError(f"a frame must be {size[1]} x {size[0]} x 3 bytes, not {rgb.shape} {rgb.dtype}")
    return np.ascontiguousarray(rgb)
