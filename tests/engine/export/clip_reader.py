"""A strict reader of the ASCII channel files of Houdini that we write; nothing in it is taken from the writer."""

from __future__ import annotations

import re

import numpy as np


class Refused(Exception):
    pass


class Channels:
    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        if lines[0] != "{" or lines[-2:] != ["}", ""]:
            raise Refused("braces")
        body = [line.strip() for line in lines[1:-2]]
        head = dict(_pair(line) for line in body[:4])
        if list(head) != ["rate", "start", "tracklength", "tracks"]:
            raise Refused("head")
        self.rate, self.start = float(head["rate"]), int(head["start"])
        self.length, self.tracks = int(head["tracklength"]), {}
        blocks = body[4:]
        if len(blocks) != 4 * int(head["tracks"]):
            raise Refused("tracks")
        for k in range(0, len(blocks), 4):
            opening, name, data, closing = blocks[k : k + 4]
            if (opening, closing) != ("{", "}") or _pair(name)[0] != "name" or _pair(data)[0] != "data":
                raise Refused("track")
            self._add(_pair(name)[1], [float(text) for text in _pair(data)[1].split(" ")])

    def _add(self, name: str, samples: list[float]) -> None:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*:([tr][xyz]|display)", name) or name in self.tracks:
            raise Refused(f"name {name}")
        if len(samples) != self.length or not np.isfinite(samples).all():
            raise Refused(f"samples of {name}")
        self.tracks[name] = np.array(samples)

    def bodies(self) -> list[str]:
        names = list(dict.fromkeys(name.split(":")[0] for name in self.tracks))
        poses = [name for name in self.tracks if not name.endswith(":display")]
        if poses != [f"{name}:{channel}{axis}" for name in names for channel in "tr" for axis in "xyz"]:
            raise Refused("a body without all of its channels")
        return names

    def shown(self, body: str, frame: int) -> bool:
        display = self.tracks.get(f"{body}:display", np.ones(self.length))
        if not set(display.tolist()) <= {0.0, 1.0}:
            raise Refused("half displayed")
        return bool(display[frame - 1 - self.start])

    def matrix(self, body: str, frame: int) -> np.ndarray:
        """(4, 4) at a frame of the playbar, whose frame 1 is sample 0."""
        sample = frame - 1 - self.start
        if not 0 <= sample < self.length:
            raise Refused(f"no frame {frame}")
        values = {key: self.tracks[f"{body}:{key}"][sample] for key in ("tx", "ty", "tz", "rx", "ry", "rz")}
        world = np.eye(4)
        for axis in range(3):  # about x first, so that z ends up on the left
            angle = np.radians(values["r" + "xyz"[axis]])
            turn, (i, j) = np.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
            turn[[i, j], [i, j]] = np.cos(angle)
            turn[i, j], turn[j, i] = -np.sin(angle), np.sin(angle)
            world[:3, :3] = turn @ world[:3, :3]
        world[:3, 3] = values["tx"], values["ty"], values["tz"]
        return world


def _pair(line: str) -> tuple[str, str]:
    found = re.fullmatch(r"(\w+) = (\S.*)", line)
    if found is None:
        raise Refused(f"line {line[:40]!r}")
    return found[1], found[2]
