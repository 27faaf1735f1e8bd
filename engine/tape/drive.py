"""Driving a run: as many steps as asked for, block after block, making room where it is needed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from engine.model.arrays import State
from engine.status import FATAL, REEL_FULL
from engine.step.scratch import Scratch, enlarge
from engine.tape.recorder import Recorder
from engine.tape.reel import BLOCK_STEPS

GIVEN_UP = "given up"  # how the reason begins why a run that explodes ended early
ON_REQUEST = "stopped on request"
CHUNK_SECONDS = 0.1  # how long compiled code may go on before progress is told and a request to stop is heard

Progress = Callable[[int, int], bool | None]
"""Called with (steps done, steps in all); returning False stops the run and keeps what it has."""

Advance = Callable[[Scratch, Recorder, int, int, bool], tuple[int, int]]
"""Runs steps first .. last of the recorder's block; `pending`: the first is done and only to be recorded."""


def drive(
    s: Scratch,
    recorder: Recorder,
    steps: int,
    advance: Advance,
    state: State,
    progress: Progress | None,
    most_energy: float = math.inf,
) -> tuple[str | None, int]:
    """Run `steps` steps, making room where it is needed. Returns why it ended early, and the last status."""
    at_once, pending = 1, False
    while recorder.done + recorder.in_block < steps:
        first = recorder.in_block
        last = min(first + at_once, BLOCK_STEPS, steps - recorder.done)
        began = time.perf_counter()
        recorder.in_block, status = advance(s, recorder, first, last, pending)
        pending = status == REEL_FULL
        if status & FATAL:
            recorder.close_block(state)
            return None, status
        if pending:
            recorder.enlarge()
        elif status:
            s = enlarge(s, status)
        if recorder.in_block == BLOCK_STEPS:
            energy = float(recorder.reel.energy.max())
            recorder.close_block(state)
            if energy > most_energy:  # asked where blocks end: how many steps are run at once depends on the machine
                return f"{GIVEN_UP}: its energy reached {energy:.3g} J within {recorder.done} of {steps} steps", 0
        spent = time.perf_counter() - began
        if 2.0 * spent < CHUNK_SECONDS:
            at_once = min(2 * at_once, BLOCK_STEPS)
        elif spent > CHUNK_SECONDS:
            at_once = max(1, at_once // 2)
        done = recorder.done + recorder.in_block
        if progress is not None and progress(done, steps) is False:
            return f"{ON_REQUEST} after {done} of {steps} steps", 0
    return None, 0
