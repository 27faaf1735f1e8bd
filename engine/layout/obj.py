"""Layouts from OBJ: objects and groups by name, in the world's frame. Nothing but the file itself is opened.

OBJ knows neither unit nor up nor poses: an object's frame stands in the middle of its points and is not turned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engine.errors import LayoutError
from engine.layout.layout import Layout, Placed, check_counts

METRE_SIZED, CENTIMETRE_SIZED = 10.0, 400.0  # units: the largest a usual object measures in metres, in centimetres


@dataclass
class _Part:
    name: str
    corners: list[int] = field(default_factory=list)  # three points for each triangle


def read(path: Path) -> Layout:
    points: list[tuple[float, float, float]] = []
    objects, groups = [_Part(path.stem)], {"": _Part(path.stem)}
    group, count = groups[""], 0
    for number, words in _lines(path):
        try:
            if words[0] == "v":
                points.append((float(words[1]), float(words[2]), float(words[3])))
            elif words[0] == "f":
                triangles = _fan(words[1:], len(points))
                objects[-1].corners += triangles
                group.corners += triangles
                count += len(triangles) // 3
            elif words[0] == "o":  # two objects may have the same name
                objects.append(_Part(" ".join(words[1:]) or path.stem))
            elif words[0] == "g":  # a group may be gone on with
                name = " ".join(words[1:])
                group = groups.setdefault(name, _Part(name))
        except (ValueError, IndexError) as error:
            raise LayoutError(f"{path.name} is damaged in line {number}. Export it again.") from error
        if number % 65536 == 0:
            check_counts(path.name, len(objects), count, len(points))
    chosen = objects if len(objects) > 1 else list(groups.values())
    parts = [part for part in chosen if part.corners]
    check_counts(path.name, len(parts), count)
    vertices = np.array(points, float).reshape(-1, 3)
    placed = tuple(_placed(part, vertices, path.name) for part in parts)
    return Layout(path.name, placed, _likely_metres(placed), "y", unit_known=False, up_known=False)


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Numbers and words of the lines that say something; a backslash joins a line to the next."""
    before: list[str] = []
    with path.open(encoding="utf-8", errors="replace") as stream:
        for number, line in enumerate(stream, start=1):
            words = line.split("#", 1)[0].split() if line[:2] not in ("o ", "g ") else line.split()
            if words and words[-1] == "\\":
                before += words[:-1]
                continue
            words, before = before + words, []
            if words:
                yield number, words


def _fan(corners: list[str], known: int) -> list[int]:
    """A face as triangles; points are counted from 1, or back from the last one read."""
    numbers = [int(corner.split("/", 1)[0]) for corner in corners]
    places = [number - 1 if number > 0 else known + number for number in numbers]
    if len(places) < 3 or min(places) < 0:
        raise ValueError
    return [place for k in range(1, len(places) - 1) for place in (places[0], places[k], places[k + 1])]


def _placed(part: _Part, vertices: np.ndarray, file: str) -> Placed:
    corners = np.array(part.corners, np.int64)
    if corners.max() >= len(vertices):
        raise LayoutError(f"{file} is damaged: triangles of {part.name} use points that do not exist.")
    used, triangles = np.unique(corners, return_inverse=True)
    own = vertices[used]
    middle = 0.5 * (own.min(axis=0) + own.max(axis=0))
    return Placed(part.name, own - middle, triangles.reshape(-1, 3), middle, (1.0, 0.0, 0.0, 0.0))


def _likely_metres(objects: tuple[Placed, ...]) -> float:
    """Metres per unit, by the size of the object in the middle of all sizes."""
    if not objects:
        return 1.0
    size = float(np.median([np.ptp(each.vertices, axis=0).max() for each in objects]))
    return 1.0 if size <= METRE_SIZED else 0.01 if size <= CENTIMETRE_SIZED else 0.001


def several_objects(path: Path, look_at: int = 64_000_000) -> bool:
    """Does a file have more than one object? A quick look, at its first bytes only."""
    found, before = 0, b"\n"
    with path.open("rb") as stream:
        while look_at > 0 and found < 2 and (block := stream.read(1 << 22)):
            found += (before + block).count(b"\no ")
            before, look_at = block[-2:], look_at - len(block)
    return found >= 2
