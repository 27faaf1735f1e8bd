"""Houdini channels, read by a reader of our own: where every body is at every frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clip_reader import Channels, Refused
from shown_poses import RATES, TIERS, matrices, take, times

from engine.export.settings import preset
from engine.export.write import export

BODIES = ["top", "box__1_", "top_2", "_1__ball", "Body"]


def written(folder: Path, **asked: Any) -> str:
    path = folder / "take.clip"
    export(take(), path, preset("houdini", "houdini", **asked), tiers=TIERS)
    return path.read_text(encoding="ascii")


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("unit", ["m", "cm"])
@pytest.mark.parametrize("fps", RATES)
def test_every_body_is_where_it_is_shown(tmp_path: Path, fps: float, unit: str, up: str) -> None:
    channels = Channels(written(tmp_path, fps=float(fps), unit=unit, up=up))
    assert channels.rate == RATES[fps] and channels.bodies() == BODIES
    moments = times(fps)
    assert channels.length == len(moments)
    for k, t in enumerate(moments):
        expected = matrices(t, up, unit)
        found = np.array([channels.matrix(name, 1 + k) for name in BODIES])
        assert np.abs(found - expected).max() < 1e-9
    ending = np.abs(found - expected).max(axis=(1, 2)) / np.abs(expected).max(axis=(1, 2))
    assert ending.max() < 1e-12


def test_frames_keep_their_numbers(tmp_path: Path) -> None:
    channels = Channels(written(tmp_path, start=101, handles=3, hold=4))
    count = len(times(24))
    assert channels.start == 97 and channels.length == count + 7
    for frame, k in ((98, 0), (101, 0), (102, 1), (100 + count, -1), (104 + count, -1)):
        expected = matrices(times(24)[k], "y", "m")
        assert np.abs([channels.matrix(name, frame) for name in BODIES] - expected).max() < 1e-9


def test_angles_do_not_jump(tmp_path: Path) -> None:
    channels = Channels(written(tmp_path, fps=120.0))
    turns = [np.abs(np.diff(samples)).max() for name, samples in channels.tracks.items() if name[-2] == "r"]
    assert max(turns) < 90.0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rate", "speed"),
        ("tracks = 30", "tracks = 29"),
        ("top:tx", "top.tx"),
        ("top:ty", "top:tx"),
        ("data", "data_rle"),
    ],
)
def test_the_reader_refuses(tmp_path: Path, old: str, new: str) -> None:
    text = written(tmp_path)
    assert old in text
    with pytest.raises(Refused):
        Channels(text.replace(old, new, 1))
