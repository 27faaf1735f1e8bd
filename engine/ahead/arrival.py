"""An arrival: a flight that is kept, and what it costs to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.ahead.carry import Load
from engine.ahead.draw import Candidate
from engine.ahead.flight import EVENTS, Flight
from engine.ahead.structure import Structure
from engine.take.reel import Strip

SOON = 0.5  # s before rest in which contact events count
ENOUGH = 5  # contact events; more do not look better
AROUND = 0.3  # m: nearer than this to the structure a body is in the way of others


@dataclass(frozen=True)
class Arrival:
    """An accepted flight, with copies of its own."""

    body: int
    candidate: Candidate
    first: int  # step of its launch
    x: np.ndarray  # (steps + 1, 3); rows before `first` mean nothing
    q: np.ndarray
    v: np.ndarray
    l: np.ndarray
    strip: Strip  # its contacts, event by event
    start: np.ndarray  # (events + 1,)
    event_step: np.ndarray  # (events,)
    loads: Mapping[int, list[Load]]  # by step: what it puts on resting bodies, and its own momentum at the launch

    @property
    def moves_from(self) -> int:
        """The first step in which its contacts are its own and not the structure's."""
        return self.first + (self.candidate.launch is None)

    @property
    def last(self) -> int:
        return len(self.x) - 1


def keep(flight: Flight, body: int, candidate: Candidate, first: int, loads: Mapping[int, list[Load]]) -> Arrival:
    """A copy of what was flown last."""
    events = int(flight.counts[EVENTS])
    rows = int(flight.reel.contact_start[events])
    return Arrival(
        body, candidate, first, flight.x.copy(), flight.q.copy(), flight.v.copy(), flight.l.copy(),
        Strip(*(column[:rows].copy() for column in flight.reel.strip)),
        flight.reel.contact_start[: events + 1].copy(), flight.event_step[:events].copy(), loads,
    )  # fmt: skip


def cost(arrival: Arrival, structure: Structure, dt: float) -> float:
    """Low for soft landings with several contacts before rest, few bent coefficients, and little time spent near the
    structure, where others must pass."""
    model, up = structure.model, structure.up
    launch, body = arrival.candidate.launch, arrival.body
    velocity = arrival.candidate.velocity
    if launch is not None and launch.then is not None:
        velocity = np.array(launch.then.velocity)
    landing = -float(velocity @ up)
    spin = float(np.linalg.norm(np.linalg.inv(model.bodies.inertia[body]) @ arrival.candidate.momentum))
    soon = arrival.event_step[arrival.event_step <= arrival.first + round(SOON / dt)]
    events = 1 + int((np.diff(soon) > 1).sum())
    worst = np.maximum.reduceat(arrival.strip.tier, arrival.start[:-1]) if len(arrival.event_step) else np.zeros(0)
    places = model.start.x[structure.moves]
    low, high = places.min(0) - AROUND, places.max(0) + AROUND
    path = arrival.x[arrival.first :]
    near = float(((path > low) & (path < high)).all(axis=1).mean())
    size = float(model.bodies.size[body])
    return 0.6 * (landing + 0.5 * spin * size) - 0.15 * min(events, ENOUGH) + 0.03 * int((worst > 0).sum()) + near
