"""Launches of articulations: bodies held together by joints leave rest as one.

Without hints a free articulation came in with its joints turning, in a motion that random impulses at its contacts
stop; where none is found, or none that leads anywhere, as if it were rigid and without spin. One that hangs on the
world came in along a motion its joints allow, toward the limits and contacts that stopped it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.algebra import norm, norms, solve, times
from engine.arrivals.brief import Brief
from engine.arrivals.ending import Ending
from engine.arrivals.times import FIRST_REST, drawn_time
from engine.arrivals.together.tuning import TUNING
from engine.decide.chance import draws, normals
from engine.decide.launch import Launch, vector
from engine.factors import nonnegative, singular
from engine.functions import around, exponential
from engine.joint.closure import place_equations
from engine.joint.limits import limit_gap
from engine.model.articulations import groups_of, is_anchored, joints_of
from engine.model.compile import Model
from engine.model.joints import HINGE
from engine.params import SLOP
from engine.shapes.turns import rotation_matrix

FACETS = 12  # of a friction cone
MISSED = 1e-9  # share of the momentum that may be left
NULL = 1e-9  # singular values below this share are zero

Motion = Mapping[int, tuple[np.ndarray, np.ndarray]]
"""Velocity (m/s) and spin (rad/s) of every body just before rest."""


Preferred = Callable[[np.ndarray, int], Motion | None]
"""By the rows of an articulation and the number of a draw; None: as it comes."""


def launch_articulations(
    brief: Brief, draw: int, launches: dict[int, Launch], preferred: Preferred | None = None
) -> tuple[str, ...]:
    """Give every body of an articulation the launch of the whole. Returns notes."""
    model, notes = brief.model, []
    for rows in groups_of(model):
        moves = model.start.v[rows].any() or model.start.l[rows].any()
        stays = next((int(row) for row in rows if int(row) in brief.staying), None)
        hinted = [launches[int(row)] for row in rows if int(row) in launches]
        if stays is not None:
            for row in rows:
                if launches.pop(int(row), None) is not None:
                    held = f'it is held together with "{model.names[stays]}", which is to stay'
                    notes.append(f'"{model.names[row]}" stays at rest: {held}')
            continue
        if hinted:
            first = min(hinted, key=lambda launch: launch.time)
            for row in rows:
                launches[int(row)] = replace(first, body=int(row), spin=(0.0, 0.0, 0.0), then=None)
            continue
        if moves or not brief.options.launch or not model.gravity.any():
            continue
        name = model.names[rows[0]]
        rng = draws(brief.seed, "articulation", name, draw)
        drawn = drawn_time(rng, TUNING.last_share * brief.seconds)
        arrivals = (brief.bodies[int(row)].arrival for row in rows)
        time = min((float(arrival) for arrival in arrivals if arrival is not None), default=drawn)
        left = max(brief.seconds - time, FIRST_REST)
        energy = float((brief.budget[rows] / model.bodies.mass[rows]).mean())
        motion = preferred(rows, draw) if preferred is not None else None
        if motion is None:
            motion = Articulation(model, brief.ending, rows).motion(energy, left, draw < TUNING.loose_draws, rng)
        if motion is None:
            notes.append(f'"{name}" stays at rest: nothing that touches it or its joints could have stopped it')
            continue
        for row, (velocity, spin) in motion.items():
            launches[row] = Launch(row, time, vector(velocity), vector(spin))
    return tuple(notes)


@dataclass(frozen=True)
class Articulation:
    """Bodies that joints hold together, at the ending; k of them. Six numbers per body: velocity and spin, or impulse
    and its moment about the centre of mass."""

    model: Model
    ending: Ending
    rows: np.ndarray  # (k,) of the bodies

    @cached_property
    def at(self) -> dict[int, int]:
        """Where each body's six numbers begin."""
        return {int(row): 6 * i for i, row in enumerate(self.rows)}

    @cached_property
    def joints(self) -> list[int]:
        return joints_of(self.model, self.rows)

    @cached_property
    def feet(self) -> list[tuple[int, np.ndarray, np.ndarray, float]]:
        """Body, point, normal toward it and friction of every contact with something else."""
        found = []
        for a, b, point, normal, friction in zip(*self.ending, strict=True):
            if (int(a) in self.at) != (int(b) in self.at):
                own = int(a) in self.at
                found.append((int(a if own else b), point, normal if own else -normal, float(friction)))
        return found

    @cached_property
    def stops(self) -> np.ndarray:
        """(s, 6 k) rates of the gaps of contacts with other bodies and of reached limits."""
        start, joints = self.model.start, self.model.joints
        found = [self.push(body, point, n) for body, point, n, _ in self.feet]
        for j in self.joints:
            way, side = limit_gap(joints, j, start.x, start.q)
            if way <= SLOP:
                a, b = int(joints.a[j]), int(joints.b[j])
                axis = times(rotation_matrix(start.q[a]), joints.frame_a[j, 2])
                anchor = start.x[b] + times(rotation_matrix(start.q[b]), joints.point_b[j])
                gap = np.zeros(6 * len(self.rows))
                for body, sign in ((b, side), (a, -side)):
                    if body in self.at:
                        pull = sign * axis
                        hinge = joints.kind[j] == HINGE
                        moment = joints.length[j] * pull if hinge else np.cross(anchor - start.x[body], pull)
                        first = self.at[body]
                        gap[first : first + 6] = [*(0.0 * pull if hinge else pull), *moment]
                found.append(gap)
        return np.array(found).reshape(-1, 6 * len(self.rows))

    @cached_property
    def equations(self) -> np.ndarray:
        """(e, 6 k) of the joints, as rates of the velocities and spins of the bodies."""
        joints, start = self.model.joints, self.model.start
        parts = np.zeros((2, len(joints.kind), 6, 6))
        lines = []
        for j in self.joints:
            place_equations(joints, j, start.x, start.q, parts[0], parts[1])
            for k in range(int(joints.rows[j])):
                line = np.zeros(6 * len(self.rows))
                for side, body in enumerate((int(joints.a[j]), int(joints.b[j]))):
                    if body in self.at:
                        line[self.at[body] : self.at[body] + 6] += parts[side, j, k]
                lines.append(line)
        return np.array(lines)

    @cached_property
    def freedoms(self) -> np.ndarray:
        """(f, 6 k) an orthonormal basis of the motions that the joints allow."""
        values, axes, _ = singular(self.equations)
        return axes[int((values > NULL * values[0]).sum()) :]

    @cached_property
    def inertia(self) -> np.ndarray:
        """(6 k, 6 k) of masses and inertias, in the world."""
        whole, bodies = np.zeros((6 * len(self.rows), 6 * len(self.rows))), self.model.bodies
        for row, first in self.at.items():
            axes = rotation_matrix(self.model.start.q[row])
            whole[first : first + 3, first : first + 3] = bodies.mass[row] * np.eye(3)
            whole[first + 3 : first + 6, first + 3 : first + 6] = times(times(axes, bodies.inertia[row]), axes.T)
        return whole

    def motion(self, energy: float, left: float, turning: bool, rng: np.random.Generator) -> Motion | None:
        """How it came in with about `energy` J/kg, `left` s after the start, with joints that turn where they may; None
        when nothing could have stopped it."""
        if not len(self.stops):
            return None
        if is_anchored(self.model, self.rows):
            return self._allowed_motion(energy, left, rng)
        loose = self.loose_motion(energy, left, rng) if turning else None
        if loose is not None:
            return loose
        up = -self.model.gravity / norm(self.model.gravity)
        down = math.sqrt(2.0 * energy * rng.uniform(*TUNING.slow_share))
        level = np.cross(up, normals(rng, (TUNING.directions, 3)))
        level *= down * rng.uniform(*TUNING.level) / norms(level, keepdims=True)
        for slower in TUNING.slower:
            for aside in level:
                velocity = slower * aside - down * up
                if self.can_stop(velocity):
                    return {int(row): (velocity, np.zeros(3)) for row in self.rows}
        return None

    def loose_motion(self, energy: float, left: float, rng: np.random.Generator) -> Motion | None:
        """A motion that random impulses at all contacts stop. Any impulses inside their cones explain rest; what the
        joints add follows from them: with F a basis of what the joints allow, F M F^T a = -F p and u = F^T a. None when
        every try would have left a contact or passed a limit."""
        feet, free, inertia, mass = self.feet, self.freedoms, self.inertia, self.model.bodies.mass
        up = -self.model.gravity / norm(self.model.gravity)
        on = {row: sum(1 for foot in feet if foot[0] == row) for row in self.at}
        for attempt in range(TUNING.loose_tries if len(feet) else 0):
            uneven = TUNING.uneven * (1.0 - attempt / TUNING.loose_tries)
            aside, slant = np.cross(up, normals(rng, 3)), rng.uniform(*TUNING.slant)
            pushed = np.zeros(6 * len(self.rows))
            for body, point, normal, friction in feet:
                across = aside - times(aside, normal) * normal
                weight = mass[body] / on[body] * exponential(uneven * float(normals(rng, 1)[0]))
                grip = slant * TUNING.inside * friction
                push = weight * (normal - grip * across / max(norm(across), 1e-12))
                pushed += self.push(body, point, push)
            motion = times(-free.T, solve(times(times(free, inertia), free.T), times(free, pushed)))
            rates = times(self.stops, motion)
            closing = rates[: len(feet)]
            if (closing > -TUNING.approach * np.abs(closing).mean()).any() or (rates[len(feet) :] > 1e-12).any():
                continue
            per_mass = 0.5 * float(times(times(motion, inertia), motion)) / float(mass[self.rows].sum())
            fast = math.sqrt(energy * rng.uniform(*TUNING.slow_share) / max(per_mass, 1e-12))
            return self._scaled(motion, fast, left, rng)
        return None

    def can_stop(self, velocity: np.ndarray) -> bool:
        """Whether impulses in the cones of its contacts, and any of its joints, stop it where it comes in rigidly with
        this velocity."""
        columns = [*self.equations, *-self.equations]
        for body, point, n, friction in self.feet:
            across = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.9 else [0.0, 1.0, 0.0])
            across /= norm(across)
            for c, s in zip(*around(FACETS), strict=True):
                push = n + TUNING.inside * friction * (c * across + s * np.cross(n, across))
                columns.append(self.push(body, point, push))
        momentum = np.zeros(6 * len(self.rows))
        for row, first in self.at.items():
            momentum[first : first + 3] = -self.model.bodies.mass[row] * velocity
        matrix = np.array(columns).T
        return nonnegative(matrix, momentum).missed <= MISSED * norm(momentum)

    def _allowed_motion(self, energy: float, left: float, rng: np.random.Generator) -> Motion | None:
        """A random motion that the joints allow and that comes in against every stop, with up to `energy` J/kg, and so
        slow that nothing reaches its other limit in the `left` s before."""
        free, mass, size = self.freedoms, self.model.bodies.mass[self.rows], self.model.bodies.size[self.rows]
        for _ in range(TUNING.tries if len(free) else 0):
            motion = times(normals(rng, len(free)), free)
            for sign in (1.0, -1.0):
                rates = times(self.stops, sign * motion)
                if (rates <= 1e-12).all() and (rates < -1e-6).any():
                    parts_of = (sign * motion).reshape(-1, 6)
                    moving = float((mass * (np.square(parts_of[:, :3])).sum(1)).sum() / mass.sum())
                    turning = float((np.square(size) * np.square(parts_of[:, 3:]).sum(1)).mean())
                    share = 2.0 * energy * rng.uniform(*TUNING.slow_share)
                    fast = math.sqrt(share / max(moving + 0.4 * turning, 1e-12))  # about that of a ball
                    return self._scaled(sign * motion, fast, left, rng)
        return None

    def _scaled(self, motion: np.ndarray, fast: float, left: float, rng: np.random.Generator) -> Motion:
        """The motion times `fast`, or slower where a joint would come to its other limit in the `left` s before."""
        parts_of = motion.reshape(-1, 6)
        scale = min(fast, rng.uniform(*TUNING.turned) * self._lasts(parts_of) / left)
        return {int(row): (scale * u[:3], scale * u[3:]) for row, u in zip(self.rows, parts_of, strict=True)}

    def _lasts(self, motion: np.ndarray) -> float:
        """For how long (s) this motion goes on, backward, until a hinge or slider comes to its other limit."""
        joints, at = self.model.joints, {int(row): i for i, row in enumerate(self.rows)}
        longest = math.inf
        for j in self.joints:
            if not math.isfinite(joints.lo[j]) and not math.isfinite(joints.hi[j]):
                continue
            axis = times(rotation_matrix(self.model.start.q[joints.a[j]]), joints.frame_a[j, 2])
            part = 3 if joints.kind[j] == HINGE else 0
            rate = sum(
                sign * float(times(axis, motion[at[int(body)], part : part + 3]))
                for body, sign in ((joints.b[j], 1.0), (joints.a[j], -1.0))
                if int(body) in at
            )
            room = -joints.lo[j] if rate > 0.0 else joints.hi[j]  # backward it turns the other way
            if rate != 0.0 and room > 0.0:
                longest = min(longest, float(room) / abs(rate))
        return longest

    def push(self, body: int, point: np.ndarray, push: np.ndarray) -> np.ndarray:
        """(6 k,) a push on a body at a point."""
        six, first = np.zeros(6 * len(self.rows)), self.at[body]
        six[first : first + 6] = [*push, *np.cross(point - self.model.start.x[body], push)]
        return six
