"""A clip as text that any program reads: one list of poses per body, and what is known of the take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.export.clip import Clip, Progress
from engine.export.csv import turns_of

VERSION = 1


def write(clip: Clip, path: Path, progress: Progress) -> None:
    settings, turns = clip.settings, turns_of(clip)
    head: dict[str, Any] = {
        "foregone": VERSION,
        "name": clip.name,
        "fps": clip.fps,
        "unit": settings.unit,
        "up": settings.up,
        "hand": settings.hand,
        "rotation": settings.rotation,  # quaternions are w x y z; angles are degrees about x, then y, then z
        "ending": clip.ending,
        "take": clip.facts,
        "frames": clip.frames.numbers.tolist(),
        "times": clip.frames.clock.tolist(),
    }
    with path.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(head, ensure_ascii=False)[:-1] + ', "bodies": [')
        for i, actor in enumerate(clip.actors):
            still = not actor.moves
            rows = slice(0, 1) if still else slice(None)  # one pose says it all
            body = {
                "name": actor.name,
                "color": actor.color,
                "still": still,
                "positions": clip.positions[rows, i].tolist(),
                "rotations": turns[rows, i].tolist(),
                "properties": actor.facts,
            }
            if actor.switches:
                body["visible"] = clip.shown[:, i].tolist()  # frame by frame; without it: always
            stream.write((",\n" if i else "\n") + json.dumps(body, ensure_ascii=False))
            progress((i + 1) / len(clip.actors))
        stream.write("\n]}\n")
