"""An arrival: a flight that is kept, and what it costs to look at."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import inverse, norm, times
from engine.arrivals.ahead.draw import Candidate
from engine.arrivals.ahead.flight import EVENTS, Flight
from engine.arrivals.ahead.pushes import Pushes, make_pushes
from engine.arrivals.ahead.tuning import PLACED, TUNING
from engine.arrivals.structure import Structure
from engine.model.arrays import State
from engine.tape.reel import Strip, empty_strip

PUSHED = ("step", "body", "impulse", "turn")


@dataclass(frozen=True)
class Arrival:
    """An accepted flight, with copies of its own."""

    body: int
    candidate: Candidate
    first: int  # step of its launch
    x: np.ndarray  # (k, 3) from its last state at rest, at step first - 1, to where it was let go
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
        """The step in whose state it was let go, or the start of the take."""
        return self.first - 2 + len(self.x)

    @property
    def is_placed(self) -> bool:
        """It was let go at rest."""
        return self.candidate.kind == PLACED

    @property
    def is_exact(self) -> bool:
        """The authored materials explain all of it."""
        return not self.strip.tier.any()

    def state(self, step: int) -> State:
        at = step - self.first + 1
        return State(self.x[at], self.q[at], self.v[at], self.l[at])

    def let_go_at(self, step: int) -> Arrival:
        """The same, begun later as time runs forward."""
        rows, events = step - self.first + 2, int(np.searchsorted(self.event_step, step, "right"))
        pushes = self.pushes.step <= step
        return replace(
            self, x=self.x[:rows], q=self.q[:rows], v=self.v[:rows], l=self.l[:rows],
            strip=Strip(*(column[: int(self.start[events])] for column in self.strip)), start=self.start[: events + 1],
            event_step=self.event_step[:events],
            pushes=self.pushes._replace(**{name: getattr(self.pushes, name)[pushes] for name in PUSHED}),
        )  # fmt: skip


def placed(body: int, first: int, rest: State) -> Arrival:
    """Laid where it rests by a hand, and let go there."""
    x, q = (np.repeat(part[body][None], 2, axis=0) for part in (rest.x, rest.q))
    nothing = np.zeros((2, 3))
    return Arrival(
        body, Candidate(PLACED, np.zeros(3), np.zeros(3)), first, x, q, nothing, nothing, empty_strip(0),
        np.zeros(1, np.int64), np.zeros(0, np.int64), make_pushes(0),
    )  # fmt: skip


def keep(flight: Flight, body: int, candidate: Candidate, first: int, last: int) -> Arrival:
    """A copy of what was flown last."""
    events, count = int(flight.counts[EVENTS]), last - first + 2
    rows, pushes = int(flight.reel.contact_start[events]), int(flight.pushes.used[0])
    return Arrival(
        body, candidate, first, flight.x[:count].copy(), flight.q[:count].copy(), flight.v[:count].copy(),
        flight.l[:count].copy(),
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
    path = arrival.x[1:]
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
