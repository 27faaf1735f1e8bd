"""Forward kick: from velocities before to velocities after, by the contact law with the decided coefficients."""

from __future__ import annotations

import math

from engine.contact.kick import ISLANDS, island_speed, open_island, pair_speed, scaled_velocities
from engine.contact.rows import own_responses
from engine.jit import inline, standalone
from engine.kick.felt_kick import felt_kick, goes_through
from engine.kick.jointed import forward_joined
from engine.kick.lone_kick import lone_kick, lone_system
from engine.kick.rounds import find_impulses
from engine.kick.sides import bias, law_sides


@inline
def _lone(s, params, c, accepted, at, given, found):
    """Forward kick of contact c, alone in its island and without rolling friction; returns its residual (relative)."""
    u, responses = lone_system(s, params, c, 1.0, at, given)
    system = ((u[0] + bias(s.kick, c, params), u[1], u[2]), responses, s.kick.friction[c], 0.0, (0.0, 0.0))
    return lone_kick(s, params, c, 1.0, system, pair_speed(s, c, at, given), accepted, at, given, found)


@inline
def _solve(s, params, island, accepted, at, given, found):
    """Forward kick of any island; returns its residual (relative)."""
    width = open_island(s, island, at)
    own_responses(s.rows, width, params.painleve_share)
    speed = island_speed(s, island, at, given)
    scaled_velocities(s, params, island, 1.0, at, given, s.solver.newton.trial)
    law_sides(s, params, island, width, s.solver.newton.trial)
    return find_impulses(s, params, island, width, 1.0, speed, speed == 0.0, accepted, at, given, found)[0]


@standalone
def forward_kick(s, params, accepted, at, given, found):
    """Velocities after the kick for every body in an island. kick.before and the decisions are set; kick.impulse holds
    the warm start and receives the answer; a start within `accepted` (relative) of the law is kept as it is. Returns
    the worst residual (relative)."""
    worst = 0.0
    for island in range(s.counts[ISLANDS]):
        residual = math.inf
        if s.islands.joined[island]:
            residual = forward_joined(s, params, island, accepted, at, given, found)
        else:
            first = s.islands.contact_start[island]
            c = s.islands.order[first]
            alone = s.islands.contact_start[island + 1] - first == 1 and s.kick.rolling[c] == 0.0
            if alone:
                residual = _lone(s, params, c, accepted, at, given, found)
            if not residual <= max(params.solver_tolerance, accepted):
                residual = _solve(s, params, island, accepted, at, given, found)
            if alone and (
                s.kick.friction[c] == 0.0
                and not residual <= max(params.solver_tolerance, accepted)
                or goes_through(s, params, c, at, found)
            ):
                s.kick.friction[c] = s.material.friction_low[c]
                if s.kick.friction[c] == 0.0:
                    residual = felt_kick(s, params, c, island_speed(s, island, at, given), at, given, found)
        worst = max(worst, residual) if math.isfinite(residual) else math.inf
    return worst
