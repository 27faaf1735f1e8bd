"""Why a run ended early, and what it could not solve, in words."""

from __future__ import annotations

import numpy as np

from engine.contact.energy import measure
from engine.joint.health import joint_health
from engine.joint.linkage import make_linkage
from engine.model.arrays import State
from engine.model.compile import Model
from engine.params import Params
from engine.status import DIVERGED, OVERTURNED


def why_it_ends(status: int, model: Model, params: Params, state: State, when: str, side: str) -> str:
    """Of a fatal status. side: "before" or "after", of the part that is kept."""
    if status & DIVERGED:
        return divergence(model, params, state, when, side)
    linkage = make_linkage(model.joints, len(model.names))
    body, turn, opened = joint_health(linkage, model.bodies.inverse_inertia, state, 0.0, params.dt)
    if status & OVERTURNED:
        turns = f"turns by {turn:.2g} rad in one step, {when}: too fast for its joints to be followed"
        return f'"{model.names[body]}" {turns}; the part {side} it is kept'
    name = f'"{model.joint_names[opened]}"' if opened >= 0 else "A joint"
    return f"{name} could not be closed {when}; the part {side} it is kept"


def divergence(model: Model, params: Params, state: State, when: str, side: str) -> str:
    _, body, speed = measure(model.bodies, params, state)
    fast = f"reached {speed:.3g} m/s" if np.isfinite(speed) else "has no finite speed any more"
    return f'"{model.names[body]}" {fast} {when}: the motion diverges there; the part {side} it is kept'


def unsolved(residual: np.ndarray, params: Params) -> tuple[str, ...]:
    """A note when the contact solver did not reach its tolerance everywhere; the certificate judges what it reached."""
    missed = residual[~(residual <= params.solver_tolerance)]
    if not len(missed):
        return ()
    return (
        f"in {len(missed)} of {len(residual)} steps the contact forces were found only to {missed.max():.0e} "
        f"(asked: {params.solver_tolerance:.0e}); the certificate shows what that means",
    )
