"""Every tolerance and constant of the scheme, in one place: unit, usual value, what breaks when it is wrong.

`Params` travels into kernels as an argument: a global would be frozen into the machine code when it is compiled.
"""

from __future__ import annotations

import math

from engine.record import Record
from engine.rest import REST_OF_CONTACT


class Params(Record):
    """Numbers of one run. The ladder certificate >= 10 rest >= 1000 solver must hold (see `rest_speed`)."""

    dt: float
    """s. Length of a step. 1/240 preview, 1/480 default, 1/1000 final. Bounds the depth of an impact: v dt."""

    gravity_x: float
    gravity_y: float
    gravity_z: float
    """m/s^2."""

    slop: float
    """m, 1e-6. A contact exists when its gap is at most this, so that an authored pose that touches in exact
    arithmetic touches in floating point too. Larger: bodies seen to hover; smaller: rest contacts flicker. Less where
    round bodies are let go beside each other (arrivals/ahead/beside.py)."""

    bounce_speed: float
    """m/s, max(0.1, 2 g dt). Approach speeds below it have no restitution (Twigg and James 2008: epsilon).
    Must exceed 2 g dt, or a body at rest bounces on the speed gravity gives it in one step."""

    rest_speed: float
    """m/s, 1e-9. Speeds below it are read as zero when stepping backward (Twigg and James 2008: delta). A solver error
    above it is read as a bounce and multiplied by 1/restitution every step: stacks explode. Far above the solver's
    error, far below the certificate's tolerance."""

    solver_tolerance: float
    """1e-12 relative to 1 + |u|. Largest residual of the contact law a solve may leave."""

    certificate_tolerance: float
    """1e-8 relative to 1 + |u|. Above it a contact does not obey the law it claims."""

    painleve_share: float
    """0.05. Sliding friction is lowered until the normal response along the folded direction is at least this share
    of the frictionless one; at zero the sliding contact has no finite impulse (Painleve)."""

    max_speed: float
    """m/s, 1e4. A body faster than this has diverged: the run stops and keeps what came before."""

    landing: float = 0.0
    """Which landing law holds (contact/law.py): CAUGHT, a contact acts where a step has left it, or PREDICTED, it acts
    in the step that would pass the surface, so that what comes to rest does so at gap zero. A number like the others:
    tapes keep it, and those from before it was there mean CAUGHT."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Params) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


SOLVER_TOLERANCE = 1e-12
CERTIFICATE_TOLERANCE = 1e-8
SLOP = 1e-6
SMALLEST_BOUNCE_SPEED = 0.1
PAINLEVE_SHARE = 0.05
MAX_SPEED = 1e4
NOWHERE = -1e6  # m, upright: where bodies are put that are not there, so that nobody meets them
CAUGHT, PREDICTED = 0.0, 1.0  # Params.landing

PREVIEW_DT, DEFAULT_DT, FINAL_DT = 1 / 240, 1 / 480, 1 / 1000


def make_params(dt: float, gravity: tuple[float, float, float], landing: float = CAUGHT) -> Params:
    """Parameters of a run with the usual tolerances."""
    strength = math.sqrt(sum(g * g for g in gravity))
    return Params(
        dt=float(dt),
        gravity_x=float(gravity[0]),
        gravity_y=float(gravity[1]),
        gravity_z=float(gravity[2]),
        slop=SLOP,
        bounce_speed=max(SMALLEST_BOUNCE_SPEED, 2.0 * strength * dt),
        rest_speed=REST_OF_CONTACT,
        solver_tolerance=SOLVER_TOLERANCE,
        certificate_tolerance=CERTIFICATE_TOLERANCE,
        painleve_share=PAINLEVE_SHARE,
        max_speed=MAX_SPEED,
        landing=float(landing),
    )
