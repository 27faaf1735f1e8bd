"""Mass, centre of mass and inertia of every solid shape, in closed form."""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import norm
from engine.scene.spec import Shape
from engine.shapes.ask import ask
from engine.shapes.inertia import MassProperties

ROUND_OFF = 1e-12  # a centre of mass this close to the origin (relative to the size) is the origin


def mass_properties(shape: Shape, density: float) -> MassProperties:
    """Exact for every solid; parts of a compound add up, also where they overlap.

    A centre of mass that differs from the origin only by round-off is set to zero, component by component: the
    state of a symmetric hull then starts exactly at its authored position.
    """
    mass, center, inertia = ask(shape).mass(density)
    reach = math.sqrt(float(np.trace(inertia)) / mass) + norm(center)
    center = np.where(np.abs(center) <= ROUND_OFF * reach, 0.0, center)
    return MassProperties(mass, center, 0.5 * (inertia + inertia.T))
