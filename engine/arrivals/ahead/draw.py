"""Candidates: ways in which a resting body may have arrived, drawn as impulses of its contacts.

An impulse inside the cones of the contacts is an arrival that they can stop: u- = -J/m - g dt. So candidates are drawn
there and not as velocities. Seen backward the body leaves along -u-; close neighbours bar some directions, and bodies
that touch it sideways may only be left along them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.algebra import norm, norms, solve, times
from engine.arrivals.ahead.ladder import ladder
from engine.arrivals.ahead.tuning import ASKED, AT_ANY_SPEED, HOP, SKIP, SLIDE, TUNING, Pace
from engine.arrivals.arrive import MAXIMAL
from engine.arrivals.hints import linked
from engine.arrivals.structure import Structure
from engine.decide.launch import Launch, vector
from engine.factors import nonnegative
from engine.functions import around, power, sine_cosine
from engine.model.arrays import SPHERE
from engine.shapes.crossed import crossed
from engine.shapes.turns import rotation_matrix

FACETS = 16  # of a friction cone
OFF_SHARE = 0.9  # of the speed after a bounce: whoever has more there has bounced that high
ROUNDING, ALMOST_STILL = 1e-6, 0.1  # of its speed: so much sideways is none, so much at its surface is no turning
LEAST_BOUNCE, MOST_BOUNCE = 0.02, 0.97  # restitution: what is less deadens any landing; what is more never ends


@dataclass(frozen=True)
class Candidate:
    """Either a velocity and an angular momentum just before rest, or a launch for the plan (a slide)."""

    kind: str
    velocity: np.ndarray  # m/s
    momentum: np.ndarray  # kg m^2/s
    launch: Launch | None = None
    glance: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # see solo.py

    @property
    def speed(self) -> float:
        return norm(self.velocity)


@dataclass(frozen=True)
class RestingPlace:
    """Where a body rests, for drawing: contacts that are there when it arrives."""

    body: int
    mass: float
    inertia_inverse: np.ndarray  # (3, 3) world
    x: np.ndarray
    points: np.ndarray  # (k, 3) m of the contacts that carry it
    normals: np.ndarray  # (k, 3) toward the body
    friction: np.ndarray  # (k,)
    bounce: float  # least restitution of these
    barred: np.ndarray  # (j, 3) unit, toward neighbours too close to have come from there
    size: float  # m
    swing: float  # 0 for a ball, whose turning sweeps over nothing; else 1
    held: np.ndarray  # (h, 3) unit normals (toward the body) of contacts that do not carry it
    foot: np.ndarray  # (f, 3) m of the contacts with the ground of all that carries it
    up: np.ndarray
    soon: float  # s after which one that touches it leaves too, seen backward
    others: np.ndarray  # (o, 3) m, where bodies rest that are there when it arrives
    taken: np.ndarray  # (w, 3) unit level ways that neighbours have taken lately
    sector: tuple[float, float] | None = None  # degrees and spread on the ground from which it is to come
    speed: tuple[float, float] | None = None  # m/s along the ground that it is to have when it is let go
    slowest: float = 0.0  # m/s of a landing between round bodies

    @cached_property
    def walls(self) -> list[np.ndarray]:
        """Level unit parts of `barred`."""
        level = [toward - float(times(toward, self.up)) * self.up for toward in self.barred]
        return [each / norm(each) for each in level if norm(each) > 1e-9]

    def way_out(self, along: np.ndarray, share: float) -> float:
        """How long a way is until it leads beside all others, longer where a neighbour goes: m over a share of the
        speed."""
        far = float(times(self.others - self.x, along).max(initial=0.0)) + self.size
        busy = float(np.maximum(times(self.taken, along), 0.0).sum())
        return (1.0 + busy) * far / max(min(share * float(self.friction.min()), self.lean(along)), 1e-9)

    def least_speed(self, gravity: np.ndarray) -> float:
        """m/s at which it rises by its own height until others need the room."""
        fall = norm(gravity)
        tall = max(2.0 * float(times(self.x - self.points, self.up).mean()), 0.0)
        if not math.isfinite(self.soon) or fall == 0.0:
            return 0.0
        time = max(min(self.soon, math.sqrt(2.0 * tall / fall)), 1e-3)
        return tall / time + 0.5 * fall * time

    def lean(self, along: np.ndarray) -> float:
        """Friction over normal impulse that what carries the body stands: more, and the whole of it tips over."""
        if not len(self.foot):
            return math.inf
        arm = self.x - self.foot
        high = float(times(arm, self.up).max()) - self.size
        wide = float(times(-arm, along).max())
        return TUNING.steady * max(wide, 0.0) / high if high > 0.0 else math.inf


def place_of(
    structure: Structure,
    body: int,
    resting: np.ndarray,
    close: np.ndarray,
    soon: float = math.inf,
    taken: Sequence[np.ndarray] = (),
) -> RestingPlace:
    """close: (j, 3) unit directions toward neighbours at a distance."""
    model = structure.model
    rows, others = structure.rows_of[body], structure.others_of(body)
    there = resting[others] | ~structure.moves[others]
    rows, normals = rows[there], structure.normals_toward(body)[there]
    carries = times(normals, structure.up) > TUNING.sideways
    if not carries.any():
        carries = times(normals, structure.up) > 0.0
    turn = rotation_matrix(model.start.q[body])
    return RestingPlace(
        body=body,
        mass=float(model.bodies.mass[body]),
        inertia_inverse=times(times(turn, model.bodies.inverse_inertia[body]), turn.T),
        x=model.start.x[body],
        points=structure.contacts.point[rows[carries]],
        normals=normals[carries],
        friction=structure.material.friction[rows[carries]],
        bounce=float(structure.material.restitution[rows[carries]].min(initial=1.0)),
        barred=np.concatenate([close.reshape(-1, 3), -normals[~carries]]),
        size=float(model.bodies.size[body]),
        swing=0.0 if _is_ball(structure, body) else 1.0,
        held=normals[~carries],
        foot=_foot(structure, body),
        up=structure.up,
        soon=soon,
        others=model.start.x[resting],
        taken=np.array(taken).reshape(-1, 3),
    )


def _foot(structure: Structure, body: int) -> np.ndarray:
    """(f, 3) contact points of the static bodies under everything that carries a body; none where it stands on them."""
    carriers = structure.with_carriers({body}) - {body}
    rows = {int(c) for each in carriers for c in structure.rows_of[each]}
    a, b = structure.contacts.a, structure.contacts.b
    ground = [c for c in sorted(rows) if not (structure.moves[a[c]] and structure.moves[b[c]])]
    return structure.contacts.point[ground].reshape(-1, 3)


def _is_ball(structure: Structure, body: int) -> bool:
    geometry = structure.model.geometry
    own = np.flatnonzero(geometry.part_body == body)
    return bool((geometry.part_kind[own] == SPHERE).all() and not geometry.part_center[own].any())


def draw(
    kind: str,
    place: RestingPlace,
    gravity: np.ndarray,
    dt: float,
    time: float,
    rng: np.random.Generator,
    calm: float = 1.0,
    pace: Pace = AT_ANY_SPEED,
) -> Candidate:
    """A candidate of a kind. time: s before the end at which the body leaves rest. calm: share of the level push and of
    the turning that is left."""
    if kind == SLIDE:
        return _slide(place, gravity, time, rng)
    if kind == SKIP:
        return _skip(place, gravity, dt, rng, pace, calm)
    recipe = pace.recipes[kind]
    slow, fast = recipe.speed
    if kind != HOP and pace.top is None and place.soon < TUNING.hurry:
        slow = max(slow, TUNING.surely * place.least_speed(gravity))
    speed = rng.uniform(slow, max(slow, fast)) if pace.top is None else _landing(place, gravity, dt, rng, pace)[0]
    along = _open_direction(place, rng)
    share, uneven = TUNING.grip * rng.uniform(*recipe.friction), calm * recipe.uneven
    if place.soon < TUNING.hurry:
        ways = [along, *(_open_direction(place, rng) for _ in range(TUNING.ways))]
        along = min(ways, key=lambda way: place.way_out(way, share))
    share = calm * min(share, place.lean(along) / max(float(place.friction.min()), 1e-9))
    shares = rng.dirichlet(np.full(len(place.points), 0.6))
    for _ in range(TUNING.swings):
        velocity, momentum = _stopped_by(place, speed, along, share, uneven, shares, gravity, dt)
        if not len(place.barred) or place.swing * _spin(place, momentum) <= TUNING.swing * speed:
            break
        share, uneven = 0.6 * share, 0.3 * uneven
    if len(place.held):
        velocity, momentum = _let_go(place, velocity), momentum if place.swing == 0.0 else np.zeros(3)
    return Candidate(kind, velocity, momentum)


def suited(kind: str, place: RestingPlace) -> float:
    """Weight of a kind: who leaves room to others soon has no time for small bounces and slides."""
    return TUNING.unhurried if kind in (HOP, SKIP, SLIDE) and len(place.held) and place.soon < TUNING.hurry else 1.0


def asked(
    place: RestingPlace,
    launch: Launch,
    gravity: np.ndarray,
    dt: float,
    time: float,
    rng: np.random.Generator,
    attempt: int,
) -> Candidate:
    """What a hint asks for; from the second attempt on turned and slowed a little more each time."""
    loose = min(attempt / TUNING.loosest, 1.0)
    turn = loose * rng.uniform(-TUNING.asked_turn, TUNING.asked_turn)
    share = 1.0 - loose * rng.uniform(0.0, TUNING.asked_slower)
    stages = []
    stage: Launch | None = launch
    while stage is not None:
        velocity, spin = np.array(stage.velocity), np.array(stage.spin)
        stages.append(
            replace(stage, velocity=_turned(velocity, place.up, turn, share), spin=_turned(spin, place.up, turn, share))
        )
        stage = stage.then
    stages[0] = replace(stages[0], time=time)
    chain = linked(stages)
    velocity = np.array(chain.velocity)
    if chain.then is None and not chain.slide and not chain.roll:
        momentum = solve(place.inertia_inverse, np.array(chain.spin))
        return Candidate(ASKED, *_nearest_stop(place, velocity, momentum, gravity, dt))
    return Candidate(ASKED, velocity, np.zeros(3), chain)


def _nearest_stop(
    place: RestingPlace, velocity: np.ndarray, momentum: np.ndarray, gravity: np.ndarray, dt: float
) -> tuple[np.ndarray, np.ndarray]:
    """The velocity and momentum nearest to these that impulses of the contacts stop, to rounding."""
    level = velocity - float(times(velocity, place.up)) * place.up
    first = level if level.any() else _level(place.up)
    first = first / norm(first)
    edges = []
    for c, s in zip(*around(FACETS), strict=True):
        along = c * first + s * crossed(place.up, first)
        tangent = along - times(place.normals, along)[:, None] * place.normals
        tangent /= np.maximum(norms(tangent, keepdims=True), 1e-9)
        edges.append(place.normals + place.friction[:, None] * tangent)
    edge = np.concatenate(edges)
    moments = crossed(np.tile(place.points - place.x, (FACETS, 1)), edge)
    rows = np.concatenate([edge.T, moments.T / place.size]) / place.mass
    weight = nonnegative(rows, -np.concatenate([velocity + dt * gravity, momentum / (place.size * place.mass)])).weights
    return -times(weight, edge) / place.mass - dt * gravity, -times(weight, moments)


def _level(up: np.ndarray) -> np.ndarray:
    """Some level direction."""
    return crossed(up, np.array([1.0, 0.0, 0.0] if abs(up[0]) < 0.9 else [0.0, 1.0, 0.0]))


def _turned(v: np.ndarray, up: np.ndarray, angle: float, share: float) -> tuple[float, float, float]:
    """Turned about the vertical; the level part scaled."""
    upright = float(times(v, up)) * up
    level = v - upright
    s, c = sine_cosine(angle)
    return vector(upright + share * (c * level + s * crossed(up, level)))


def _stopped_by(
    place: RestingPlace,
    speed: float,
    along: np.ndarray,
    share: float,
    uneven: float,
    shares: np.ndarray,
    gravity: np.ndarray,
    dt: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and momentum that are stopped by an impulse of the contacts: of `speed` against the support, with a
    share of the friction along a direction, spread such that the body does not turn, or as unevenly as `shares`."""
    tangent = along - times(place.normals, along)[:, None] * place.normals
    length = norms(tangent, keepdims=True)
    tangent = np.where(length > 1e-9, tangent / np.maximum(length, 1e-9), 0.0)
    edge = place.normals + share * place.friction[:, None] * tangent
    arm = place.points - place.x
    moments = crossed(arm, edge)
    even = np.full(len(edge), 1.0 / len(edge))
    if place.swing > 0.0:
        rows = np.concatenate([moments.T / place.size, TUNING.evenly * np.eye(len(edge)), np.ones((1, len(edge)))])
        calm = nonnegative(rows, np.concatenate([np.zeros(3), TUNING.evenly * even, [1.0]])).weights
        even = calm / max(float(calm.sum()), 1e-9) if calm.any() else even
    weight = (1.0 - uneven) * even + uneven * shares
    lift = float(times(weight, times(edge, place.up)))
    weight = weight * (place.mass * speed / max(lift, 1e-3))
    return -times(weight, edge) / place.mass - dt * gravity, -times(weight, moments)


def _spin(place: RestingPlace, momentum: np.ndarray) -> float:
    return norm(times(place.inertia_inverse, momentum))


def _open_direction(place: RestingPlace, rng: np.random.Generator) -> np.ndarray:
    """Unit level direction of the friction on the body: seen backward it leaves along it, so not toward neighbours."""
    for _ in range(16):
        angle = rng.uniform(0.0, 2.0 * math.pi)
        first = _level(place.up)
        first /= norm(first)
        if place.sector is not None:  # seen backward it leaves toward where it comes from
            angle = math.radians(place.sector[0] + 0.9 * place.sector[1] * (angle / (2.0 * math.pi) - 0.5))
            first = np.array([1.0, 0.0, 0.0]) - place.up[0] * place.up
            first /= norm(first)
        s, c = sine_cosine(angle)
        along = c * first + s * crossed(place.up, first)
        for _ in range(4):
            for level in place.walls:
                along = along - max(float(times(along, level)), 0.0) * level
        size = norm(along)
        if size > 1e-6:
            return along / size
    return np.zeros(3)


def _let_go(place: RestingPlace, velocity: np.ndarray) -> np.ndarray:
    """The nearest velocity that does not come out of a contact that holds the body sideways."""
    for _ in range(32):
        worst = 0.0
        for n in place.held:
            out = float(times(velocity, n))
            if out > 0.0:
                velocity = velocity - out * n
                worst = max(worst, out)
        if worst < 1e-15:
            break
    return velocity


def _skip(
    place: RestingPlace, gravity: np.ndarray, dt: float, rng: np.random.Generator, pace: Pace, calm: float
) -> Candidate:
    """Bounces on the spot before it rests, and came to the first of these bounces from the side."""
    along = _open_direction(place, rng)
    if pace.top is None:
        speed, off = rng.uniform(*TUNING.skip_speed), None
    else:
        speed, off = _landing(place, gravity, dt, rng, pace)
    velocity, momentum = _stopped_by(place, speed, along, 0.0, 0.0, np.ones(len(place.points)), gravity, dt)
    if pace.top is not None:
        velocity, momentum = _straight(place, velocity, momentum)
    if len(place.held):
        velocity = _let_go(place, velocity)
    share = rng.uniform(*TUNING.skip_lean) * float(place.friction.min())
    if place.speed is not None and off:
        share = rng.uniform(*place.speed) / ((1.0 + 1.0 / max(place.bounce, LEAST_BOUNCE)) * off / OFF_SHARE)
        share = min(share, TUNING.grip * float(place.friction.min()))
    most = min(share, place.lean(along))
    lean = vector((most if pace.top is None else calm * most) * along)
    return Candidate(SKIP, velocity, momentum, glance=(*lean, rng.uniform(*TUNING.skip_off) if off is None else off))


def _straight(place: RestingPlace, velocity: np.ndarray, momentum: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same without what is left of a turn, and of a way along the ground, by rounding: the least of it would let
    contacts slide at the next bounce, and friction with all its strength would turn the body there."""
    upright = float(times(velocity, place.up)) * place.up
    speed = norm(velocity)
    if norm(velocity - upright) < ROUNDING * speed:
        velocity = upright
    if place.size * _spin(place, momentum) < ALMOST_STILL * speed:
        momentum = np.zeros(3)
    return velocity, momentum


def _landing(
    place: RestingPlace, gravity: np.ndarray, dt: float, rng: np.random.Generator, pace: Pace
) -> tuple[float, float]:
    """m/s that the last contact takes from a body that fell from the pace's height (what gravity adds in that step
    included), and less than it has after the first of its bounces."""
    assert pace.top is not None
    g = norm(gravity)
    falls = g * dt
    fall = math.sqrt(2.0 * g * rng.uniform(*pace.top))
    if place.bounce < LEAST_BOUNCE:
        return fall + falls, 0.0  # it stays however fast it comes
    if place.bounce > MOST_BOUNCE:
        return rng.uniform(0.3, 1.0) * pace.softest + falls, 0.9 * pace.softest
    known = ladder(place.bounce, g, dt, pace.slop, pace.softest, 0.9 * pace.top[0], pace.soonest, pace.seconds)
    found = known.drawn(rng, pace.top, pace.hurries, place.slowest)
    if found is None:
        return rng.uniform(0.3, 1.0) * pace.softest + falls, 0.5 * place.bounce * fall
    return found[0] + falls, OFF_SHARE * found[1]


def _slide(place: RestingPlace, gravity: np.ndarray, time: float, rng: np.random.Generator) -> Candidate:
    """Slides for a while and lands before that."""
    along = _open_direction(place, rng)
    lasts = rng.uniform(*TUNING.slide_lasts)
    fast = TUNING.grip * float(place.friction.min()) * norm(gravity) * lasts
    into = TUNING.softest * power(TUNING.hardest / TUNING.softest, rng.uniform())
    came = -along  # friction brakes: the body slid toward -along of its push
    landing = Launch(place.body, math.inf, vector(fast * came - into * place.up))
    launch = Launch(place.body, time, vector(MAXIMAL * came), slide=True, fastest=fast, then=landing)
    return Candidate(SLIDE, fast * came, np.zeros(3), launch)
