"""A clip as arrays: frames, times, poses, names and what is known of the take; nothing that would need unpickling."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from engine.export.clip import Clip, Progress
from engine.export.csv import turns_of


def write(clip: Clip, path: Path, progress: Progress) -> None:
    settings = clip.settings
    arrays = {
        "frames": clip.frames.numbers,
        "times": clip.frames.clock,
        "fps": np.array(clip.fps),
        "ending": np.array(-1 if clip.frames.ending is None else clip.frames.ending),  # its place in frames
        "bodies": np.array([actor.name for actor in clip.actors], np.str_),
        "ids": np.array([actor.body.id for actor in clip.actors], np.str_),
        "positions": clip.positions,
        "rotations": turns_of(clip),
        "unit": np.array(settings.unit),
        "up": np.array(settings.up),
        "hand": np.array(settings.hand),
        "rotation": np.array(settings.rotation),
        "take": np.array(json.dumps(clip.facts, ensure_ascii=False)),
    }
    if not clip.all_shown:
        arrays["visible"] = clip.shown  # (F, n)
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    progress(1.0)
