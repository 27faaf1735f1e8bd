"""A clip as channels that Houdini's File CHOP reads, without any plug-in: the ASCII form of a CHOP, `.clip`.

Every body has tx ty tz rx ry rz, in the unit and axes of the clip; angles are degrees about x, then y, then z, as
objects in Houdini turn by default. Channels are named `body:tx`: with the CHOP's export prefix at /obj and its export
flag set they drive the parameter tx of the object /obj/body, and a Rename or Export CHOP takes them anywhere else.

A body that is not shown in all frames has `body:display` as well, 0 or 1: the display toggle of an object.

Samples are counted from 0 at frame 1, so that frame n of the file is frame n of Houdini's playbar at the same rate.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.export.clip import Actor, Clip, Progress
from engine.export.csv import turns_of

CHANNELS = ("tx", "ty", "tz", "rx", "ry", "rz")
DISPLAY = "display"
FIRST = 1  # the frame at 0 s


def write(clip: Clip, path: Path, progress: Progress) -> None:
    values = np.concatenate([clip.positions, turns_of(clip), clip.shown[:, :, None]], axis=2)
    tracks = sum(len(_channels(actor)) for actor in clip.actors)
    with path.open("w", encoding="ascii", newline="\n") as stream:
        stream.write(f"{{\n   rate = {clip.fps!r}\n   start = {clip.first - FIRST}\n")
        stream.write(f"   tracklength = {clip.frames.count}\n   tracks = {tracks}\n")
        for i, actor in enumerate(clip.actors):
            for k, channel in enumerate(_channels(actor)):
                samples = " ".join(map(repr, values[:, i, k].tolist()))
                stream.write(f"   {{\n      name = {actor.name}:{channel}\n      data = {samples}\n   }}\n")
            progress((i + 1) / len(clip.actors))
        stream.write("}\n")


def _channels(actor: Actor) -> tuple[str, ...]:
    return (*CHANNELS, DISPLAY) if actor.switches else CHANNELS
