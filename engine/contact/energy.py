"""Energy and speed of bodies."""

from __future__ import annotations

import math

from engine.jit import kernel, standalone
from engine.spin import spin_of
from engine.vec import dot, quat_row, row


@kernel
def body_energy(mass, inverse_inertia, params, body, x, q, v, l):
    """Kinetic (spin included) plus potential energy of one moving body, J; potential zero at the origin.

    The velocity of a state is half a step older than its position, so m g.v dt/2 is added: this energy is constant to
    rounding in free flight and across elastic bounces (without spin), and at rest it is the potential."""
    w = spin_of(quat_row(q, body), inverse_inertia, body, row(l, body))
    u = row(v, body)
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    m = mass[body]
    return 0.5 * m * dot(u, u) + 0.5 * dot(w, row(l, body)) - m * dot(g, row(x, body)) + 0.5 * m * params.dt * dot(g, u)


@kernel
def own_energies(bodies, params, x, q, v, l, energy):
    """Energy (J) of every body, 0 for static ones."""
    for body in range(v.shape[0]):
        energy[body] = 0.0
        if bodies.inverse_mass[body] > 0.0:
            energy[body] = body_energy(bodies.mass, bodies.inverse_inertia, params, body, x, q, v, l)


@standalone
def measure(bodies, params, x, q, v, l):
    """(energy J of the moving bodies, fastest body, its speed m/s); no number counts as infinitely fast."""
    energy = 0.0
    worst = -1
    most = -1.0
    for body in range(v.shape[0]):
        if bodies.inverse_mass[body] == 0.0:
            continue
        own = body_energy(bodies.mass, bodies.inverse_inertia, params, body, x, q, v, l)
        energy += own
        u = row(v, body)
        w = spin_of(quat_row(q, body), bodies.inverse_inertia, body, row(l, body))
        speed = math.sqrt(dot(u, u)) + math.sqrt(dot(w, w)) * bodies.size[body]
        if not math.isfinite(own + speed):
            return energy, body, math.inf
        if speed > most:
            most = speed
            worst = body
    return energy, worst, most
