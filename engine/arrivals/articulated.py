"""Launches of articulations: bodies held together by joints leave rest as one.

Without hints a free articulation came in with its joints turning, in a motion that random impulses at its contacts
stop; where none is found, or none that leads anywhere, as if it were rigid and without spin. One that hangs on the
world came in along a motion its joints allow, toward the limits and contacts that stopped it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.optimize import nnls

from engine.arrivals.ending import ending_of
from engine.decide.chance import draws
from engine.decide.launch import Launch, vector
from engine.joint.closure import place_equations
from engine.joint.limits import limit_gap
from engine.model.articulations import groups_of, is_anchored, joints_of
from engine.model.compile import Model
from engine.model.joints import HINGE
from engine.params import SLOP
from engine.scene.spec import Scene
from engine.shapes.turns import rotation_matrix

FIRST_REST, LAST_SHARE = 0.05, 0.3  # s and share of the take: when undirected articulations arrive
SLOW_SHARE = (0.15, 0.5)  # of the energy budget that a landing has
SLOWER = (1.0, 0.7, 0.45, 0.25, 0.1, 0.0)  # shares of the level speed that are tried until friction can stop it
DIRECTIONS = 5  # to come from, drawn at random: what rolls can be stopped from some only
TRIES = 64  # random motions of an anchored articulation
LOOSE_DRAWS = 4  # launches with turning joints to try before a rigid one
LOOSE_TRIES = 200  # random impulses that stop a free one, each more even than the last
UNEVEN = 0.5  # spread of the logarithms of the first ones
SLANT = (0.2, 0.8)  # of the friction that impulses use
APPROACH = 0.1  # of the mean: how fast every contact must close at least
FACETS, INSIDE = 12, 0.93  # of a friction cone, and how much of it: a landing at its edge would slip somewhere
MISSED = 1e-9  # share of the momentum that may be left
NULL = 1e-9  # singular values below this share are zero


def launch_articulations(
    scene: Scene,
    model: Model,
    seconds: float,
    seed: int,
    draw: int,
    energy_per_mass: np.ndarray,
    launches: dict[int, Launch],
    random: bool,
) -> tuple[str, ...]:
    """Give every body of an articulation the launch of the whole; energy_per_mass: J/kg by row. Returns notes."""
    notes = []
    body_of = {model.index(body): body for body in scene.bodies}
    for rows in groups_of(model):
        moves = model.start.v[rows].any() or model.start.l[rows].any()
        stays = next((int(row) for row in rows if body_of[int(row)].leaves == "never"), None)
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
        if moves or not random or not model.gravity.any():
            continue
        name = model.names[rows[0]]
        rng = draws(seed, "articulation", name, draw)
        arrivals = (body_of[int(row)].arrival for row in rows)
        asked = [float(arrival) for arrival in arrivals if arrival is not None]
        drawn = float(rng.uniform(FIRST_REST, max(FIRST_REST, LAST_SHARE * seconds)))
        time = min(asked) if asked else drawn
        left, budget = max(seconds - time, FIRST_REST), float(energy_per_mass[rows].mean())
        motion = _motion(model, rows, budget, left, draw < LOOSE_DRAWS, rng)
        if motion is None:
            notes.append(f'"{name}" stays at rest: nothing that touches it or its joints could have stopped it')
            continue
        for row, (velocity, spin) in motion.items():
            launches[row] = Launch(row, time, vector(velocity), vector(spin))
    return tuple(notes)


def _motion(
    model: Model, rows: np.ndarray, energy: float, left: float, turning: bool, rng: np.random.Generator
) -> Mapping[int, tuple[np.ndarray, np.ndarray]] | None:
    """Velocity and spin of every body just before rest, with joints that turn where they may; None when nothing could
    have stopped the articulation."""
    mine = joints_of(model, rows)
    stops = _stops(model, rows, mine)
    if not len(stops):
        return None
    if is_anchored(model, rows):
        return _allowed_motion(model, rows, mine, stops, energy, left, rng)
    loose = _loose_motion(model, rows, mine, stops, energy, left, rng) if turning else None
    if loose is not None:
        return loose
    up = -model.gravity / np.linalg.norm(model.gravity)
    down = math.sqrt(2.0 * energy * rng.uniform(*SLOW_SHARE))
    level = np.cross(up, rng.normal(size=(DIRECTIONS, 3)))
    level *= down * rng.uniform(0.5, 1.0) / np.linalg.norm(level, axis=1, keepdims=True)
    for slower in SLOWER:
        for aside in level:
            velocity = slower * aside - down * up
            if can_stop(model, rows, mine, velocity):
                return {int(row): (velocity, np.zeros(3)) for row in rows}
    return None


def _stops(model: Model, rows: np.ndarray, mine: list[int]) -> np.ndarray:
    """(k, 6 bodies) rates of the gaps of contacts with other bodies and of reached limits."""
    at = {int(row): 6 * i for i, row in enumerate(rows)}
    start, joints = model.start, model.joints
    found = []
    for body, point, n, _ in _feet(model, rows):
        gap = np.zeros(6 * len(rows))
        gap[at[body] : at[body] + 6] = [*n, *np.cross(point - start.x[body], n)]
        found.append(gap)
    for j in mine:
        way, side = limit_gap(joints, j, start.x, start.q)
        if way <= SLOP:
            a, b = int(joints.a[j]), int(joints.b[j])
            axis = rotation_matrix(start.q[a]) @ joints.frame_a[j, 2]
            anchor = start.x[b] + rotation_matrix(start.q[b]) @ joints.point_b[j]
            gap = np.zeros(6 * len(rows))
            for body, sign in ((b, side), (a, -side)):
                if body in at:
                    pull = sign * axis
                    hinge = joints.kind[j] == HINGE
                    moment = joints.length[j] * pull if hinge else np.cross(anchor - start.x[body], pull)
                    gap[at[body] : at[body] + 6] = [*(0.0 * pull if hinge else pull), *moment]
            found.append(gap)
    return np.array(found).reshape(-1, 6 * len(rows))


def _feet(model: Model, rows: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray, float]]:
    """Body, point, normal toward it and friction of every contact of an articulation with something else."""
    mine, found = {int(row) for row in rows}, []
    for a, b, point, normal, friction in zip(*ending_of(model), strict=True):
        if (int(a) in mine) != (int(b) in mine):
            own = int(a) in mine
            found.append((int(a if own else b), point, normal if own else -normal, float(friction)))
    return found


def _loose_motion(
    model: Model,
    rows: np.ndarray,
    mine: list[int],
    stops: np.ndarray,
    energy: float,
    left: float,
    rng: np.random.Generator,
) -> Mapping[int, tuple[np.ndarray, np.ndarray]] | None:
    """A motion that random impulses at all contacts stop. Any impulses inside their cones explain rest; what the joints
    add follows from them: with F a basis of what the joints allow, F M F^T a = -F p and u = F^T a. None when every try
    would have left a contact or passed a limit."""
    feet, at = _feet(model, rows), {int(row): 6 * i for i, row in enumerate(rows)}
    free = _freedoms(model, rows, mine)
    inertia = _inertia(model, rows)
    up = -model.gravity / np.linalg.norm(model.gravity)
    on = {row: sum(1 for foot in feet if foot[0] == row) for row in at}
    for attempt in range(LOOSE_TRIES if len(feet) else 0):
        uneven = UNEVEN * (1.0 - attempt / LOOSE_TRIES)
        aside, slant = np.cross(up, rng.normal(size=3)), rng.uniform(*SLANT)
        pushed = np.zeros(6 * len(rows))
        for body, point, normal, friction in feet:
            across = aside - (aside @ normal) * normal
            weight = model.bodies.mass[body] / on[body] * math.exp(uneven * rng.normal())
            push = weight * (normal - slant * INSIDE * friction * across / max(float(np.linalg.norm(across)), 1e-12))
            pushed[at[body] : at[body] + 6] += [*push, *np.cross(point - model.start.x[body], push)]
        motion = -free.T @ np.linalg.solve(free @ inertia @ free.T, free @ pushed)
        rates = stops @ motion
        closing = rates[: len(feet)]
        if (closing > -APPROACH * np.abs(closing).mean()).any() or (rates[len(feet) :] > 1e-12).any():
            continue
        per_mass = 0.5 * float(motion @ inertia @ motion) / float(model.bodies.mass[rows].sum())
        parts_of = motion.reshape(-1, 6)
        scale = math.sqrt(energy * rng.uniform(*SLOW_SHARE) / max(per_mass, 1e-12))
        scale = min(scale, rng.uniform(0.6, 0.95) * _ranges(model, rows, mine, parts_of) / left)
        return {int(row): (scale * u[:3], scale * u[3:]) for row, u in zip(rows, parts_of, strict=True)}
    return None


def _inertia(model: Model, rows: np.ndarray) -> np.ndarray:
    """(6 bodies, 6 bodies) of masses and inertias at the ending, in the world."""
    whole = np.zeros((6 * len(rows), 6 * len(rows)))
    for i, row in enumerate(rows):
        axes, first = rotation_matrix(model.start.q[row]), 6 * i
        whole[first : first + 3, first : first + 3] = model.bodies.mass[row] * np.eye(3)
        whole[first + 3 : first + 6, first + 3 : first + 6] = axes @ model.bodies.inertia[row] @ axes.T
    return whole


def can_stop(model: Model, rows: np.ndarray, mine: list[int], velocity: np.ndarray) -> bool:
    """Whether impulses in the cones of its contacts, and any of its joints, stop an articulation that comes in rigidly
    with this velocity."""
    at = {int(row): 6 * i for i, row in enumerate(rows)}
    start = model.start
    columns = list(_equations(model, rows, mine))
    columns += [-line for line in columns]
    for body, point, n, friction in _feet(model, rows):
        across = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.9 else [0.0, 1.0, 0.0])
        across /= np.linalg.norm(across)
        for angle in 2.0 * np.pi * np.arange(FACETS) / FACETS:
            push = n + INSIDE * friction * (math.cos(angle) * across + math.sin(angle) * np.cross(n, across))
            column = np.zeros(6 * len(rows))
            column[at[body] : at[body] + 6] = [*push, *np.cross(point - start.x[body], push)]
            columns.append(column)
    momentum = np.zeros(6 * len(rows))
    for row, first in at.items():
        momentum[first : first + 3] = -model.bodies.mass[row] * velocity
    scale = float(np.linalg.norm(momentum))
    matrix = np.array(columns).T
    _, missed = nnls(matrix, momentum, maxiter=50 * matrix.shape[1])
    return missed <= MISSED * scale


def _freedoms(model: Model, rows: np.ndarray, mine: list[int]) -> np.ndarray:
    """(freedoms, 6 bodies) an orthonormal basis of the motions that the joints `mine` allow."""
    values, axes = np.linalg.svd(_equations(model, rows, mine))[1:]
    return np.asarray(axes[int((values > NULL * values[0]).sum()) :])


def _equations(model: Model, rows: np.ndarray, mine: list[int]) -> np.ndarray:
    """(equations, 6 bodies) of the joints `mine`, as rates of the velocities and spins of the bodies."""
    joints, start = model.joints, model.start
    at = {int(row): 6 * i for i, row in enumerate(rows)}
    parts = np.zeros((2, len(joints.kind), 6, 6))
    lines = []
    for j in mine:
        place_equations(joints, j, start.x, start.q, parts[0], parts[1])
        for k in range(int(joints.rows[j])):
            line = np.zeros(6 * len(rows))
            for side, body in enumerate((int(joints.a[j]), int(joints.b[j]))):
                if body in at:
                    line[at[body] : at[body] + 6] += parts[side, j, k]
            lines.append(line)
    return np.array(lines)


def _allowed_motion(
    model: Model,
    rows: np.ndarray,
    mine: list[int],
    stops: np.ndarray,
    energy: float,
    left: float,
    rng: np.random.Generator,
) -> Mapping[int, tuple[np.ndarray, np.ndarray]] | None:
    """A random motion that the joints allow and that comes in against every stop, with up to `energy` J/kg, and so slow
    that nothing reaches its other limit in the `left` s before."""
    free = _freedoms(model, rows, mine)
    mass = model.bodies.mass[rows]
    for _ in range(TRIES if len(free) else 0):
        motion = rng.normal(size=len(free)) @ free
        for sign in (1.0, -1.0):
            rates = stops @ (sign * motion)
            if (rates <= 1e-12).all() and (rates < -1e-6).any():
                parts_of = (sign * motion).reshape(-1, 6)
                moving = float((mass * (parts_of[:, :3] ** 2).sum(1)).sum() / mass.sum())
                turning = float((model.bodies.size[rows] ** 2 * (parts_of[:, 3:] ** 2).sum(1)).mean())
                scale = math.sqrt(2.0 * energy * rng.uniform(*SLOW_SHARE) / max(moving + 0.4 * turning, 1e-12))
                scale = min(scale, rng.uniform(0.6, 0.95) * _ranges(model, rows, mine, parts_of) / left)
                return {int(row): (scale * u[:3], scale * u[3:]) for row, u in zip(rows, parts_of, strict=True)}
    return None


def _ranges(model: Model, rows: np.ndarray, mine: list[int], motion: np.ndarray) -> float:
    """For how long (s) this motion goes on, backward, until a hinge or slider comes to its other limit."""
    joints, at = model.joints, {int(row): i for i, row in enumerate(rows)}
    longest = math.inf
    for j in mine:
        if not math.isfinite(joints.lo[j]) and not math.isfinite(joints.hi[j]):
            continue
        axis = rotation_matrix(model.start.q[joints.a[j]]) @ joints.frame_a[j, 2]
        part = 3 if joints.kind[j] == HINGE else 0
        rate = sum(
            sign * float(axis @ motion[at[int(body)], part : part + 3])
            for body, sign in ((joints.b[j], 1.0), (joints.a[j], -1.0))
            if int(body) in at
        )
        room = -joints.lo[j] if rate > 0.0 else joints.hi[j]  # backward it turns the other way
        if rate != 0.0 and room > 0.0:
            longest = min(longest, float(room) / abs(rate))
    return longest
