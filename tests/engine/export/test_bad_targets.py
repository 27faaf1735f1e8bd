"""Places that cannot be written, disks that fill up, libraries that are missing, exports that are stopped: a sentence,
and what was there is still there."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from mixed import mixed_take

from engine.errors import ExportError
from engine.export import aside, settings
from engine.export.clip import clip_of
from engine.export.find_blender import VARIABLE, find_blender
from engine.export.settings import FORMATS, Settings, preset
from engine.export.write import WRITERS, export

OLD = b"what was there before"
FORMATS_HERE = ("usd", "glb", "blender", "maya", "houdini", "csv", "json", "npz")


def write(path: Path, format_: str, **more) -> None:
    export(mixed_take(), path, preset("blender", format_), tiers=[1, 0, 0, 0, 0], **more)


def test_every_format_but_pictures_has_a_writer() -> None:
    assert set(WRITERS) == {key for key, kind in FORMATS.items() if not kind.pictures}


@pytest.fixture
def small_disk() -> Iterator[None]:
    """Files may not grow beyond 2 kB, as on a disk that is full."""
    clip_of(mixed_take(), Settings())  # whatever is compiled for it is kept on the disk before it is full
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("format_", FORMATS_HERE)
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, format_: str, small_disk: None) -> None:
    path = tmp_path / f"take{FORMATS[format_].suffixes[0]}"
    path.write_bytes(OLD)
    with pytest.raises(ExportError, match="The old file is untouched"):
        write(path, format_)
    assert path.read_bytes() == OLD and [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("format_", FORMATS_HERE)
def test_who_stops_an_export_keeps_the_old_file(tmp_path: Path, format_: str) -> None:
    path = tmp_path / f"take{FORMATS[format_].suffixes[0]}"
    path.write_bytes(OLD)
    told: list[float] = []

    def stop(share: float) -> None:
        told.append(share)
        if share > 0.35:  # the motion is read, writing has begun
            raise InterruptedError("enough")

    with pytest.raises((InterruptedError, ExportError)):
        write(path, format_, progress=stop)
    assert path.read_bytes() == OLD and [file.name for file in tmp_path.iterdir()] == [path.name]
    told.clear()
    write(path, format_, progress=told.append)
    assert path.read_bytes() != OLD and told == sorted(told) and told[-1] == pytest.approx(1.0)


def test_places_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExportError, match="no folder"):
        write(tmp_path / "missing" / "take.glb", "glb")
    with pytest.raises(ExportError, match="is a folder"):
        write(tmp_path, "glb")

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "take.glb").write_bytes(OLD)
    monkeypatch.setattr(aside.tempfile, "mkdtemp", refuse)
    with pytest.raises(ExportError, match=r"Could not write to .*permission denied\. The old file is untouched"):
        write(tmp_path / "take.glb", "glb")
    assert (tmp_path / "take.glb").read_bytes() == OLD


def test_a_file_that_cannot_be_moved_into_place_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(16, "Device or resource busy")

    (tmp_path / "take.glb").write_bytes(OLD)
    monkeypatch.setattr(aside.os, "replace", refuse)
    with pytest.raises(ExportError, match="busy"):
        write(tmp_path / "take.glb", "glb")
    assert (tmp_path / "take.glb").read_bytes() == OLD and len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_nobody_may_write(tmp_path: Path) -> None:
    """Root may write to any folder of a disk, but not to one of the kernel's."""
    place = Path("/proc/sys/take.glb") if os.geteuid() == 0 else tmp_path / "take.glb"
    tmp_path.chmod(0o500)
    with pytest.raises(ExportError, match="Could not write to"):
        write(place, "glb")


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = settings.importlib.util.find_spec
    monkeypatch.setattr(settings.importlib.util, "find_spec", lambda name: None if name == "pxr" else real(name))
    with pytest.raises(ExportError, match="usd-core"):
        write(tmp_path / "take.usdc", "usd")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_blender_is_told_and_a_broken_one_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "no-blender"))
    assert find_blender() is None
    with pytest.raises(ExportError, match="written by Blender"):
        write(tmp_path / "take.fbx", "fbx")
    program = tmp_path / "blender"
    program.write_text("#!/bin/sh\necho I cannot do this\n")
    program.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(program))
    assert find_blender() is not None
    with pytest.raises(ExportError, match="I cannot do this"):
        write(tmp_path / "take.blend", "blend")
    assert [file.name for file in tmp_path.iterdir()] == ["blender"]
