"""Do the point forces of a take obey the planar condition? They must: the law at every point implies it.

The twist is that of which the contact law speaks (contact/law.py): secants of the gap, with the share of a bounce. Over
a patch it is affine, as the condition needs, unless some of its points bounce and others do not, or features of both
bodies bound it while one turns; such patches are counted and left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analysis.patch import read, twist_of
from engine.analysis.patch_contacts import Patch, moment_of_take, patches
from engine.tape.take import Take

HOLDS = 1e-6  # relative violation: speeds are recorded in single precision
SLOW = 1e-6  # m/s: law speeds below this are rounding of single precision


@dataclass(frozen=True)
class PlanarCheck:
    patches: int  # of all pairs and steps, at which the condition was asked
    uneven: int  # left out
    worst: float  # relative violation
    worst_step: int  # -1: no patch

    @property
    def holds(self) -> bool:
        return self.worst <= HOLDS


def planar_check(take: Take, every: int = 1) -> PlanarCheck:
    """Every patch with a force of every step (or of one step in so many)."""
    asked, uneven, worst, worst_step = 0, 0, 0.0, -1
    for step in range(0, take.tape.steps, every):
        if take.tape.start[step] == take.tape.start[step + 1]:
            continue
        moment = moment_of_take(take, step)
        for body in np.unique(moment.contacts.a):
            for patch in patches(moment, int(body)):
                if patch.wrench[1] <= 0.0 or (patch.others[0] < body and patch.others[0] in moment.contacts.a):
                    continue  # a pair is looked at from one side
                violation = violation_of(patch)
                if violation is None:
                    uneven += 1
                    continue
                asked += 1
                if worst_step < 0 or violation > worst:
                    worst, worst_step = violation, step
    return PlanarCheck(asked, uneven, worst, worst_step)


def violation_of(patch: Patch) -> float | None:
    """Of the planar condition by one patch of a take, relative. None: the law speeds of the patch are not affine."""
    law = np.where(np.abs(patch.law) < SLOW, 0.0, patch.law)
    omega, v, _, _ = twist_of(patch.points, np.column_stack([np.zeros((len(law), 2)), law]))
    fitted = v + np.column_stack([patch.points[:, 1], -patch.points[:, 0]]) @ omega
    if np.abs(fitted - law).max() > HOLDS * (1.0 + np.abs(law).max()):
        return None
    m_T, f_N, _, _ = patch.wrench
    return read(patch.points, m_T, f_N, omega, v).violation
