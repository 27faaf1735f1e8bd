"""The search for the way out of what encloses a body: flights are drawn toward the opening, and those that came nearest
to the open are changed a little, again and again.

Bounces multiply small differences, so most changes lead elsewhere, some nearer; as in a forward throw through a window,
what counts is that there are many.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.ahead.draw import Candidate, RestingPlace
from engine.arrivals.ahead.tuning import TUNING
from engine.arrivals.enclosed import WayOut
from engine.decide.chance import normals
from engine.decide.launch import vector
from engine.functions import arc_tangent, exponential, power, sine_cosine

KEPT = 6  # flights that came nearest
PATIENCE = 60  # flights that come no nearer: then it begins anew
CHANGED = 0.7  # of all flights are changed ones, once there are some
SPREAD, ANYWHERE = 70.0, 0.2  # degrees about the way to the opening; share of draws that go to any side
RICHEST = 1.5  # times the energy of its highest bounces and of as much height as the way out is long
FINEST, COARSEST = 0.01, 0.5  # by how much is changed: rad, and of speeds


class Outward:
    """Of one body."""

    def __init__(self, way: WayOut, place: np.ndarray, up: np.ndarray, gravity: float, high: float) -> None:
        """high: m over its place of the highest bounces. richest: J/kg over its rest that it may have."""
        self._way, self._up = way, up
        self.richest = RICHEST * gravity * (high + float(way.at(place[None])[0]))
        toward = way.seen(way.path(place)) - place
        self._side = math.degrees(arc_tangent(float(toward[1]), float(toward[0])))
        self._nearest: list[tuple[float, Candidate]] = []
        self._waited = 0  # flights since one came nearer than all before

    def is_open(self, x: np.ndarray) -> np.ndarray:
        """(k,) bool: whether places (k, 3) are in the open."""
        found: np.ndarray = self._way.at(x) == 0.0
        return found

    def sector(self, rng: np.random.Generator) -> tuple[float, float]:
        """Degrees on the ground toward which the next one is drawn, and their spread."""
        return self._side, 360.0 if rng.uniform() < ANYWHERE else SPREAD

    def chosen(self, drawn: Candidate, place: RestingPlace, rng: np.random.Generator) -> Candidate:
        """The one that was drawn, or one of the best so far, changed."""
        if len(self._nearest) < KEPT or rng.uniform() > CHANGED:
            return drawn
        near = self._nearest[int(rng.integers(len(self._nearest)))][1]
        coarse = FINEST * power(COARSEST / FINEST, rng.uniform())
        turn, level, hard, off = coarse * normals(rng, 4)
        most = TUNING.grip * float(place.friction.min())
        lean = exponential(level) * self._turned(np.array(near.glance[:3]), turn)
        lean *= min(1.0, most / max(norm(lean), 1e-9))
        return replace(
            near,
            velocity=exponential(0.3 * hard) * self._turned(near.velocity, turn),
            momentum=exponential(0.3 * hard) * self._turned(near.momentum, turn),
            glance=(*vector(lean), near.glance[3] * exponential(off)),
        )

    def learn(self, candidate: Candidate, x: np.ndarray) -> None:
        """How near the open a flight (k, 3) came."""
        left = float(self._way.at(x).min())
        self._waited += 1
        if not self._nearest or left < self._nearest[0][0]:
            self._waited = 0
        if self._waited > PATIENCE:
            self._nearest, self._waited = [], 0
        self._nearest = sorted([*self._nearest, (left, candidate)], key=lambda each: each[0])[:KEPT]

    def _turned(self, v: np.ndarray, angle: float) -> np.ndarray:
        """Turned about the vertical."""
        s, c = sine_cosine(angle)
        upright = float(times(v, self._up)) * self._up
        return upright + c * (v - upright) + s * np.cross(self._up, v)
