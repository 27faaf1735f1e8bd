"""Energy and speed of bodies."""

from __future__ import annotations

import math

from engine.jit import kernel, standalone
from engine.model.states import recall_state
from engine.spin import spin_of
from engine.vec import dot, quat_row, row


@kernel
def body_energy(mass, gravity, dt, place, u, momentum, w):
    """Kinetic (spin included) plus potential energy of one moving body, J; potential zero at the origin.

    The velocity of a state is half a step older than its position, so m g.v dt/2 is added: this energy is constant to
    rounding in free flight and across elastic bounces (without spin), and at rest it is the potential. (Scalars only:
    handing over all of Params for every body costs more than the work.)"""
    motion = 0.5 * mass * dot(u, u) + 0.5 * dot(w, momentum)
    return motion - mass * dot(gravity, place) + 0.5 * mass * dt * dot(gravity, u)


@kernel
def own_energies(bodies, params, state, energy):
    """Energy (J) of every body, 0 for static ones."""
    x, q, v, l = state.x, state.q, state.v, state.l
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    for body in range(v.shape[0]):
        energy[body] = 0.0
        if bodies.inverse_mass[body] > 0.0:
            momentum = row(l, body)
            w = spin_of(quat_row(q, body), bodies.inverse_inertia, body, momentum)
            energy[body] = body_energy(bodies.mass[body], gravity, params.dt, row(x, body), row(v, body), momentum, w)


@standalone
def measure(bodies, params, state):
    """(energy J of the moving bodies, fastest body, its speed m/s); no number counts as infinitely fast."""
    x, q, v, l = state.x, state.q, state.v, state.l
    gravity, dt = (params.gravity_x, params.gravity_y, params.gravity_z), params.dt
    mass, inverse_mass, inverse_inertia, size = bodies.mass, bodies.inverse_mass, bodies.inverse_inertia, bodies.size
    energy, worst, most = 0.0, -1, 0.0
    for body in range(v.shape[0]):
        if inverse_mass[body] == 0.0:
            continue
        u = row(v, body)
        w = spin_of(quat_row(q, body), inverse_inertia, body, row(l, body))
        own = body_energy(mass[body], gravity, dt, row(x, body), u, row(l, body), w)
        energy += own
        moves, turns = dot(u, u), dot(w, w) * size[body] * size[body]
        if not math.isfinite(own + moves + turns):
            return energy, body, math.inf
        if 2.0 * (moves + turns) >= most * most:  # at most the square of the sum of the roots: few pass
            speed = math.sqrt(moves) + math.sqrt(turns)
            if worst < 0 or speed > most:
                most = speed
                worst = body
    return energy, worst, most if worst >= 0 else -1.0


@kernel
def measure_path(bodies, params, path, state, energy):
    """Energy (J) of every state of a path but its first, up to one in which a body is too fast: how many before it.
    That one stays in `state`."""
    for j in range(energy.shape[0]):
        recall_state(path, j + 1, state)
        energy[j], _, fastest = measure(bodies, params, state)
        if not fastest <= params.max_speed:
            return j
    return energy.shape[0]
