"""Backward kick: from velocities after to velocities before, such that the forward law explains them.

Per contact (Twigg and James 2008, sec. 3, eqs 7 to 10; here against the exact law):

    V_n+ > rest    it bounced: v_n- = -V_n+ / restitution
    V_n+ ~ 0       it rested or landed: any impulse in the cone explains it; v_n- = -goal_n, zero to go on resting
    slides after   friction was at its bound and its direction is known: folded into the normal column
    sticks after   any friction in the disc; v_t- = goal_t where the disc allows

It is one Coulomb problem with w = -(v- + goal), the same as the forward one but for its right-hand side.

Where the answer is passive at a bouncing contact (v_n- < -V_n+/restitution with no impulse: faster in than the law
allows) another choice of *which* contacts carried the bounce often obeys the law: with two corners down, if the impulse
of one must vanish, giving the whole bounce to the other one is legal. So such islands are solved again with some of
their bouncing contacts held PASSIVE, if need be with coefficients moved through their tuning ranges, and the most
honest answer is kept.
"""

from __future__ import annotations

import math

import numpy as np

from engine.contact.island_solver import most_effort
from engine.contact.kick import (
    APART,
    CONTACTS,
    FREE,
    GHOST,
    ISLANDS,
    PASSIVE,
    apply_impulses,
    island_speed,
    open_island,
    pair_speed,
    relative_velocity,
    scaled_velocities,
)
from engine.contact.law import LEAST_RESTITUTION
from engine.contact.rows import own_responses
from engine.contact.tiers import PLASTIC
from engine.contact.verdict import judge_contact
from engine.jit import inline, kernel, standalone
from engine.joint.linkage import LIMITS
from engine.kick.lone_kick import folded, lone_kick, lone_system
from engine.kick.rounds import find_impulses
from engine.kick.sides import asked_speed, directions, fold_and_ask
from engine.params import CAUGHT
from engine.record import Record
from engine.vec import dot, put, row

MOST_SUBSET_CONTACTS = 5  # all subsets of up to this many bouncing contacts are tried, beyond it single ones
TUNINGS = 12  # ways to move the coefficients of a troubled island through their ranges, see _tune
OFFENCE = 1000.0  # what one contact that is not honest adds to an island's score
UNSOLVED = 0.0  # what an answer that is none adds to it
MOST_ATTEMPTS = 1 << 30  # of one island in one kick
JOINTED = False  # islands with joints (jointed.py) weigh answers that are none, and keep the last one's velocities


class Choice(Record):
    """The best answer so far of an island that is solved several times; capacity C."""

    impulse: np.ndarray  # (C, 3)
    torque: np.ndarray  # (C, 3)
    hold: np.ndarray  # (C,) int64
    restitution: np.ndarray  # (C,)
    friction: np.ndarray  # (C,)
    rolling: np.ndarray  # (C,)
    asked_restitution: np.ndarray  # (C,) what the director asked
    asked_friction: np.ndarray  # (C,)
    asked_rolling: np.ndarray  # (C,)


def empty_choice(capacity: int) -> Choice:
    numbers = (np.zeros(capacity) for _ in range(6))
    return Choice(np.zeros((capacity, 3)), np.zeros((capacity, 3)), np.zeros(capacity, np.int64), *numbers)


@standalone
def mark_unexplained(s, params, at, given):
    """GHOST every contact that approaches after the kick, or passes the surface: no forward kick leaves that behind.

    Half the certificate's tolerance, so that what passes here passes there. Of predicted contacts those are met that
    would have passed the surface a step earlier otherwise; where even that does not explain them, they are ghosts."""
    kick = s.kick
    for c in range(s.counts[CONTACTS] + s.linkage.counts[LIMITS]):
        fast = pair_speed(s, c, at, given)
        reached = kick.after[c] + kick.closing[c]  # gap after the step, by dt
        lost = reached < -0.5 * params.certificate_tolerance * (1.0 + fast)
        kick.hold[c] = GHOST if lost else FREE
        if reached > params.rest_speed and kick.closing[c] != 0.0:
            if kick.closing[c] >= kick.after[c] - kick.pull[c]:
                kick.hold[c] = APART
            elif kick.after[c] <= params.rest_speed:
                kick.hold[c] = GHOST


@inline
def solve(s, params, island, at, given, found):
    """Solve one island for the holds and decisions in `kick`. Returns (residual, speed, factorisations)."""
    width = open_island(s, island, at)
    scaled_velocities(s, params, island, -1.0, at, given, s.solver.newton.trial)
    fold_and_ask(s, params, island, width, s.solver.newton.trial)
    own_responses(s.rows, width, params.painleve_share)
    speed = island_speed(s, island, at, given)
    at_rest = speed == 0.0
    first = s.islands.contact_start[island]
    for i in range(s.rows.count[0]):
        c = s.islands.order[first + i]
        speed = max(speed, abs(s.base[c]))
        if s.kick.hold[c] == PASSIVE:  # any positive number
            s.rows.an[i] = 1.0
            s.rows.at[i] = 1.0
            s.rows.ar[i] = 1.0
    residual, effort = find_impulses(s, params, island, width, -1.0, speed, at_rest, 0.0, at, given, found)
    return residual, speed, effort


@inline
def solve_alone(s, params, island, at, given, found):
    """The same of a contact that is alone in its island and without rolling friction; else (infinity, 0)."""
    kick, first = s.kick, s.islands.contact_start[island]
    c = s.islands.order[first]
    if s.islands.contact_start[island + 1] - first != 1 or kick.rolling[c] != 0.0:
        return math.inf, 0.0
    u, responses = lone_system(s, params, c, -1.0, at, given)
    goal = row(kick.goal_t, c)
    b = (-u[0] - asked_speed(kick, c, params), dot(goal, row(kick.t1, c)) - u[1], dot(goal, row(kick.t2, c)) - u[2])
    d, _ = directions(kick, c, params)
    mu = kick.friction[c]
    friction = 0.0
    if d[0] != 0.0 or d[1] != 0.0:
        while folded(responses, kick.friction[c], d)[0] < params.painleve_share * responses[0]:
            kick.friction[c] *= 0.8
        mu = 0.0
        friction = kick.friction[c]
    speed = max(pair_speed(s, c, at, given), abs(b[0]))
    system = (b, responses, mu, friction, d)
    return lone_kick(s, params, c, -1.0, system, speed, 0.0, at, given, found), speed


@inline
def tier_of(s, params, c, at, found, speed):
    """Tier of one contact under the velocities found; sets kick.before."""
    u, _ = relative_velocity(s, c, at, found)
    s.kick.before[c] = dot(u, row(s.contacts.normal, c)) + s.kick.secant[c]
    return judge_contact(s, c, params, at, 1.0 + speed)[0]


@inline
def is_predicted(s, params, c):
    return params.landing != CAUGHT or s.kick.closing[c] != 0.0


@standalone
def offence(s, params, island, speed, at, found):
    """How far an island's answer is from honest: 0 when every contact is EXACT, TUNED or an asked-for landing.

    Thousands count contacts that are not; the rest prefers authored materials. A bounce that does not clear the surface
    in the step before would have no explanation there, so it counts as well."""
    kick, total = s.kick, 0.0
    for i in range(s.islands.contact_start[island], s.islands.contact_start[island + 1]):
        c = s.islands.order[i]
        tier = tier_of(s, params, c, at, found, speed)
        total += tier
        asked = tier == PLASTIC and kick.goal_n[c] > 0.0
        if tier >= PLASTIC and not asked:
            total += OFFENCE * tier
        elif kick.after[c] > params.rest_speed:
            earlier = s.contacts.gap[c] - params.dt * kick.before[c]
            if earlier <= (-params.slop if is_predicted(s, params, c) else params.slop):
                total += OFFENCE
    return total


@kernel
def keep(s, island):
    """Keep the answer of an island in s.choice."""
    copy_answer(s.kick, s.islands, island, s.choice)


@kernel
def restore(s, island):
    """The answer that was kept."""
    copy_answer(s.choice, s.islands, island, s.kick)


@inline
def copy_answer(source, islands, island, target):
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        put(target.impulse, c, row(source.impulse, c))
        put(target.torque, c, row(source.torque, c))
        target.hold[c] = source.hold[c]
        target.restitution[c] = source.restitution[c]
        target.friction[c] = source.friction[c]
        target.rolling[c] = source.rolling[c]


@inline
def _tune(s, c, place, tuning):
    """Coefficients of bouncing contact c, the place-th of its island, in the tuning of that number.

    0: as asked. 1 to 3: restitution one, two, three thirds of the way to the top of its range. 4 to 6: to the bottom.
    7, 8: top and bottom in turn. 9 to 11: as asked, top, bottom, all with the least friction."""
    up = 0.0
    down = 0.0
    if 1 <= tuning <= 3:
        up = tuning / 3.0
    elif 4 <= tuning <= 6:
        down = (tuning - 3) / 3.0
    elif tuning == 7 or tuning == 8:
        up = float((place + tuning) % 2)
        down = 1.0 - up
    elif tuning == 10:
        up = 1.0
    elif tuning == 11:
        down = 1.0
    kick, choice, material = s.kick, s.choice, s.material
    asked = choice.asked_restitution[c]
    kick.restitution[c] = (
        asked
        + up * (max(material.restitution_top[c], asked) - asked)
        + down * (max(min(material.restitution_low[c], asked), LEAST_RESTITUTION) - asked)
    )
    kick.friction[c] = choice.asked_friction[c]
    kick.rolling[c] = choice.asked_rolling[c]
    if tuning >= 9:
        kick.friction[c] = min(material.friction_low[c], choice.asked_friction[c])


@inline
def hold_and_tune(s, params, island, subset, tuning, bouncing):
    """Hold a subset of the island's bouncing contacts PASSIVE and tune the rest; start cold."""
    kick, islands = s.kick, s.islands
    place = 0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        kick.hold[c] = FREE
        for k in range(3):
            kick.impulse[c, k] = 0.0
            kick.torque[c, k] = 0.0
        if kick.after[c] > params.rest_speed:
            _tune(s, c, place, tuning)
            chosen = (subset >> place) & 1 == 1 if bouncing <= MOST_SUBSET_CONTACTS else subset == place + 1
            if chosen:
                kick.hold[c] = PASSIVE
            place += 1


@inline
def remember_asked(s, params, island):
    """Keep what the director asked; returns the number of bouncing contacts."""
    kick, islands, choice = s.kick, s.islands, s.choice
    bouncing = 0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        choice.asked_restitution[c] = kick.restitution[c]
        choice.asked_friction[c] = kick.friction[c]
        choice.asked_rolling[c] = kick.rolling[c]
        if kick.after[c] > params.rest_speed:
            bouncing += 1
    return bouncing


@standalone
def explain(s, params, island, at, given, found):
    """Velocities before the kick of one island: as asked from the warm start, and where that is not honest with other
    choices, the best of which is kept. Returns the residual (relative)."""
    bouncing = remember_asked(s, params, island)
    subsets = (1 << bouncing) - 1 if bouncing <= MOST_SUBSET_CONTACTS else bouncing + 1
    n = s.islands.body_start[island + 1] - s.islands.body_start[island]
    best, reached = math.inf, math.inf
    chosen, last, effort = 0, 0, 0
    for attempt in range(min(max(TUNINGS * subsets, 1), MOST_ATTEMPTS)):
        if attempt > 0:
            if best < OFFENCE and attempt % subsets == 0 or effort > most_effort(n, s.solver.blocks.pattern):
                break
            hold_and_tune(s, params, island, attempt % subsets, attempt // subsets, bouncing)
        residual, speed = solve_alone(s, params, island, at, given, found)
        if not residual <= params.solver_tolerance:
            residual, speed, spent = solve(s, params, island, at, given, found)
            effort += spent
        solved = residual <= params.solver_tolerance
        score = offence(s, params, island, speed, at, found) + (0.0 if solved else UNSOLVED)
        last = attempt
        if attempt == 0 or (score < best and (solved or JOINTED)):
            best, reached, chosen = score, residual, attempt
            if best < OFFENCE and attempt == 0:
                break
            keep(s, island)
    if chosen != last or (last > 0 and not JOINTED):
        restore(s, island)
        apply_impulses(s, params, island, -1.0, given, found)
    return reached


@inline
def explain_joined(s, params, island, at, given, found):
    """Nothing here has joints (jointed.py has those that do)."""
    return math.inf


@standalone
def backward_kick(s, params, at, given, found):
    """Velocities before the kick for every body in an island. kick.after, slide, roll and the decisions are set;
    kick.impulse holds the warm start and receives the answer. Returns the worst relative residual."""
    worst = 0.0
    for island in range(s.counts[ISLANDS]):
        if s.islands.joined[island]:
            residual = explain_joined(s, params, island, at, given, found)
        else:
            residual = explain(s, params, island, at, given, found)
        worst = max(worst, residual) if math.isfinite(residual) else math.inf
    return worst
