"""A clip as a script that builds it in Blender: meshes, materials, keyframes, frame rate and range.

The script is plain Python that anybody can read (its text is blender_script.txt) with the numbers in the middle: all
arrays as doubles, one after the other, compressed, as text. Running it again lands on the same objects.
"""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from engine.export.appearing import BY_SCALE
from engine.export.clip import Clip, Progress
from engine.export.settings import rate_fraction
from engine.scene.colors import linear
from engine.scene.dice import SPOT_COLOR

TEMPLATE = Path(__file__).with_name("blender_script.txt")
LINE = 120  # characters


def write(clip: Clip, path: Path, progress: Progress) -> None:
    path.write_text(script(clip, progress), encoding="utf-8")
    progress(1.0)


def script(clip: Clip, progress: Progress = lambda share: None) -> str:
    """Bodies that appear are hidden until then, or tiny where that would be lost on the way (appearing.BY_SCALE)."""
    numbers = _Numbers()
    table = _table(clip, numbers, progress)
    packed = base64.b64encode(zlib.compress(b"".join(numbers.blocks), 1)).decode()
    head, _, body = TEMPLATE.read_text(encoding="utf-8").partition("# -- numbers\n")
    lines = "\n".join(packed[k : k + LINE] for k in range(0, len(packed), LINE))
    return (
        head.replace("NAME OF THE CLIP", json.dumps(clip.name, ensure_ascii=True)[1:-1])
        + f"TABLE = json.loads({ascii(json.dumps(table))})\n\n"
        + f'NUMBERS = """\n{lines}\n"""\n'
        + body
    )


class _Numbers:
    """Arrays in the order in which they are met; equal ones once."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []
        self._known: dict[bytes, list[int]] = {}
        self._size = 0

    def add(self, array: np.ndarray) -> list[int]:
        """[place of the first number, rows, columns]."""
        rows = np.ascontiguousarray(array, "<f8")
        data = rows.tobytes()
        if data not in self._known:
            self._known[data] = [self._size, len(rows), int(np.prod(rows.shape[1:], dtype=int))]
            self.blocks.append(data)
            self._size += rows.size
        return self._known[data]


def _table(clip: Clip, numbers: _Numbers, progress: Progress) -> dict[str, Any]:
    meshes: dict[int, int] = {}
    shapes: list[dict[str, Any]] = []
    bodies: list[dict[str, Any]] = []
    euler = clip.settings.rotation == "euler"
    for i, actor in enumerate(clip.actors):
        surface, track = actor.surface, actor.track
        if id(surface) not in meshes:
            meshes[id(surface)] = len(shapes)
            shapes.append(
                {
                    "points": numbers.add(surface.points),
                    "counts": numbers.add(surface.counts),
                    "corners": numbers.add(surface.corners),
                    "normals": numbers.add(surface.normals) if surface.smooth else None,
                    "spots": numbers.add(surface.spots.astype(float)) if surface.spots is not None else None,
                }
            )
        bodies.append(
            {
                "name": actor.name,
                "mesh": meshes[id(surface)],
                "color": [*linear(actor.color), 1.0],
                "keyed": actor.keyed,
                "frames": numbers.add(track.frames),
                "places": numbers.add(track.positions),
                "turns": numbers.add(np.radians(track.angles) if euler else track.orientations),
                "properties": actor.facts,
            }
        )
        if actor.switches:
            bodies[-1]["switches"] = numbers.add(np.array(actor.switches, float))
        progress(0.8 * i / len(clip.actors))
    by_scale = {"by_scale": True} if clip.settings.format in BY_SCALE and not clip.all_shown else {}
    return {
        **by_scale,
        "name": clip.name,
        "rate": rate_fraction(clip.fps),
        "first": clip.first,
        "last": clip.last,
        "mode": "XYZ" if euler else "QUATERNION",
        "take": clip.facts,
        "spots": [*linear(SPOT_COLOR), 1.0],
        "shapes": shapes,
        "bodies": bodies,
    }
