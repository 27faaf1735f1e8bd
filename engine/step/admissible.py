"""Motions that a joint allows: of the states with closed joints those that were closed one step earlier too.

A velocity for which the joints stay closed at the instant is not one of them: it is off by half of what turning adds in
a step. So where an ending or a start moves, the impulses that put it right are found, as in a backward step without
gravity. Articulations at rest are left alone, bit for bit.
"""

from __future__ import annotations

import numpy as np

from engine.contact.kick import CONTACTS
from engine.joint.linkage import FIRST_LIMIT, LIMITS
from engine.kick.jointed import kick_back
from engine.model.arrays import State, copy_state
from engine.model.articulations import articulations
from engine.model.compile import Model
from engine.params import Params
from engine.step.scratch import enlarge, make_scratch
from engine.step.stages import link


def admissible(model: Model, params: Params, state: State) -> State:
    """`state` with velocities that its joints allow over the step before it."""
    fixed = copy_state(state)
    group = articulations(model.joints, model.bodies.inverse_mass > 0.0)
    moves = state.v.any(axis=1) | state.l.any(axis=1)
    lively = np.isin(group, group[moves & (group >= 0)])
    if not lively.any():
        return fixed
    s = make_scratch(model)
    s.asleep[:] = ~lively
    s.counts[CONTACTS], s.linkage.counts[LIMITS], s.linkage.counts[FIRST_LIMIT] = 0, 0, 0
    while status := link(s, s.asleep):
        s = enlarge(s, status)
    weightless = params._replace(gravity_x=0.0, gravity_y=0.0, gravity_z=0.0)
    kick_back(s, weightless, state, state, fixed)
    return fixed
