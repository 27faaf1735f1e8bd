"""Do the point forces of a patch obey the planar condition? They must: the law at every point implies it.

The twist is that of which the contact law speaks (contact/law.py): secants of the gap, with the share of a bounce. Over
a patch it is affine, as the condition needs, unless some of its points bounce and others do not, or features of both
bodies bound it while one turns."""

from __future__ import annotations

import numpy as np

from engine.analysis.patch import read, twist_of
from engine.analysis.patch_contacts import Patch
from engine.rest import REST_OF_LAW_SPEED

HOLDS = 1e-6  # relative violation: speeds are recorded in single precision


def violation_of(patch: Patch) -> float | None:
    """Of the planar condition by one patch of a take, relative. None: the law speeds of the patch are not affine."""
    law = np.where(np.abs(patch.law) < REST_OF_LAW_SPEED, 0.0, patch.law)
    omega, v, _, _ = twist_of(patch.points, np.column_stack([np.zeros((len(law), 2)), law]))
    fitted = v + np.column_stack([patch.points[:, 1], -patch.points[:, 0]]) @ omega
    if np.abs(fitted - law).max() > HOLDS * (1.0 + np.abs(law).max()):
        return None
    m_T, f_N, _, _ = patch.wrench
    return read(patch.outline, m_T, f_N, omega, v).violation
