"""Do the point forces of a whole take obey the planar condition? Patches whose law speeds are not affine are counted
and left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analysis.patch_check import HOLDS, violation_of
from engine.analysis.patch_contacts import moment_of_take, patches
from engine.tape.take import Take


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
