"""Bodies that spin too fast for one key per frame: between two keys a program turns the short way round, which is the
wrong way beyond half a turn, and blurs it along the wrong arc before that."""

from __future__ import annotations

import math

import numpy as np

from engine.export.frames import Frames
from engine.export.motion import TakeMotion
from engine.export.rotations import angle_between
from engine.export.settings import FAST_TURN

STEP = math.radians(75.0)  # between keys where it is exceeded


def fast_spinners(motion: TakeMotion, frames: Frames) -> dict[int, np.ndarray]:
    """Bodies (rows of the scene) that turn more than FAST_TURN between two frames -> the frame numbers between whole
    frames at which they need keys as well."""
    turns = turns_per_frame(motion, frames)
    found = {}
    for i in np.flatnonzero((turns > FAST_TURN).any(axis=0)).tolist():
        extra = []
        for k in np.flatnonzero(turns[:, i] > FAST_TURN).tolist():
            pieces = math.ceil(turns[k, i] / STEP)
            extra.append(frames.numbers[k] + np.arange(1, pieces) / pieces)
        found[i] = np.concatenate(extra)
    return found


def turns_per_frame(motion: TakeMotion, frames: Frames) -> np.ndarray:
    """(F - 1, n) rad turned from frame to frame, summed over the steps of the tape between them."""
    count = motion.take.model.count
    turns = np.zeros((frames.count - 1, count))
    for take, shift in motion.halves():
        rows, at = take.model.row_of, 0
        for opened in take.tape.opened():
            q = opened.states.q[:, rows]
            middles = take.times[at : at + len(q) - 1] + 0.5 * take.tape.params.dt + shift
            frame = np.searchsorted(frames.times, middles, side="right") - 1
            inside = (frame >= 0) & (frame < frames.count - 1)
            angle = angle_between(q[:-1], q[1:])
            angle[np.arange(at, at + len(angle))[:, None] < take.tape.releases.step[rows]] = 0.0  # hands turn slowly
            np.add.at(turns, frame[inside], angle[inside])
            at += len(q) - 1
    return turns


def too_fast(names: list[str]) -> str:
    """A warning."""
    who = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    verb = "turns" if len(names) == 1 else "turn"
    return f"{who} {verb} more than {math.degrees(FAST_TURN):.0f} degrees from frame to frame: raise the frame rate."
