"""Reading a layout in a process of its own, so that the window stays alive, survives a library that crashes, and the
work can be stopped:

    python -m app.makers.layout_job FILE OUT.foregone

Exit code 0: the bodies are in OUT as a project. Exit code 2: one sentence for the artist is on stdout.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from engine.errors import ForegoneError
from engine.layout.bodies import layout_bodies
from engine.layout.read import read_layout
from engine.scene.spec import Body, Scene

LOST = "Reading this file stopped unexpectedly. Your scene is safe."
ABOUT = "layout"  # key of the project's extra values


@dataclass(frozen=True)
class LayoutFile:
    """What a file holds, as bodies in metres, z up; and how that came about."""

    bodies: tuple[Body, ...]
    metres: float  # per unit of the file
    up: str  # the file's axis that was taken to point up
    known: bool  # the file itself says unit and axis
    notes: tuple[str, ...]


def read(source: Path, target: Path) -> None:
    layout = read_layout(source)
    found = layout_bodies(layout)
    about = {
        "ids": [body.id for body in found.bodies],
        "metres": layout.metres,
        "up": layout.up,
        "known": layout.unit_known and layout.up_known,
        "notes": list(found.notes),
    }
    for body in found.bodies:
        body.id = ""  # in a file of their own they are numbered
    Scene(bodies=list(found.bodies), extra={ABOUT: about}).save(target)


def answer(arguments: list[str]) -> LayoutFile:
    scene = Scene.load(Path(arguments[1]))
    about = scene.extra[ABOUT]
    for body, key in zip(scene.bodies, about["ids"], strict=True):
        body.id = key
    notes = tuple(about["notes"])
    return LayoutFile(tuple(scene.bodies), float(about["metres"]), str(about["up"]), bool(about["known"]), notes)


def main(arguments: list[str]) -> int:
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        read(Path(arguments[0]), Path(arguments[1]))
    except ForegoneError as error:
        print(error)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
