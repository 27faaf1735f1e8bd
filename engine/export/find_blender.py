"""Is there a Blender on this machine? .blend and FBX are written by it, and offered only then."""

from __future__ import annotations

import glob
import importlib.util
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "FOREGONE_BLENDER"  # a Blender program, or a Python that has the module bpy
PLACES = (
    "/Applications/Blender.app/Contents/MacOS/Blender",
    "C:/Program Files/Blender Foundation/*/blender.exe",
)


@dataclass(frozen=True)
class Blender:
    program: str
    is_python: bool  # a Python with bpy, not Blender's own program

    def command(self, script: Path) -> list[str]:
        if self.is_python:
            return [self.program, str(script)]
        return [self.program, "--background", "--factory-startup", "--python-exit-code", "1", "--python", str(script)]


def find_blender() -> Blender | None:
    """The one that was named, the one on the path, one where it is usually installed, or the module bpy here."""
    named = os.environ.get(VARIABLE, "")
    if named:
        found = shutil.which(named)
        return Blender(found, Path(found).name.lower().startswith("python")) if found else None
    usual = [found for pattern in PLACES for found in sorted(glob.glob(pattern), reverse=True)]
    for place in (shutil.which("blender"), *usual):
        if place:
            return Blender(place, False)
    return Blender(sys.executable, True) if importlib.util.find_spec("bpy") is not None else None


MISSING = (
    f"This format is written by Blender, and none was found. Install Blender, or name it in {VARIABLE}; "
    "or export a Python script and run it in Blender."
)
