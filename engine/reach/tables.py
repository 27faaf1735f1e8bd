"""A reach map as a file: PNG, CSV with a line per throw, JSON with the density."""

from __future__ import annotations

import csv
import io
import json
from os import PathLike

import numpy as np
from PIL.Image import Image

from engine.scene.reach_map import FELL, MOVING, NO_ROOM, RESTED, Plane, ReachMap, verdict
from engine.tape.store import replace_file

FATES = {NO_ROOM: "no room", RESTED: "rested", FELL: "fell away", MOVING: "still moving"}
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")  # m, and a unit quaternion


def write_picture(path: str | PathLike[str], picture: Image) -> None:
    """PNG; raises ProjectError."""
    stream = io.BytesIO()
    picture.save(stream, "PNG", optimize=True)
    replace_file(path, stream.getvalue())


def write_table(path: str | PathLike[str], found: ReachMap) -> None:
    """Raises ProjectError."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["throw", "fate", *(f"start_{name}" for name in POSE), *(f"end_{name}" for name in POSE)])
    for number, fate in enumerate(found.fate):
        poses = np.concatenate([found.start[number].astype(float), found.rest[number]])
        table.writerow([number, FATES[int(fate)], *(f"{value:.9g}" if np.isfinite(value) else "" for value in poses)])
    replace_file(path, text.getvalue().encode())


def write_density(
    path: str | PathLike[str], found: ReachMap, plane: Plane, before: float | None, chosen: np.ndarray
) -> None:
    """Raises ProjectError."""
    maps = {}
    for what in ("place", "turn") if found.turns != "none" else ("place",):
        shown = found.density(plane, what, before, chosen)
        box = {"left": shown.left, "right": shown.right, "low": shown.low, "high": shown.high}
        maps[what] = {**box, "ending": shown.mark, "shares": np.round(shown.shares, 4).tolist()}
    replace_file(path, json.dumps({**summary(found), "plane": plane, "before": before, "maps": maps}).encode())


def summary(found: ReachMap) -> dict[str, object]:
    """What came of the throws and what it says about the authored ending."""
    said = verdict(found, found.ending, found.stays)
    return {
        "body": found.name,
        "seed": found.seed,
        "throws": len(found.fate),
        **{word.replace(" ", "_"): found.count(fate) for fate, word in FATES.items()},
        "room_m": found.room.tolist(),
        "reached": said.is_reached,
        "stays": found.stays,
        "sentence": f"{said.title}. {said.words}",
        "nearest_m": said.place if said.nearest is not None else None,
        "nearest_degrees": said.turn if said.nearest is not None else None,
        "near": said.near,
        "spacing_m": said.spacing,
    }
