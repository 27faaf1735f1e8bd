"""The examples that come with the program: what they are called, what they show, where they lie."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

KINDS = ("All", "Bounce", "Slide", "Stacks", "Joints", "Text")


class Example(NamedTuple):
    title: str
    words: str
    kind: str
    bodies: int
    scene: Path
    picture: Path  # bodies, shadows and grid on a clear ground: fits both themes
    motion: Path  # a take of it, frame beside frame


@cache
def examples() -> tuple[Example, ...]:
    folder = Path(str(files("assets").joinpath("scenes")))
    table = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
    return tuple(
        Example(row["title"], row["words"], row["kind"], row["bodies"], folder / f"{row['file']}.foregone",
                folder / f"{row['file']}.png", folder / f"{row['file']}.webp")
        for row in table
    )  # fmt: skip
