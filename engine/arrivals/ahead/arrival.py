"""An arrival: a flight that is kept, and what it costs to look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.algebra import inverse, norm, times
from engine.arrivals.ahead.draw import Candidate
from engine.arrivals.ahead.flight import EVENTS, Flight
from engine.arrivals.ahead.pushes import Pushes
from engine.arrivals.ahead.tuning import TUNING
from engine.arrivals.structure import Structure
from engine.tape.reel import Strip


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
    pushes: Pushes  # what it puts on resting bodies, and its own momentum at the landing

    @property
    def moves_from(self) -> int:
        """The first step in which its contacts are its own and not the structure's."""
        return self.first + (self.candidate.launch is None)

    @property
    def last(self) -> int:
        return len(self.x) - 1


def keep(flight: Flight, body: int, candidate: Candidate, first: int) -> Arrival:
    """A copy of what was flown last."""
    events = int(flight.counts[EVENTS])
    rows, pushes = int(flight.reel.contact_start[events]), int(flight.pushes.used[0])
    return Arrival(
        body, candidate, first, flight.x.copy(), flight.q.copy(), flight.v.copy(), flight.l.copy(),
        Strip(*(column[:rows].copy() for column in flight.reel.strip)),
        flight.reel.contact_start[: events + 1].copy(), flight.event_step[:events].copy(),
        Pushes(*(column[:pushes].copy() for column in flight.pushes)),
    )  # fmt: skip


def cost(arrival: Arrival, structure: Structure, dt: float, budget: np.ndarray) -> float:
    """Low for soft landings with several contacts before rest, few bent coefficients, little energy, and little time
    spent near the structure, where others must pass."""
    model, up = structure.model, structure.up
    launch, body = arrival.candidate.launch, arrival.body
    velocity = arrival.candidate.velocity
    if launch is not None and launch.then is not None:
        velocity = np.array(launch.then.velocity)
    landing = -float(times(velocity, up))
    spin = norm(times(inverse(model.bodies.inertia[body]), arrival.candidate.momentum))
    soon = arrival.event_step[arrival.event_step <= arrival.first + round(TUNING.soon / dt)]
    events = 1 + int((np.diff(soon) > 1).sum())
    worst = np.maximum.reduceat(arrival.strip.tier, arrival.start[:-1]) if len(arrival.event_step) else np.zeros(0)
    places = model.start.x[structure.moves]
    low, high = places.min(0) - TUNING.around, places.max(0) + TUNING.around
    path = arrival.x[arrival.first :]
    near = float(((path > low) & (path < high)).all(axis=1).mean())
    mass, size = float(model.bodies.mass[body]), float(model.bodies.size[body])
    v = arrival.v[-1]
    energy = mass * (0.5 * float(times(v, v)) - float(times(model.gravity, arrival.x[-1] - model.start.x[body])))
    return (
        TUNING.landing_cost * (landing + 0.5 * spin * size)
        - TUNING.event_gain * min(events, TUNING.enough)
        + TUNING.bent_cost * int((worst > 0).sum())
        + TUNING.near_cost * near
        + TUNING.energy_cost * energy / max(float(budget[body]), 1e-9)
    )
