"""A clip as a table: one row per frame and body. Numbers are written so that they read back to the same bits."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from engine.export.clip import Clip, Progress
from engine.export.rotations import euler, unrolled

PLACE = ("time", "body", "x", "y", "z")  # s, name, in the chosen unit
SHOWN = ("visible",)  # 1 or 0; only where somebody is not
TURN = {"quaternion": ("qw", "qx", "qy", "qz"), "euler": ("rx", "ry", "rz")}  # degrees about x, then y, then z


def write(clip: Clip, path: Path, progress: Progress) -> None:
    turns = turns_of(clip)
    shown = not clip.all_shown
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow((*PLACE, *TURN[clip.settings.rotation], *(SHOWN if shown else ())))
        for k, t in enumerate(clip.frames.clock.tolist()):
            for i, actor in enumerate(clip.actors):
                numbers = [*clip.positions[k, i].tolist(), *turns[k, i].tolist()]
                visible = [int(clip.shown[k, i])] if shown else []
                writer.writerow([repr(t), actor.name, *map(repr, numbers), *visible])
            progress((k + 1) / clip.frames.count)


def turns_of(clip: Clip) -> np.ndarray:
    """(F, n, 4) quaternions or (F, n, 3) degrees, as asked."""
    if clip.settings.rotation == "quaternion":
        return clip.orientations
    return np.degrees(unrolled(euler(clip.orientations)))
