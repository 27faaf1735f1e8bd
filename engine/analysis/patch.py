"""A planar contact as one thing (de Mont-Marin et al. 2025).

Forces at the points of a patch make a wrench (m_T, f_N), relative motion makes a twist (omega_T, v_N), and the law of
Signorini at every point is the same as one complementarity of cones (patch_hull.py):

    K_P  contains  (m_T, f_N)   perpendicular to   (omega_T, v_N)  in  K_P*

In the plane of the patch: v_N(x) = v_N + omega_T . x_perp, and m_T = f_N cop_perp (their equation 19 has the
opposite sign there). Points, moments and twists refer to the same origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.analysis.patch_hull import PlaneHull, hull_of, perp, unperp
from engine.rest import REST_OF_PATCH

Regime = Literal["breaking", "tipping", "slide-tipping", "sticking", "sliding"]

WEIGHTLESS = 1e-12  # N: what presses less does not press
VALID = 1e-9  # relative violation that rounding explains
ON_LINE = 1e-9  # of the patch's radius: corners this near to the zero-velocity line are on it


@dataclass(frozen=True)
class Reading:
    regime: Regime
    cop: np.ndarray | None  # (2,) m, centre of pressure; None without force
    extended_cop: np.ndarray  # (k, 2) m: the centre of pressure, or corners of where it would appear (equation 19)
    zero_line: tuple[np.ndarray, np.ndarray] | None  # point and unit direction of where v_N(x) = 0
    violation: float  # of the planar condition, relative to the wrench and the twist; 0 when it holds
    hull: PlaneHull

    @property
    def valid(self) -> bool:
        return self.violation <= VALID

    @property
    def margin(self) -> float | None:
        """m from the centre of pressure to the nearest side of the hull, negative outside; None without force."""
        return None if self.cop is None else 0.0 - float(self.hull.excess(self.cop).max())

    @property
    def nearest_side(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """The two corners of the side of the hull nearest to the centre of pressure and its outward normal."""
        if self.cop is None or not self.hull.is_area:
            return None
        side = int(np.argmax(self.hull.excess(self.cop)))
        corners = self.hull.corners
        return corners[side], corners[(side + 1) % len(corners)], self.hull.normals[side]


def read(
    points: np.ndarray,
    m_T: np.ndarray,
    f_N: float,
    omega_T: np.ndarray,
    v_N: float,
    v_T: np.ndarray | tuple[float, float] = (0.0, 0.0),
    omega_N: float = 0.0,
    still: float = REST_OF_PATCH,
    weightless: float = WEIGHTLESS,
) -> Reading:
    """What a patch with this wrench and this twist does.

    points: (n, 2) m, its corners at least; m_T: (2,) N m; f_N: N; omega_T: (2,) rad/s; v_N: m/s; v_T: (2,) m/s and
    omega_N: rad/s tell sticking from sliding."""
    hull = hull_of(points)
    moment, omega, drift = (np.asarray(x, float).reshape(2) for x in (m_T, omega_T, v_T))
    radius = hull.radius or 1.0
    here = perp(hull.centre)
    speed = abs(v_N + omega @ here) + radius * float(np.linalg.norm(omega))
    moves, presses = speed > still, f_N > weightless
    cop = unperp(moment) / f_N if presses else None
    closest = hull.corners[_closest(hull, omega, radius)] if moves else hull.corners
    acting = closest if moves and presses else hull.corners
    slides = bool((np.linalg.norm(drift - omega_N * perp(acting), axis=1) > still).any())
    regime: Regime
    if moves:
        regime = "breaking" if not presses else "slide-tipping" if slides else "tipping"
    else:
        regime = "sliding" if slides else "sticking"
    line = None
    if float(np.linalg.norm(omega)) * radius > still:
        across = perp(omega) / float(omega @ omega)  # v_N(x) = v_N - perp(omega) . x
        at = hull.centre + across * (v_N - perp(omega) @ hull.centre)
        line = (at, omega / float(np.linalg.norm(omega)))
    return Reading(
        regime=regime,
        cop=cop,
        extended_cop=cop[None] if cop is not None else closest,
        zero_line=line,
        violation=_violation(hull, moment, float(f_N), omega, float(v_N), radius, speed if moves else 0.0),
        hull=hull,
    )


def _closest(hull: PlaneHull, omega: np.ndarray, radius: float) -> np.ndarray:
    """Corners nearest to the zero-velocity line, all where there is none (equation 18)."""
    reach = hull.corners @ perp(omega)
    return np.flatnonzero(reach >= reach.max() - ON_LINE * radius * float(np.linalg.norm(omega)))


def _violation(
    hull: PlaneHull, moment: np.ndarray, f: float, omega: np.ndarray, v: float, radius: float, speed: float
) -> float:
    """The largest of: force outside K_P, motion outside K_P*, work of one on the other; relative to their sizes."""
    about_centre = moment - f * perp(hull.centre)
    force = abs(f) + float(np.linalg.norm(about_centre)) / radius
    first_moment = unperp(moment)  # f times the centre of pressure
    worst = 0.0
    if force > 0.0:
        beyond = hull.normals @ first_moment - f * hull.offsets
        worst = max(float(beyond.max()) / (radius * force), -f / force, 0.0)
    if speed > 0.0:
        worst = max(worst, -float((v + perp(hull.corners) @ omega).min()) / speed)
    if force > 0.0 and speed > 0.0:
        worst = max(worst, abs(float(moment @ omega) + f * v) / (force * speed))
    return float(worst)


def wrench_of(points: np.ndarray, forces: np.ndarray) -> tuple[np.ndarray, float, float, np.ndarray]:
    """(m_T, f_N, m_N, f_T) of forces (n, 3) = (tangents, normal) at points (n, 2) (equation 4)."""
    x_perp, forces = perp(points), np.asarray(forces, float)
    normal, tangent = forces[:, 2], forces[:, :2]
    return normal @ x_perp, float(normal.sum()), -float((tangent * x_perp).sum()), tangent.sum(0)


def twist_of(points: np.ndarray, velocities: np.ndarray) -> tuple[np.ndarray, float, float, np.ndarray]:
    """(omega_T, v_N, omega_N, v_T) that moves the points (n, 2) most nearly with velocities (n, 3) (equation 3). What
    the points leave open, as about a segment, is zero."""
    x_perp, velocities = perp(points), np.asarray(velocities, float)
    middle = x_perp.mean(0)
    arms = x_perp - middle
    mean = velocities.mean(0)
    omega = np.linalg.lstsq(arms, velocities[:, 2] - mean[2], rcond=1e-9)[0]
    spread = float((arms**2).sum())
    turn = -float((arms * (velocities[:, :2] - mean[:2])).sum()) / spread if spread > 0.0 else 0.0
    return omega, float(mean[2] - omega @ middle), turn, mean[:2] + turn * middle
